"""What the process of a command ends with."""

NEGATIVE = 1
"""The answer is no: a record is wrong, there is no solution."""

WRONG = 2
"""The command cannot be carried out as it was given."""

MISSING_EXTRA = 3
"""A part of Parlour is not installed."""

INTERRUPTED = 130
"""Ctrl-C."""
