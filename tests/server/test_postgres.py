"""The store in PostgreSQL: several processes, and a database that fails and recovers."""

import asyncio
import contextlib
import itertools
import os
import signal
import sys
import threading

import psycopg
import pytest
import raw_store
from cut_line import CutLine
from own_postgres import PASSWORD, free_port, shared
from store_samples import event, new, opened

from parlour.core.errors import MissingExtra, NotFound
from parlour.protocol.errors import StoreUnavailable
from parlour.server.settings import SettingError
from parlour.server.store import postgres, postgres_link
from parlour.server.store.notices import LARGEST, NoticeDecoder, notices
from parlour.server.store.schema import NEWEST
from parlour.server.store.store import (
    MAX_BROADCAST,
    Change,
    InDoubt,
    Notification,
    Outdated,
    RequestRow,
    SeatRow,
    StoredMoves,
    StoreRefused,
)
from parlour.server.store.stores import store_opener


@pytest.fixture
def url():
    return shared().new_database()


@pytest.fixture
def running():
    """The database server itself, running again after the test."""
    yield shared()
    if not shared().is_running:
        shared().start()


def run(work):
    return asyncio.run(work)


async def until(condition):
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")


async def recovered(work):
    """Return the result of `work` as soon as the store has recovered."""
    for _ in range(500):
        try:
            return await work()
        except StoreUnavailable:
            await asyncio.sleep(0.02)
    raise AssertionError("it did not recover")


class TestSeveralProcesses:
    def test_only_one_of_two_writes_of_the_same_version_succeeds(self, url):
        async def work():
            async with opened(url) as one, opened(url) as two:
                names = [f"g{number}" for number in range(40)]
                for name in names:
                    await one.create(new(name))
                # In opposite orders, many per transaction: no deadlock.
                asked = [one.commit(Change(name, 0, [event(1, 1)])) for name in names]
                asked += [two.commit(Change(name, 0, [event(1, 2)])) for name in names[::-1]]
                results = await asyncio.gather(*asked, return_exceptions=True)
                mine, theirs = results[:40], results[40:][::-1]
                for each, other, name in zip(mine, theirs, names, strict=True):
                    assert {type(each), type(other)} == {type(None), Outdated}
                    kept = await two.load(name)
                    assert kept.events == [event(1, 1 if each is None else 2)]

        run(work())

    def test_a_lease_excludes_other_processes_until_it_expires(self, url):
        async def work():
            async with opened(url) as one, opened(url) as two:
                await one.create(new())
                assert await one.lease("g", 0, 100, 200)
                assert not await two.lease("g", 0, 199, 300)
                assert await two.lease("g", 0, 200, 300)
                assert not await one.lease("g", 0, 250, 400)
                await one.commit(Change("g", 0, [event(1)]))
                assert await one.lease("g", 1, 250, 400)

        run(work())

    def test_processes_share_secret_settings_and_runs(self, url):
        async def work():
            async with opened(url) as one, opened(url) as two:
                await one.set_setting("tables", "6/m")
                assert await two.settings() == {"tables": "6/m"}
                assert await one.secret() == await two.secret()
                await two.beat(9000)
                assert sorted(await one.runs()) == [(1000, 1000), (1000, 9000)]

        run(work())

    def test_processes_starting_together_create_the_tables_once(self, url):
        failures = []

        async def open_and_close():
            async with opened(url) as store:
                assert len(await store.secret()) == 32

        def start():
            try:
                asyncio.run(open_and_close())
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=start) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        rows = raw_store.execute(url, "SELECT n FROM schema_version ORDER BY n")
        assert [n for (n,) in rows] == list(range(1, NEWEST + 1))
        assert raw_store.execute(url, "SELECT COUNT(*) FROM secret") == [(1,)]

    def test_deadlocked_transactions_are_retried(self, url):
        name = url.rpartition("/")[2]
        shared().execute(f"ALTER DATABASE {name} SET deadlock_timeout = '1s'")

        async def work():
            async with opened(url) as store:
                for game in ("a", "b"):
                    await store.create(new(game))
                with psycopg.connect(url) as other:
                    other.execute("SET deadlock_timeout = '60s'")
                    other.execute("UPDATE game SET ply = 7 WHERE id = 'b'")
                    asked = asyncio.gather(
                        *(store.commit(Change(game, 0, [event(1)])) for game in ("b", "a"))
                    )
                    waiting = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted"
                    while shared().execute(waiting, name) != [(1,)]:
                        await asyncio.sleep(0.01)

                    def close_the_circle():
                        other.execute("UPDATE game SET ply = 7 WHERE id = 'a'")
                        other.commit()

                    await asyncio.gather(asyncio.to_thread(close_the_circle), asked)
                return [await store.load(game) for game in ("a", "b")]

        assert [(kept.row.v, kept.row.ply) for kept in run(work())] == [(1, 7), (1, 7)]

    def test_an_invalid_change_does_not_affect_others_in_its_batch(self, url):
        async def work():
            async with opened(url) as store:
                for number in range(5):
                    await store.create(new(f"g{number}"))
                bad = Change("g2", 0, [event(1)], seats=[SeatRow(0, "person", name="\0")])
                asked = [
                    bad if number == 2 else Change(f"g{number}", 0, [event(1)])
                    for number in range(5)
                ]
                results = await asyncio.gather(*map(store.commit, asked), return_exceptions=True)
                with pytest.raises(NotFound):
                    await store.load("\0")
                return results, await store.versions([f"g{number}" for number in range(5)])

        results, versions = run(work())
        assert [type(each) for each in results if each is not None] == [StoreUnavailable]
        assert versions == {f"g{number}": int(number != 2) for number in range(5)}


