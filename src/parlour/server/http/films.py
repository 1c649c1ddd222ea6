"""Animations of games, rendered one at a time in subprocesses."""

import asyncio
import sys
from collections.abc import Callable

from parlour.agents.process import child_environment
from parlour.core.checks import printable
from parlour.core.errors import ContractError, MissingExtra
from parlour.exit_codes import MISSING_EXTRA
from parlour.table.errors import Busy

DELAY = 0.6
WAITING = 8
"""Maximum number of queued requests."""
WAITING_OF_ONE = 2
"""Maximum number of queued requests of one address."""


class Films:
    """Renders animations."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        """Limit each rendering to `seconds()`."""
        self._seconds = seconds
        self._turn = asyncio.Lock()
        self._waiting: list[str] = []

    async def film(self, game: str, owner: str) -> bytes:
        """Return a game as a GIF for an owner: a record, or a line as `parlour.drawing.film` reads.

        Raise `Busy` if the queue is full or rendering takes too long, and `MissingExtra` if a
        dependency is missing.
        """
        if len(self._waiting) >= WAITING or self._waiting.count(owner) >= WAITING_OF_ONE:
            raise Busy(f"{len(self._waiting)} films are already queued: try again later")
        self._waiting.append(owner)
        try:
            async with self._turn:
                return await self._drawn(game)
        finally:
            self._waiting.remove(owner)

    async def _drawn(self, game: str) -> bytes:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "parlour.drawing.film",
            str(DELAY),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=child_environment(),
        )
        try:
            work = process.communicate(game.encode())
            film, words = await asyncio.wait_for(work, self._seconds())
        except TimeoutError:
            raise Busy("this game takes too long to render") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        errors = printable(words.decode("utf-8", "replace").strip())
        if process.returncode == MISSING_EXTRA:
            raise MissingExtra(errors)
        if process.returncode != 0:
            raise ContractError(f"the film could not be rendered: {errors[-200:]}")
        return film
