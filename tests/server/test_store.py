"""Properties of every store: changes are atomic and durable."""

import asyncio

import pytest
import raw_store
from store_samples import event, new, opened

from parlour.protocol.errors import ClaimUsed
from parlour.server.store import sql_store, statements
from parlour.server.store.schema import NEWEST
from parlour.server.store.store import (
    Change,
    CreationRow,
    Outdated,
    RequestRow,
    SeatRow,
    StoreRefused,
    TokenRow,
)
from parlour.table import Event, EventKind, Start


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request):
    return request.param


@pytest.fixture
def path(new_store):
    return new_store()


def run(work):
    return asyncio.run(work)


def test_data_survives_reopening(path):
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


def test_an_outdated_change_is_refused_completely(path):
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


def test_refused_changes_do_not_affect_others_in_the_batch(path):
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


def test_a_claim_can_be_used_once_even_concurrently(path):
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


def test_a_repeated_creation_creates_one_game(path):
    async def work():
        async with opened(path) as store:
            creation = CreationRow(b"key", b"body", "answer")
            await store.create(new("a", creation=creation))
            with pytest.raises(Outdated):
                await store.create(new("b", creation=creation))
            return await store.find_creation(b"key"), await store.load("b")

    assert run(work()) == ((b"key", b"body", "answer"), None)


def test_the_secret_is_stable_and_unique(path, new_store):
    async def secret(where):
        async with opened(where) as store:
            return await store.secret()

    first = run(secret(path))
    assert len(first) == 32
    assert run(secret(path)) == first
    assert run(secret(new_store())) != first


async def opened_and_closed(path):
    async with opened(path):
        pass


async def minded(store, now=0):
    return list(await store.unleased("agent", now))


def test_a_lease_ends_when_it_expires_or_the_game_changes(path):
    async def work():
        async with opened(path) as store:
            await store.create(new())
            await store.commit(Change("g", 0, [event(1)], "agent"))
            assert await minded(store) == ["g"]
            assert not await store.lease("g", 0, 100, 200)  # the game is no longer at this version
            assert not await store.lease("nobody", 1, 100, 200)
            assert await store.lease("g", 1, 100, 200)
            assert (await minded(store, 199), await minded(store, 200)) == ([], ["g"])
            assert await store.lease("g", 1, 150, 300)  # its holder may renew it
            assert (await minded(store, 299), await minded(store, 300)) == ([], ["g"])
            await store.commit(Change("g", 1, [event(2)]))
            assert await minded(store, 250) == ["g"]
            await store.lease("g", 2, 250, 10_000)
        async with opened(path) as store:
            return await minded(store, 251)

    assert run(work()) == ["g"]  # leases of earlier runs are void


def test_versions_covers_the_existing_games(path):
    async def work():
        async with opened(path) as store:
            for number in range(7):
                await store.create(new(f"g{number}"))
            await store.commit(Change("g3", 0, [event(1), event(2)]))
            names = [f"g{number}" for number in range(1200)]
            return await store.versions(names), await store.versions([])

    assert run(work()) == ({f"g{n}": 2 if n == 3 else 0 for n in range(7)}, {})


def test_tables_are_listed_page_by_page(path):
    async def work():
        async with opened(path) as store:
            names = ["b", "B", "_", "a-1", "a_1", "é", "z", "Z9"]
            for name in names:
                await store.create(new(name))
            await store.commit(Change("z", 0, [event(1)], "over"))
            found, after = [], ""
            while page := await store.tables(None, after, 3):
                assert all(len(listing.seats) == 2 for listing in page)
                found += [listing.row.id for listing in page]
                after = found[-1]
            over = await store.tables("over", "", 100)
            return names, found, [listing.row.id for listing in over]

    names, found, over = run(work())
    assert (found, over) == (sorted(names), ["z"])


def test_tuned_limits_are_kept_until_removed(path):
    async def work():
        async with opened(path) as store:
            assert await store.settings() == {}
            await store.set_setting("tables", "6/m")
            await store.set_setting("chat", "no")
            await store.set_setting("tables", "9/m")
            await store.set_setting("chat", None)
            await store.set_setting("never", None)
        async with opened(path) as store:
            return await store.settings()

    assert run(work()) == {"tables": "9/m"}


def test_newer_tables_are_refused_and_unchanged(path):
    run(opened_and_closed(path))
    raw_store.execute(path, "INSERT INTO schema_version VALUES (?)", (NEWEST + 1,))
    everything = [
        raw_store.execute(path, f"SELECT * FROM {table}")
        for table in ("schema_version", "server", "secret")
    ]

    with pytest.raises(StoreRefused, match="newer parlour"):
        run(opened_and_closed(path))
    assert everything == [
        raw_store.execute(path, f"SELECT * FROM {table}")
        for table in ("schema_version", "server", "secret")
    ]


