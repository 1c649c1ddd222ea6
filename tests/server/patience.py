"""How long a test waits for an expected event."""

PATIENCE = 300
"""Seconds. Only a failing test waits this long, even on a busy machine."""
