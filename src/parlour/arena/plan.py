"""Who sits where, from which start, with which luck: the plan of a match.

The games of a match come in groups. All games of a group have one start and one source of
chance, and each agent takes every seat once:

    two seats     A B     B A
    four seats    A B B B     B A B B     B B A B     B B B A     (two agents)
    one seat      A     B     C                                   (each alone)

Where there are fewer agents than seats, the last one fills the seats that are left.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from parlour.arena.errors import MatchError
from parlour.core.game import Game
from parlour.core.rng import fold_seed


class Task(NamedTuple):
    """One game to be played. Equal plans give equal tasks."""

    number: int
    group: int
    seating: tuple[int, ...]
    """The number of the agent in each seat."""
    start_seed: int
    chance_seed: int
    agent_seeds: tuple[int, ...]
    """One per seat."""


class Plan:
    """All games of a match, by their number; each is known without the others."""

    def __init__(self, game: Game, agents: Sequence[str], games: int, seed: int) -> None:
        """`games` is rounded up to whole groups. Raises `MatchError` for wrong numbers."""
        if isinstance(agents, str):
            raise MatchError("the agents are a list of texts, not one text")
        self.game = game
        self.agents = tuple(agents)
        self.seed = fold_seed(seed)
        self._check_agents()
        if isinstance(games, bool) or not isinstance(games, int) or games < 1:
            raise MatchError(f"a match has at least 1 game, not {games!r}")
        self.group_size = len(self.agents) if game.seats == 1 else game.seats
        self.groups = -(-games // self.group_size)
        self.games = self.groups * self.group_size

    def _check_agents(self) -> None:
        seats, given = self.game.seats, len(self.agents)
        if seats == 1:
            if given < 1:
                raise MatchError(f"a match of {self.game.name} needs an agent, such as random")
        elif not 2 <= given <= seats:
            wanted = "2 agents" if seats == 2 else f"2 to {seats} agents"
            raise MatchError(
                f"{self.game.name} has {seats} seats: a match is between {wanted}, not {given}"
            )

    def seating(self, turn: int) -> tuple[int, ...]:
        """The number of the agent in each seat, in the group's game of that turn."""
        if self.game.seats == 1:
            return (turn,)
        last = len(self.agents) - 1
        seats = self.game.seats
        return tuple(min((seat - turn) % seats, last) for seat in range(seats))

    def task(self, number: int) -> Task:
        """The game of that number, from 0 to `games` - 1."""
        group, turn = divmod(number, self.group_size)
        seating = self.seating(turn)
        return Task(
            number,
            group,
            seating,
            self._draw("start", group),
            self._draw("chance", group),
            tuple(self._draw("agent", number, seat) for seat in range(len(seating))),
        )

    def _draw(self, *purpose: object) -> int:
        """A seed of its own for each purpose, from 0 to 2**48 - 1.

        A hash rather than a generator: no game depends on how many were drawn before it.
        """
        words = "/".join(str(word) for word in (self.seed, *purpose))
        return int.from_bytes(blake2b(words.encode(), digest_size=6).digest(), "big")
