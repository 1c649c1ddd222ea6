"""A moment for the interpreter in the middle of a compiled loop."""


def let_signals_in() -> None:
    """Handle a signal that waits, such as Ctrl-C; whatever its handler raises is raised here.

    This module stays interpreted: the interpreter looks for signals when it enters a
    function of its own, and compiled code never does.
    """
    return
