"""A game survives the failures of its process."""

import fcntl
import json
import os
import pty
import re
import resource
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest
from patience import PATIENCE

from parlour.table import load
from parlour.table.locations import record_files, records_folder

COMMAND = [sys.executable, "-m", "parlour.cli", "play"]


def start(*arguments, **more):
    return subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        **more,
    )


def read_until(process, words):
    lines = []
    while words not in (lines[-1] if lines else ""):
        line = process.stdout.readline()
        assert line, "".join(lines)
        lines.append(line)
    return "".join(lines)


def kill(process):
    process.kill()
    process.communicate()


def test_a_killed_line_game_can_be_resumed():
    process = start("octa", "--plain", "--people", "--seed", "8", "--size", "1")
    read_until(process, "Actions:")
    process.stdin.write("1,1\n")
    process.stdin.flush()
    read_until(process, "Actions:")
    kill(process)
    (path,) = record_files(records_folder())
    assert len(load(path).actions) == 1
    process = start("--plain", "--resume", "octa")
    said, _ = process.communicate("undo\nquit\n", timeout=PATIENCE)
    assert "after 1 action." in said
    assert "Turn 2 of 8: player 2 to move." in said
    assert "Taken back: 1,1." in said
    assert record_files(records_folder()) == [path]


def test_a_second_process_is_refused_during_a_game():
    process = start("octa", "--plain", "--people", "--seed", "8", "--size", "1")
    read_until(process, "Actions:")
    process.stdin.write("1,1\n")
    process.stdin.flush()
    read_until(process, "Actions:")
    (path,) = record_files(records_folder())
    before = path.read_text()
    second = start("--plain", "--resume", "octa")
    said, _ = second.communicate("quit\n", timeout=PATIENCE)
    assert second.returncode == 2
    assert f"parlour: {path} is being played by another process\n" in said
    assert path.read_text() == before
    said, _ = process.communicate("-1,1\nquit\n", timeout=PATIENCE)
    assert process.returncode == 0
    assert len(load(path).actions) == 2
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_killed_json_game_can_be_resumed():
    process = start("cat_mouse", "--json", "--seed", "7")
    process.stdout.readline()
    process.stdin.write('"up"\n')
    process.stdin.flush()
    before = json.loads(process.stdout.readline())
    kill(process)
    process = start("--json", "--resume", "cat_mouse")
    after = json.loads(process.communicate("", timeout=PATIENCE)[0])
    assert after["state"] == before["state"]
    assert after["seed"] == 7


def test_a_full_disk_shows_one_message_and_the_game_continues():
    process = start(
        *("octa", "--plain", "--people", "--seed", "8", "--size", "1"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
    )
    said, _ = process.communicate("1,1\n-1,1\nquit\n", timeout=PATIENCE)
    assert process.returncode == 0
    sentence = "The game could not be saved (File too large). It continues unsaved."
    assert said.count(f"\n{sentence}\n") == 1
    assert "Turn 3 of 8" in said
    assert "Traceback" not in said


def test_an_unwritable_folder_shows_one_message_and_the_game_continues(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path / "file"))
    process = start("octa", "--plain", "--people", "--seed", "8", "--size", "1")
    said, _ = process.communicate("1,1\nquit\n", timeout=PATIENCE)
    assert process.returncode == 0
    assert "could not be saved (Not a directory)" in said


class Terminal:
    """The full screen on a pseudo-terminal."""

    def __init__(self, *arguments, size=(24, 80)):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(sys.executable, [*COMMAND, *arguments])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.said = ""

    def read_until(self, holds):
        """Read until the output makes `holds` true."""
        deadline = time.monotonic() + PATIENCE
        while not holds(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.said)):
            assert time.monotonic() < deadline, self.said[-2000:]
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    self.said += os.read(self.fd, 65536).decode("utf-8", "replace")
                except OSError:  # the process has ended
                    assert holds(self.said)

    def press(self, keys):
        os.write(self.fd, keys.encode())

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


@pytest.mark.parametrize("seats", ["--people", "--against=random"])
def test_a_killed_full_screen_game_can_be_resumed(seats):
    terminal = Terminal("octa", "--seed", "8", "--size", "1", seats)
    terminal.read_until(lambda said: "q quit" in said)
    terminal.press("\r")
    terminal.read_until(lambda _: record_files(records_folder()))
    terminal.kill()
    (path,) = record_files(records_folder())
    assert len(load(path).actions) >= 1
    terminal = Terminal("--resume")
    terminal.read_until(lambda said: "q quit" in said)
    terminal.press("q")
    terminal.read_until(lambda said: f"The game is saved in {path}" in said)
    assert os.waitstatus_to_exitcode(os.waitpid(terminal.pid, 0)[1]) == 0
    os.close(terminal.fd)