class TestNotices:
    def test_changes_and_broadcasts_notify_other_processes_only(self, url):
        async def work():
            async with opened(url) as one, opened(url) as two:
                mine, theirs = [], []
                one.listen(mine.append)
                two.listen(theirs.append)
                await until_received(one, theirs)
                await until_received(two, mine)
                mine.clear()
                theirs.clear()
                await one.create(new())
                await one.commit(Change("g", 0, [event(1), event(2)]))
                with contextlib.suppress(Outdated):
                    await one.commit(Change("g", 0, [event(1)]))
                words = bytes(range(256)) * 27
                await one.broadcast("g", words)
                await asyncio.gather(*(one.broadcast("g", b"twice") for _ in range(2)))
                await until(lambda: len(theirs) >= 5)
                with pytest.raises(ValueError, match="at most"):
                    await one.broadcast("g", b"x" * (MAX_BROADCAST + 1))
                return mine, theirs, words

        mine, theirs, words = run(work())
        twice = [Notification("g", 0, b"twice")] * 2
        assert theirs == [
            Notification("g", 0),
            Notification("g", 2, moves=StoredMoves(0, [event(1), event(2)], [], None)),
            Notification("g", 0, words),
            *twice,
        ]
        assert mine == []

    def test_a_disconnected_listener_reconnects_and_polling_finds_missed_changes(self, url):
        async def work():
            async with opened(url) as one, opened(url) as two:
                received = []
                two.listen(received.append)
                await one.create(new())
                await until_received(one, received)
                assert shared().terminate(url, "query LIKE 'LISTEN%'") == 1
                await one.commit(Change("g", 0, [event(1)]))
                assert await two.versions(["g"]) == {"g": 1}
                received.clear()
                await until_received(one, received)

        run(work())

    def test_notices_are_split_to_fit_and_complete(self):
        stored = [(f"{number:016x}", number) for number in range(2000)]
        words = [Notification("g", 0, bytes([number]) * MAX_BROADCAST) for number in range(3)]
        asked = RequestRow(1, 3, '"id"', b"body", 1)
        moves = [Change(f"g{n}", 0, [event(1)], deadline=n, request=asked) for n in range(200)]
        long = event(1)._replace(text="x" * LARGEST)
        texts = notices("me", itertools.count(), stored, [*moves, Change("l", 0, [long])], words)
        assert max(len(text.encode()) for text in texts) <= LARGEST
        assert len(set(texts)) == len(texts)
        decoder = NoticeDecoder("you")
        assert [received for text in texts for received in decoder.decode(text)] == [
            *(
                Notification(f"g{n}", 1, moves=StoredMoves(0, [event(1)], [asked], n))
                for n in range(200)
            ),
            *(Notification(game, v) for game, v in [*stored, ("l", 1)]),
            *words,
        ]
        own = NoticeDecoder("me")
        assert [received for text in texts for received in own.decode(text)] == []

    @pytest.mark.parametrize("text", ["", "x", "a 1 v", "a 1 v g:x", "a 1 w g *", "a 1 z g:1"])
    def test_foreign_notifications_on_the_channel_are_ignored(self, text):
        assert NoticeDecoder("me").decode(text) == []


