"""Handle signals such as Ctrl-C inside compiled loops.

This module is never compiled. Python checks for pending signals when it enters an interpreted
function, which compiled code never does: without these calls Ctrl-C would wait for the end of a
search.
"""


def let_signals_in() -> None:
    """Handle a pending signal. Exceptions of its handler are raised here.

    Long loops call it every few thousand positions, through the module
    (`signals.let_signals_in()`), so that a test can count the calls.
    """
    return
