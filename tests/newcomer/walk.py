"""A newcomer's shell: runs the commands of pages in an empty home, one after another.

Only this is simulated: packages come from the environment that runs the tests and not from a
registry (`environments.py`), so `python3 -m venv` creates such an environment, and Parlour is
installed from the wheel under test; servers listen on a free port instead of 8000; and tests append
arguments that shorten long commands.
"""

import fcntl
import os
import pty
import re
import select
import socket
import struct
import subprocess
import termios
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pyte
from environments import new_environment, repacked
from patience import PATIENCE

"""The time limit of one command on a busy machine."""

PACKAGE = re.compile(r"python -m pip install '\.(\./parlour)?\[[\w,]+\]'")
REMEMBERED = 'code=$?; {{ echo cd "$PWD"; export -p; }} > {0}; exit $code'


def blocks(page, language=None, title=None):
    """Return the code blocks of a page, fenced with a language or, without one, indented."""
    if language is None:
        return re.findall(r"(?:^    .+\n)+", page, re.MULTILINE)
    opened = rf"```{language}" + (rf' title="{re.escape(title)}"' if title else "")
    return re.findall(rf"^{opened}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def section(page, heading):
    """Return the text under a heading, up to the next heading."""
    parts = re.split(r"^(#+ .+)\n", page, flags=re.MULTILINE)
    places = [number for number, part in enumerate(parts) if part.lstrip("# ") == heading]
    assert len(places) == 1, f"the page has {len(places)} headings {heading!r}"
    return parts[places[0] + 1]


def commands(code):
    """Return the commands of a block without their comments."""
    lines = [re.split(r"\s{2,}", line.strip())[0] for line in code.splitlines()]
    return [line for line in lines if line]


class Shell:
    """Keeps its folder and variables between commands."""

    def __init__(self, home):
        self.home = home
        self._state = home / ".state"
        variables = {
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PATH": os.environ["PATH"],
            "PIP_NO_BUILD_ISOLATION": "0",  # 0 disables build isolation
            "PIP_NO_INDEX": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PARLOUR_COMPILE": "0",  # for builds of a clone
            "PARLOUR_SERVE_PORT": str(free_port()),
        }
        lines = [f"export {name}='{value}'" for name, value in variables.items()]
        self._state.write_text("\n".join([f"cd '{home}'", *lines]) + "\n")
        self.port = int(variables["PARLOUR_SERVE_PORT"])

    @property
    def folder(self):
        """The current folder."""
        return Path(self._state.read_text().splitlines()[0].removeprefix("cd ").strip("'"))

    def run(self, command, text=""):
        """Run a command and return its output; it must succeed."""
        done = subprocess.run(
            self._words(command), input=text, capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def on_screen(self, command, expected, keys):
        """Run a command on a terminal; when it shows the expected texts, press keys to end it."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        screen = pyte.Screen(120, 40)
        stream = pyte.ByteStream(screen)
        ends = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
        process = subprocess.Popen(self._words(f"TERM=xterm-256color {command}"), **ends)
        os.close(theirs)
        until = time.monotonic() + PATIENCE
        try:
            while not all(word in "\n".join(screen.display) for word in expected):
                assert time.monotonic() < until, "\n".join(screen.display)
                if select.select([ours], [], [], 0.2)[0]:
                    stream.feed(os.read(ours, 65536))
            os.write(ours, keys)
            while process.poll() is None:
                assert time.monotonic() < until, f"{command} does not end"
                if select.select([ours], [], [], 0.2)[0]:
                    with suppress(OSError):  # the terminal's other end is closed
                        os.read(ours, 65536)
            assert process.returncode == 0
        finally:
            process.kill()
            process.wait()
            os.close(ours)

    @contextmanager
    def serving(self, command):
        """Start a server with a command until it is interrupted; yield its address."""
        process = subprocess.Popen(self._words(command), start_new_session=True)
        address = f"http://127.0.0.1:{self.port}"
        try:
            until = time.monotonic() + PATIENCE
            while True:
                assert process.poll() is None, f"{command} has ended"
                try:
                    httpx.get(address)
                    break
                except httpx.TransportError:
                    assert time.monotonic() < until, f"{command} does not answer"
                    time.sleep(0.1)
            yield address
        finally:
            os.killpg(process.pid, 2)
            process.wait(PATIENCE)

    def _words(self, command):
        if command == "python3 -m venv .venv":
            new_environment(self.folder / ".venv")
            command = "true"
        elif PACKAGE.fullmatch(command):
            command = f"python -m pip install --no-deps --force-reinstall '{repacked(self.home)}'"
        script = f". '{self._state}'\n{command}\n{REMEMBERED.format(self._state)}"
        return ["env", "-i", "bash", "-c", script]


def free_port():
    """Return an unused port."""
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return tried.getsockname()[1]
