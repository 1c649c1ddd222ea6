"""What an operator does beside running a server: settings, copies, records put in."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parlour.core.errors import ParlourError
from parlour.server.clock import ServerClock
from parlour.server.invitations import watch_url
from parlour.server.log_rows import SEATED
from parlour.server.openings import new_game
from parlour.server.run import sqlite_path, store_opener
from parlour.server.settings import SettingError, Settings, duration, rate
from parlour.server.sqlite import copy_store
from parlour.server.store import SeatRow
from parlour.table.storage import load

DURATIONS = ("keep", "abandon")
RATES = ("messages", "requests", "tables", "analyses")


def settings_from(given: Mapping[str, Any]) -> Settings:
    """The settings of a command line; what is `None` keeps its default. `SettingError`."""
    chosen = {name: value for name, value in given.items() if value is not None}
    for name in DURATIONS:
        if name in chosen:
            chosen[name] = duration(chosen[name])
    for name in RATES:
        if name in chosen:
            chosen[name] = rate(chosen[name])
    if "no_chat" in chosen:
        chosen["chat"] = not chosen.pop("no_chat")
    return Settings(**chosen).checked()


def back_up(store: str, target: Path) -> None:
    """Copy a store, also one that a server is using; `SettingError`."""
    path = sqlite_path(store)
    if not path.exists():
        raise SettingError(f"there is no store at {path}")
    if target.exists():
        raise SettingError(f"{target} exists already; choose another name")
    copy_store(path, target)


async def import_records(settings: Settings, files: Sequence[Path]) -> list[str]:
    """Put finished records into the store: the links to look at them. `ParlourError`."""
    clock = ServerClock()
    records = [load(path) for path in files]
    for path, record in zip(files, records, strict=True):
        if record.final.result() is None:
            raise ParlourError(f"{path} is not finished: create a table with it over the API")
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
