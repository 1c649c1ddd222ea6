"""A real `parlour serve` in processes of its own, on loopback, and what it costs."""

import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "server"))
from raw_store import temporary

LOOSE = ["--messages", "100000/s", "--requests", "100000/s", "--tables", "100000/s",
         "--sockets-per-address", "20000", "--sockets", "20000", "--rooms", "20000"]  # fmt: skip
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def children(pid):
    """The processes that a process has started, and theirs."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, path.read_text().split()):
            found += [child, *children(child)]
    return found


def cpu_seconds(pid):
    """What a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident(pid):
    """Bytes of memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE


def descriptors(pid):
    """How many a process may open."""
    for line in Path(f"/proc/{pid}/limits").read_text().splitlines():
        if line.startswith("Max open files"):
            return int(line.split()[3])
    raise ValueError("no limit of open files")


class Served:
    """A server, and its link."""

    def __init__(self, store, *options):
        """It answers when this returns; `seconds` is how long that took."""
        began = time.monotonic()
        command = [sys.executable, "-m", "parlour.cli", "serve", "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--store", store, *LOOSE, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.link = self.process.stdout.readline().split()[-1]
        self.seconds = time.monotonic() - began

    @property
    def pids(self):
        """All its processes, agents among them."""
        return [self.process.pid, *children(self.process.pid)]

    def cpu_seconds(self):
        """Of all its processes but those in which agents think."""
        return sum(cpu_seconds(pid) for pid in self.pids if not _is_agent(pid))

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def _is_agent(pid):
    return b"parlour.agents" in Path(f"/proc/{pid}/cmdline").read_bytes()


def store_of(kind):
    """The text of an empty store, in a `with`: a file, or a PostgreSQL that syncs its disk."""
    return temporary(kind) if kind == "sqlite" else temporary(kind, fsync="on")
