"""One process of several that serve at the same socket: `python -m parlour.server.cluster.worker`.

Its parent hands it the socket, writes the settings as a line to its standard input, and keeps
that pipe open as long as it lives. It says on its standard output when it serves.
"""

import asyncio
import os
import signal
import socket
import sys

import msgspec

from parlour.core.errors import ParlourError
from parlour.server.cluster.supervisor import WorkerReport
from parlour.server.logs import set_up_logging
from parlour.server.metrics import keep_as
from parlour.server.run import run_loop, serve
from parlour.server.settings import Settings


def main() -> int:
    """Serve until the parent says so, or is gone."""
    number, handle = map(int, sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, who tells us
    settings = msgspec.json.decode(sys.stdin.buffer.readline(), type=Settings)
    set_up_logging(settings.log, settings.access_log, number)
    keep_as(number)
    listening = socket.socket(fileno=handle)

    async def work() -> None:
        stopped = asyncio.Event()
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), _look_up, stopped)
        await serve(settings, listening, lambda _: _tell(WorkerReport()), stopped)

    try:
        run_loop(work())
    except ParlourError as error:
        _tell(WorkerReport(str(error), error.code))
        return 2
    return 0


def _look_up(stopped: asyncio.Event) -> None:
    """The parent has closed its end: it is gone."""
    if not os.read(sys.stdin.fileno(), 1024):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        stopped.set()


def _tell(report: WorkerReport) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
