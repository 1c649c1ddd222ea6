"""A server with several workers and short intervals for periodic tasks.

python tests/server/quick_workers.py STORE WORKERS PORT SILENT_SECONDS
"""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from live_server import GENEROUS
from patience import PATIENCE

from parlour.server.cluster import supervisor
from parlour.server.run import run
from parlour.server.settings import Settings


class Workers:
    """Such a server in subprocesses, stopped at the end."""

    def __init__(self, store, workers=2, port=0, log=subprocess.DEVNULL, silent=3600):
        """`silent` is the time after which a hung worker is replaced."""
        command = [sys.executable, __file__, store, str(workers), str(port), str(silent)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        assert line, "the server did not start"
        self.link = line.strip()
        self.port = int(self.link.rpartition(":")[2])

    def pids(self):
        """Return the process ids of the workers."""
        return children(self.process.pid)

    def worker_of(self, raw):
        """Return the worker that serves a client's connection."""
        client = raw.socket.getsockname()[1]
        inodes = [
            row[9]
            for row in map(str.split, Path("/proc/net/tcp").read_text().splitlines()[1:])
            if (_port(row[1]), _port(row[2])) == (self.port, client)
        ]
        for pid in self.pids():
            for handle in Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    if os.readlink(handle) in [f"socket:[{inode}]" for inode in inodes]:
                        return pid
        return None

    def stop(self, how=signal.SIGTERM):
        """Stop the server and return its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGTERM)


def _port(address):
    return int(address.partition(":")[2], 16)


def children(pid):
    """Return the running child processes of a process."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                status = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(status[1]) == pid and status[0] != "Z":
                    found.append(int(entry.name))
    return sorted(found)


if __name__ == "__main__":
    store, workers, port = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    supervisor.SILENT_SECONDS = float(sys.argv[4])
    rates = dict.fromkeys(("work", "tables", "words"), GENEROUS)
    settings = Settings(
        store=store,
        workers=workers,
        port=port,
        beat_seconds=0.2,
        lease_seconds=1.0,
        presence_seconds=0.01,
        **rates,
    )
    run(settings, lambda link: print(link, flush=True))
