"""Which store a text means: `sqlite:PATH`, or the URL of a PostgreSQL database."""

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
    """What opens the store of a text; `SettingError`, `MissingExtra`."""
    if is_postgres(text):
        check_extra()

        def opened_elsewhere(clock: ServerClock) -> Store:
            from parlour.server.store.postgres import PostgresStore

            return PostgresStore(text, clock.now)

        return opened_elsewhere
    path = sqlite_path(text)

    def opened(clock: ServerClock) -> Store:
        return SqliteStore(path, clock.now)

    return opened


def is_postgres(text: str) -> bool:
    """Whether it is the URL of a database."""
    kind, _, rest = text.partition(":")
    return kind in POSTGRES and rest.startswith("//")


def sqlite_path(text: str) -> Path:
    """The file of a store `sqlite:PATH`; empty: in the user's data folder. `SettingError`."""
    if not text:
        return data_folder() / "server.sqlite"
    kind, _, rest = text.partition(":")
    if kind != "sqlite" or not rest:
        # What follows may be a password.
        given = shown(f"{kind}:..." if rest else text)
        raise SettingError(
            f"a store reads like sqlite:PATH or postgresql://USER@HOST/DATABASE, not {given}"
        )
    return Path(rest)


def check_extra() -> None:
    """`MissingExtra` unless PostgreSQL can be spoken to."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise MissingExtra(
            "a store in PostgreSQL needs the extra: pip install 'parlour[postgres]'"
        ) from None
