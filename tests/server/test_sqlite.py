"""Properties of the SQLite store only."""

import asyncio
import contextlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE
from store_samples import event, new, opened

from parlour.protocol.errors import StoreUnavailable
from parlour.server.admin.administration import back_up
from parlour.server.store import schema, sqlite
from parlour.server.store.schema import MIGRATIONS, NEWEST
from parlour.server.store.sqlite import SqliteStore
from parlour.server.store.store import Change, SeatRow, StoreRefused
from parlour.table import Event, EventKind


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.sqlite"


def run(work):
    return asyncio.run(work)


async def opened_and_closed(path):
    async with opened(f"sqlite:{path}"):
        pass


def test_pending_changes_share_one_transaction(path):
    async def work():
        async with opened(f"sqlite:{path}") as store:
            await store.create(new())
            begun = []
            store._writer.set_trace_callback(begun.append)
            blocked = sqlite3.connect(path, isolation_level=None)
            blocked.execute("BEGIN IMMEDIATE")  # blocks the writer, so that the queue fills
            waiting = [asyncio.create_task(store.create(new(f"g{n}"))) for n in range(50)]
            await asyncio.sleep(0.2)
            blocked.execute("COMMIT")
            blocked.close()
            await asyncio.gather(*waiting)
            store._writer.set_trace_callback(None)
            return sum(statement.startswith("BEGIN") for statement in begun)

    assert run(work()) <= 3


def test_a_full_disk_gives_an_error_and_the_store_recovers(path):
    async def work():
        async with opened(f"sqlite:{path}") as store:
            await store.create(new())
            (pages,) = store._writer.execute("PRAGMA page_count").fetchone()
            store._writer.execute(f"PRAGMA max_page_count = {pages}")
            refused = 0
            v = 0
            for _ in range(300):
                try:
                    await store.commit(
                        Change(
                            "g", v, [Event(v + 1, EventKind.PLAY, 0, 1, 7, at=5, text="x" * 200)]
                        )
                    )
                    v += 1
                except StoreUnavailable as error:
                    assert "full" in str(error)
                    refused += 1
            kept = await store.load("g")
            assert (kept.row.v, len(kept.events)) == (v, v)
            store._writer.execute("PRAGMA max_page_count = 1073741823")
            await store.commit(Change("g", v, [event(v + 1)]))
            return refused

    assert run(work()) > 0


def test_a_read_only_store_gives_an_error_and_recovers(path):
    async def work():
        async with opened(f"sqlite:{path}") as store:
            await store.create(new())
            store._writer.execute("PRAGMA query_only = ON")
            with pytest.raises(StoreUnavailable):
                await store.commit(Change("g", 0, [event(1)]))
            assert (await store.load("g")).row.v == 0
            store._writer.execute("PRAGMA query_only = OFF")
            await store.commit(Change("g", 0, [event(1)]))

    run(work())


def test_a_second_server_on_the_same_file_is_refused(path):
    async def work():
        async with opened(f"sqlite:{path}"):
            with pytest.raises(StoreRefused, match="another server uses"):
                SqliteStore(path, lambda: 1000)

    run(work())
    run(opened_and_closed(path))


def test_a_file_that_is_not_a_database_is_refused_and_unchanged(path):
    path.write_text("Dear diary, " * 100)

    async def work():
        with pytest.raises(StoreRefused, match="cannot be used as a store"):
            SqliteStore(path, lambda: 1000)

    run(work())
    assert path.read_text().startswith("Dear diary")


def test_a_backup_works_while_a_server_runs(path, tmp_path):
    async def work():
        async with opened(f"sqlite:{path}") as store:
            await store.create(new())
            back_up(f"sqlite:{path}", tmp_path / "copy.sqlite")
            await store.commit(Change("g", 0, [event(1)]))

    run(work())

    async def read():
        async with opened(f"sqlite:{tmp_path / 'copy.sqlite'}") as store:
            return await store.load("g")

    assert run(read()).row.v == 0


