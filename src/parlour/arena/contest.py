"""Play one game of a match, and hold an agent to account for what it does in it."""

import contextlib
import zlib
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

from parlour.agents import Agent, AgentFault, SeatedAgent, agent, crashed, seeded
from parlour.agents.apart import ApartAgents, runs_apart
from parlour.arena.plan import Task
from parlour.core.errors import ContractError, ParlourError
from parlour.core.game import CHANCE, OVER, Game, start_of
from parlour.core.record import Line, Record
from parlour.core.rng import Rng

NOBODY = -1


class Fault(NamedTuple):
    """Why a game was lost without being played to its end."""

    seat: int
    reason: str
    """`crashed: ...`, `illegal action: ...` or `no action: ...`."""


class Played(NamedTuple):
    """A game of a match and how it ended."""

    number: int
    seating: tuple[int, ...]
    """The number of the agent in each seat."""
    returns: tuple[float, ...]
    scores: tuple[float, ...] | None
    """The game's own points, where it has them; none after a fault."""
    reason: str
    plies: int
    """Decisions of seats; the outcomes of chance do not count."""
    fault: Fault | None
    moves: int
    """A checksum of the actions: games that are move for move the same have the same."""


def play_game(
    game: Game,
    agents: Sequence[str],
    task: Task,
    tell: Callable[[int], None] | None = None,
    apart: ApartAgents | None = None,
) -> tuple[Played, Record]:
    """Play the game of a task; the record stops before the action of a fault.

    `tell` gets the seat of each agent before anything is asked of it, and NOBODY after.
    Where the game has chance or secrets, other people's agents play in processes of their
    own: those of `apart`, which are kept for the next game, or new ones.

    An agent that raises, returns an illegal action or returns no action has lost: -1 for it,
    and the others share what it lost. That holds for what it does when it is told of the
    game, too. `ContractError` if the game itself is at fault.
    """
    if apart is None:
        with ApartAgents() as made:
            return play_game(game, agents, task, tell, made)
    contest = _Contest(game, agents, task, tell, apart)
    try:
        contest.play()
    except _Lost as lost:
        return contest.lost(lost.fault)
    finally:
        contest.leave()
    return contest.played()


class _Lost(Exception):
    """An agent was at fault."""

    def __init__(self, seat: int, error: ParlourError) -> None:
        reason = str(error) if isinstance(error, AgentFault) else crashed(error)
        super().__init__(reason)
        self.fault = Fault(seat, reason)


class _Contest:
    """The game while it is played: its states, and who sits in its seats."""

    def __init__(
        self,
        game: Game,
        agents: Sequence[str],
        task: Task,
        tell: Callable[[int], None] | None,
        apart: ApartAgents,
    ) -> None:
        self.game = game
        self.tell = tell or (lambda seat: None)
        self.apart = apart
        self.task = task
        self.texts = [agents[number] for number in task.seating]
        self.seated: dict[int, SeatedAgent] = {}
        self.actions: list[int] = []
        self.states = [start_of(game, task.start_seed)]
        self.plies = 0

    def play(self) -> None:
        """Play to the end; `_Lost` by the first agent that is at fault."""
        start = state = self.states[0]
        secret = secret_of(self.task)
        for seat, text in enumerate(self.texts):
            with self._blamed_on(seat):
                self.seated[seat] = SeatedAgent(self._player(seat, text), seat, secret)
                self.seated[seat].begin(start)
        chance = Rng(self.task.chance_seed)
        while (actor := int(state.actor)) != OVER:
            if actor == CHANCE:
                action = int(state.sample(chance))
            else:
                self._count_ply()
                with self._blamed_on(actor):
                    action = self.seated[actor].choose(state)
                self.plies += 1
            after = state.apply(action)
            self.actions.append(action)
            self.states.append(after)
            for seat, seated in self.seated.items():
                with self._blamed_on(seat):
                    seated.watch(state, action, after)
            state = after
        for seat in list(self.seated):
            with self._blamed_on(seat):
                self.seated.pop(seat).close()

    def _player(self, seat: int, text: str) -> Agent:
        seed = self.task.agent_seeds[seat]
        if runs_apart(text, self.game):
            return self.apart.agent(text, seed, self.texts[:seat].count(text))
        return agent(seeded(text, seed))

    def _count_ply(self) -> None:
        if self.plies == self.game.max_plies:
            raise ContractError(
                f"a game of {self.game.name} goes on after its max_plies, {self.plies}"
            )

    def leave(self) -> None:
        """Close who has not been closed yet; nobody loses by that any more."""
        for seat, seated in self.seated.items():
            with contextlib.suppress(_Lost), self._blamed_on(seat):
                seated.close()

    @contextlib.contextmanager
    def _blamed_on(self, seat: int) -> Iterator[None]:
        self.tell(seat)
        try:
            yield
        except ParlourError as error:
            raise _Lost(seat, error) from error
        finally:
            self.tell(NOBODY)

    def record(self) -> Record:
        """The game so far."""
        line = Line(tuple(self.actions), tuple(self.states))
        return Record(self.game, self.task.start_seed, line)

    def lost(self, fault: Fault) -> tuple[Played, Record]:
        """The game as the fault left it."""
        record = self.record()
        return lost_by(fault, self.task, self.plies, record), record

    def played(self) -> tuple[Played, Record]:
        """The game as it ended by its rules."""
        result = self.states[-1].result()
        if result is None:
            raise ContractError(f"{self.game.name} is over but has no result")
        return (
            Played(
                self.task.number,
                self.task.seating,
                result.returns,
                result.scores,
                result.reason,
                self.plies,
                None,
                checksum(self.actions),
            ),
            self.record(),
        )


def secret_of(task: Task) -> bytes:
    """What no agent knows of a game: the worlds that they are shown are drawn from it."""
    words = f"{task.number}/{task.start_seed}/{task.chance_seed}"
    return blake2b(words.encode(), digest_size=16).digest()


def checksum(actions: Sequence[int]) -> int:
    """The checksum of a game's actions."""
    return zlib.crc32(repr(list(actions)).encode())


def lost_by(fault: Fault, task: Task, plies: int, record: Record) -> Played:
    """A game that ended with a fault."""
    seats = record.game.seats
    others = seats - 1
    returns = [1.0 / others if others else 0.0] * seats
    returns[fault.seat] = -1.0
    reason = fault.reason.partition(":")[0]
    moves = checksum(record.actions)
    return Played(task.number, task.seating, tuple(returns), None, reason, plies, fault, moves)
