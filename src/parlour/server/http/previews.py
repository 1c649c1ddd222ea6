"""Moving pictures of games: a short game between agents, played once in a subprocess."""

import asyncio
import logging
import sys

from parlour.agents.process import child_environment
from parlour.core.checks import printable, shown
from parlour.core.errors import NotFound
from parlour.core.registry import game_names
from parlour.protocol.json import encode
from parlour.protocol.requests import GamePreview
from parlour.server.http.pages import Served
from parlour.server.live.rooms import Rooms
from parlour.server.sample_game import MOST_BYTES

log = logging.getLogger("parlour.server")

SECONDS = 60.0
"""How long a subprocess may take, its start included."""
NOTHING = encode(GamePreview([], [], []))


class Previews:
    """Previews of the installed games, made when they are first asked for."""

    def __init__(self, rooms: Rooms) -> None:
        """Start without previews; `rooms` ends the subprocess when the server stops."""
        self._rooms = rooms
        self._turn = asyncio.Lock()
        self._known: dict[str, asyncio.Future[Served]] = {}

    async def preview(self, name: str) -> Served:
        """Return the preview of a game as JSON; an empty one if it cannot be played.

        Raise `NotFound` for an unknown game.
        """
        self._rooms.check_open()
        if name not in game_names():
            raise NotFound(f"there is no game {shown(name)}")
        if name not in self._known:
            self._known[name] = asyncio.get_running_loop().create_future()
            self._rooms.spawn(self._make(name, self._known[name]))
        return await asyncio.shield(self._known[name])

    async def _make(self, name: str, made: "asyncio.Future[Served]") -> None:
        data = NOTHING
        try:
            async with self._turn:  # one at a time, however many ask
                data = await _played(name)
        finally:
            made.set_result(Served.of(data, "application/json"))


async def _played(name: str) -> bytes:
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "parlour.server.sample_game",
            name,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=child_environment(),
        )
    except (OSError, NotImplementedError):
        return NOTHING  # there are no processes, for example in a browser
    reason = f"it took more than {SECONDS:g} seconds"
    try:
        found, words = await asyncio.wait_for(process.communicate(), SECONDS)
        if process.returncode == 0 and len(found) <= MOST_BYTES:
            return found
        reason = printable(words.decode("utf-8", "replace").strip())[-200:]
    except TimeoutError:
        pass
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    log.warning("a game has no preview", extra={"game": name, "reason": reason})
    return NOTHING
