"""Live games: rooms, their audiences, agents and housekeeping."""
