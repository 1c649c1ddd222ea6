"""A table's file: up to date, written atomically, and locked by one process."""

import errno
import os
import subprocess
import sys

import pytest
from dice import Dice
from kuhn import Kuhn
from nim import Nim
from scouts import Scouts

import parlour
from parlour import CHANCE, RecordError
from parlour.table import (
    PERSON,
    ChanceSource,
    GameInUse,
    Notes,
    Table,
    TableError,
    TableFile,
    TimeControl,
    load,
)
from parlour.table.events import OfferDraw, Resign, Undo
from parlour.table.opening import resume_file


@pytest.fixture(autouse=True)
def _known():
    for game in (Nim, Dice, Scouts, Kuhn):
        parlour.register(game().name, game)


def table(game, *seats, seed=1, **more):
    more.setdefault("chance", ChanceSource.from_seed(seed))
    return Table(game, seats, seed=seed, **more)


def visible(folder):
    return [entry.name for entry in folder.iterdir() if not entry.name.endswith(".lock")]


def test_every_action_is_saved_immediately(tmp_path):
    path = tmp_path / "deep" / "game.parlour"
    at = table(Nim(), path=path)
    assert not path.exists()
    for count in (1, 2, 3):
        at.play(0)
        assert len(load(path).actions) == count
    at.request(CHANCE, Undo())
    assert len(load(path).actions) == 2
    assert visible(path.parent) == ["game.parlour"]


def test_the_file_is_written_before_events_are_applied(tmp_path, monkeypatch):
    at = table(Nim(), path=tmp_path / "game.parlour")
    versions = []
    monkeypatch.setattr(TableFile, "write", lambda self, text: versions.append(at.version))
    at.play(0)
    assert versions == [0]
    assert at.version == 1


def test_a_game_resumes_where_it_stopped(tmp_path):
    path = tmp_path / "game.parlour"
    at = table(Scouts(), PERSON, "level:2", path=path, chance=None)
    at.play("a1")
    at.close()
    again = resume_file(path)
    assert again.state == at.state
    assert again.seats == at.seats
    assert again.commitment == at.commitment
    for each in (at, again):
        each.play(each.state.legal_actions()[0])
    assert again.state == at.state


def test_a_draw_offer_survives_resuming(tmp_path):
    at = table(Scouts(), path=tmp_path / "game.parlour")
    at.request(1, OfferDraw())
    assert Table.resume(load(tmp_path / "game.parlour")).standing.draw_offer == 1


def test_an_agent_with_spaces_in_its_text_keeps_them():
    at = table(Nim(), PERSON, "mcts: sims=5, seed=1")
    assert Table.resume(at.snapshot()).seats == (PERSON, "mcts: sims=5, seed=1")


def test_an_ending_by_the_players_is_saved(tmp_path):
    path = tmp_path / "game.parlour"
    at = table(Nim(), path=path)
    at.request(1, Resign())
    again = Table.resume(load(path))
    assert again.ending == at.ending
    assert again.is_over


def test_a_snapshot_has_the_key_and_a_record_only_after_the_end():
    at = table(Dice())
    at.play("roll")
    assert "key" not in at.record().notes
    assert Notes.of(at.snapshot()).key == at.chance.key
    at.request(1, Resign())
    assert Notes.of(at.record()).key == at.chance.key
    assert at.record().notes["commitment"] == at.commitment


def test_a_game_with_secrets_has_no_record_before_its_end():
    at = table(Kuhn())
    with pytest.raises(TableError, match="no record before the end"):
        at.record()
    assert Table.resume(at.snapshot()).state == at.state
    at.request(0, Resign())
    assert at.record().actions == at.line.actions


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("key", "xx"),
        ("key", "00"),
        ("ending", "a: b"),
        ("ending", "1 -1 0: b"),
        ("ending", "1 -1"),
        ("offer", "3"),
        ("offer", "x"),
        ("clock", "soon"),
        ("left", "1"),
        ("left", "1 2 3"),
        ("left", "nan 1"),
    ],
)
def test_damaged_notes_are_a_record_error(key, value):
    record = table(Nim(), control=TimeControl(60)).snapshot()
    wrong = record.with_notes({**record.notes, key: value})
    with pytest.raises(RecordError, match="notes"):
        Table.resume(wrong)


@pytest.mark.parametrize("who", ["nobody", "odd_agents:First", "os:path", "no_such.module:X:a=1"])
def test_an_agent_that_is_not_installed_must_be_named_by_the_user(who):
    record = table(Nim()).snapshot()
    named = record.with_notes({**record.notes, "seat.2": who})
    with pytest.raises(RecordError, match="--seat 2=AGENT"):
        Table.resume(named)
    assert Table.resume(named, given={1: "random"}).seats == (PERSON, "random")
    assert Table.resume(named, given={1: "odd_agents:First"}).seats[1] == "odd_agents:First"


