"""Parsing of the `--store` option: `sqlite:PATH`, or the URL of a PostgreSQL database."""

from pathlib import Path

from parlour.core.checks import shown
from parlour.core.errors import MissingExtra
from parlour.server.clock import ServerClock
from parlour.server.http.app import OpenStore
from parlour.server.settings import SettingError
from parlour.server.store.sqlite import SqliteStore
from parlour.server.store.store import Store
from parlour.table.locations import data_folder

POSTGRES = ("postgresql", "postgres")


def store_opener(text: str) -> OpenStore:
    """Return a function that opens the store.

    Raise `SettingError` if the option is invalid, and `MissingExtra` if the driver is missing.
    """
    if is_postgres(text):
        check_extra()

        def open_postgres(clock: ServerClock) -> Store:
            from parlour.server.store.postgres import PostgresStore

            return PostgresStore(text, clock.now)

        return open_postgres
    path = sqlite_path(text)

    def open_sqlite(clock: ServerClock) -> Store:
        return SqliteStore(path, clock.now)

    return open_sqlite


def is_postgres(text: str) -> bool:
    """Whether the option is the URL of a PostgreSQL database."""
    kind, _, rest = text.partition(":")
    return kind in POSTGRES and rest.startswith("//")


def sqlite_path(text: str) -> Path:
    """Return the path in `sqlite:PATH`, or one in the user's data folder if it is empty.

    Raise `SettingError` for other texts.
    """
    if not text:
        return data_folder() / "server.sqlite"
    kind, _, rest = text.partition(":")
    if kind != "sqlite" or not rest:
        # The rest may contain a password.
        given = shown(f"{kind}:..." if rest else text)
        raise SettingError(
            f"--store must look like sqlite:PATH or postgresql://USER@HOST/DATABASE, not {given}"
        )
    return Path(rest)


def check_extra() -> None:
    """Raise `MissingExtra` unless the PostgreSQL driver is installed."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise MissingExtra(
            "a store in PostgreSQL needs an extra: run pip install 'parlour[postgres]'"
        ) from None
