"""Run `parlour` in the process of the tests, which costs far less than an interpreter.

Each call sees what a new process would see: its own streams, arguments, folder, environment
and module path, no registered games and no vetted agents. The state of the tests is restored
afterwards. Tests of signals, pipes, terminals and imports start a real process instead.

    python tests/parlour_here.py HIDDEN

serves such calls in a process without the packages HIDDEN, a JSON object per line.
"""

import contextlib
import io
import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

if __name__ == "__main__":
    for name in sys.argv[1].split(","):
        sys.modules[name] = None  # type: ignore[assignment]

from parlour.agents import isolation
from parlour.agents.registry import _entry_points as agent_entry_points
from parlour.cli import main
from parlour.core import registry

EXTRAS = ("textual", "rich")
STREAMS = ("stdin", "stdout", "stderr")
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run_here(
    *arguments: str, text: str | bytes = "", cwd: str | os.PathLike[str] = "", **environment: str
) -> CompletedProcess[str]:
    """Run `parlour ARGUMENTS` and return what `subprocess.run` would return.

    `environment` is added to the variables of this process. Its `PYTHONPATH` and
    `PYTHONIOENCODING` take effect.
    """
    command = ["parlour", *arguments]
    variables = {**os.environ, "PYTHONIOENCODING": "utf-8", **environment}
    encoding = variables["PYTHONIOENCODING"]
    given = text if isinstance(text, bytes) else text.encode(encoding)
    err = io.BytesIO()
    with (
        tempfile.TemporaryFile() as out,  # a file, because a command may need its descriptor
        io.TextIOWrapper(io.BytesIO(given), encoding) as stdin,
        io.TextIOWrapper(out, encoding, newline="\n") as stdout,
        io.TextIOWrapper(err, encoding, "backslashreplace", "\n", write_through=True) as stderr,
    ):
        with _new_process(command, cwd, variables), _streams(stdin, stdout, stderr):
            status = _status()
        stdout.flush()
        out.seek(0)
        shown = out.read().decode(encoding)
        return CompletedProcess(command, status, shown, err.getvalue().decode(encoding))


def _status() -> int:
    """Run the entry point. Return the exit status that the interpreter would give."""
    try:
        return main()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except Exception:
        traceback.print_exc()
        return 1


@contextlib.contextmanager
def _streams(*streams: Any) -> Iterator[None]:
    """Replace the standard streams, and the originals, which give the size of the terminal."""
    names = [*STREAMS, *(f"__{name}__" for name in STREAMS)]
    before = [getattr(sys, name) for name in names]
    try:
        for name, stream in zip(names, streams * 2, strict=True):
            setattr(sys, name, stream)
        yield
    finally:
        for name, stream in zip(names, before, strict=True):
            setattr(sys, name, stream)


@contextlib.contextmanager
def _new_process(
    command: list[str], cwd: str | os.PathLike[str], variables: dict[str, str]
) -> Iterator[None]:
    """Set up the state of a new process, then restore the state of this one."""
    folder, before, words = os.getcwd(), dict(os.environ), sys.argv
    path, modules = list(sys.path), set(sys.modules)
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    log, level = logging.root.handlers[:], logging.root.level
    games, agents = dict(registry._registered), set(isolation._passed)
    places = [place for place in variables.get("PYTHONPATH", "").split(os.pathsep) if place]
    added = [place for place in places if place not in path]
    try:
        os.chdir(cwd or folder)
        _replace(os.environ, variables)
        sys.argv = command
        sys.path[:0] = added
        _forget_packages()
        yield
    finally:
        own = [os.getcwd(), *added]
        for name in set(sys.modules) - modules:
            file = getattr(sys.modules[name], "__file__", None)
            if file and any(Path(file).parent == Path(place) for place in own):
                del sys.modules[name]
        os.chdir(folder)
        _replace(os.environ, before)
        sys.argv = words
        sys.path[:] = path
        _forget_packages()
        registry._registered.update(games)
        isolation._passed.update(agents)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        logging.root.handlers[:] = log
        logging.root.setLevel(level)


def _replace(target: Any, content: dict[str, str]) -> None:
    for name in set(target) - set(content):
        del target[name]
    target.update(content)


def _forget_packages() -> None:
    registry._registered.clear()
    isolation._passed.clear()
    agent_entry_points.cache_clear()


class ParlourWithout:
    """A process without some packages, in which any number of commands run."""

    def __init__(self, *hidden: str) -> None:
        """Start it."""
        self._process = subprocess.Popen(
            [sys.executable, __file__, ",".join(hidden)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, text: str = "", **environment: str) -> CompletedProcess[str]:
        """Run `parlour ARGUMENTS` there, with the variables of this process."""
        question = {
            "arguments": arguments,
            "text": text,
            "environment": {**os.environ, **environment},
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(question), file=self._process.stdin, flush=True)
        return CompletedProcess(
            ["parlour", *arguments], **json.loads(self._process.stdout.readline())
        )

    def close(self) -> None:
        """End it."""
        self._process.communicate()


def serve() -> None:
    """Run a command per line until the input ends."""
    for line in sys.stdin:
        question = json.loads(line)
        done = run_here(*question["arguments"], text=question["text"], **question["environment"])
        answer = {"returncode": done.returncode, "stdout": done.stdout, "stderr": done.stderr}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()