async def until_received(speaker, received):
    """Broadcast until a message arrives, so that the listener is known to listen."""
    for _ in range(500):
        await speaker.broadcast("g", b"?")
        if received:
            await asyncio.sleep(0.1)
            return
        await asyncio.sleep(0.02)
    raise AssertionError("nothing was received")


class TestLostDatabase:
    def test_terminated_backends_are_replaced_transparently(self, url):
        async def work():
            async with opened(url) as store:
                await store.create(new())
                for v in range(5):
                    await store.load("g")
                    assert shared().terminate(url) > 0
                    await store.commit(Change("g", v, [event(v + 1)]))
                return await store.load("g")

        assert run(work()).events == [event(v) for v in range(1, 6)]

    def test_a_stopped_database_gives_an_error_and_the_store_reconnects(self, url, running):
        async def work():
            async with opened(url) as store:
                await store.create(new())
                running.stop()
                for _ in range(3):
                    with pytest.raises(StoreUnavailable) as refused:
                        await store.commit(Change("g", 0, [event(1)]))
                    assert not isinstance(refused.value, InDoubt)
                    assert "127.0.0.1" not in str(refused.value)
                    with pytest.raises(StoreUnavailable):
                        await store.load("g")
                running.start()
                kept = await recovered(lambda: store.load("g"))
                await recovered(lambda: store.commit(Change("g", 0, [event(1)])))
                return kept.row.v

        assert run(work()) == 0

    def test_a_database_restart_loses_no_stored_change(self, url, running):
        stored = {}

        async def play(store, name):
            v = 0
            while v < 60:
                try:
                    await store.commit(Change(name, v, [event(v + 1)]))
                except Outdated:
                    # The commit in doubt was stored.
                    (v,) = (await recovered(lambda: store.versions([name]))).values()
                except StoreUnavailable:
                    await asyncio.sleep(0.01)
                else:
                    v += 1
                stored[name] = v

        async def work():
            async with opened(url) as store:
                names = [f"g{number}" for number in range(8)]
                for name in names:
                    await store.create(new(name))
                playing = [asyncio.create_task(play(store, name)) for name in names]
                for v in (5, 30):
                    await until(lambda v=v: sum(stored.values()) > 8 * v)
                    await asyncio.to_thread(running.restart)
                await asyncio.gather(*playing)
                return [await store.load(name) for name in names]

        for kept in run(work()):
            assert kept.events == [event(v) for v in range(1, kept.row.v + 1)]
            assert kept.row.v == stored[kept.row.id] == 60

    @pytest.mark.parametrize("before", [False, True])
    def test_a_commit_with_a_lost_response_is_in_doubt(self, url, before):
        async def work(line):
            through = shared().url(url.rpartition("/")[2], port=line.port)
            async with opened(through) as store:
                await store.create(new())
                line.arm(before=before)
                with pytest.raises(InDoubt):
                    await store.commit(Change("g", 0, [event(1)]))
                assert line.cuts == 1
                return await recovered(lambda: store.load("g"))

        line = CutLine(shared().port)
        try:
            kept = run(work(line))
        finally:
            line.close()
        assert kept.events == ([] if before else [event(1)])
        assert kept.row.v == len(kept.events)

    def test_a_backend_terminated_during_a_commit_leaves_it_in_doubt(self, url):
        async def work():
            async with opened(url) as store:
                await store.create(new())
                raw_store.execute(
                    url,
                    "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                    " PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;"
                    " CREATE CONSTRAINT TRIGGER die AFTER INSERT ON event DEFERRABLE"
                    " INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die()",
                )
                with pytest.raises(InDoubt):
                    await store.commit(Change("g", 0, [event(1)]))
                return await store.load("g")

        assert run(work()).row.v == 0

    @pytest.mark.parametrize("words", ["create", "beat", "broadcast", "lease", "set_setting"])
    def test_a_stale_connection_leaves_nothing_in_doubt(self, url, words):
        given = {
            "create": (new("h"),),
            "beat": (2000,),
            "broadcast": ("g", b"?"),
            "lease": ("g", 0, 1, 2),
            "set_setting": ("a", "b"),
        }

        async def work():
            async with opened(url) as store:
                await store.create(new())
                shared().terminate(url)
                await getattr(store, words)(*given[words])

        run(work())

    def test_a_connection_cut_before_the_commit_is_retried(self, url):
        async def work(line):
            through = shared().url(url.rpartition("/")[2], port=line.port)
            async with opened(through) as store:
                await store.create(new())
                line.arm(b"UPDATE game SET v")
                await store.commit(Change("g", 0, [event(1)]))
                assert line.cuts == 1
                return await store.load("g")

        line = CutLine(shared().port)
        try:
            assert run(work(line)).events == [event(1)]
        finally:
            line.close()

    def test_a_hanging_database_times_out_and_the_store_reconnects(self, url, monkeypatch):
        monkeypatch.setattr(postgres_link, "TIMEOUT_SECONDS", 0.5)
        name = url.rpartition("/")[2]

        async def work():
            async with opened(url) as store:
                await store.create(new())
                assert (await store.load("g")).row.v == 0
                back_ends = shared().execute(
                    f"SELECT pid FROM pg_stat_activity WHERE datname = '{name}'"
                )
                assert len(back_ends) == 2
                for (pid,) in back_ends:
                    os.kill(pid, signal.SIGSTOP)
                try:
                    # On a new connection: the one that hung stored nothing.
                    kept = await store.load("g")
                    await store.commit(Change("g", 0, [event(1)]))
                finally:
                    for (pid,) in back_ends:
                        os.kill(pid, signal.SIGCONT)
                assert kept.row.v == 0
                return await store.load("g")

        assert run(work()).events == [event(1)]

    def test_a_full_disk_gives_an_error(self, url):
        async def work():
            async with opened(url) as store:
                await store.create(new())
                raw_store.execute(
                    url,
                    "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                    " RAISE EXCEPTION 'no space' USING ERRCODE = 'disk_full'; END $$",
                )
                raw_store.execute(
                    url,
                    "CREATE TRIGGER full_disk BEFORE INSERT ON event"
                    " FOR EACH ROW EXECUTE FUNCTION full_disk()",
                )
                with pytest.raises(StoreUnavailable, match="is full"):
                    await store.commit(Change("g", 0, [event(1)]))
                assert (await store.load("g")).row.v == 0
                raw_store.execute(url, "DROP TRIGGER full_disk ON event")
                await store.commit(Change("g", 0, [event(1)]))

        run(work())

    @pytest.mark.parametrize(
        ("given", "used"), [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")]
    )
    def test_commits_are_synchronous_whatever_the_database_default(self, url, given, used):
        name = url.rpartition("/")[2]
        shared().execute(f"ALTER DATABASE {name} SET synchronous_commit = {given}")
        with contextlib.closing(postgres_link.Address(url).connected()) as connection:
            assert connection.execute("SHOW synchronous_commit").fetchone() == (used,)


class TestRefusals:
    def refused(self, url):
        async def work():
            async with opened(url):
                pass

        with pytest.raises(StoreRefused) as error:
            run(work())
        words = str(error.value)
        assert "\n" not in words
        assert PASSWORD not in words
        return words

    def test_a_missing_database_is_named(self):
        words = self.refused(shared().url("nowhere"))
        assert 'database "nowhere" does not exist' in words

    def test_a_wrong_password_is_refused_and_not_shown(self, url):
        words = self.refused(url.replace(PASSWORD, "wrong-word"))
        assert "password authentication failed" in words
        assert "wrong-word" not in words

    def test_an_unreachable_host_is_refused_quickly(self):
        words = self.refused(shared().url("games", port=free_port()))
        assert "refused" in words

    def test_an_old_postgresql_is_refused(self, url, monkeypatch):
        monkeypatch.setattr(postgres_link, "OLDEST", 99)
        assert "99 or newer is required" in self.refused(url)

    def test_another_encoding_is_refused(self):
        latin = shared().new_database("ENCODING 'LATIN1' TEMPLATE template0")
        assert "ENCODING 'UTF8'" in self.refused(latin)

    def test_missing_permission_to_create_tables_is_refused(self, url):
        name = url.rpartition("/")[2]
        shared().execute(f"CREATE ROLE guest_{name} LOGIN PASSWORD '{PASSWORD}'")
        guest = url.replace("postgres:", f"guest_{name}:", 1)
        assert "permission denied" in self.refused(guest)

    @pytest.mark.parametrize(
        "text",
        [
            "postgresql://me:open-sesame@",
            "postgresql://me:open-sesame%zz@localhost/games",
            "postgresql://me:op@en-sesame@localhost/games",
            "postgresql://me:/open-sesame@localhost/games",
            "postgresql://me:12/open-sesame@localhost/games",
            "postgresql://me:open-sesame@localhost:port/games",
            "postgresql://me:open-sesame@localhost:99999/games",
            "postgresql://me:open-sesame@[::1/games",
            "postgresql://me:open-sesame@localhost/games?open-sesame=1",
            "postgresql://me:open-sesame@local\nhost/games",
            "postgresql://me:open-sesame@localhost/ga\0mes",
            "postgresql://me:open-sesame@does-not-exist.invalid/games",
            "postgresql://me:open-sesame@127.0.0.1:1/games?sslmode=perhaps",
        ],
    )
    def test_an_invalid_url_is_refused_without_repeating_it(self, text):
        words = self.refused(text)
        assert "en-sesame" not in words

    @pytest.mark.parametrize("text", ["postgres", "mysql://me:open-sesame@h/d", "postgresql:me"])
    def test_unknown_stores_are_refused_without_repeating_them(self, text):
        with pytest.raises(SettingError) as refused:
            store_opener(text)
        assert "sesame" not in str(refused.value)

    def test_a_missing_extra_says_how_to_install_it(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "psycopg", None)
        with pytest.raises(MissingExtra, match=r"parlour\[postgres\]"):
            store_opener("postgres://localhost/games")

    def test_a_server_does_not_start_while_the_tables_are_locked(self, url, monkeypatch):
        monkeypatch.setattr(postgres, "LOCK_WAIT", "50ms")
        with psycopg.connect(url) as holder:
            holder.execute("SELECT pg_advisory_xact_lock(%s)", (postgres.LOCK_KEY,))
            assert "is being moved or migrated" in self.refused(url)
