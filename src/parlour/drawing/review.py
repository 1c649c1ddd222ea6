"""A whole game as an agent sees it: what each position was worth, and what each action lost."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from parlour.agents import EXACT, Analysis, Choice, seat_view
from parlour.core.game import CHANCE, State, has_two_sides
from parlour.core.record import Record
from parlour.drawing.choices import Advice, ChoiceView, advice_of

REVIEWER = "best:time=0.2"

LOST_SOME, LOST_MUCH = 0.15, 0.35
"""What an action must lose, of the 2 between a loss and a win, to be marked."""

LONG_DETOUR = 6
"""Actions by which a win comes later, to be marked as much."""

SOME, MUCH = "?", "??"
"""The marks of an action that lost some or much, as chess players write them."""

FEWEST_VISITS = 30
"""A choice that was simulated less often says little about itself."""

LEVEL = ((0.1, "even"), (0.3, "slightly better"), (0.6, "better"), (0.9, "much better"))
WINNING = "winning"


class Verdict(NamedTuple):
    """What an agent thinks of a decision that was made."""

    seat: int
    best: ChoiceView
    played: float | None
    """What the action that was made is worth to that seat; `None`: not known yet, or at all."""
    is_best: bool
    """Whether it is the agent's own choice."""
    detour: int = 0
    """With one seat: how many actions later than it could the win comes that is proven."""

    @property
    def lost(self) -> float:
        """How much worse it was than the best one; 0 where that is not known."""
        if self.is_best or self.played is None:
            return 0.0
        return max(0.0, self.best.choice.value - self.played)

    @property
    def mark(self) -> str:
        """MUCH, SOME or nothing."""
        if self.lost < LOST_SOME and not self.detour:
            return ""
        return MUCH if self.lost >= LOST_MUCH or self.detour >= LONG_DETOUR else SOME


class Review:
    """The analyses of a record's positions, as far as they have been made."""

    def __init__(self, record: Record, returns: Sequence[float] | None = None) -> None:
        """`returns` are what the players ended the game with, where its rules did not."""
        self.record = record
        result = record.final.result()
        self.returns = result.returns if result is not None else returns
        self.advices: dict[int, Advice] = {}
        """What the agent thinks of the position after so many actions."""
        states = record.states[:-1] if record.actions else ()
        self.decisions = tuple(ply for ply, state in enumerate(states) if state.actor != CHANCE)
        """The positions in which a seat decided."""

    @property
    def is_allowed(self) -> bool:
        """Whether everybody may know everything: without secrets, or once the game is over."""
        return not self.record.game.has_secrets or self.returns is not None

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to analyse."""
        return len(self.advices) == len(self.decisions)

    def steps(self, ask: Callable[[State], Analysis]) -> Iterator[int]:
        """Analyse what is left, position by position; each is told when it is done."""
        for ply in self.decisions:
            if ply not in self.advices:
                self.advices[ply] = self._advice(ply, ask)
                yield ply

    def _advice(self, ply: int, ask: Callable[[State], Analysis]) -> Advice:
        """With what the seat to act knew, as the agent would have seen it then."""
        state = self.record.states[ply]
        seat = int(state.actor)
        known = seat_view(state, seat, b"", ply)
        return advice_of(known, ask(known), seat)

    def verdict(self, ply: int) -> Verdict | None:
        """What to think of the action that was made after so many; `None` before it is known."""
        advice = self.advices.get(ply)
        if advice is None:
            return None
        seat, made = int(self.record.states[ply].actor), self.record.actions[ply]
        best = advice.choices[0]
        is_best = best.choice.action == made
        played = self._played(ply, seat, advice)
        return Verdict(seat, best, played, is_best, self._detour(ply))

    def ends_in(self, ply: int) -> int:
        """How many actions after so many the proven end comes; 0: not known, or not proven."""
        advice = self.advices.get(ply)
        return 0 if advice is None else advice.choices[0].choice.ends_in

    def _detour(self, ply: int) -> int:
        """What a move of one seat's cost of a win that stays proven."""
        before, after = self.ends_in(ply), self.ends_in(ply + 1)
        if self.record.game.seats > 1 or not before or not after:
            return 0
        return max(0, after - (before - 1))

    def _played(self, ply: int, seat: int, advice: Advice) -> float | None:
        """The end itself, or the agent's own word on the action, or on where it led to."""
        made = self.record.actions[ply]
        result = self.record.states[ply + 1].result()
        if result is not None:
            return result.returns[seat]
        choices = (view.choice for view in advice.choices)
        own = next((choice for choice in choices if choice.action == made), None)
        if own is not None and _is_trusted(own):
            return own.value
        led_to = self._value(ply + 1, seat)
        return led_to if led_to is not None or own is None else own.value

    def _value(self, ply: int, seat: int) -> float | None:
        """What a position was worth to a seat, where that is known of this very position."""
        state = self.record.states[ply]
        if ply == len(self.record.actions) and self.returns is not None:
            return self.returns[seat]
        advice = self.advices.get(ply)
        if advice is None:
            return None
        value = advice.choices[0].choice.value
        game = self.record.game
        if game.teams[state.actor] == game.teams[seat]:
            return value
        return -value if has_two_sides(game) else None

    def series(self, seat: int) -> list[float | None]:
        """What every position was worth to a seat; what is not known is as it was before."""
        found: list[float | None] = []
        for ply in range(len(self.record.states)):
            value = self._value(ply, seat)
            is_pending = self.record.states[ply].actor >= 0 and ply not in self.advices
            if value is None and found and not is_pending:
                value = found[-1]
            found.append(value)
        return found

    def words(self, ply: int) -> str:
        """How the game stood after so many actions, in words; empty if that is not known."""
        state = self.record.states[ply]
        names = self.record.game.seat_names(state)
        if ply == len(self.record.actions) and self.returns is not None:
            return ""
        advice = self.advices.get(ply)
        if advice is None:
            return ""
        return standing_words(names, int(state.actor), advice.choices[0].choice)


def _is_trusted(choice: Choice) -> bool:
    return choice.bound == EXACT and (choice.visits == 0 or choice.visits >= FEWEST_VISITS)


def standing_words(names: Sequence[str], seat: int, best: Choice) -> str:
    """How the game stands for the seat to act, in words: "player 2 is better (+0.45)"."""
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
        return f"{how} ({best.value:+.2f} for {names[seat]})" if len(names) != 2 else how
    if value < 0:
        how = {WINNING: "losing"}.get(how, how.replace("better", "worse"))
    return f"{names[seat]} is {how} ({value:+.2f})"
