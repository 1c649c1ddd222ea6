"""What an agent thinks of its choices, in words and as a small table."""

from collections.abc import Sequence
from typing import NamedTuple

from parlour.agents import AT_MOST, Analysis, Choice
from parlour.core.errors import ParlourError
from parlour.core.game import State, has_two_sides
from parlour.core.scene import ActionView, Board
from parlour.shapes import Shape, normalise

SHOWN = 8
LINE_SHOWN = 6

CLEARLY_MORE = 0.03
"""By how much a value must be larger for its choice to pass one that stood above it."""
CLEARLY_OFTENER = 1.2
"""How many times as often a choice must have been visited for the same."""
HARDLY_SEEN = 50
"""A choice that was visited so many times less than the first says nothing yet: its value
would jump from one look to the next."""


class ChoiceView(NamedTuple):
    """A choice of an agent's, as a viewer is told of it."""

    choice: Choice
    words: tuple[str, ...]
    """The play that the agent expects, this choice first."""
    cells: tuple[int, ...] = ()
    """The cells that choose it, or that its piece covers."""
    shape: Shape = ()
    """The piece as it would lie, where the choice is to lay one; several share its words."""


class Advice(NamedTuple):
    """What an agent thinks of a position, as a viewer is told of it: best first."""

    choices: tuple[ChoiceView, ...]
    work: int
    """Simulations or nodes."""
    seconds: float
    has_two_sides: bool = True
    """Whether a value counts for one side and, negated, for the other."""

    @property
    def telling(self) -> tuple[ChoiceView, ...]:
        """The choices to show: without those that the agent has hardly looked at."""
        fewest = self.choices[0].choice.visits / HARDLY_SEEN
        return tuple(view for view in self.choices if view.choice.visits >= fewest)

    @property
    def actions(self) -> tuple[int, ...]:
        """What the choices are, in their order."""
        return tuple(view.choice.action for view in self.choices)

    @property
    def is_final(self) -> bool:
        """Whether a longer look would say the same: the end is proven, or there is no choice."""
        return len(self.choices) == 1 or self.choices[0].choice.ends_in > 0


def advice_of(
    state: State, analysis: Analysis, seat: int | None, shown: Sequence[int] = ()
) -> Advice:
    """The analysis of a state, for that seat or a spectator (`None`).

    `shown` are the actions that the viewer has before their eyes, in that order: a longer look
    at the same position changes it only where something is clearly better now.
    """
    choices = settled(analysis.choices, shown)
    views = tuple(_choice_view(state, choice, seat) for choice in choices)
    return Advice(views, analysis.work, analysis.seconds, has_two_sides(state.game))


def settled(choices: Sequence[Choice], shown: Sequence[int]) -> list[Choice]:
    """The choices in the order in which they were shown, but where one is clearly better.

    No choice stands below one that it is clearly better than. A bound says less than a value,
    and an end that is proven more.
    """
    places = {action: place for place, action in enumerate(shown)}
    last = len(places)
    found: list[Choice] = []
    for choice in sorted(choices, key=lambda each: places.get(each.action, last)):
        at = next(
            (place for place, other in enumerate(found) if _is_clearly_better(choice, other)),
            len(found),
        )
        found.insert(at, choice)
    return found if shown else list(choices)


def _is_clearly_better(choice: Choice, other: Choice) -> bool:
    if choice.bound != other.bound:
        return other.bound == AT_MOST
    if choice.visits and other.visits:
        return choice.visits > CLEARLY_OFTENER * other.visits
    if choice.ends_in or other.ends_in:
        return choice.value > other.value
    return choice.value > other.value + CLEARLY_MORE


def _choice_view(state: State, choice: Choice, seat: int | None) -> ChoiceView:
    view = state.game.action_view(state, choice.action)
    words = tuple(line_words(state, choice, seat))
    return ChoiceView(choice, words, view.cells, laid_shape(view, state.game.board))


def laid_shape(view: ActionView, board: Board) -> Shape:
    """The piece of several cells that an action lays, as it lies; empty if it lays none."""
    if not view.group or len(view.cells) < 2:
        return ()
    return normalise(divmod(cell, board.cols) for cell in view.cells)


def choice_words(view: ChoiceView) -> str:
    """A choice in one line."""
    choice, words = view.choice, view.words
    reasons = [value_words(choice)]
    if choice.visits and not choice.ends_in:
        reasons.append(f"{choice.visits} visits")
    if len(words) > 1:
        more = " ..." if len(words) > LINE_SHOWN else ""
        reasons.append("then " + ", ".join(words[1:LINE_SHOWN]) + more)
    return f"{words[0]} ({', '.join(reasons)})"


def value_words(choice: Choice) -> str:
    """What a choice is worth: "win in 3", "worth +0.25", "worth at most +0.12"."""
    if choice.ends_in:
        return _end_words(choice)
    bound = f"{AT_MOST} " if choice.bound == AT_MOST else ""
    return f"worth {bound}{choice.value:+.2f}"


def advice_lines(advice: Advice, most: int = SHOWN) -> list[str]:
    """The best choices as a small table, in the agent's order."""
    shown = advice.telling[:most]
    by = "visits" if any(view.choice.visits for view in shown) else "depth"
    rows = [("action", "value", by, "expected play")]
    names = [view.words[0] for view in shown]
    for view in shown:
        choice, words = view.choice, view.words
        # Pieces that lie differently share their words: then the cells tell them apart.
        name = f"{words[0]} ({choice.text})" if names.count(words[0]) > 1 else words[0]
        line = ", ".join(words[1 : SHOWN + 1]) + (" ..." if len(words) > SHOWN + 1 else "")
        work = choice.visits if by == "visits" else choice.depth
        rows.append((name, value_figure(choice), str(work), line))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        f"{action:<{widths[0]}}  {value:>{widths[1]}}  {work:>{widths[2]}}  {line}".rstrip()
        for action, value, work, line in rows
    ]
    rest = len(advice.choices) - len(shown)
    if rest > 0:
        lines.append(f"and {rest} more")
    return lines


def line_words(state: State, choice: Choice, seat: int | None) -> list[str]:
    """The expected play, the choice first, each action as that viewer is told of it.

    In a game with secrets only the choice itself is put into words: the rest was thought of
    in a world that may not be this one, and stays as the agent wrote it.
    """
    game = state.game
    words = [game.action_words(state, choice.action, seat)]
    if game.has_secrets:
        return [*words, *choice.line[1:]]
    position = state.apply(choice.action)
    for number, text in enumerate(choice.line[1:], 1):
        try:
            action = game.action_from_text(position, text)
            after = position.play(action)
        except ParlourError:
            return [*words, *choice.line[number:]]
        words.append(game.action_words(position, action, seat))
        position = after
    return words


def value_figure(choice: Choice) -> str:
    """The value for a column of a table."""
    if choice.ends_in:
        return _end_words(choice)
    return f"{AT_MOST} {choice.value:+.3f}" if choice.bound == AT_MOST else f"{choice.value:+.3f}"


def _end_words(choice: Choice) -> str:
    kind = "win" if choice.value > 0 else "loss" if choice.value < 0 else "tie"
    return f"{kind} in {choice.ends_in}"
