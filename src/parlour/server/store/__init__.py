"""What a server keeps: the store, in SQLite or PostgreSQL."""
