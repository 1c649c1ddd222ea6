"""The other processes on the same store: who is there, and which one lets an agent act."""

import asyncio
import contextlib
import logging
import random
import secrets
from collections import deque
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from parlour.protocol.errors import StoreUnavailable
from parlour.server.cluster.whispers import (
    Alive,
    Listed,
    Whisper,
    Word,
    whisper_from_bytes,
    whisper_to_bytes,
)
from parlour.server.store.store import Run

if TYPE_CHECKING:
    from parlour.server.live.rooms import Rooms

log = logging.getLogger("parlour.server")

BEATS_MISSED = 3
"""So many, and a process is taken for dead."""
WAITING = 500
"""Whispers that may wait to be sent; of more the oldest are lost."""
TOLD_AT_ONCE = 120
"""Tables of which one whisper tells who is there."""
ASK_AGAIN_SECONDS = 0.2
"""How long an answer is waited for: a question that was sent before we listened has none."""


class Peer(NamedTuple):
    """Another process."""

    since: int
    heard: int
    """When it was last heard, on our clock."""
    rounds: int
    """How many beats it takes to tell of all its tables."""


class Peers:
    """The other processes, as far as they are heard."""

    def __init__(self, rooms: "Rooms") -> None:
        """Nobody is known yet."""
        self.id = secrets.token_hex(6)
        self._rooms = rooms
        self._peers: dict[str, Peer] = {}
        self._words: deque[tuple[str, bytes]] = deque(maxlen=WAITING)
        self._has_words = asyncio.Event()
        self._has_answer = asyncio.Event()
        self._turn = 0

    # Speaking.

    async def start(self) -> None:
        """Begin to speak and to listen; where others seem to be there, wait for their answer."""
        rooms = self._rooms
        self._rooms.spawn(self._speak())
        self.tell("", Alive(rooms.started, asks=True))
        recently = rooms.clock.now() - self._patience
        seem_alive = [run for run in await rooms.store.runs() if run.heartbeat >= recently]
        if rooms.store.IS_SHARED and len(seem_alive) > 1:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(rooms.settings.answer_seconds):
                    await self._ask_until_answered()

    async def _ask_until_answered(self) -> None:
        """Ask who is there again and again: whispers may be lost in both directions."""
        while not self._has_answer.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ASK_AGAIN_SECONDS):
                    await self._has_answer.wait()
                    return
            self.tell("", Alive(self._rooms.started, asks=True))

    @property
    def _patience(self) -> int:
        return int(self._rooms.settings.beat_seconds * BEATS_MISSED * 1000)

    def tell(self, table: str, word: Word) -> None:
        """Say something soon to those who are there; nobody waits for that."""
        if not self._rooms.store.IS_SHARED:
            return
        data = whisper_to_bytes(self.id, word)
        if data is not None:
            self._words.append((table, data))
            self._has_words.set()

    async def _speak(self) -> None:
        """Send what waits, in order."""
        while True:
            await self._has_words.wait()
            self._has_words.clear()
            await self._send_all()

    async def _send_all(self) -> None:
        while self._words:
            try:
                await self._rooms.store.whisper(*self._words.popleft())
            except StoreUnavailable as error:
                log.debug("a whisper was lost: %s", error)

    async def beat(self) -> None:
        """Say that this process is there, and who looks at its tables: some of them each time."""
        here = self._rooms.visited()
        begin = self._turn if self._turn < len(here) else 0
        self._turn = begin + TOLD_AT_ONCE
        rounds = max(1, -(-len(here) // TOLD_AT_ONCE))
        self.tell("", Alive(self._rooms.started, here[begin : self._turn], rounds))
        self._lose_the_silent()

    def _lose_the_silent(self) -> None:
        """Forget processes that are not heard, and who was there if that is not told again."""
        now, beat = self._rooms.clock.now(), self._rooms.settings.beat_seconds * 1000
        for who in [who for who, peer in self._peers.items() if peer.heard < now - self._patience]:
            self._lose(who)
        since = {
            who: now - (peer.rounds + BEATS_MISSED) * beat for who, peer in self._peers.items()
        }
        for room in self._rooms.all_in_memory():
            room.audience.keep_elsewhere(since)

    async def close(self) -> None:
        """Say goodbye."""
        self.tell("", Alive(self._rooms.started, leaves=True))
        await self._send_all()

    # Listening.

    def hear(self, table: str, data: bytes) -> None:
        """Another process has said something."""
        whisper = whisper_from_bytes(data)
        if whisper is None or whisper.who == self.id:
            return
        if isinstance(whisper.word, Alive):
            self._greet(whisper, whisper.word)
        elif isinstance(whisper.word, Listed):
            self._rooms.lobby.touch()
        else:
            room = self._rooms.in_memory(table)
            if room is not None:
                room.passing.hear(whisper.who, whisper.word)

    def _greet(self, whisper: Whisper, word: Alive) -> None:
        who = whisper.who
        if word.leaves:
            self._lose(who)
            return
        self._peers[who] = Peer(word.since, self._rooms.clock.now(), word.rounds)
        self._has_answer.set()
        if word.asks:
            self.tell("", Alive(self._rooms.started))
        for here in word.here:
            room = self._rooms.in_memory(here.table)
            if room is not None:
                room.audience.see_elsewhere(who, here)

    def _lose(self, who: str) -> None:
        """A process is gone, and with it who was there."""
        if self._peers.pop(who, None) is not None:
            for room in self._rooms.all_in_memory():
                room.passing.lose(who)

    def is_there(self, who: str) -> bool:
        """Whether that process is known to be there."""
        return who in self._peers

    def runs(self) -> list[Run]:
        """When the others were alive, as far as they were heard."""
        return [Run(peer.since, peer.heard) for peer in self._peers.values()]


class Leases:
    """The turns that this process has. A store that nobody else uses need not be asked."""

    def __init__(self, rooms: "Rooms") -> None:
        """None yet."""
        self._rooms = rooms
        self._held: dict[str, int] = {}

    def holds(self, table: str) -> bool:
        """Whether this process lets an agent act there."""
        return table in self._held

    async def take(self, table: str, v: int) -> bool:
        """Whether the table at that version is this process's, for a while."""
        store = self._rooms.store
        if not store.IS_SHARED:
            return True
        now = self._rooms.clock.now()
        until = now + int(self._rooms.settings.lease_seconds * 1000)
        return await store.lease(table, v, now, until)

    async def hold(self, table: str, v: int) -> bool:
        """Take it, and keep it until `release`."""
        if not await self.take(table, v):
            return False
        self._held[table] = v
        return True

    def release(self, table: str, v: int) -> None:
        """The agent has acted, or does not; it is not kept any longer."""
        if self._held.get(table) == v:
            del self._held[table]

    async def prolong(self) -> None:
        """Keep what is held."""
        for table, v in list(self._held.items()):
            if self._held.get(table) == v and not await self.take(table, v):
                self.release(table, v)

    async def taken(self, tables: Mapping[str, int]) -> AsyncIterator[str]:
        """Those of these tables, by their versions, that no other process has taken or changed.

        So that not every process loads every game that has to be gone on with.
        """
        for table, v in random.sample([*tables.items()], len(tables)):
            if await self.take(table, v):
                yield table
