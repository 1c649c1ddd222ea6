"""How long a test waits for an event that must come."""

PATIENCE = 300
"""Seconds. Only a failing test waits that long, however busy the machine is."""
