"""An agent's choices in words and as a small table."""

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
"""How much larger a value must be for its choice to overtake one shown above it."""
CLEARLY_OFTENER = 1.2
"""How many times as many visits a choice needs to overtake another."""
HARDLY_SEEN = 50
"""A choice with this many times fewer visits than the first is hidden: its value is noise."""


class ChoiceView(NamedTuple):
    """An agent's choice, described for a viewer."""

    choice: Choice
    words: tuple[str, ...]
    """The principal variation in words, this choice first."""
    cells: tuple[int, ...] = ()
    """The cells that choose it, or that its piece covers."""
    shape: Shape = ()
    """The piece as it would lie, if the choice lays one; several choices share its words."""


class Advice(NamedTuple):
    """An agent's analysis, described for a viewer: best first."""

    choices: tuple[ChoiceView, ...]
    work: int
    """The number of simulations or nodes."""
    seconds: float
    has_two_sides: bool = True
    """Whether a value for one side is the negated value for the other."""

    @property
    def telling(self) -> tuple[ChoiceView, ...]:
        """The choices to show, without those with too few visits."""
        fewest = self.choices[0].choice.visits / HARDLY_SEEN
        return tuple(view for view in self.choices if view.choice.visits >= fewest)

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions of the choices, in order."""
        return tuple(view.choice.action for view in self.choices)

    @property
    def is_final(self) -> bool:
        """Whether a deeper analysis is pointless: the end is proven, or there is one choice."""
        return len(self.choices) == 1 or self.choices[0].choice.ends_in > 0


def advice_of(
    state: State, analysis: Analysis, seat: int | None, shown: Sequence[int] = ()
) -> Advice:
    """Describe the analysis of a state for a seat or a spectator (`None`).

    `shown` holds the actions that the viewer sees, in order. A deeper analysis of the same position
    reorders them only if one is clearly better now.
    """
    choices = settled(analysis.choices, shown)
    views = tuple(_choice_view(state, choice, seat) for choice in choices)
    return Advice(views, analysis.work, analysis.seconds, has_two_sides(state.game))


def settled(choices: Sequence[Choice], shown: Sequence[int]) -> list[Choice]:
    """Keep the shown order of the choices, except that clearly better ones move up.

    A bound counts less than a value, and a proven end counts more.
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
    """Return the shape of the piece that an action lays; empty if it lays none."""
    if not view.group or len(view.cells) < 2:
        return ()
    return normalise(divmod(cell, board.cols) for cell in view.cells)


def choice_words(view: ChoiceView) -> str:
    """Describe a choice in one line."""
    choice, words = view.choice, view.words
    reasons = [value_words(choice)]
    if choice.visits and not choice.ends_in:
        reasons.append(f"{choice.visits} visits")
    if len(words) > 1:
        more = " ..." if len(words) > LINE_SHOWN else ""
        reasons.append("then " + ", ".join(words[1:LINE_SHOWN]) + more)
    return f"{words[0]} ({', '.join(reasons)})"


def value_words(choice: Choice) -> str:
    """Describe the value of a choice: "win in 3", "worth +0.25", "worth at most +0.12"."""
    if choice.ends_in:
        return _end_words(choice)
    bound = f"{AT_MOST} " if choice.bound == AT_MOST else ""
    return f"worth {bound}{choice.value:+z.2f}"


def advice_lines(advice: Advice, most: int = SHOWN) -> list[str]:
    """Return the best choices as a small table, in the agent's order."""
    shown = advice.telling[:most]
    by = "visits" if any(view.choice.visits for view in shown) else "depth"
    rows = [("action", "value", by, "expected play")]
    names = [view.words[0] for view in shown]
    for view in shown:
        choice, words = view.choice, view.words
        # Placements of the same piece share their words, so their cells are shown too.
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
    """Return the principal variation in words for this viewer, the choice first.

    In games with hidden information only the choice itself is put into words. The rest belongs to a
    sampled world, and stays as the agent wrote it.
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
    """Return the value for a table column."""
    if choice.ends_in:
        return _end_words(choice)
    return f"{AT_MOST} {choice.value:+z.3f}" if choice.bound == AT_MOST else f"{choice.value:+z.3f}"


def _end_words(choice: Choice) -> str:
    kind = "win" if choice.value > 0 else "loss" if choice.value < 0 else "tie"
    return f"{kind} in {choice.ends_in}"
