"""The terminal of this process."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from parlour.core.errors import MissingExtra


def is_interactive() -> bool:
    """Return whether a person can see the output and press keys."""
    return bool(sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty())


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
