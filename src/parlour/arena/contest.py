"""Play one game of a match; failures of an agent count as its losses."""

import contextlib
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from statistics import fmean
from typing import NamedTuple

from parlour.agents import Agent, AgentFault, Occasion, SeatedAgent, agent, crashed, seeded
from parlour.agents.base import Limit, limit_of
from parlour.agents.isolation import IsolatedAgents, needs_isolation
from parlour.arena.conditions import RULES_ALONE, Conditions
from parlour.arena.plan import Task
from parlour.core.errors import ContractError, ParlourError
from parlour.core.game import CHANCE, OVER, Game, State, start_of
from parlour.core.record import Line, Record
from parlour.core.result import forfeit_returns
from parlour.core.rng import Rng

NO_SEAT = -1

RESIGNED = "resigned"
DRAWN = "drawn by opinions"
TOO_LONG = "max-plies"


class Fault(NamedTuple):
    """A failure of an agent that decided a game."""

    seat: int
    """The team whose agent failed; in games without partners, the seat."""
    reason: str
    """The cause: `crashed: ...`, `illegal action: ...`, `no action: ...` or `time: ...`."""


class Played(NamedTuple):
    """A finished game of a match."""

    number: int
    seating: tuple[int, ...]
    """The index of each team's agent."""
    returns: tuple[float, ...]
    """The return of each team."""
    scores: tuple[float, ...] | None
    """The game's own points if it has any; a team has the mean of its seats.

    `None` if the game did not end by its rules.
    """
    reason: str
    plies: int
    """Decisions of seats, including the opening but not chance outcomes."""
    fault: Fault | None
    moves: int
    """A checksum of the actions: identical games have the same one."""


def play_game(
    game: Game,
    task: Task,
    conditions: Conditions = RULES_ALONE,
    on_agent: Callable[[int], None] | None = None,
    isolated: IsolatedAgents | None = None,
    now: Callable[[], float] = time.perf_counter,
    logs: str | None = None,
) -> tuple[Played, Record]:
    """Play the game of a task. The record ends where the game was decided.

    - `on_agent` gets the seat of an agent before each call to it, and NO_SEAT after it.
    - `isolated` holds the processes of third-party agents in games with chance or hidden
      information; by default they are started for this game.
    - `now` is the clock of a time control.
    - `logs` is the folder for engine logs.

    An agent that raises, returns an illegal action or none, or runs out of time loses with -1; the
    others share the gain. That includes its methods that only observe the game. Raises
    `ContractError` if the game itself fails.
    """
    if isolated is None:
        with IsolatedAgents() as made:
            return play_game(game, task, conditions, on_agent, made, now, logs)
    contest = _Contest(game, task, conditions, on_agent, isolated, now, logs)
    try:
        contest.play()
    except _Lost as lost:
        return contest.lost(lost.fault)
    except _Decided as decided:
        return contest.decided(decided)
    finally:
        contest.leave()
    return contest.played()


class _Lost(Exception):
    """An agent failed."""

    def __init__(self, seat: int, error: ParlourError) -> None:
        reason = str(error) if isinstance(error, AgentFault) else crashed(error)
        super().__init__(reason)
        self.fault = Fault(seat, reason)


class _Decided(Exception):
    """The game was adjudicated."""

    def __init__(self, reason: str, loser: int = NO_SEAT) -> None:
        super().__init__(reason)
        self.reason = reason
        self.loser = loser


