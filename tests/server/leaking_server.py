"""`parlour` with a leak: every new connection leaves something behind.

python tests/server/leaking_server.py memory|descriptors|threads serve ...
"""

import os
import sys
import threading

from parlour.cli import main
from parlour.server.live.room import Room

KEPT = []


def memory():
    KEPT.append(os.urandom(4 << 20))


def descriptors():
    KEPT.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(8))


def threads():
    threading.Thread(target=threading.Event().wait, daemon=True).start()


def leaking(leak):
    before = Room.join

    def join(self, member, known):
        leak()
        before(self, member, known)

    Room.join = join


if __name__ == "__main__":
    leaking({"memory": memory, "descriptors": descriptors, "threads": threads}[sys.argv[1]])
    sys.exit(main(sys.argv[2:]))
