"""Review of a whole game by an agent: the value of each position, and the loss of each action."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from parlour.agents import EXACT, Analysis, Choice, seat_view
from parlour.core.game import CHANCE, State, has_two_sides
from parlour.core.record import Record
from parlour.drawing.choices import Advice, ChoiceView, advice_of

REVIEWER = "best:time=0.2"

LOST_SOME, LOST_MUCH = 0.15, 0.35
"""The losses, of the 2 between a loss and a win, from which an action is marked."""

LONG_DETOUR = 6
"""Actions by which a win is delayed, from which an action is marked MUCH."""

SOME, MUCH = "?", "??"
"""The marks of a mistake and of a blunder, as in chess."""

FEWEST_VISITS = 30
"""A choice with fewer simulations has no reliable value."""

LEVEL = ((0.1, "even"), (0.3, "slightly better"), (0.6, "better"), (0.9, "much better"))
WINNING = "winning"


class Verdict(NamedTuple):
    """An agent's verdict on a decision."""

    seat: int
    best: ChoiceView
    played: float | None
    """The value of the played action for that seat; `None` if it is unknown."""
    is_best: bool
    """Whether it is the agent's own choice."""
    detour: int = 0
    """With one seat: the number of actions by which a proven win is delayed."""

    @property
    def lost(self) -> float:
        """The difference to the best action; 0 if it is unknown."""
        if self.is_best or self.played is None:
            return 0.0
        return max(0.0, self.best.choice.value - self.played)

    @property
    def mark(self) -> str:
        """MUCH, SOME or ""."""
        if self.lost < LOST_SOME and not self.detour:
            return ""
        return MUCH if self.lost >= LOST_MUCH or self.detour >= LONG_DETOUR else SOME


class Review:
    """The analyses of a record's positions so far."""

    def __init__(self, record: Record, returns: Sequence[float] | None = None) -> None:
        """Start the review; `returns` are the results of a game that did not end by its rules."""
        self.record = record
        result = record.final.result()
        self.returns = result.returns if result is not None else returns
        self.advices: dict[int, Advice] = {}
        """The analysis of the position after this many actions."""
        states = record.states[:-1] if record.actions else ()
        self.decisions = tuple(ply for ply, state in enumerate(states) if state.actor != CHANCE)
        """The positions in which a seat decided."""

    @property
    def is_allowed(self) -> bool:
        """Whether all information is public: a game without secrets, or a finished one."""
        return not self.record.game.has_secrets or self.returns is not None

    @property
    def is_whole(self) -> bool:
        """Whether all positions are analysed."""
        return len(self.advices) == len(self.decisions)

    def steps(self, ask: Callable[[State], Analysis]) -> Iterator[int]:
        """Analyse the remaining positions; yield the number of each one done."""
        for ply in self.decisions:
            if ply not in self.advices:
                self.advices[ply] = self._advice(ply, ask)
                yield ply

    def _advice(self, ply: int, ask: Callable[[State], Analysis]) -> Advice:
        """Analyse a position with what the seat to act knew then."""
        state = self.record.states[ply]
        seat = int(state.actor)
        known = seat_view(state, seat, b"", ply)
        return advice_of(known, ask(known), seat)

    def verdict(self, ply: int) -> Verdict | None:
        """Return the verdict on the action at `ply`, or `None` before it is analysed."""
        advice, states = self.advices.get(ply), self.record.states
        if advice is None:
            return None
        after = self.advices.get(ply + 1)
        return judged(
            states[ply],
            self.record.actions[ply],
            states[ply + 1],
            advice,
            None if after is None else after.choices[0].choice,
            self.returns if ply + 1 == len(self.record.actions) else None,
        )

    def ends_in(self, ply: int) -> int:
        """Return the actions to the proven end from `ply` on; 0 if there is none."""
        advice = self.advices.get(ply)
        return 0 if advice is None else advice.choices[0].choice.ends_in

    def _value(self, ply: int, seat: int) -> float | None:
        """Return the value of this very position for a seat, or `None`."""
        state = self.record.states[ply]
        if ply == len(self.record.actions) and self.returns is not None:
            return self.returns[seat]
        advice = self.advices.get(ply)
        if advice is None:
            return None
        return value_for(seat, state, advice.choices[0].choice)

    def series(self, seat: int) -> list[float | None]:
        """Return the value of every position for a seat; unknown ones repeat the last value."""
        found: list[float | None] = []
        for ply in range(len(self.record.states)):
            value = self._value(ply, seat)
            is_pending = self.record.states[ply].actor >= 0 and ply not in self.advices
            if value is None and found and not is_pending:
                value = found[-1]
            found.append(value)
        return found

    def words(self, ply: int) -> str:
        """Describe the state of the game at `ply` in words; empty if it is unknown."""
        state = self.record.states[ply]
        names = self.record.game.seat_names(state)
        if ply == len(self.record.actions) and self.returns is not None:
            return ""
        advice = self.advices.get(ply)
        if advice is None:
            return ""
        return standing_words(names, int(state.actor), advice.choices[0].choice)


def judged(
    state: State,
    action: int,
    following: State,
    advice: Advice,
    after: Choice | None = None,
    returns: Sequence[float] | None = None,
) -> Verdict:
    """Return the verdict on an action that leads from a state to the following one.

    `after` is the best choice there, `returns` the result of a game that ended there without its
    rules. The value of the action is the result, the agent's value, or the value of the following
    state.
    """
    seat, best = int(state.actor), advice.choices[0]
    own = next((view.choice for view in advice.choices if view.choice.action == action), None)
    result = following.result()
    played = None if after is None else value_for(seat, following, after)
    if played is None and returns is not None:
        played = returns[seat]
    if result is not None:
        played = result.returns[seat]
    elif own is not None and (played is None or _is_trusted(own)):
        played = own.value
    detour, ends_in = 0, best.choice.ends_in
    if state.game.seats == 1 and ends_in and after is not None and after.ends_in:
        detour = max(0, after.ends_in - (ends_in - 1))
    return Verdict(seat, best, played, best.choice.action == action, detour)


def value_for(seat: int, state: State, best: Choice) -> float | None:
    """Return the value of a state for a seat, given the best choice of the seat to act."""
    game = state.game
    if game.teams[state.actor] == game.teams[seat]:
        return best.value
    return -best.value if has_two_sides(game) else None


def _is_trusted(choice: Choice) -> bool:
    return choice.bound == EXACT and (choice.visits == 0 or choice.visits >= FEWEST_VISITS)


def standing_words(names: Sequence[str], seat: int, best: Choice) -> str:
    """Describe the state of the game for the seat to act: "player 2 is better (+0.45)"."""
    value = best.value
    if best.ends_in and value:
        if value < 0 and len(names) == 2:
            return f"{names[1 - seat]} wins in {best.ends_in}"
        return f"{names[seat]} {'wins' if value > 0 else 'loses'} in {best.ends_in}"
    if best.ends_in:
        return f"a tie in {best.ends_in}"
    if len(names) == 2 and value < 0:
        seat, value = 1 - seat, -value
    how = next((words for bound, words in LEVEL if abs(value) < bound), WINNING)
    if how == LEVEL[0][1]:
        return f"{how} ({best.value:+z.2f} for {names[seat]})" if len(names) != 2 else how
    if value < 0:
        how = {WINNING: "losing"}.get(how, how.replace("better", "worse"))
    return f"{names[seat]} is {how} ({value:+z.2f})"
