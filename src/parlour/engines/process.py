"""The process of an engine: started without a shell, read line by line, always stopped.

Two threads read its output, so the engine never blocks on us: standard error goes to the log,
standard output into a bounded queue. An engine that floods the queue blocks until it is read.
Failures of the engine raise `AgentFault`.
"""

import contextlib
import os
import queue
import select
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

from parlour.agents.guard import AgentFault
from parlour.agents.process import HIDDEN
from parlour.core.checks import printable
from parlour.engines.log import EngineLog
from parlour.engines.settings import EngineError, EngineSettings

LONGEST_LINE = 2**16
LINES_AHEAD = 256
GRACE_SECONDS = 2.0
LOOK_SECONDS = 0.2
IS_POSIX = os.name == "posix"

WATCHDOG = 'read line; kill -s KILL -- "-$0"'
"""Shell script that waits for the end of its input, then kills the engine's process group.

`sh` runs it with the group's number, so an engine does not survive a killed parent.
"""


class TooLong(Exception):
    """A line exceeded the limit."""


class EngineProcess:
    """A running engine. Only one thread may ask at a time."""

    def __init__(
        self, settings: EngineSettings, log: EngineLog, now: Callable[[], float] = time.monotonic
    ) -> None:
        """Start the engine; raises `EngineError` if that fails."""
        self.settings = settings
        self.now = now
        self._log = log
        program = settings.program()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(HIDDEN)}
        options: dict[str, Any] = (
            {"start_new_session": True}  # Ctrl-C is meant for the program, not for the engine
            if IS_POSIX
            else {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
        )
        try:
            self.process = subprocess.Popen(
                settings.command,
                executable=program,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=settings.folder,
                env={**kept, **dict(settings.environment)},
                **options,
            )
        except OSError as error:
            reason = error.strerror or str(error)
            raise EngineError(f"cannot start {settings.name}: {reason}") from error
        self._watchdog = _watchdog(self.process.pid) if IS_POSIX else None
        self._end = weakref.finalize(self, _end, self.process, self._watchdog)
        self._is_closed = threading.Event()
        self._lines: queue.Queue[str | TooLong | None] = queue.Queue(LINES_AHEAD)
        if IS_POSIX:
            os.set_blocking(self._pipe(self.process.stdin), False)
        # They hold no reference to this object, so an abandoned one is finalized.
        pipes = (self.process.stdout, self.process.stderr)
        targets = (_into_queue(self._lines, self._is_closed), _into_log(self))
        self._readers = [
            threading.Thread(target=_read, args=(pipe, take), daemon=True)
            for pipe, take in zip(pipes, targets, strict=True)
        ]
        for reader in self._readers:
            reader.start()

    @staticmethod
    def _pipe(stream: Any) -> int:
        return int(stream.fileno())

    @property
    def log(self) -> EngineLog:
        """The current log."""
        return self._log

    @log.setter
    def log(self, log: EngineLog) -> None:
        self._log.close()
        self._log = log

    def send(self, line: str, seconds: float) -> None:
        """Send a line; raises `AgentFault` if the engine does not read it within `seconds`."""
        self._log.note(">", line)
        data = memoryview(f"{line}\n".encode(errors="replace"))
        until = self.now() + seconds
        pipe = self._pipe(self.process.stdin)
        while data:
            if IS_POSIX and not select.select([], [pipe], [], LOOK_SECONDS)[1]:
                if self.now() > until:
                    raise AgentFault(
                        f"crashed: the engine did not read a command for {seconds:g} seconds"
                    )
                continue
            try:
                data = data[os.write(pipe, data) :]
            except BlockingIOError:
                continue
            except OSError:
                raise self._ended() from None

    def receive(self, until: float, waits_for: str) -> str:
        """Return the next line, until this time of our clock; raises `AgentFault` on timeout."""
        while True:
            left = until - self.now()
            try:
                line = self._lines.get(timeout=max(0.0, min(left, LOOK_SECONDS)))
            except queue.Empty:
                if left <= 0:
                    raise AgentFault(f"crashed: no answer to {waits_for!r} in time") from None
                continue
            if line is None:
                self._lines.put(None)  # for the next call
                raise self._ended()
            if isinstance(line, TooLong):
                raise AgentFault(
                    f"crashed: the engine wrote a line of more than {LONGEST_LINE} bytes"
                )
            self._log.note("<", line)
            return line

    def _ended(self) -> AgentFault:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE_SECONDS)
        for reader in self._readers:
            reader.join(LOOK_SECONDS)
        status = self.process.returncode
        how = (
            "the engine closed its streams"
            if status is None
            else f"the engine ended with status {status}"
        )
        said = self._log.stderr_tail[-1] if self._log.stderr_tail else ""
        return AgentFault(
            "crashed: " + how + (f", saying: {printable(said)[:120]}" if said else "")
        )

    def is_alive(self) -> bool:
        """Whether the engine is running."""
        return self.process.poll() is None

    def close(self, at_once: bool = False) -> None:
        """Stop the engine and its children: close its input, then terminate, then kill.

        With `at_once` it is killed immediately, because it failed.
        """
        self._is_closed.set()
        if at_once:
            _signal(self.process, getattr(signal, "SIGKILL", signal.SIGTERM))
        self._end()
        for reader in self._readers:
            reader.join(GRACE_SECONDS)
        self._log.close()


