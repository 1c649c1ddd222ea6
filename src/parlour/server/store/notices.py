"""Notifications between the processes that share a PostgreSQL database.

A notification may be lost: the tables are authoritative. Actions are sent along, so that the
other processes need not read them.
"""

import base64
import contextlib
import logging
import threading
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterable, Iterator

import msgspec
import psycopg

from parlour.server.store.log_rows import EventRow, change_values, read_log
from parlour.server.store.store import Change, Notification, StoredMoves
from parlour.table.events import ACTIONS

log = logging.getLogger("parlour.server")

CHANNEL = "parlour"
LARGEST = 7900
"""Maximum bytes of a notification; PostgreSQL allows 7,999."""
VERSIONS, MOVES, WORDS, PART_OF_WORDS = "v", "m", "w", "p"
FIRST_WAIT, LONGEST_WAIT = 0.1, 2.0
"""Backoff in seconds before reconnecting."""
LOOK_UP_SECONDS = 0.5
"""Interval at which the thread checks whether it should stop."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(list[tuple[str, int, int | None, list[EventRow]]]).decode


def has_only_actions(change: Change) -> bool:
    """Whether a plain change consists of actions, which may be sent in a notification."""
    if change.seats or change.rematch or change.chance_key or not change.events:
        return False
    return all(event.kind in ACTIONS for event in change.events)


def notices(
    process: str,
    serials: Iterator[int],
    stored: Iterable[tuple[str, int]],
    moves: Iterable[Change],
    words: Iterable[Notification],
) -> list[str]:
    """Encode notifications, each with the sending process and a serial number.

    The serial number makes payloads unique: PostgreSQL drops duplicates within a transaction.
    """
    payloads: list[str] = []

    def add(kind: str, text: str) -> None:
        payloads.append(f"{process} {next(serials)} {kind} {text}")

    versions = dict(stored)
    together = b""
    for change in moves:
        packed = _encode((change.game, change.before, change.deadline, change_values(change)))
        if len(packed) > LARGEST - 60:
            versions[change.game] = change.after
            continue
        if len(together) + len(packed) > LARGEST - 60:
            add(MOVES, f"[{together.decode()}]")
            together = b""
        together = together + b"," + packed if together else packed
    if together:
        add(MOVES, f"[{together.decode()}]")
    line = ""
    for game, v in versions.items():
        each = f"{game}:{v}"
        if len(line) + len(each.encode()) > LARGEST - 60:
            add(VERSIONS, line)
            line = ""
        line = f"{line} {each}" if line else each
    if line:
        add(VERSIONS, line)
    for sent in words:
        text = base64.b64encode(sent.words).decode()
        room = LARGEST - 60 - len(sent.game.encode())
        while len(text) > room:
            add(PART_OF_WORDS, text[:room])
            text = text[room:]
        add(WORDS, f"{sent.game} {text}")
    return payloads


class NoticeDecoder:
    """Decodes notifications: skips those of its own process and joins split messages."""

    def __init__(self, own: str) -> None:
        """Skip the notifications of the process `own`."""
        self._own = own
        self._parts: dict[str, str] = {}

    def decode(self, payload: str) -> list[Notification]:
        """Decode a payload; unknown payloads yield nothing."""
        process, _, rest = payload.partition(" ")
        _, _, rest = rest.partition(" ")
        kind, _, text = rest.partition(" ")
        if process == self._own:
            return []
        with contextlib.suppress(ValueError):  # another program uses the channel
            if kind == VERSIONS:
                pairs = (each.rpartition(":") for each in text.split(" "))
                return [Notification(game, int(v)) for game, _, v in pairs]
            if kind == MOVES:
                return [_moves(*each) for each in _decode(text) if each[-1]]
            if kind == PART_OF_WORDS:
                self._parts[process] = self._parts.get(process, "") + text
            if kind == WORDS:
                game, _, last = text.rpartition(" ")
                whole = self._parts.pop(process, "") + last
                return [Notification(game, 0, base64.b64decode(whole, validate=True))]
        return []


def _moves(game: str, before: int, deadline: int | None, rows: list[EventRow]) -> Notification:
    moves = StoredMoves(before, *read_log(rows), deadline)
    return Notification(game, rows[-1][0], moves=moves)


class NoticeListener(threading.Thread):
    """Thread that listens on its own connection and reconnects when it is lost."""

    def __init__(
        self,
        connect: "Callable[[], psycopg.Connection[tuple[object, ...]]]",
        own: str,
        loop: AbstractEventLoop,
        received: Callable[[Notification], None],
    ) -> None:
        """Call `received` in the event loop for each notification, from `start` until `end`."""
        super().__init__(name="store-listener", daemon=True)
        self._connect = connect
        self._own = own
        self._loop = loop
        self._received = received
        self._ended = threading.Event()

    def run(self) -> None:
        """Listen until `end`, reconnecting after errors."""
        wait = FIRST_WAIT
        while not self._ended.is_set():
            try:
                with contextlib.closing(self._connect()) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    wait = FIRST_WAIT
                    decoder = NoticeDecoder(self._own)
                    while not self._ended.is_set():
                        for notice in connection.notifies(timeout=LOOK_UP_SECONDS):
                            self._deliver(decoder.decode(notice.payload))
            except psycopg.Error:
                if not self._ended.is_set():
                    log.warning("lost the connection for notifications; reconnecting")
            self._ended.wait(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    def _deliver(self, received: list[Notification]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            for each in received:
                self._loop.call_soon_threadsafe(self._received, each)

    def end(self) -> None:
        """Stop the thread and wait for it."""
        self._ended.set()
        self.join()
