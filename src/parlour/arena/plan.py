"""The plan of a match or tournament: the seating, start and chance seed of every game.

Games come in groups. All games of a group have the same start and chance seed, and each agent of
its set takes every seat once:

    two seats     A B     B A
    four seats    A B C D     D A B C     C D A B     B C D A
    four seats    A B B B     B A B B     B B A B     B B B A     (a match of two)
    two teams     A B A B     B A B A                             (partners are one agent)
    one team      A     B     C                                   (each plays all seats)

The arena counts teams, not seats: a seat without partners is its own team. A lap is one group of
each set, so the games are balanced at the end of every lap.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from parlour.arena.errors import MatchError
from parlour.arena.openings import Opening
from parlour.core.checks import shown
from parlour.core.game import Game, has_two_sides
from parlour.core.rng import fold_seed

AgentSet = tuple[int, ...]
"""The indices of the agents that meet, in the order of the group's first game."""


class Task(NamedTuple):
    """One game to play, with all that determines it. Equal plans give equal tasks."""

    number: int
    group: int
    seating: tuple[int, ...]
    """The index of each team's agent."""
    players: tuple[str, ...]
    """The text of each team's agent."""
    start_seed: int
    chance_seed: int
    agent_seeds: tuple[int, ...]
    """One seed per seat."""
    opening: tuple[int, ...] = ()
    """Actions that are played before the agents choose."""


class _Stage(NamedTuple):
    """Sets that meet for a number of laps, starting at group `first`."""

    first: int
    sets: tuple[AgentSet, ...]
    laps: int

    @property
    def groups(self) -> int:
        return len(self.sets) * self.laps


class Plan:
    """All games by number; each can be computed without the others."""

    def __init__(
        self, game: Game, agents: Sequence[str], seed: int, openings: Sequence[Opening] = ()
    ) -> None:
        """Create a plan without games; `add` adds them."""
        if isinstance(agents, str):
            raise MatchError("agents must be a list of texts, not one text")
        self.game = game
        self.agents = tuple(agents)
        self.seed = fold_seed(seed)
        self.openings = tuple(openings)
        self.group_size = len(self.agents) if game.num_teams == 1 else game.num_teams
        self._stages: list[_Stage] = []

    @staticmethod
    def of_match(
        game: Game,
        agents: Sequence[str],
        games: int,
        seed: int,
        openings: Sequence[Opening] = (),
    ) -> "Plan":
        """Return the plan of a match: one set, in which the last agent fills the remaining seats.

        `games` is rounded up to whole groups. Raises `MatchError` for wrong numbers.
        """
        plan = Plan(game, agents, seed, openings)
        _check_match(game, plan.agents)
        check_count("a match has", games, "game")
        last = len(plan.agents) - 1
        meeting = tuple(min(team, last) for team in range(game.num_teams))
        if game.num_teams == 1:
            meeting = tuple(range(len(plan.agents)))
        plan.add([meeting], -(-games // plan.group_size))
        return plan

    def add(self, sets: Sequence[AgentSet], laps: int) -> None:
        """Append these sets, each meeting in `laps` groups."""
        self._stages.append(_Stage(self.groups, tuple(sets), laps))

    @property
    def groups(self) -> int:
        """The number of groups."""
        return self._stages[-1].first + self._stages[-1].groups if self._stages else 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.groups * self.group_size

    def stage_games(self) -> list[range]:
        """Return the numbers of the games of each stage."""
        size = self.group_size
        return [
            range(stage.first * size, (stage.first + stage.groups) * size) for stage in self._stages
        ]

    def place(self, group: int) -> tuple[AgentSet, int]:
        """Return the set that meets in a group, and the number of its meeting."""
        laps = 0
        for stage in self._stages:
            if group < stage.first + stage.groups:
                lap, at = divmod(group - stage.first, len(stage.sets))
                return stage.sets[at], laps + lap
            laps += stage.laps
        raise IndexError(f"group {group} is out of range: the plan has {self.groups} groups")

    def seating(self, number: int) -> tuple[int, ...]:
        """Return the index of each team's agent in the game with this number."""
        group, turn = divmod(number, self.group_size)
        meeting, _ = self.place(group)
        teams = self.game.num_teams
        if teams == 1:
            return (meeting[turn],)
        return tuple(meeting[(team - turn) % teams] for team in range(teams))

    def task(self, number: int) -> Task:
        """Return the game with this number, from 0 to `games` - 1."""
        group = number // self.group_size
        lap = self.place(group)[1]
        seating = self.seating(number)
        opening = self.openings[lap % len(self.openings)] if self.openings else Opening()
        start = self._draw("start", group) if opening.seed is None else opening.seed
        return Task(
            number,
            group,
            seating,
            tuple(self.agents[agent] for agent in seating),
            start,
            self._draw("chance", group),
            tuple(self._draw("agent", number, seat) for seat in range(self.game.seats)),
            opening.actions,
        )

    def _draw(self, *purpose: object) -> int:
        """Return an independent seed for each purpose, from 0 to 2**48 - 1.

        It is a hash, so no game depends on the number of seeds drawn before.
        """
        words = "/".join(str(word) for word in (self.seed, *purpose))
        return int.from_bytes(blake2b(words.encode(), digest_size=6).digest(), "big")


def check_count(what: str, count: object, unit: str) -> None:
    """Raise `MatchError` unless the count is an int of at least 1."""
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise MatchError(f"{what} at least 1 {unit}, not {shown(count)}")


def _check_match(game: Game, agents: tuple[str, ...]) -> None:
    teams, given = game.num_teams, len(agents)
    if teams == 1:
        if given < 1:
            raise MatchError(f"a match of {game.name} needs at least one agent, such as random")
    elif not 2 <= given <= teams:
        wanted = "2 agents" if teams == 2 else f"2 to {teams} agents"
        raise MatchError(
            f"{game.name} has {teams_text(game)}: a match needs {wanted}, not {given}"
            + ("; 'parlour tournament' takes any number" if given > teams else "")
        )


def check_duel(what: str, game: Game) -> None:
    """Raise `MatchError` unless two sides play against each other."""
    if not has_two_sides(game):
        raise MatchError(
            f"{what} needs a zero-sum game of two sides; {game.name} is a {game.utility} game with "
            f"{teams_text(game)}"
        )


def teams_text(game: Game) -> str:
    """Return the number of seats of a game, or of teams if they differ."""
    unit = "seat" if game.num_teams == game.seats else "team"
    return f"{game.num_teams} {unit}{'s' * (game.num_teams != 1)}"
