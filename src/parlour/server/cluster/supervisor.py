"""Supervisor of several worker processes on one socket.

It starts workers together, replaces those that die or hang, and stops them together. It serves no
requests, but holds the listening socket, so that no connection is lost while a worker is
replaced. A pipe to each worker makes workers exit when the supervisor dies.

uvicorn's `Multiprocess` does not do: a thread answers its health checks, also while the event loop
hangs, it restarts a crashing worker without a pause, and it cannot say why a worker did not start.
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
"""Backoff before a dead worker is replaced, doubled each time it dies young."""
STEADY_SECONDS = 60.0
"""A worker that lived this long resets the backoff."""
BEAT_SECONDS = 1.0
"""Interval of a worker's reports after it is ready."""
SILENT_SECONDS = 30.0
"""A worker without a report for this long hangs, and is killed."""


class WorkerReport(msgspec.Struct, omit_defaults=True):
    """A worker's message to the supervisor: it serves, or the reason why it cannot start."""

    refused: str = ""
    code: str = ""


def check_workers(settings: Settings) -> None:
    """Raise `SettingError` if several workers are not possible."""
    if settings.workers == 1:
        return
    if not is_postgres(settings.store):
        raise SettingError(
            f"--workers {settings.workers} needs a store that processes can share: use "
            "--store postgresql://USER@HOST/DATABASE, or --workers 1 with a SQLite file"
        )
    if os.name != "posix":
        raise SettingError("this system does not support several workers: use --workers 1")


class Worker:
    """A worker process."""

    def __init__(self, number: int, settings: Settings, listening: socket.socket, folder: str):
        """Start the process."""
        self.number = number
        self.is_ready = False
        self.started = self.heard_at = time.monotonic()
        handle = listening.fileno()
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "parlour.server.cluster.worker", str(number), str(handle)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, METRICS_FOLDER: folder},
            pass_fds=(handle,),
        )
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # a dead worker is reaped later
            # Keep the pipe open: its end announces the worker that the supervisor has died.
            self.process.stdin.write(msgspec.json.encode(settings) + b"\n")
            self.process.stdin.flush()

    def report(self) -> WorkerReport | None:
        """Read a report; `None` if the worker has ended."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return msgspec.json.decode(line, type=WorkerReport) if line else None

    def close(self) -> None:
        """Close the pipes."""
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


class Supervisor:
    """Runs workers until a signal stops it."""

    def __init__(
        self, settings: Settings, listening: socket.socket, ready: Callable[[str], None]
    ) -> None:
        """Call `ready` with the URL when all workers serve."""
        self._settings = settings
        self._listening = listening
        self._ready = ready
        self._workers: dict[int, Worker] = {}
        self._deaths: dict[int, int] = {}
        self._to_start: dict[int, float] = {}
        self._is_serving = False
        self._checked_at = time.monotonic()
        self._signals = 0
        self._refused: WorkerReport | None = None
        self._selector = selectors.DefaultSelector()

    def run(self) -> None:
        """Run until SIGTERM or SIGINT; a second signal kills the workers.

        Raise `StoreRefused` or `SettingError` if workers cannot start, and `SystemExit` after a
        second signal.
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
                self._start_due(folder)
                for key, _ in self._selector.select(self._timeout()):
                    if key.fileobj is wake:
                        self._handle_signals(wake.recv(4096))
                    else:
                        self._read_report(key.data)
                self._kill_silent()
                self._reap(folder)
        finally:
            for worker in self._workers.values():
                worker.process.kill()
                worker.process.wait()
                worker.close()

    def _timeout(self) -> float:
        """Return the time until the next worker must be started or checked."""
        if not self._to_start or self._signals:
            return BEAT_SECONDS
        due = min(self._to_start.values()) - time.monotonic()
        return min(BEAT_SECONDS, max(0.0, due))

    def _kill_silent(self) -> None:
        """Kill ready workers that hang; a start may take long, for example to migrate the store."""
        now = time.monotonic()
        if now - self._checked_at > SILENT_SECONDS / 2:
            # The machine or all processes stood still, not the workers alone.
            for worker in self._workers.values():
                worker.heard_at = now
        self._checked_at = now
        for worker in self._workers.values():
            if worker.is_ready and now - worker.heard_at > SILENT_SECONDS:
                fields = {"worker": worker.number, "seconds": round(now - worker.heard_at)}
                log.error("a worker does not respond and is killed", extra=fields)
                worker.process.kill()
                worker.heard_at = now

    def _start_due(self, folder: str) -> None:
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

    def _handle_signals(self, numbers: bytes) -> None:
        """Handle received signals."""
        for number in numbers:
            if number == signal.SIGCHLD:
                continue
            self._signals += 1
            if self._signals == 1:
                log.info("the server is shutting down")
                self._end_all(signal.SIGTERM)
            else:
                log.warning("the server exits immediately")
                self._end_all(signal.SIGKILL)

    def _end_all(self, number: signal.Signals) -> None:
        for worker in self._workers.values():
            if worker.process.poll() is None:
                worker.process.send_signal(number)

    def _read_report(self, worker: Worker) -> None:
        report = worker.report()
        if report is None:
            # It has ended or is about to; `_reap` handles that.
            self._selector.unregister(worker.process.stdout)  # type: ignore[arg-type]
        elif report.refused:
            if self._is_serving:
                log.error(
                    "a worker cannot start: %s", report.refused, extra={"worker": worker.number}
                )
            else:
                self._give_up(report)
        else:
            worker.heard_at = time.monotonic()
            worker.is_ready = True
            all_ready = all(each.is_ready for each in self._workers.values())
            if not self._is_serving and all_ready and not self._signals:
                self._is_serving = True
                self._ready(self._settings.base_url)

    def _give_up(self, why: WorkerReport) -> None:
        self._refused = self._refused or why
        if not self._signals:
            self._signals = 1
            self._end_all(signal.SIGTERM)

    def _reap(self, folder: str) -> None:
        """Reap workers that have ended and schedule their replacement."""
        for worker in list(self._workers.values()):
            status = worker.process.poll()
            if status is None:
                continue
            if worker.process.stdout in self._selector.get_map():
                self._read_remaining(worker)
            del self._workers[worker.number]
            worker.close()
            multiprocess.mark_process_dead(worker.number, folder)  # type: ignore[no-untyped-call]
            if self._signals:
                continue
            if not self._is_serving:
                self._give_up(
                    WorkerReport(f"a worker exited with status {status} before it was ready")
                )
                continue
            self._replace(worker, status)

    def _read_remaining(self, worker: Worker) -> None:
        """Read the reports that a dead worker left."""
        while worker.process.stdout in self._selector.get_map():
            self._read_report(worker)

    def _replace(self, worker: Worker, status: int) -> None:
        number, now = worker.number, time.monotonic()
        is_steady = now - worker.started > STEADY_SECONDS
        deaths = 0 if is_steady else self._deaths.get(number, 0)
        self._deaths[number] = deaths + 1
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2**deaths)
        fields = {"worker": number, "status": status, "next_in": wait}
        log.error("a worker exited", extra=fields)
        self._to_start[number] = now + wait