def test_the_file_is_readable_by_its_owner_only(path):
    run(opened_and_closed(path))
    assert path.stat().st_mode & 0o077 == 0


def test_migrations_keep_the_games(path, monkeypatch):
    async def work(make):
        async with opened(f"sqlite:{path}") as store:
            if make:
                await store.create(new())
            return (await store.load("g")).row

    kept = run(work(True))
    newer = NEWEST + 1
    change = "ALTER TABLE game ADD COLUMN mood INTEGER NOT NULL DEFAULT 7"
    monkeypatch.setitem(MIGRATIONS, newer, (change,))
    for module in (schema, sqlite):
        monkeypatch.setattr(module, "NEWEST", newer)
    assert run(work(False)) == kept
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT mood FROM game").fetchall() == [(7,)]
        versions = connection.execute("SELECT n FROM schema_version ORDER BY n").fetchall()
        assert versions == [(n,) for n in range(1, newer + 1)]


def test_two_servers_cannot_share_one_file(start, tmp_path):
    start()
    process = subprocess.run(
        [sys.executable, "-m", "parlour.cli", "serve", "--port", "0"],
        env={**os.environ, "PARLOUR_SERVE_STORE": f"sqlite:{tmp_path / 'server.sqlite'}"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert process.returncode == 2
    assert "another server uses" in process.stderr


def test_erased_names_are_gone_from_the_file_and_its_log(path):
    name = "Zenobia of Palmyra"

    def places():
        files = [path, path.with_name(f"{path.name}-wal")]
        return [name.encode() in file.read_bytes() for file in files if file.exists()]

    async def work():
        async with opened(f"sqlite:{path}") as store:
            game = new("old")
            await store.create(game._replace(seats=[SeatRow(0, "person", name=name)]))
            for v in range(40):
                joined = Event(v + 1, EventKind.JOIN, 0, at=5, text=name)
                await store.commit(Change("old", v, [joined]))
            await store.create(new("young"))
            await store.commit(Change("young", 0, [event(1)], at=50))
            before = any(places())
            await store.erase(40)
            return before, any(places())

    assert run(work()) == (True, False)


@pytest.mark.parametrize(
    "statement",
    [
        *(
            f"DELETE FROM {table} WHERE game_id = 'g'"
            for table in ("event", "seat", "token", "claim", "creation")
        ),
        "SELECT id, v FROM game WHERE deadline <= 1",
        "SELECT id, v FROM game WHERE status = 'agent' AND lease_until <= 1",
        "SELECT id FROM game WHERE visibility = 'listed' AND status != 'over'"
        " ORDER BY created_at DESC LIMIT 5",
    ],
)
def test_no_frequent_statement_scans_a_table(path, statement):
    run(opened_and_closed(path))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
    assert not any(step.startswith("SCAN") and "USING INDEX" not in step for step in plan)
    assert not any("TEMP B-TREE" in step for step in plan)


@pytest.mark.parametrize("way", ["symbolic link", "relative path"])
def test_a_second_path_to_the_same_file_is_locked_as_well(path, tmp_path, monkeypatch, way):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    if way == "symbolic link":
        other = tmp_path / "elsewhere" / "link.sqlite"
        other.symlink_to(path)
    else:
        other = Path("elsewhere") / ".." / path.name

    async def work():
        async with opened(f"sqlite:{path}"):
            with pytest.raises(StoreRefused, match="another server uses"):
                SqliteStore(other, lambda: 1000)

    run(work())
    run(opened_and_closed(other))


def test_a_file_with_hard_links_is_refused(path, tmp_path):
    run(opened_and_closed(path))
    os.link(path, tmp_path / "other.sqlite")
    for each in (path, tmp_path / "other.sqlite"):
        with pytest.raises(StoreRefused, match="has 2 names"):
            run(opened_and_closed(each))
    os.unlink(tmp_path / "other.sqlite")
    run(opened_and_closed(path))
