"""A worker process that serves on a shared socket: `python -m parlour.server.cluster.worker`.

The supervisor passes the socket, writes the settings as a line to standard input, and keeps that
pipe open while it lives. The worker reports on standard output when it is ready, and then every
second from its event loop.
"""

import asyncio
import contextlib
import os
import signal
import socket
import sys

import msgspec

from parlour.core.errors import ParlourError
from parlour.exit_codes import WRONG
from parlour.server.cluster.supervisor import BEAT_SECONDS, WorkerReport
from parlour.server.logs import set_up_logging
from parlour.server.metrics import use_worker_number
from parlour.server.run import run_loop, serve
from parlour.server.settings import Settings


def main() -> int:
    """Serve until the supervisor stops this worker or dies."""
    number, handle = map(int, sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor handles Ctrl-C
    settings = msgspec.json.decode(sys.stdin.buffer.readline(), type=Settings)
    set_up_logging(settings.log, settings.access_log, number)
    use_worker_number(number)
    listening = socket.socket(fileno=handle)
    os.set_blocking(sys.stdout.fileno(), False)

    async def work() -> None:
        stopped = asyncio.Event()
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), _stop_if_closed, stopped)
        beating: list[asyncio.Task[None]] = []
        await serve(
            settings, listening, lambda _: beating.append(asyncio.create_task(_beat())), stopped
        )

    try:
        run_loop(work())
    except ParlourError as error:
        _report(WorkerReport(str(error), error.code))
        return WRONG
    return 0


def _stop_if_closed(stopped: asyncio.Event) -> None:
    """Stop when the supervisor has closed its end of the pipe."""
    if not os.read(sys.stdin.fileno(), 1024):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        stopped.set()


async def _beat() -> None:
    """Report as long as the event loop runs."""
    while True:
        _report(WorkerReport())
        await asyncio.sleep(BEAT_SECONDS)


def _report(report: WorkerReport) -> None:
    """Write a report; it fits into the pipe's buffer, or the supervisor does not read."""
    with contextlib.suppress(BlockingIOError, BrokenPipeError):
        os.write(sys.stdout.fileno(), msgspec.json.encode(report) + b"\n")


if __name__ == "__main__":
    sys.exit(main())
