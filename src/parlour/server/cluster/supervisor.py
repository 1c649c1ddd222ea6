"""Several processes on one socket: started together, replaced when they die, ended together.

The parent serves nobody. It holds the socket, so that no connection is lost while a worker is
replaced, and a pipe to each worker: a worker whose parent is gone ends by itself.
"""

import contextlib
import logging
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import msgspec
from prometheus_client import multiprocess

from parlour.server.metrics import METRICS_FOLDER
from parlour.server.settings import SettingError, Settings
from parlour.server.store.store import StoreRefused
from parlour.server.store.stores import is_postgres

log = logging.getLogger("parlour.server")

FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds before a worker that died is replaced: longer each time while it dies at once."""
STEADY_SECONDS = 60.0
"""Who has lived so long did not die at once."""


class WorkerReport(msgspec.Struct, omit_defaults=True):
    """What a worker tells its parent: that it serves, or why it cannot."""

    refused: str = ""
    code: str = ""


def check_workers(settings: Settings) -> None:
    """`SettingError` where several processes cannot be."""
    if settings.workers == 1:
        return
    if not is_postgres(settings.store):
        raise SettingError(
            f"--workers {settings.workers} needs a store that several processes can share: "
            "--store postgresql://USER@HOST/DATABASE; a SQLite file is for one, --workers 1"
        )
    if os.name != "posix":
        raise SettingError("--workers needs a system that hands sockets on: here it is 1")


class Worker:
    """One process, while it lives."""

    def __init__(self, number: int, settings: Settings, listening: socket.socket, folder: str):
        """Start it."""
        self.number = number
        self.is_ready = False
        self.started = time.monotonic()
        handle = listening.fileno()
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "parlour.server.cluster.worker", str(number), str(handle)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, METRICS_FOLDER: folder},
            pass_fds=(handle,),
        )
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # if it has died already that is seen soon
            # The pipe stays open: its end is the parent's.
            self.process.stdin.write(msgspec.json.encode(settings) + b"\n")
            self.process.stdin.flush()

    def report(self) -> WorkerReport | None:
        """What it tells, once there is something to read; `None` if it has ended."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return msgspec.json.decode(line, type=WorkerReport) if line else None

    def close(self) -> None:
        """Let go of the pipes."""
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


class Supervisor:
    """Runs workers until it is told to stop."""

    def __init__(
        self, settings: Settings, listening: socket.socket, ready: Callable[[str], None]
    ) -> None:
        """`ready` is told the link when all workers serve."""
        self._settings = settings
        self._listening = listening
        self._ready = ready
        self._workers: dict[int, Worker] = {}
        self._deaths: dict[int, int] = {}
        self._to_start: dict[int, float] = {}
        self._has_begun = False
        self._signals = 0
        self._refused: WorkerReport | None = None
        self._selector = selectors.DefaultSelector()

    def run(self) -> None:
        """Until SIGTERM or SIGINT, and all have ended; a second one ends them at once.

        `StoreRefused` or `SettingError` if they cannot begin; `SystemExit` after a second signal.
        """
        wake, waker = socket.socketpair()
        for end in (wake, waker):
            end.setblocking(False)
        numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD)
        before = {number: signal.signal(number, lambda *_: None) for number in numbers}
        waking = signal.set_wakeup_fd(waker.fileno())
        self._selector.register(wake, selectors.EVENT_READ)
        try:
            with tempfile.TemporaryDirectory(prefix="parlour-metrics-") as folder:
                self._run(wake, folder)
        finally:
            signal.set_wakeup_fd(waking)
            for number, handler in before.items():
                signal.signal(number, handler)
            self._selector.close()
            wake.close()
            waker.close()
        if self._refused is not None:
            kind = StoreRefused if self._refused.code == StoreRefused.code else SettingError
            raise kind(self._refused.refused)
        if self._signals > 1:
            raise SystemExit(1)

    def _run(self, wake: socket.socket, folder: str) -> None:
        self._to_start = dict.fromkeys(range(1, self._settings.workers + 1), 0.0)
        try:
            while self._workers or not self._signals:
                self._start_those_due(folder)
                for key, _ in self._selector.select(self._patience()):
                    if key.fileobj is wake:
                        self._heed(wake.recv(4096))
                    else:
                        self._hear(key.data)
                self._bury(folder)
        finally:
            for worker in self._workers.values():
                worker.process.kill()
                worker.process.wait()
                worker.close()

    def _patience(self) -> float | None:
        """Until the next worker is to be started."""
        if not self._to_start or self._signals:
            return None
        return max(0.0, min(self._to_start.values()) - time.monotonic())

    def _start_those_due(self, folder: str) -> None:
        now = time.monotonic()
        for number in [number for number, at in self._to_start.items() if at <= now]:
            del self._to_start[number]
            if self._signals:
                continue
            try:
                worker = Worker(number, self._settings, self._listening, folder)
            except OSError as error:
                log.error("worker %d cannot be started: %s", number, error)
                self._to_start[number] = now + LONGEST_WAIT
                continue
            self._workers[number] = worker
            self._selector.register(worker.process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]

    def _heed(self, numbers: bytes) -> None:
        """Signals have come."""
        for number in numbers:
            if number == signal.SIGCHLD:
                continue
            self._signals += 1
            if self._signals == 1:
                log.info("the server shuts down")
                self._end_all(signal.SIGTERM)
            else:
                log.warning("the server ends at once")
                self._end_all(signal.SIGKILL)

    def _end_all(self, number: signal.Signals) -> None:
        for worker in self._workers.values():
            if worker.process.poll() is None:
                worker.process.send_signal(number)

    def _hear(self, worker: Worker) -> None:
        report = worker.report()
        if report is None:
            # It has ended, or is about to: `_bury` sees to it when it has.
            self._selector.unregister(worker.process.stdout)  # type: ignore[arg-type]
        elif report.refused:
            if self._has_begun:
                log.error(
                    "a worker cannot begin: %s", report.refused, extra={"worker": worker.number}
                )
            else:
                self._give_up(report)
        else:
            worker.is_ready = True
            all_ready = all(each.is_ready for each in self._workers.values())
            if not self._has_begun and all_ready and not self._signals:
                self._has_begun = True
                self._ready(self._settings.base_url)

    def _give_up(self, why: WorkerReport) -> None:
        self._refused = self._refused or why
        if not self._signals:
            self._signals = 1
            self._end_all(signal.SIGTERM)

    def _bury(self, folder: str) -> None:
        """See which workers have ended, and let others take their places in a while."""
        for worker in list(self._workers.values()):
            status = worker.process.poll()
            if status is None:
                continue
            if worker.process.stdout in self._selector.get_map():
                self._hear_out(worker)
            del self._workers[worker.number]
            worker.close()
            multiprocess.mark_process_dead(worker.number, folder)  # type: ignore[no-untyped-call]
            if self._signals:
                continue
            if not self._has_begun:
                self._give_up(WorkerReport(f"a worker ended with status {status} before it served"))
                continue
            self._replace(worker, status)

    def _hear_out(self, worker: Worker) -> None:
        """What it said before it ended."""
        while worker.process.stdout in self._selector.get_map():
            self._hear(worker)

    def _replace(self, worker: Worker, status: int) -> None:
        number, now = worker.number, time.monotonic()
        is_steady = now - worker.started > STEADY_SECONDS
        deaths = 0 if is_steady else self._deaths.get(number, 0)
        self._deaths[number] = deaths + 1
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2**deaths)
        told = {"worker": number, "status": status, "next_in": wait}
        log.error("a worker has ended", extra=told)
        self._to_start[number] = now + wait