class _Contest:
    """A game in progress: its states and the agents in its seats."""

    def __init__(
        self,
        game: Game,
        task: Task,
        conditions: Conditions,
        on_agent: Callable[[int], None] | None,
        isolated: IsolatedAgents,
        now: Callable[[], float],
        logs: str | None,
    ) -> None:
        self.game = game
        self.logs = logs
        self.on_agent = on_agent or (lambda seat: None)
        self.isolated = isolated
        self.task = task
        self.texts = [task.players[team] for team in game.teams]
        self.conditions = conditions
        self.clocks = _Clocks(conditions, game.seats, now) if conditions.control else None
        self.opinions = _Opinions(conditions, game.seats)
        self.seated: dict[int, SeatedAgent] = {}
        self.actions: list[int] = []
        self.states = [start_of(game, task.start_seed)]
        self.plies = 0

    def play(self) -> None:
        """Play to the end; raises `_Lost` if an agent fails and `_Decided` on adjudication."""
        start = self.states[0]
        secret = secret_of(self.task)
        for seat, text in enumerate(self.texts):
            with self._blamed_on(seat):
                self.seated[seat] = SeatedAgent(self._player(seat, text), seat, secret)
                label = f"{self.task.number + 1:05}-{seat + 1}"
                occasion = Occasion(self.task.start_seed, label, self.logs)
                self.seated[seat].begin(start, occasion)
        for action in self.task.opening:
            self._open_with(action)
        chance = Rng(self.task.chance_seed)
        while (actor := int((state := self.states[-1]).actor)) != OVER:
            if actor == CHANCE:
                action = int(state.sample(chance))
            else:
                self._count_ply()
                action = self._choice(actor, state)
            self._act(state, action)
        for seat in list(self.seated):
            with self._blamed_on(seat):
                self.seated.pop(seat).close()

    def _open_with(self, action: int) -> None:
        """Play an action of the opening; it may be illegal, since openings can lack a seed."""
        state = self.states[-1]
        refusal = "the game is over" if state.actor == OVER else state.refusal(action)
        if refusal is not None:
            raise ContractError(
                f"the opening's action {len(self.actions) + 1} cannot be played from the start "
                f"of seed {self.task.start_seed}: {refusal}; write 'seed N:' before its actions"
            )
        if state.actor != CHANCE:
            self._count_ply()
            self.plies += 1
        self._act(state, action)

    def _act(self, state: State, action: int) -> None:
        after = state.apply(action)
        self.actions.append(action)
        self.states.append(after)
        for seat, seated in self.seated.items():
            with self._blamed_on(seat):
                seated.watch(state, action, after)

    def _choice(self, seat: int, state: State) -> int:
        """Return the choice of the seat's agent, within its time."""
        if self.conditions.max_plies is not None and self.plies >= self.conditions.max_plies:
            raise _Decided(TOO_LONG, NO_SEAT if self.game.num_teams > 1 else seat)
        seated = self.seated[seat]
        with self._blamed_on(seat):
            if self.clocks is None:
                action = seated.choose(state)
            else:
                limit = self.clocks.limit(seat)
                self.clocks.start()
                action = seated.choose(state, limit)
                self.clocks.stop(seat)
        self.plies += 1
        self.opinions.add(seat, seated.player.opinion)
        return action

    def _player(self, seat: int, text: str) -> Agent:
        seed = self.task.agent_seeds[seat]
        if needs_isolation(text, self.game):
            return self.isolated.agent(text, seed, self.texts[:seat].count(text))
        return agent(seeded(text, seed))

    def _count_ply(self) -> None:
        if self.plies == self.game.max_plies:
            raise ContractError(
                f"a game of {self.game.name} goes on after its max_plies, {self.plies}"
            )

    def leave(self) -> None:
        """Close the remaining agents; failures no longer count."""
        for seat, seated in self.seated.items():
            with contextlib.suppress(_Lost), self._blamed_on(seat):
                seated.close()

    @contextlib.contextmanager
    def _blamed_on(self, seat: int) -> Iterator[None]:
        self.on_agent(seat)
        try:
            yield
        except ParlourError as error:
            raise _Lost(seat, error) from error
        finally:
            self.on_agent(NO_SEAT)

    def record(self) -> Record:
        """Return the record of the game so far."""
        line = Line(tuple(self.actions), tuple(self.states))
        return Record(self.game, self.task.start_seed, line)

    def lost(self, fault: Fault) -> tuple[Played, Record]:
        """Return the game as lost by a fault."""
        record = self.record()
        return lost_by(fault, self.task, self.plies, record), record

    def decided(self, why: _Decided) -> tuple[Played, Record]:
        """Return the game as adjudicated."""
        game = self.game
        returns = (0.0,) * game.seats
        if why.loser != NO_SEAT:
            returns = forfeit_returns(game.utility, game.teams, why.loser)
        return self._ended(returns, None, why.reason)

    def played(self) -> tuple[Played, Record]:
        """Return the game as it ended by its rules."""
        result = self.states[-1].result()
        if result is None:
            raise ContractError(f"{self.game.name} is over but has no result")
        return self._ended(result.returns, result.scores, result.reason)

    def _ended(
        self, returns: tuple[float, ...], scores: tuple[float, ...] | None, reason: str
    ) -> tuple[Played, Record]:
        task = self.task
        played = Played(
            task.number,
            task.seating,
            by_team(self.game, returns),
            None if scores is None else by_team(self.game, scores),
            reason,
            self.plies,
            None,
            checksum(self.actions),
        )
        return played, self.record()


