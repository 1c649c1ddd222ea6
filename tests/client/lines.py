"""A bad connection between a client and a server that duplicates, loses or reorders messages.

HTTP is passed on unchanged.
"""

import asyncio
import random
import threading

from patience import PATIENCE
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed


class BadLine:
    """Listens on a port and passes WebSocket messages on through `mangle`."""

    def __init__(self, port, mangle):
        self._to = port
        self._mangle = mangle
        self.sockets = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    @property
    def socket_url(self):
        return f"ws://127.0.0.1:{self.port}/ws/v1"

    def _run(self):
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self):
        self._stop = asyncio.Event()
        async with serve(
            self._pass_on, "127.0.0.1", 0, subprotocols=["parlour.1"], compression=None
        ) as server:
            self.port = server.sockets[0].getsockname()[1]
            self._ready.set()
            await self._stop.wait()

    def stop(self):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)

    async def _pass_on(self, ours):
        self.sockets += 1
        url = f"ws://127.0.0.1:{self._to}/ws/v1"
        try:
            async with connect(url, subprotocols=["parlour.1"], max_size=None) as theirs:
                ways = [
                    asyncio.create_task(self._one_way(ours, theirs)),
                    asyncio.create_task(self._one_way(theirs, ours)),
                ]
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
        except (OSError, ConnectionClosed):
            return

    async def _one_way(self, source, target):
        held = []
        try:
            async for text in source:
                for message in self._mangle(text, held):
                    await target.send(message)
        except ConnectionClosed:
            return


def doubling():
    """Duplicate every message."""
    return lambda text, held: [text, text]


def losing(seed, share=0.1):
    """Lose one in ten messages."""
    rng = random.Random(seed)
    return lambda text, held: [] if rng.random() < share else [text]


def mixing(seed, share=0.2):
    """Swap some messages with the next one."""
    rng = random.Random(seed)

    def mangle(text, held):
        if not held and rng.random() < share:
            held.append(text)
            return []
        late, held[:] = list(held), []
        return [text, *late]

    return mangle
