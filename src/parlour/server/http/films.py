"""Films of games, drawn one after another in processes of their own."""

import asyncio
import sys
from collections.abc import Callable

from parlour.agents.process import child_environment
from parlour.core.checks import printable
from parlour.core.errors import ContractError, MissingExtra
from parlour.table.errors import Busy

DELAY = 0.6
WAITING = 8
"""So many may wait for theirs."""


class Films:
    """Draws films."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        """`seconds` gives the longest that one may take."""
        self._seconds = seconds
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def film(self, record: str) -> bytes:
        """The GIF of a record; `Busy`, or `MissingExtra` where no film can be drawn."""
        if self._waiting >= WAITING:
            raise Busy(f"{self._waiting} films are being drawn already: come later")
        self._waiting += 1
        try:
            async with self._turn:
                return await self._drawn(record)
        finally:
            self._waiting -= 1

    async def _drawn(self, record: str) -> bytes:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "parlour.drawing.pictures",
            str(DELAY),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=child_environment(),
        )
        try:
            work = process.communicate(record.encode())
            film, words = await asyncio.wait_for(work, self._seconds())
        except TimeoutError:
            raise Busy("this game is too long for a film here") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        told = printable(words.decode("utf-8", "replace").strip())
        if process.returncode == 3:
            raise MissingExtra(told)
        if process.returncode != 0:
            raise ContractError(f"the film could not be drawn: {told[-200:]}")
        return film
