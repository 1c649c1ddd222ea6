"""Damaged SQLite files are refused at start, in one sentence and unchanged."""

import asyncio
import os
import random
import shutil
import sqlite3
import subprocess
import sys

import pytest
from patience import PATIENCE
from store_samples import event, new, opened

from parlour.server.store.sqlite import SqliteStore
from parlour.server.store.store import Change, CreationRow, StoreRefused, TokenRow

PAGE = 4096


@pytest.fixture(scope="module")
def intact(tmp_path_factory):
    """A store with 300 games and its write-ahead log moved into the file."""
    path = tmp_path_factory.mktemp("intact") / "store.sqlite"

    async def fill():
        async with opened(f"sqlite:{path}") as store:
            for number in range(300):
                tokens = [TokenRow(os.urandom(16), 0, 0)]
                creation = CreationRow(os.urandom(16), b"b", "{}")
                name = f"g{number:03}"
                await store.create(new(name, tokens=tokens, creation=creation))
                for v in range(4):
                    await store.commit(Change(name, v, [event(v + 1)]))

    asyncio.run(fill())
    assert path.stat().st_size > 20 * PAGE
    return path


def cut(count):
    """Truncate the file to a number of bytes, or by one if negative."""

    def damage(path):
        os.truncate(path, count if count >= 0 else path.stat().st_size + count)

    return damage


def overwrite(at, data):
    """Write bytes at a position."""

    def damage(path):
        with open(path, "r+b") as file:
            file.seek(at)
            file.write(data)

    return damage


def page_content(seed, make):
    """Replace a page other than the first by `make(random, page)`."""

    def damage(path):
        rng = random.Random(seed)
        # A page of a table: unused pages and free space do not matter.
        with sqlite3.connect(path) as connection:
            used = "SELECT rootpage FROM sqlite_master WHERE name IN ('game', 'event', 'token')"
            roots = [row[0] for row in connection.execute(used)]
        connection.close()
        at = (rng.choice(roots) - 1) * PAGE
        with open(path, "r+b") as file:
            file.seek(at)
            page = file.read(PAGE)
            file.seek(at)
            file.write(make(rng, page))

    return damage


def swap(seed):
    """Swap two different pages."""

    def damage(path):
        rng = random.Random(seed)
        with open(path, "r+b") as file:
            data = file.read()
            pages = [data[at : at + PAGE] for at in range(0, len(data), PAGE)]
            one, two = rng.sample(range(1, len(pages)), 2)
            while pages[one] == pages[two]:  # empty tables look alike
                one, two = rng.sample(range(1, len(pages)), 2)
            for source, target in ((one, two), (two, one)):
                file.seek(target * PAGE)
                file.write(pages[source])

    return damage


def statement(*texts):
    """Execute statements."""

    def damage(path):
        connection = sqlite3.connect(path, isolation_level=None)
        for text in texts:
            connection.execute(text)
        connection.close()

    return damage


def replaced(data):
    """Replace the whole file."""
    return lambda path: path.write_bytes(data)


def directory(path):
    path.unlink()
    path.mkdir()


def stranger(path):
    path.unlink()
    statement("CREATE TABLE bookmarks (url TEXT)", "INSERT INTO bookmarks VALUES ('x')")(path)


def emptied_beside_a_log(path):
    path.write_bytes(b"")
    path.with_name(f"{path.name}-wal").write_bytes(b"x" * 5000)


VARIANTS = {
    "1 byte": cut(1),
    "99 bytes of the header": cut(99),
    "the header alone": cut(100),
    "half of the first page": cut(PAGE // 2),
    "the first page alone": cut(PAGE),
    "five pages": cut(5 * PAGE),
    "five pages and a half": cut(5 * PAGE + PAGE // 2),
    "the last page missing": cut(-PAGE),
    "the magic overwritten": overwrite(0, b"SQLite format 4\0"),
    "the header overwritten": overwrite(0, b"\xff" * 100),
    "the header zeroed": overwrite(0, bytes(100)),
    "a wrong page size": overwrite(16, b"\x02\x00"),
    "an impossible page size": overwrite(16, b"\x13\x37"),
    "a newer file format": overwrite(18, b"\x09\x09"),
    "wrong payload fractions": overwrite(21, b"\x01\x01\x01"),
    "a wrong text encoding": overwrite(56, b"\x00\x00\x00\x02"),
    "a wrong schema format": overwrite(44, b"\x00\x00\x00\x63"),
    "the first page zeroed": overwrite(0, bytes(PAGE)),
    "the table of tables overwritten": overwrite(100, b"\xee" * 200),
    "a page zeroed": page_content(1, lambda rng, page: bytes(PAGE)),
    "a page of noise": page_content(2, lambda rng, page: rng.randbytes(PAGE)),
    "a page shifted": page_content(3, lambda rng, page: page[1:] + page[:1]),
    "wrong cell pointers": page_content(
        4, lambda rng, page: page[:12] + rng.randbytes(60) + page[72:]
    ),
    "a wrong kind of page": page_content(5, lambda rng, page: b"\x07" + page[1:]),
    "pages swapped": swap(1),
    "other pages swapped": swap(2),
    "further pages swapped": swap(3),
    "a text": replaced(b"Dear diary, " * 1000),
    "an archive": replaced(b"PK\x03\x04" + bytes(5000)),
    "zeros": replaced(bytes(10 * PAGE)),
    "noise": replaced(random.Random(1).randbytes(10 * PAGE)),
    "the database of another program": stranger,
    "a table missing": statement("DROP TABLE event"),
    "a table with other columns": statement("DROP TABLE seat", "CREATE TABLE seat (a INTEGER)"),
    "an index missing": statement("DROP INDEX token_game"),
    "a version that is no number": statement("UPDATE schema_version SET n = 'new'"),
    "a version of the future": statement("UPDATE schema_version SET n = 99"),
    "a folder": directory,
    "nothing beside a log": emptied_beside_a_log,
}


@pytest.fixture
def path(intact, tmp_path):
    return shutil.copy(intact, tmp_path / "store.sqlite")


@pytest.mark.parametrize("damage", VARIANTS.values(), ids=VARIANTS.keys())
def test_a_damaged_file_is_refused_in_one_sentence_and_unchanged(path, damage):
    damage(path)
    before = path.read_bytes() if path.is_file() else None

    async def work():
        with pytest.raises(StoreRefused) as refused:
            SqliteStore(path, lambda: 1000)
        return str(refused.value)

    text = asyncio.run(work())
    assert "store.sqlite" in text
    assert "\n" not in text
    assert len(text) < 400
    assert before is None or path.read_bytes() == before
    assert not path.with_name(".store.sqlite.lock").exists()


def test_the_command_prints_the_refusal_without_a_traceback(path):
    VARIANTS["a page of noise"](path)
    command = [sys.executable, "-m", "parlour.cli", "serve", "--port", "0"]
    done = subprocess.run(
        [*command, "--store", f"sqlite:{path}"], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "store.sqlite" in done.stderr.splitlines()[-1]


def test_an_intact_copy_is_accepted(path):
    async def work():
        async with opened(f"sqlite:{path}") as store:
            return (await store.load("g123")).row.v

    assert asyncio.run(work()) == 4


def test_an_empty_file_becomes_a_new_store(tmp_path):
    path = tmp_path / "store.sqlite"
    path.touch()

    async def work():
        async with opened(f"sqlite:{path}") as store:
            return await store.count()

    assert asyncio.run(work()) == {}
