"""A server that kills itself at a chosen point of its n-th transaction that contains moves.

python tests/server/dying_server.py POINT N STORE
"""

import asyncio
import os
import signal
import sys

from parlour.server import run as running
from parlour.server.rates import Rate
from parlour.server.settings import Settings
from parlour.server.store import postgres, sqlite, statements, writer

POINTS = ("before", "within", "written", "committed", "acknowledged")


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def arm(point, number):
    """Make the store kill the process there."""
    seen = [0]
    whole = {each: each._write for each in (sqlite.SqliteStore, postgres.PostgresStore)}
    put_events = statements.put_events
    resolve = writer.resolve

    def is_time():
        return seen[0] >= number

    def put(connection, rows):
        if any(kind == "play" for _, _, kind, *_ in rows):
            seen[0] += 1
            if is_time() and point == "before":
                die()
            put_events(connection, rows[:1])
            if is_time() and point == "within":
                die()
            put_events(connection, rows[1:])
            if is_time() and point == "written":
                die()
        else:
            put_events(connection, rows)

    def transaction(self, batch):
        outcomes = whole[type(self)](self, batch)
        if is_time() and point == "committed":
            die()
        return outcomes

    def resolved(outcomes):
        resolve(outcomes)
        if is_time() and point == "acknowledged":
            asyncio.get_running_loop().call_later(0.005, die)

    statements.put_events = put
    for store in whole:
        store._write = transaction
    writer.resolve = resolved


if __name__ == "__main__":
    point, number, store = sys.argv[1:]
    arm(point, int(number))
    loose = Rate(1e6, 1e6)
    settings = Settings(port=0, store=store, work=loose, tables=loose)
    running.run(settings, lambda link: print(f"open at {link}", flush=True))
