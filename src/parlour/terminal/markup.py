"""Text for the screen: nothing in it is markup by accident, and no word is cut in two."""

from collections.abc import Iterable

from textual.markup import escape as escape_markup

from parlour.core.checks import printable
from parlour.core.scene import display_width

MORE = "…"


def escape(text: str) -> str:
    """The text as it is: nothing in it is markup, or steers the terminal."""
    return escape_markup(printable(text))


def cropped(text: str, width: int) -> str:
    """As much of the text as so many columns hold; a sign says that there is more."""
    if display_width(text) <= width:
        return text
    while text and display_width(text) > width - 1:
        text = text[:-1]
    return text + MORE if width > 0 else ""


def packed(words: Iterable[str], width: int) -> list[str]:
    """Words in lines of at most so many columns, broken between words and never in one.

    A word keeps the space at its end where another follows; one that is wider than a line is
    cropped.
    """
    lines: list[str] = []
    for word in words:
        if lines and display_width(lines[-1]) + display_width(word.rstrip()) <= width:
            lines[-1] += word
        else:
            lines.append(cropped(word, width))
    return [line.rstrip() for line in lines]
