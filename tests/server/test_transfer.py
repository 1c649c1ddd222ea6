"""Moving a store between any kinds of store, completely or not at all."""

import asyncio
import threading
from pathlib import Path

import pytest
import raw_store
from click.testing import CliRunner
from live_server import OwnClock
from own_postgres import PASSWORD, free_port, shared
from store_samples import event, new, opened

from parlour.commands import serve as command
from parlour.server.admin import administration
from parlour.server.store import postgres_transfer
from parlour.server.store.schema import TABLES
from parlour.server.store.store import Change, StoreRefused, TokenRow
from parlour.server.store.transfer import SqliteSide, move_store

WAYS = [
    ("sqlite", "postgresql"),
    ("postgresql", "sqlite"),
    ("sqlite", "sqlite"),
    ("postgresql", "postgresql"),
]
NOW = 2_000_000_000_000


@pytest.fixture
def empty(tmp_path):
    """Returns the text of a new, empty store of a kind."""
    numbers = iter(range(100))

    def make(kind):
        if kind == "postgresql":
            return shared().new_database()
        return f"sqlite:{tmp_path / f'{next(numbers)}.sqlite'}"

    return make


def filled(text, games=3):
    """Insert rows into every table."""

    async def work():
        async with opened(text) as store:
            for number in range(games):
                name = f"g{number}"
                claims = [TokenRow(f"c{number}".encode(), 1, 0)]
                await store.create(new(name, claims=claims))
                for v in range(5):
                    await store.commit(Change(name, v, [event(v + 1)]))
            await store.set_setting("tables", "6/m")

    asyncio.run(work())
    return text


def content(text):
    """Return all rows of a store."""
    return {
        table: raw_store.execute(text, f"SELECT * FROM {table} ORDER BY {key}")
        for table, key in TABLES.items()
    }


def tables_of(text):
    if text.startswith("sqlite:"):
        rows = raw_store.execute(text, "SELECT name FROM sqlite_master WHERE type = 'table'")
    else:
        rows = raw_store.execute(
            text, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        )
    return {name for (name,) in rows}


@pytest.mark.parametrize(("source", "target"), WAYS)
def test_moved_games_can_be_continued(start, empty, source, target):
    clock = OwnClock()
    first, second = empty(source), empty(target)
    server = start(first, clock.server)
    alone = server.table("octa", ["me", 1])
    both = server.table("banqi", ["me", "open"])
    waiting = server.table("blokus", ["me"], visibility="listed", name="Zoë ♞")
    bob = server.claim(both)
    with server.socket(alone["table"], alone["token"]) as socket:
        action = socket.welcome["scene"]["actions"][0][0]
        assert socket.ask("play", 1, ply=0, action=action)["t"] == "ack"
        while socket.receive("event")["ply"] != 2:
            pass
    server.stop()
    before = content(first)
    moved = move_store(first, second, NOW)
    assert content(first) == content(second) == before
    assert {table: kept.rows for table, kept in moved.items()} == {
        table: len(rows) for table, rows in before.items()
    }
    server = start(second, OwnClock(clock.seconds + 9).server)
    with server.socket(alone["table"], alone["token"]) as socket:
        assert (socket.welcome["ply"], socket.welcome["you"]) == (2, 0)
        assert socket.ask("play", 1, ply=0, action=action)["t"] == "ack"  # already executed
        action = socket.welcome["scene"]["actions"][0][0]
        assert socket.ask("play", 2, ply=2, action=action)["t"] == "ack"
    with server.socket(both["table"], bob) as socket:
        assert socket.welcome["you"] == 1
    assert server.claim(waiting)
    seats = server.get(f"/tables/{waiting['table']}").json()["seats"]
    assert seats[0]["name"] == "Zoë ♞"


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_every_table_is_moved(empty, kind):
    assert tables_of(filled(empty(kind))) - {"schema_version"} == set(TABLES)


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_store_with_games_is_not_overwritten(empty, target):
    first, second = filled(empty("sqlite")), filled(empty(target), games=1)
    before = content(second)
    with pytest.raises(StoreRefused, match=r"already exists|is not empty"):
        move_store(first, second, NOW)
    assert content(second) == before


def test_a_database_without_games_counts_as_empty(empty):
    first, second = filled(empty("sqlite")), empty("postgresql")

    async def open_and_close():
        async with opened(second):
            pass

    asyncio.run(open_and_close())
    move_store(first, second, NOW)
    assert content(second) == content(first)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_store_in_use_is_not_moved(start, empty, kind):
    store, other = empty(kind), empty("sqlite")
    server = start(store)
    server.table("octa", ["me", 1])
    with pytest.raises(StoreRefused, match="a server uses"):
        administration.move(store, other)
    with pytest.raises(StoreRefused, match=r"a server uses|already exists"):
        administration.move(filled(empty("sqlite")), store)
    assert server.table("octa", ["me", 1])
    server.stop()


def test_a_store_can_be_moved_right_after_its_server_stopped(start, empty, monkeypatch):
    monkeypatch.setattr(postgres_transfer, "LOOK_SECONDS", 0.3)
    store, other = empty("postgresql"), empty("sqlite")
    server = start(store)
    server.table("octa", ["me", 1])
    server.stop()
    assert administration.move(store, other).startswith("Copied and verified these rows: 1 game")


