"""For operators: their command, limits, exports."""
