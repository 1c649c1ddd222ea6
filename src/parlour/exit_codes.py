"""Exit statuses."""

NEGATIVE = 1
"""The answer is no: a record is invalid, or there is no solution."""

WRONG = 2
"""The command cannot be executed as given."""

MISSING_EXTRA = 3
"""An optional part of Parlour is not installed."""

INTERRUPTED = 130
"""Ctrl-C."""

PIPE_CLOSED = 141
"""The reader of the output closed the pipe, as shells report SIGPIPE."""
