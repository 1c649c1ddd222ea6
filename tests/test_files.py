"""Files that are written whole, what killed processes leave, and locks."""

import errno
import os
import subprocess
import sys

import pytest

from parlour import files
from parlour.files import FileLock, remove_orphans, write_atomically


@pytest.fixture(autouse=True)
def _unswept(monkeypatch):
    monkeypatch.setattr(files, "_swept", set())


def ended_process():
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def left_by(process, machine=None):
    return f".game.parlour.{machine or files._machine()}-{process}.abc_12.part"


def test_files_of_a_killed_process_are_removed_by_the_next_write(tmp_path):
    kept = [left_by(os.getpid()), left_by(ended_process(), "01234567"), ".diary.part", "a.txt"]
    for name in [*kept, left_by(ended_process()), left_by(10**30)]:
        (tmp_path / name).write_text("half")
    write_atomically(tmp_path / "new.txt", "whole\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*kept, "new.txt"])


def test_a_killed_write_leaves_a_file_that_is_recognised(tmp_path):
    program = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from parlour.files import write_atomically\n"
        "os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "write_atomically(Path(sys.argv[1]), 'text')\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "a.txt")], check=False)
    (left,) = tmp_path.iterdir()
    assert files.is_unfinished_file(left.name)
    remove_orphans(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_scanned_once(tmp_path, monkeypatch):
    looked = []
    monkeypatch.setattr(files, "remove_orphans", looked.append)
    for number in range(5):
        write_atomically(tmp_path / f"{number}.txt", "")
    assert looked == [tmp_path]


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_an_error_names_the_file_and_leaves_nothing(tmp_path, monkeypatch, call):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "a.txt").write_text("old")
    monkeypatch.setattr(os, call, full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_atomically(tmp_path / "a.txt", "new")
    assert caught.value.filename == str(tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_lock_is_exclusive_until_it_is_released(tmp_path):
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert first.hold()
    assert first.hold()
    assert not second.hold()
    first.release()
    assert not (tmp_path / "lock").exists()
    assert second.hold()
    assert not first.hold()
    second.release()
    second.release()


def test_a_lock_ends_with_its_process(tmp_path):
    program = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from parlour.files import FileLock\n"
        "lock = FileLock(Path(sys.argv[1]))\n"
        "assert lock.hold()\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "lock")], check=True)
    assert (tmp_path / "lock").exists()
    assert FileLock(tmp_path / "lock").hold()