class _Clocks:
    """The seconds left to each seat; a clock runs only while its agent thinks."""

    def __init__(self, conditions: Conditions, seats: int, now: Callable[[], float]) -> None:
        assert conditions.control is not None
        self._control = conditions.control
        self._margin = conditions.margin
        self._left = [conditions.control.seconds] * seats
        self._now = now
        self._since = 0.0

    def limit(self, seat: int) -> Limit:
        """Return the limit that the seat's agent gets."""
        return limit_of(self._left, seat, self._control.increment)

    def start(self) -> None:
        """Start the clock."""
        self._since = self._now()

    def stop(self, seat: int) -> None:
        """Stop the clock; raises `AgentFault` if the seat exceeded its time and the margin."""
        left = self._left[seat] - (self._now() - self._since)
        if left < -self._margin:
            raise AgentFault(f"time: exceeded by {-left:.3f} s")
        self._left[seat] = max(left, 0.0) + self._control.increment


class _Opinions:
    """The agents' opinions of their positions, and adjudication by them."""

    def __init__(self, conditions: Conditions, seats: int) -> None:
        self._resign = conditions.resign
        self._draw = conditions.draw
        self._hopeless = [0] * seats
        self._even = [0] * seats

    def add(self, seat: int, opinion: float | None) -> None:
        """Add an opinion; raises `_Decided` on adjudication. No opinion resets the count."""
        if not isinstance(opinion, int | float):
            opinion = None  # a third-party agent may return anything
        if self._resign:
            is_hopeless = opinion is not None and opinion <= -self._resign.value
            self._hopeless[seat] = self._hopeless[seat] + 1 if is_hopeless else 0
            if self._hopeless[seat] >= self._resign.decisions:
                raise _Decided(RESIGNED, seat)
        if self._draw:
            is_even = opinion is not None and abs(opinion) <= self._draw.value
            self._even[seat] = self._even[seat] + 1 if is_even else 0
            if min(self._even) >= self._draw.decisions:
                raise _Decided(DRAWN)


def secret_of(task: Task) -> bytes:
    """Return the secret of a game, from which hidden information is sampled."""
    words = f"{task.number}/{task.start_seed}/{task.chance_seed}"
    return blake2b(words.encode(), digest_size=16).digest()


def checksum(actions: Sequence[int]) -> int:
    """Return the checksum of a game's actions."""
    return zlib.crc32(repr(list(actions)).encode())


def lost_by(fault: Fault, task: Task, plies: int, record: Record) -> Played:
    """Return a game that was lost by a fault."""
    game = record.game
    returns = by_team(game, forfeit_returns(game.utility, game.teams, fault.seat))
    reason = fault.reason.partition(":")[0]
    moves = checksum(record.actions)
    fault = fault._replace(seat=game.teams[fault.seat])
    return Played(task.number, task.seating, returns, None, reason, plies, fault, moves)


def by_team(game: Game, values: Sequence[float]) -> tuple[float, ...]:
    """Return the mean of each team's seats."""
    if game.num_teams == game.seats:
        return tuple(values)
    return tuple(
        fmean(value for team, value in zip(game.teams, values, strict=True) if team == number)
        for number in range(game.num_teams)
    )
