"""Direct access to the tables of a store, bypassing the server."""

import contextlib
import sqlite3
import tempfile
from pathlib import Path


def execute(store, statement, values=()):
    """Execute a statement in a store such as `sqlite:PATH` and return its rows."""
    if store.startswith("sqlite:"):
        connecting = sqlite3.connect(store.partition(":")[2])
    else:
        import psycopg

        connecting = psycopg.connect(store)
        statement = statement.replace("?", "%s")
    with contextlib.closing(connecting) as connection:
        cursor = connection.execute(statement, values)
        rows = cursor.fetchall() if cursor.description else []
        connection.commit()
        return rows


@contextlib.contextmanager
def temporary(kind, **settings):
    """Yield an empty store for the duration of a test."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:{Path(folder) / 'server.sqlite'}"
    else:
        from own_postgres import OwnPostgres

        with OwnPostgres(**settings) as postgres:
            yield postgres.new_database()
