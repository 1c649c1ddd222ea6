"""State of a table that is not logged: chat, premoves and presence.

The devices of a seat, and the seats of a table, may be connected to different processes, so each
process broadcasts its changes to the others.
"""

from collections import deque
from typing import TYPE_CHECKING

from parlour.protocol.errors import Conflict
from parlour.protocol.json import encode
from parlour.protocol.messages import Premove, PremoveState, Said, Spoken, Thinking
from parlour.server.cluster.peer_messages import (
    AgentThinking,
    ChatHistory,
    ChatSent,
    PeerMessage,
    PremoveChanged,
    PresenceChanged,
    SyncRequest,
    TablePresence,
    latest_that_fit,
)
from parlour.server.live.premoves import Premoves
from parlour.server.live.room_part import RoomPart
from parlour.server.rates import Buckets
from parlour.server.store.store import RequestRow
from parlour.table import TableError

if TYPE_CHECKING:
    from parlour.server.live.room import Room
    from parlour.server.live.rooms import Rooms

SAID_KEPT = 50
JOINER = "\u200d"
"""Zero-width joiner, which combines emoji."""
ANSWERS_KEPT = 200


class EphemeralState(RoomPart):
    """Chat, premoves and presence of one table."""

    def __init__(self, room: "Room", rooms: "Rooms") -> None:
        """Start without chat and premoves."""
        super().__init__(room)
        self.said: deque[Spoken] = deque(maxlen=SAID_KEPT)
        self.premoves = Premoves(rooms.peers.id)
        self._rooms = rooms
        self._answers: dict[tuple[int, int, str], tuple[bytes, int]] = {}
        self._chat_limit = Buckets(
            rooms.tuning.rates["words"], "chat messages", rooms.clock.seconds
        )

    def _broadcast(self, message: PeerMessage) -> None:
        self._rooms.peers.broadcast(self._room.hosted.id, message)

    # Requests.

    def done(self, request: RequestRow) -> int | None:
        """Return the version of an executed request. Raise `Conflict` if the request differs."""
        key = (request.seat, request.epoch, request.req)
        done = self._room.hosted.requests.get(key) or self._answers.get(key)
        if done is None:
            return None
        if done[0] != request.body:
            raise Conflict("this id was already used for a different request")
        return done[1]

    def remember(self, request: RequestRow) -> bool:
        """Remember an executed request for a while. Return false if it was already known."""
        key = (request.seat, request.epoch, request.req)
        if key in self._answers:
            return False
        if len(self._answers) >= ANSWERS_KEPT:
            self._answers.pop(next(iter(self._answers)))
        self._answers[key] = (request.body, request.v)
        return True

    def say(self, seat: int, text: str, request: RequestRow) -> None:
        """Send a chat message. Raise `TableError` or `RateLimited` if it is refused."""
        if not self._rooms.settings.chat:
            raise TableError("chat is disabled on this server")
        spoken = " ".join(text.split())
        if not spoken or not all(sign.isprintable() or sign == JOINER for sign in spoken):
            raise TableError("the message must be printable text")
        self._chat_limit.take(seat)
        said = Spoken(seat, self._room.views.person_of(seat), spoken)
        self._broadcast(ChatSent(said, request))
        self.remember(request)
        self._add_chat(said)

    def _add_chat(self, said: Spoken) -> None:
        self.said.append(said)
        self._room.audience.send_seats(encode(Said(said.seat, said.name, said.text)))

    def premove(self, seat: int, message: Premove, request: RequestRow) -> None:
        """Set or clear a seat's premove. Raise `TableError` if it is refused."""
        table = self._room.hosted.table
        if table is None or table.is_over:
            raise TableError("premoves are possible only while the game is running")
        if message.action is not None and table.actor == seat:
            raise TableError("it is your turn: play instead of setting a premove")
        at = self.premoves.set(seat, message.action, self._rooms.clock.now())
        self._broadcast(PremoveChanged(seat, message.action, at, request=request))
        self.remember(request)
        self._show_premove(seat, message.action)

    # Premoves.

    def _show_premove(self, seat: int, action: int | str | None, message: str = "") -> None:
        self._room.audience.send_seat(seat, encode(PremoveState(action, message)))

    def premove_message(self, seat: int) -> bytes | None:
        """Return the premove for a newly connected device of a seat, if there is one."""
        action = self.premoves.of(seat)
        return None if action is None else encode(PremoveState(action))

    def clear_premove(self, seat: int, message: str = "") -> None:
        """Clear a premove on all devices after it was played or refused here."""
        at = self.premoves.set(seat, None, self._rooms.clock.now())
        self._broadcast(PremoveChanged(seat, None, at, message))
        self._show_premove(seat, None, message)

    def clear_played_premove(self, seat: int) -> None:
        """Clear the premove of a seat that acted in another process."""
        if self.premoves.drop(seat):
            self._show_premove(seat, None)

    def drop_missed_premove(self, seat: int) -> None:
        """Drop the premove of a seat whose turn has passed."""
        if self.premoves.take(seat) is not None:
            self.clear_premove(seat, "your turn has already passed")

    def drop_premoves(self) -> None:
        """Drop all premoves after a takeback: they were meant for another position."""
        for seat in self.premoves.drop_all():
            self._show_premove(seat, None, "an action was taken back")

    # Messages from peers.

    def receive(self, sender: str, message: PeerMessage) -> None:
        """Handle a message from another process about this table."""
        audience = self._room.audience
        if isinstance(message, PresenceChanged):
            audience.set_remote(sender, message.presence)
        elif isinstance(message, AgentThinking):
            self.show_thinking(message)
        elif isinstance(message, ChatSent):
            if self.remember(message.request):
                self._add_chat(message.spoken)
        elif isinstance(message, PremoveChanged):
            if message.request is not None:
                self.remember(message.request)
            if self.premoves.set_remote(message.seat, message.action, message.at, sender):
                self._show_premove(message.seat, message.action, message.message)
        elif isinstance(message, SyncRequest):
            self._broadcast(PresenceChanged(audience.presence()))
            if self.said:
                self._broadcast(ChatHistory(latest_that_fit(list(self.said))))
        elif isinstance(message, ChatHistory) and not self.said:
            for each in message.said:
                self._add_chat(each)

    def drop_peer(self, peer: str) -> None:
        """Drop the state of a process that has ended."""
        self._room.audience.set_remote(peer, TablePresence(self._room.hosted.id, [], 0))
        for seat in self.premoves.drop_of(peer):
            self._show_premove(seat, None, "the connection to its server process was lost")

    def think(self, thinking: AgentThinking) -> None:
        """Announce an agent's thinking to all connections in all processes."""
        self._broadcast(thinking)
        self.show_thinking(thinking)

    def show_thinking(self, thinking: AgentThinking) -> None:
        """Announce an agent's thinking to the connections of this process."""
        self._room.audience.send_all(encode(Thinking(thinking.seat, thinking.ahead)))
