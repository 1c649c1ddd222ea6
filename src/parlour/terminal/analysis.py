"""The analysis beside the board: lines of play with their values, and the evaluation bar."""

import re
from collections.abc import Sequence

from parlour.drawing.choices import Advice, ChoiceView, value_figure
from parlour.terminal.markup import escape, packed
from parlour.terminal.session import Session
from parlour.terminal.small_shapes import small_shape

WIDTH = 22
"""The columns beside the board."""

MOST_CHOICES = 6
MOST_FOLLOWING = 4
MOST_LINES_FOLLOWING = 2


def advice_panel(
    advice: Advice | None, is_exact: bool = False, width: int = WIDTH, most: int = MOST_CHOICES
) -> list[str]:
    """Return the best choices, each with its piece, its value and the expected line of play.

    Choices are in the game's short words; with `is_exact`, in the texts that are typed and stored.
    """
    if advice is None:
        return ["", "[b]Analysis[/b]", "  thinking ..."]
    lines = ["", "[b]Analysis[/b]"]
    for view in advice.telling[:most]:
        lines += choice_block(view, is_exact, width)
    rest = len(advice.choices) - min(most, len(advice.telling))
    if rest > 0:
        lines.append(f"[dim]  and {rest} more[/dim]")
    return lines


def choice_block(view: ChoiceView, is_exact: bool, width: int) -> list[str]:
    """Return the lines of one choice, with a picture of its piece at the left."""
    choice = view.choice
    picture = small_shape(view.shape, lies_down=False) if view.shape else ()
    margin = max((len(part) for part in picture), default=0) + 1 if picture else 2
    space = width - margin
    name = choice.text if is_exact else view.words[0]
    visits = f" ({choice.visits})" if choice.visits else ""
    value = f"{value_figure(choice)}{visits}"
    names = packed(_cells(name) if is_exact else [name], space)
    following = (choice.line if is_exact else view.words)[1 : MOST_FOLLOWING + 1]
    heads = [f"[b]{escape(text)}[/b]" for text in names]
    if len(names[-1]) + 2 + len(value) <= space:
        heads[-1] += f"  {escape(value)}"
    else:
        heads += [escape(text) for text in packed(_words(value), space)]
    tails = packed(_listed(following), space)[:MOST_LINES_FOLLOWING]
    texts = [*heads, *(f"[dim]{escape(text)}[/dim]" for text in tails)]
    height = max(len(texts), len(picture))
    blank = " " * margin
    return [
        (picture[at].ljust(margin) if at < len(picture) else blank)
        + (texts[at] if at < len(texts) else "")
        for at in range(height)
    ]


def _words(text: str) -> list[str]:
    """Split a text into words, each with the space after it."""
    return re.findall(r"\S+\s*", text)


def _cells(text: str) -> list[str]:
    """Split a long text after its commas."""
    return re.findall(r"[^,]*,|[^,]+$", text) or [text]


def _listed(actions: Sequence[str]) -> list[str]:
    """Return the actions with commas, to be wrapped between them."""
    return [f"{text}, " for text in actions[:-1]] + list(actions[-1:])


def evaluation_text(session: Session, width: int) -> str:
    """Return the evaluation bar, or why there is none."""
    scene = session.scene
    names = list(scene.names)
    returns = session.game.returns
    if returns is not None:
        return evaluation_bar(names, returns[0], width)
    if session.advice is None:
        return "thinking ..."
    value = session.advice.choices[0].choice.value
    if len(names) == 2 and session.advice.has_two_sides:
        value = value if scene.actor == 0 else -value
    else:
        names = [names[scene.actor]]
    return evaluation_bar(names, value, width)


def evaluation_bar(names: list[str], value: float, width: int) -> str:
    """Return a bar from the first seat's point of view, and the value."""
    space = max(10, min(40, width - 30))
    filled = round((value + 1) / 2 * space)
    bar = "█" * filled + "░" * (space - filled)
    other = names[1] if len(names) == 2 else ""
    return escape(f"{names[0]} {bar} {other} {value:+z.2f}")
