"""Text for the screen, without accidental markup and without broken words."""

from collections.abc import Iterable

from textual.markup import escape as escape_markup

from parlour.core.checks import printable
from parlour.core.scene import display_width

MORE = "…"


def escape(text: str) -> str:
    """Escape markup and control characters."""
    return escape_markup(printable(text))


def cropped(text: str, width: int) -> str:
    """Crop a text to this many columns, with an ellipsis if it is longer."""
    if display_width(text) <= width:
        return text
    while text and display_width(text) > width - 1:
        text = text[:-1]
    return text + MORE if width > 0 else ""


def packed(words: Iterable[str], width: int) -> list[str]:
    """Wrap words into lines of at most this many columns, without breaking words.

    A word keeps its trailing space if another follows. A word wider than a line is cropped.
    """
    lines: list[str] = []
    for word in words:
        if lines and display_width(lines[-1]) + display_width(word.rstrip()) <= width:
            lines[-1] += word
        else:
            lines.append(cropped(word, width))
    return [line.rstrip() for line in lines]
