"""What processes on one PostgreSQL database tell each other: that something is stored.

A notice is a wake-up only: the tables are the truth, and a notice may be lost.
"""

import base64
import contextlib
import logging
import threading
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterable, Iterator

import psycopg

from parlour.server.store.store import Heard

log = logging.getLogger("parlour.server")

CHANNEL = "parlour"
LARGEST = 7900
"""Bytes in one notice: PostgreSQL takes 7,999."""
VERSIONS, WORDS, PART_OF_WORDS = "v", "w", "p"
FIRST_WAIT, LONGEST_WAIT = 0.1, 2.0
"""Seconds before the connection is opened again."""
LOOK_UP_SECONDS = 0.5
"""How often the thread sees whether it should end."""


def notices(
    process: str, serials: Iterator[int], stored: Iterable[tuple[str, int]], words: Iterable[Heard]
) -> list[str]:
    """The texts that tell it: who speaks, a number that makes each one different, and what.

    PostgreSQL drops a notice that is the same as another one of its transaction.
    """
    told: list[str] = []

    def add(kind: str, text: str) -> None:
        told.append(f"{process} {next(serials)} {kind} {text}")

    line = ""
    for game, v in dict(stored).items():
        each = f"{game}:{v}"
        if len(line) + len(each.encode()) > LARGEST - 60:
            add(VERSIONS, line)
            line = ""
        line = f"{line} {each}" if line else each
    if line:
        add(VERSIONS, line)
    for whispered in words:
        text = base64.b64encode(whispered.words).decode()
        room = LARGEST - 60 - len(whispered.game.encode())
        while len(text) > room:
            add(PART_OF_WORDS, text[:room])
            text = text[room:]
        add(WORDS, f"{whispered.game} {text}")
    return told


class Ear:
    """Reads notices: own ones are passed over, whispers in parts are put together."""

    def __init__(self, own: str) -> None:
        """`own` is the process that hears."""
        self._own = own
        self._parts: dict[str, str] = {}

    def understood(self, payload: str) -> list[Heard]:
        """What a notice says; nothing, if it is not one of ours."""
        process, _, rest = payload.partition(" ")
        _, _, rest = rest.partition(" ")
        kind, _, text = rest.partition(" ")
        if process == self._own:
            return []
        with contextlib.suppress(ValueError):  # somebody else uses the channel
            if kind == VERSIONS:
                pairs = (each.rpartition(":") for each in text.split(" "))
                return [Heard(game, int(v)) for game, _, v in pairs]
            if kind == PART_OF_WORDS:
                self._parts[process] = self._parts.get(process, "") + text
            if kind == WORDS:
                game, _, last = text.rpartition(" ")
                whole = self._parts.pop(process, "") + last
                return [Heard(game, 0, base64.b64decode(whole, validate=True))]
        return []


class NoticeListener(threading.Thread):
    """Listens on a connection of its own, which it opens again whenever it is lost."""

    def __init__(
        self,
        connect: "Callable[[], psycopg.Connection[tuple[object, ...]]]",
        own: str,
        loop: AbstractEventLoop,
        heard: Callable[[Heard], None],
    ) -> None:
        """`heard` is called in the loop. It runs from `start` until `end`."""
        super().__init__(name="store-listener", daemon=True)
        self._connect = connect
        self._own = own
        self._loop = loop
        self._heard = heard
        self._ended = threading.Event()

    def run(self) -> None:
        """Listen, and listen again."""
        wait = FIRST_WAIT
        while not self._ended.is_set():
            try:
                with contextlib.closing(self._connect()) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    wait = FIRST_WAIT
                    ear = Ear(self._own)
                    while not self._ended.is_set():
                        for notice in connection.notifies(timeout=LOOK_UP_SECONDS):
                            self._tell(ear.understood(notice.payload))
            except psycopg.Error:
                if not self._ended.is_set():
                    log.warning("notices of other servers are not heard; trying again")
            self._ended.wait(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    def _tell(self, heard: list[Heard]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
            for each in heard:
                self._loop.call_soon_threadsafe(self._heard, each)

    def end(self) -> None:
        """Stop it, and wait for it."""
        self._ended.set()
        self.join()
