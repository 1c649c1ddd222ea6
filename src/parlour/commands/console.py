"""Whether a person sits at the streams of this process."""

import sys


def is_interactive() -> bool:
    """Whether a person can see what is drawn and press keys."""
    return bool(sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty())