def test_no_server_starts_on_a_database_being_moved(empty, monkeypatch):
    monkeypatch.setattr("parlour.server.store.postgres.LOCK_WAIT", "100ms")
    first, second = filled(empty("postgresql")), empty("sqlite")
    refusals = []
    fill = SqliteSide.fill

    def filled_slowly(self, table, columns, rows):
        async def open_meanwhile():
            async with opened(first):
                pass

        def meanwhile():
            try:
                asyncio.run(open_meanwhile())
            except StoreRefused as error:
                refusals.append(str(error))

        thread = threading.Thread(target=meanwhile)
        thread.start()
        thread.join()
        fill(self, table, columns, rows)

    monkeypatch.setattr(SqliteSide, "fill", filled_slowly)
    move_store(first, second, NOW)
    assert len(refusals) == len(TABLES)
    assert all("is being moved" in each for each in refusals)


class TestFailures:
    """A failed move changes nothing."""

    TRIGGER = """
        CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {deed} END $$;
        CREATE TRIGGER spoil BEFORE INSERT ON event FOR EACH ROW
          WHEN (NEW.game_id = 'g2' AND NEW.v = 5) EXECUTE FUNCTION spoil()"""

    @pytest.mark.parametrize(
        ("deed", "words"),
        [
            ("NEW.at_ms := 6; RETURN NEW;", "event differs"),
            ("RETURN NULL;", "event differs"),
            ("RAISE EXCEPTION 'no space left';", "no space left"),
            ("PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW;", "terminating"),
        ],
    )
    def test_a_row_that_differs_in_postgresql_is_detected(self, empty, deed, words):
        first, second = filled(empty("sqlite")), empty("postgresql")

        async def open_and_close():
            async with opened(second):
                pass

        asyncio.run(open_and_close())
        raw_store.execute(second, self.TRIGGER.format(deed=deed))
        before, kept = content(second), content(first)
        with pytest.raises(StoreRefused, match=words):
            move_store(first, second, NOW)
        assert (content(second), content(first)) == (before, kept)

    @pytest.mark.parametrize("source", ["sqlite", "postgresql"])
    def test_a_row_that_differs_in_a_file_is_detected(self, empty, source, monkeypatch):
        first, second = filled(empty(source)), empty("sqlite")
        fill = SqliteSide.fill

        def spoiled(self, table, columns, rows):
            fill(self, table, columns, rows)
            self._connection.execute("UPDATE event SET action = 8 WHERE game_id = 'g1' AND v = 3")

        monkeypatch.setattr(SqliteSide, "fill", spoiled)
        kept = content(first)
        with pytest.raises(StoreRefused, match="event differs"):
            move_store(first, second, NOW)
        assert self.left_over(second, first) == []
        assert content(first) == kept

    def test_a_failed_move_leaves_a_new_database_empty(self, empty):
        first, second = filled(empty("sqlite")), empty("postgresql")
        raw_store.execute(first, "UPDATE event SET data = 'a' || char(0) WHERE game_id = 'g2'")
        with pytest.raises(StoreRefused):
            move_store(first, second, NOW)
        assert tables_of(second) == set()

    @pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
    def test_tables_of_another_version_are_refused_and_unchanged(self, empty, kind):
        first, second = filled(empty(kind)), empty("sqlite")
        raw_store.execute(first, "UPDATE schema_version SET n = 0")
        kept = content(first)
        with pytest.raises(StoreRefused, match="have version 0"):
            move_store(first, second, NOW)
        assert content(first) == kept
        assert self.left_over(second, first) == []

    @pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
    def test_a_file_that_is_not_a_store_is_refused_in_one_line(self, empty, kind, tmp_path):
        text = empty(kind)
        if kind == "sqlite":
            (tmp_path / text.rpartition("/")[2]).write_text("Dear diary, " * 100)
        with pytest.raises(StoreRefused, match=r"is not a store|cannot be moved") as refused:
            move_store(text, empty("sqlite"), NOW)
        assert "\n" not in str(refused.value)

    def left_over(self, target, source):
        """Return the store files other than the source."""
        own = Path(source.partition(":")[2]).name
        found = Path(target.partition(":")[2]).parent.glob("*.sqlite*")
        return [each.name for each in found if not each.name.startswith(own)]


class TestCommand:
    def test_the_command_summarizes_the_move(self, empty):
        first, second = filled(empty("sqlite")), empty("postgresql")
        result = CliRunner().invoke(command.serve, ["--migrate", first, second])
        assert result.exception is None, result.output
        assert result.output.startswith(
            "Copied and verified these rows: 3 game, 6 seat, 15 event, 3 claim, 1 secret, "
        )
        assert PASSWORD not in result.output

    def test_an_unreachable_database_gives_one_line_without_the_password(self, empty):
        url = shared().url("games", port=free_port())
        with pytest.raises(StoreRefused) as refused:
            administration.move(filled(empty("sqlite")), url)
        assert PASSWORD not in str(refused.value)
        assert "\n" not in str(refused.value)

    def test_a_database_can_be_backed_up_while_a_server_runs(self, start, empty, tmp_path):
        url = empty("postgresql")
        server = start(url)
        made = server.table("octa", ["me", 1])
        target = tmp_path / "copy.sqlite"
        result = CliRunner().invoke(command.serve, ["--store", url, "--backup", str(target)])
        assert result.exception is None, result.output
        assert target.stat().st_mode & 0o077 == 0
        assert server.table("octa", ["me", 1])
        copy = start(target)
        with copy.socket(made["table"], made["token"]) as socket:
            assert socket.welcome["you"] == 0