def test_a_change_of_every_field_is_stored(path):
    async def work():
        async with opened(path) as store:
            await store.create(new(tokens=[TokenRow(b"t", 0, 0)], claims=[TokenRow(b"c", 1, 0)]))
            second = new("h", creation=CreationRow(b"key", b"body", "{}"))
            change = Change(
                "g",
                0,
                [event(1)],
                rematch="h",
                chance_key=b"n" * 32,
                seats=[SeatRow(1, "person", left=True)],
                tokens=[TokenRow(b"u", 1, 1)],
                claims=[TokenRow(b"d", 0, 1)],
                use_claim=b"c",
                new_game=second,
            )
            await store.commit(change)
            found = await store.some(["h", "g", "nobody"])
            assert await store.some([]) == []
            assert {listing.row.id for listing in found} == {"g", "h"}
            assert await store.holder(b"u") == ("g", 1, 1)
            assert (await store.claim_seat(b"c"), await store.claim_seat(b"d")) == (
                None,
                ("g", 0, 1),
            )
            assert await store.count() == {"person": 2}
            return await store.load("g")

    kept = run(work())
    assert (kept.row.rematch, kept.row.chance_key) == ("h", b"n" * 32)
    assert kept.seats == [SeatRow(0, "person"), SeatRow(1, "person", left=True)]


def test_old_games_are_deleted_completely(path):
    async def work():
        async with opened(path) as store:
            await store.create(new("old", tokens=[TokenRow(b"t", 0, 0)]))
            await store.create(new("young"))
            await store.commit(Change("young", 0, [event(1)], at=50, deadline=70))
            assert (await store.idle(40), await store.due(70)) == ({"old": 0}, {"young": 1})
            assert await store.erase(40) == ["old"]
            assert await store.holder(b"t") is None
            with pytest.raises(Outdated):
                await store.commit(Change("old", 0, [event(1)]))
            return await store.load("old"), await store.versions(["old", "young"])

    assert run(work()) == (None, {"young": 1})


def test_old_games_are_deleted_a_few_at_a_time(path, monkeypatch):
    batches = []
    plain = statements.erase

    def noting(connection, games, before):
        batches.append(len(games))
        return plain(connection, games, before)

    monkeypatch.setattr(statements, "erase", noting)
    monkeypatch.setattr(sql_store, "SCANNED_AT_ONCE", 7)

    async def work():
        async with opened(path) as store:
            names = [f"g{number:03}" for number in range(120)]
            for name in names:
                await store.create(new(name))
            await store.create(new("young"))
            await store.commit(Change("young", 0, [event(1)], at=50))
            assert sorted(await store.idle(40)) == names
            erasing = asyncio.create_task(store.erase(40))
            while not batches:
                await asyncio.sleep(0)
            await store.commit(Change("young", 1, [event(2)], at=50))
            assert not erasing.done()  # the move did not wait for all batches
            assert sorted(await erasing) == names
            return await store.versions([*names, "young"])

    assert run(work()) == {"young": 2}
    assert batches == [50, 50, 20]


def test_a_long_game_is_deleted_in_its_own_transaction():
    lengths = {"a": 10, "b": 1500, "c": 600, "d": 9000, "e": 1}
    assert list(sql_store._in_batches(lengths)) == [["a", "b"], ["c"], ["d"], ["e"]]


def test_the_trusted_time_changes_only_with_trusted_heartbeats(path):
    async def work():
        async with opened(path) as store:
            found = [await store.trusted_time()]
            await store.beat(5000)
            found.append(await store.trusted_time())
            await store.beat(6000, True)
        async with opened(path) as store:
            found.append(await store.trusted_time())
            await store.trust(9000)
            return [*found, await store.trusted_time()]

    assert run(work()) == [1000, 1000, 6000, 9000]


def test_a_run_is_stored_from_start_to_last_heartbeat(path):
    async def work():
        async with opened(path) as store:
            await store.beat(5000)
        async with opened(path) as store:
            await store.beat(7000)
            return await store.runs()

    assert run(work()) == [(1000, 5000), (1000, 7000)]


def test_texts_are_stored_unchanged(path):
    words = "naïve ♞ 將 🎲 ' \" \\ %s ? {} \n"

    async def work():
        async with opened(path) as store:
            await store.create(new())
            start = Start((words, "person"), ("", words), 2**62)
            rows = [
                Event(1, EventKind.START, -1, at=5, start=start),
                Event(2, EventKind.PLAY, 0, 1, 2**62, (0.1, 59.123456), words, 5, words),
            ]
            request = RequestRow(0, 0, words, bytes(range(256)), 2)
            await store.commit(Change("g", 0, rows, request=request))
            assert await store.load(words) is None
            return rows, request, await store.load("g")

    rows, request, kept = run(work())
    assert (kept.events, kept.requests) == (rows, [request])
