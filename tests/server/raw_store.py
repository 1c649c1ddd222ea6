"""What stands in a store's tables, read and changed behind a server's back."""

import contextlib
import sqlite3
import tempfile
from pathlib import Path


def execute(store, statement, values=()):
    """Carry a statement out in the store of a text such as `sqlite:PATH`: its rows."""
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
    """The text of an empty store, for as long as it is needed."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:{Path(folder) / 'server.sqlite'}"
    else:
        from own_postgres import OwnPostgres

        with OwnPostgres(**settings) as postgres:
            yield postgres.new_database()
