"""The terminal of this process."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from parlour.core.errors import MissingExtra
from parlour.terminal.characters import REPLACING, is_utf8


def is_typed() -> bool:
    """Return whether the input comes from a keyboard, not from a file or a program."""
    return bool(sys.stdin and sys.stdin.isatty())


def is_interactive() -> bool:
    """Return whether a person can see the output and press keys."""
    return is_typed() and bool(sys.stdout and sys.stdout.isatty())


def can_show_full_screen() -> bool:
    """Return whether the terminal can show the full screen: it moves its cursor and draws lines."""
    is_able = os.environ.get("TERM", "") != "dumb" and is_utf8(os.environ)
    return is_interactive() and is_able


def prepare_streams() -> None:
    """Let streams replace what they cannot show; on a terminal without Unicode, use only ASCII.

    Python assumes UTF-8 in the locale C, but such a terminal may not.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            is_plain = stream is not sys.stdin and stream.isatty() and not is_utf8(os.environ)
            stream.reconfigure(encoding="ascii" if is_plain else None, errors=REPLACING)


@contextmanager
def full_screen_imports() -> Iterator[None]:
    """Raise `MissingExtra` if an import in this block needs Textual and it is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("textual", "rich"):
            raise
        raise MissingExtra(
            "the full screen needs the extra: pip install 'parlour[terminal]', or add --plain"
        ) from None