def _watchdog(group: int) -> "subprocess.Popen[bytes] | None":
    """Start the watchdog; return `None` on systems without a shell."""
    try:
        return subprocess.Popen(
            ["/bin/sh", "-c", WATCHDOG, str(group)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={},
        )
    except OSError:
        return None


def _end(process: "subprocess.Popen[bytes]", watchdog: "subprocess.Popen[bytes] | None") -> None:
    with contextlib.suppress(OSError):
        assert process.stdin is not None
        process.stdin.close()
    for how in (None, signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        if how is not None:
            _signal(process, how)
        try:
            process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        break
    if IS_POSIX:
        _signal(process, signal.SIGKILL)  # children that it left behind
    process.wait()
    if watchdog is not None:
        watchdog.kill()
        watchdog.wait()
        assert watchdog.stdin is not None
        watchdog.stdin.close()


def _signal(process: "subprocess.Popen[bytes]", number: int) -> None:
    with contextlib.suppress(OSError):
        if IS_POSIX:
            os.killpg(process.pid, number)
        else:
            process.terminate()


def _read(stream: Any, take: Callable[[bytes | None], bool]) -> None:
    """Pass on each line of a stream, and `None` at its end."""
    rest = b""
    while True:
        try:
            chunk = os.read(stream.fileno(), LONGEST_LINE)
        except (OSError, ValueError):
            chunk = b""
        if not chunk:
            if rest:
                take(rest)
            break
        *lines, rest = (rest + chunk).split(b"\n")
        if not all(take(line) for line in lines):
            break
        if len(rest) > LONGEST_LINE:
            if not take(rest):
                break
            rest = b""
    take(None)
    stream.close()


def _into_queue(
    lines: "queue.Queue[str | TooLong | None]", is_closed: threading.Event
) -> Callable[[bytes | None], bool]:
    """Return a function that puts lines into the queue until the engine is closed."""

    def take(line: bytes | None) -> bool:
        item: str | TooLong | None
        if line is not None and len(line) > LONGEST_LINE:
            item = TooLong()
        else:
            item = None if line is None else line.decode(errors="replace").rstrip("\r")
        while not is_closed.is_set():
            try:
                lines.put(item, timeout=LOOK_SECONDS)
            except queue.Full:
                continue
            return not isinstance(item, TooLong)
        return False

    return take


def _into_log(engine: EngineProcess) -> Callable[[bytes | None], bool]:
    """Return a function that logs standard error and never blocks."""
    weak = weakref.ref(engine)

    def take(line: bytes | None) -> bool:
        owner = weak()
        if owner is not None and line is not None:
            owner.log.note("!", line[:LONGEST_LINE].decode(errors="replace").rstrip("\r"))
        return True

    return take
