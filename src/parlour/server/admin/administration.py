"""Operator tasks other than running a server: settings, backups, moves and imports."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from parlour.core.errors import ParlourError, in_one_line
from parlour.server.clock import ServerClock
from parlour.server.http.invitations import watch_url
from parlour.server.live.openings import new_game
from parlour.server.settings import RATES, SettingError, Settings, duration, rate
from parlour.server.store.log_rows import SEATED
from parlour.server.store.sqlite import copy_store
from parlour.server.store.store import SeatRow
from parlour.server.store.stores import is_postgres, sqlite_path, store_opener
from parlour.server.store.transfer import move_store
from parlour.table.storage import load

DURATIONS = ("keep", "abandon")
SECRET = ("store", "metrics_token")
"""Settings that may contain a password and can be read from a file."""


def settings_from(given: Mapping[str, Any]) -> Settings:
    """Build the settings from command line options; `None` keeps the default.

    Raise `SettingError` if an option is invalid.
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    for name in SECRET:
        if chosen.get(name, "").startswith("file:"):
            chosen[name] = _first_line(name, chosen[name].removeprefix("file:"))
    for name in DURATIONS:
        if name in chosen:
            chosen[name] = duration(chosen[name], f"--{name}")
    for name in RATES:
        if name in chosen:
            chosen[name] = rate(chosen[name], f"--{name}")
    if "no_chat" in chosen:
        chosen["chat"] = not chosen.pop("no_chat")
    return Settings(**chosen).checked()


def _first_line(name: str, path: str) -> str:
    """Read a secret from a file, as provided by containers and systemd."""
    option = f"--{name.replace('_', '-')}"
    try:
        text = Path(path).read_text("utf-8").strip()
    except (OSError, UnicodeError, ValueError) as error:
        why = getattr(error, "strerror", None) or in_one_line(error)
        raise SettingError(f"{option}: {path} cannot be read: {why}") from None
    if not text or "\n" in text:
        raise SettingError(f"{option}: {path} must have exactly one line, the value")
    return text


def back_up(store: str, target: Path) -> None:
    """Copy a store, which may be in use, to a SQLite file. Raise `ParlourError` on failure."""
    if target.exists():
        raise SettingError(f"{target} already exists: choose another name")
    if is_postgres(store):
        move_store(store, f"sqlite:{target}", ServerClock().now(), may_be_used=True)
        return
    path = sqlite_path(store)
    if not path.exists():
        raise SettingError(f"there is no store at {path}")
    copy_store(path, target)


def move(source: str, target: str) -> str:
    """Copy a store that no server uses into an empty one and return a summary."""
    moved = move_store(source, target, ServerClock().now())
    summary = ", ".join(
        f"{content.rows} {table}" for table, content in moved.items() if content.rows
    )
    digest = blake2b(repr(moved).encode(), digest_size=8).hexdigest()
    return f"Copied and verified these rows: {summary or 'none'} (hash {digest})."


async def import_records(settings: Settings, files: Sequence[Path]) -> list[str]:
    """Import records that were played to their end and return links to view them.

    Raise `ParlourError` if a record has no result by the rules or cannot be read.
    """
    clock = ServerClock()
    records = [load(path) for path in files]
    for path, record in zip(files, records, strict=True):
        if record.final.result() is None:
            raise ParlourError(
                f"{path} was not played to its end: create a table from it with the API instead"
            )
    store = store_opener(settings.store)(clock)
    try:
        links = []
        for record in records:
            seats = [SeatRow(seat, SEATED) for seat in range(record.game.seats)]
            new = new_game(record.game, seats, None, "link", clock, record=record)
            await store.create(new)
            links.append(watch_url(settings.base_url, new.row.id))
        return links
    finally:
        await store.close()
