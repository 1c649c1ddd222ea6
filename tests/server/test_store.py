"""A store keeps its promise: all of a change or nothing, and only what follows."""

import asyncio
import sqlite3
from contextlib import asynccontextmanager

import pytest

from parlour.protocol.errors import ClaimUsed, StoreUnavailable
from parlour.server.administration import back_up
from parlour.server.schema import NEWEST
from parlour.server.sqlite import SqliteStore
from parlour.server.store import (
    Change,
    CreationRow,
    EventRow,
    GameRow,
    NewGame,
    Outdated,
    RequestRow,
    SeatRow,
    StoreRefused,
    TokenRow,
)


def new(id="g", **more):
    row = GameRow(id, "octa", "{}", 1, b"k" * 32, "", "link", 1, touched_at=1, status="person")
    return NewGame(row, [SeatRow(0, "person"), SeatRow(1, "agent", "level:1")], **more)


def event(v, at=5):
    return EventRow(v, "play", 0, 7, "{}", at)


@asynccontextmanager
async def opened(path):
    store = SqliteStore(path, lambda: 1000)
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.sqlite"


def run(work):
    return asyncio.run(work)


def test_what_is_kept_is_there_after_opening_it_again(path):
    async def first():
        async with opened(path) as store:
            await store.create(new())
            change = Change(
                "g",
                0,
                [event(1), event(2)],
                "agent",
                1,
                2,
                at=9,
                deadline=77,
                request=RequestRow(0, 0, "r", b"body", 2),
                seats=[SeatRow(0, "person", name="Ann", epoch=1)],
            )
            await store.commit(change)

    async def second():
        async with opened(path) as store:
            return await store.load("g")

    run(first())
    kept = run(second())
    assert (kept.row.v, kept.row.ply, kept.row.status, kept.row.actor) == (2, 2, "agent", 1)
    assert (kept.row.touched_at, kept.row.deadline) == (9, 77)
    assert kept.events == [event(1), event(2)]
    assert kept.requests == [RequestRow(0, 0, "r", b"body", 2)]
    assert kept.seats[0] == SeatRow(0, "person", name="Ann", epoch=1)


def test_a_change_that_does_not_follow_is_refused_and_nothing_of_it_is_kept(path):
    async def work():
        async with opened(path) as store:
            await store.create(new())
            await store.commit(Change("g", 0, [event(1)]))
            with pytest.raises(Outdated):
                await store.commit(
                    Change("g", 0, [event(1, 6)], tokens=[TokenRow(b"t", 0, 0)], status="over")
                )
            assert await store.holder(b"t") is None
            return await store.load("g")

    kept = run(work())
    assert (kept.events, kept.row.status) == ([event(1)], "person")


def test_of_many_at_once_only_the_refused_ones_are_undone(path):
    async def work():
        async with opened(path) as store:
            for number in range(20):
                await store.create(new(f"g{number}"))
            wrong = [Change(f"g{n}", 3, [event(4)]) for n in range(20)]
            right = [Change(f"g{n}", 0, [event(1)]) for n in range(20)]
            mixed = [each for pair in zip(wrong, right, strict=True) for each in pair]
            results = await asyncio.gather(
                *(store.commit(each) for each in mixed), return_exceptions=True
            )
            kept = [await store.load(f"g{n}") for n in range(20)]
            return results, kept

    results, kept = run(work())
    assert [type(each) for each in results] == [Outdated, type(None)] * 20
    assert all(each.events == [event(1)] for each in kept)


def test_what_waits_together_is_one_transaction(path):
    async def work():
        async with opened(path) as store:
            await store.create(new())
            begun = []
            store._writer.set_trace_callback(begun.append)
            blocked = sqlite3.connect(path, isolation_level=None)
            blocked.execute("BEGIN IMMEDIATE")  # the writer waits, and the queue fills
            waiting = [asyncio.create_task(store.create(new(f"g{n}"))) for n in range(50)]
            await asyncio.sleep(0.2)
            blocked.execute("COMMIT")
            blocked.close()
            await asyncio.gather(*waiting)
            store._writer.set_trace_callback(None)
            return sum(statement.startswith("BEGIN") for statement in begun)

    assert run(work()) <= 3


def test_a_claim_can_be_used_once_even_at_the_same_time(path):
    async def work():
        async with opened(path) as store:
            await store.create(new(claims=[TokenRow(b"c", 1, 0)]))
            assert await store.claim_seat(b"c") == ("g", 1, 0)
            change = Change("g", 0, use_claim=b"c")
            results = await asyncio.gather(
                store.commit(change), store.commit(change), return_exceptions=True
            )
            return results, await store.claim_seat(b"c")

    results, left = run(work())
    assert [type(each) for each in results] == [type(None), ClaimUsed]
    assert left is None


def test_the_same_creation_twice_makes_one_game(path):
    async def work():
        async with opened(path) as store:
            creation = CreationRow(b"key", b"body", "answer")
            await store.create(new("a", creation=creation))
            with pytest.raises(Outdated):
                await store.create(new("b", creation=creation))
            return await store.find_creation(b"key"), await store.load("b")

    assert run(work()) == ((b"key", b"body", "answer"), None)


def test_its_secret_stays_the_same_and_no_other_store_has_it(path, tmp_path):
    async def secret(where):
        async with opened(where) as store:
            return await store.secret()

    first = run(secret(path))
    assert len(first) == 32
    assert run(secret(path)) == first
    assert run(secret(tmp_path / "other.sqlite")) != first


def test_a_full_disk_refuses_and_recovers_by_itself(path):
    async def work():
        async with opened(path) as store:
            await store.create(new())
            (pages,) = store._writer.execute("PRAGMA page_count").fetchone()
            store._writer.execute(f"PRAGMA max_page_count = {pages}")
            refused = 0
            v = 0
            for _ in range(300):
                try:
                    await store.commit(
                        Change("g", v, [EventRow(v + 1, "play", 0, 7, "x" * 200, 5)])
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


def test_a_store_that_can_only_be_read_refuses_and_recovers(path):
    async def work():
        async with opened(path) as store:
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
        async with opened(path):
            with pytest.raises(StoreRefused, match="another server uses"):
                SqliteStore(path, lambda: 1000)

    run(work())
    run(opened_and_closed(path))


async def opened_and_closed(path):
    async with opened(path):
        pass


def test_tables_of_a_newer_version_are_refused_and_left_alone(path):
    run(opened_and_closed(path))
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO schema_version VALUES (?)", (NEWEST + 1,))
    before = path.read_bytes()

    async def work():
        with pytest.raises(StoreRefused, match="newer parlour"):
            SqliteStore(path, lambda: 1000)

    run(work())
    assert path.read_bytes() == before


def test_what_is_not_a_database_is_refused_and_left_alone(path):
    path.write_text("Dear diary, " * 100)

    async def work():
        with pytest.raises(StoreRefused, match="cannot be used as a store"):
            SqliteStore(path, lambda: 1000)

    run(work())
    assert path.read_text().startswith("Dear diary")


def test_a_copy_is_made_while_a_server_goes_on(path, tmp_path):
    async def work():
        async with opened(path) as store:
            await store.create(new())
            back_up(f"sqlite:{path}", tmp_path / "copy.sqlite")
            await store.commit(Change("g", 0, [event(1)]))

    run(work())

    async def read():
        async with opened(tmp_path / "copy.sqlite") as store:
            return await store.load("g")

    assert run(read()).row.v == 0


def test_the_file_is_for_its_owner_alone(path):
    run(opened_and_closed(path))
    assert path.stat().st_mode & 0o077 == 0
