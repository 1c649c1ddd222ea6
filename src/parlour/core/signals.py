"""A moment for the interpreter in the middle of a compiled loop.

This module is never compiled. The interpreter looks for waiting signals when it enters a
function of its own, which compiled code never is: without these calls Ctrl-C would wait for
the end of a search.
"""


def let_signals_in() -> None:
    """Handle a signal that waits, such as Ctrl-C; whatever its handler raises is raised here.

    Loops that may run for long call it once in a few thousand positions, as
    `signals.let_signals_in()`, so that a test can count the calls.
    """
    return