def test_a_key_that_does_not_match_is_refused():
    at = table(Dice())
    at.play("roll")
    record = at.snapshot()
    other = ChanceSource.from_seed(2)
    with pytest.raises(RecordError, match="the key does not match the commitment"):
        Table.resume(record.with_notes({**record.notes, "key": other.key.hex()}))
    forged = {**record.notes, "key": other.key.hex(), "commitment": other.commitment}
    wrong = [n for n in (1, 4, 6) if n != record.actions[1]]
    for outcome in wrong:
        changed = parlour.Record(record.game, 1, [1, outcome], record.notes)
        with pytest.raises(RecordError, match="but the key draws"):
            Table.resume(changed)
    if other.outcome(record.states[1], 0) != record.actions[1]:
        with pytest.raises(RecordError, match="but the key draws"):
            Table.resume(record.with_notes(forged))
    without = {key: value for key, value in record.notes.items() if key != "key"}
    with pytest.raises(RecordError, match="without its chance key"):
        Table.resume(record.with_notes(without))


def test_nonces_are_saved(tmp_path):
    path = tmp_path / "game.parlour"
    source = ChanceSource.from_seed(1, ("swordfish", "42 is it"))
    at = table(Dice(), path=path, chance=source)
    at.play("roll")
    assert load(path).notes["nonce.1"] == "swordfish"
    at.close()
    again = resume_file(path)
    for each in (at, again):
        each.play("roll")
    assert again.line == at.line
    damaged = load(path)
    refused = 0
    for number in range(50):
        try:
            Table.resume(damaged.with_notes({**damaged.notes, "nonce.1": f"other {number}"}))
        except RecordError as error:
            assert "but the key draws" in str(error)
            refused += 1
    assert refused > 20


def test_notes_round_trip():
    at = table(Scouts(), PERSON, "random:seed=1", control=TimeControl(60, 1))
    at.request(1, OfferDraw()) if at.seats[0] != PERSON else None
    snapshot = at.snapshot()
    notes = Notes.of(snapshot)
    assert notes.to_lines() == snapshot.notes
    assert notes.seats == at.seats


def test_a_full_disk_shows_one_message_and_the_game_continues(tmp_path, monkeypatch):
    path = tmp_path / "game.parlour"
    at = table(Nim(), path=path)
    at.play("take1")
    before = path.read_text()

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        at.play("take1")
    assert at.save_problem == (
        "The game could not be saved (No space left on device). It continues unsaved."
    )
    assert path.read_text() == before
    assert visible(tmp_path) == ["game.parlour"]
    at.play("take1")
    assert at.save_problem == ""
    assert len(load(path).actions) == 3


def test_a_file_that_is_not_a_record_says_so(tmp_path):
    (tmp_path / "a").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "b").write_text("hello")
    for name, words in (("a", "not a text file"), ("b", "line 1"), ("c", "No such file")):
        with pytest.raises(RecordError, match=words):
            load(tmp_path / name)
        with pytest.raises(RecordError, match=words):
            resume_file(tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["a", "b"]


HOLD = """
import sys
from pathlib import Path
from parlour.table.opening import resume_file
table = resume_file(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def kept(tmp_path):
    """An unfinished game of a registered kind, saved and not locked."""
    path = tmp_path / "game.parlour"
    at = table(parlour.game("octa", size=1), path=path)
    at.play(at.state.legal_actions()[0])
    at.close()
    return path


@pytest.fixture
def other_process(kept):
    """A process that plays the game."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(kept)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_process_on_a_running_game_is_refused(kept, other_process):
    before = kept.read_text()
    with pytest.raises(GameInUse, match="is being played by another process") as caught:
        resume_file(kept)
    assert caught.value.code == "busy"
    assert kept.read_text() == before


def test_after_kill_9_of_the_first_resuming_works(kept, other_process):
    other_process.kill()
    other_process.wait()
    again = resume_file(kept)
    again.play(again.state.legal_actions()[0])
    assert len(load(kept).actions) == 2


def test_closing_leaves_only_the_game_file(kept, other_process):
    other_process.communicate("\n")
    again = resume_file(kept)
    again.close()
    assert [path.name for path in kept.parent.iterdir() if path.is_file()] == [kept.name]


def test_a_process_cannot_lock_a_game_twice(kept):
    one = resume_file(kept)
    with pytest.raises(GameInUse):
        resume_file(kept)
    one.close()
    resume_file(kept).close()


def test_files_are_private_and_links_are_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    path = tmp_path / "game.parlour"
    path.symlink_to(victim)
    at = table(Nim(), path=path)
    at.play(0)
    assert victim.read_text() == "mine"
    assert not path.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o600
    at.close()
    other = TableFile(tmp_path / "other.parlour")
    lock = tmp_path / ".other.parlour.lock"
    lock.symlink_to(victim)
    with pytest.raises(OSError, match="symbolic"):
        other.hold()
    assert victim.read_text() == "mine"


def test_a_file_that_is_too_large_is_not_read(tmp_path, monkeypatch):
    path = tmp_path / "game.parlour"
    path.write_bytes(b"x" * 100)
    monkeypatch.setattr("parlour.table.storage.LARGEST_FILE", 99)
    with pytest.raises(RecordError, match="more than 99 bytes"):
        load(path)
    with pytest.raises(RecordError):
        load(tmp_path)
