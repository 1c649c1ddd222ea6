"""The store of a server, in SQLite or PostgreSQL."""
