"""A real `parlour serve` in separate processes on loopback, and its cost."""

import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "server"))
from raw_store import temporary

LOOSE = ["--work", "900000/s", "--tables", "100000/s",
         "--sockets-per-address", "20000", "--sockets", "20000", "--rooms", "20000"]  # fmt: skip
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def children(pid):
    """Return the descendants of a process."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, path.read_text().split()):
            found += [child, *children(child)]
    return found


def cpu_seconds(pid):
    """Return the CPU seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident(pid):
    """Return the resident memory in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE


def descriptors(pid):
    """Return the limit of open files of a process."""
    for line in Path(f"/proc/{pid}/limits").read_text().splitlines():
        if line.startswith("Max open files"):
            return int(line.split()[3])
    raise ValueError("/proc has no limit of open files")


class Served:
    """A server and its link."""

    def __init__(self, store, *options):
        """Start the server and wait for it; `seconds` is the time it took."""
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
        """The ids of all its processes, including agents."""
        return [self.process.pid, *children(self.process.pid)]

    def cpu_seconds(self):
        """Return the CPU seconds of all its processes except those of agents."""
        return sum(cpu_seconds(pid) for pid in self.pids if not _is_agent(pid))

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def _is_agent(pid):
    return b"parlour.agents" in Path(f"/proc/{pid}/cmdline").read_bytes()


def store_of(kind):
    """Return a context manager for an empty store: a file, or a PostgreSQL with fsync."""
    return temporary(kind) if kind == "sqlite" else temporary(kind, fsync="on")
