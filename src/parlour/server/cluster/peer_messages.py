"""Transient messages between peers. They are not stored, and may be lost."""

import msgspec
from msgspec import Struct

from parlour.protocol.messages import Spoken
from parlour.server.store.store import MAX_BROADCAST, RequestRow


class TablePresence(Struct, array_like=True):
    """Connections to a table in one process."""

    table: str
    seats: list[int]
    watchers: int


class Heartbeat(Struct, tag="heartbeat"):
    """A process is alive; also carries the presence at some of its tables."""

    since: int
    tables: list[TablePresence] = []
    rounds: int = 1
    """Number of heartbeats that cover all tables."""
    asks: bool = False
    """Whether peers should reply with a heartbeat, because this process has just started."""
    leaves: bool = False


class PresenceChanged(Struct, tag="presence"):
    """A connection to a table was opened or closed."""

    presence: TablePresence


class SyncRequest(Struct, tag="sync"):
    """Ask peers for a table's presence and chat, after the first connection to it."""


class ChatHistory(Struct, tag="chat_history"):
    """Recent chat of a table."""

    said: list[Spoken]


class ChatSent(Struct, tag="chat"):
    """A chat message, and the request that sent it."""

    spoken: Spoken
    request: RequestRow


class AgentThinking(Struct, tag="thinking"):
    """An agent has been asked to act."""

    seat: int
    ahead: int


class PremoveChanged(Struct, tag="premove"):
    """A seat's premove and the message about it; the latest wins."""

    seat: int
    action: int | str | None
    at: int
    message: str = ""
    request: RequestRow | None = None


class ListingChanged(Struct, tag="listing"):
    """The list of tables has changed."""


PeerMessage = (
    Heartbeat
    | PresenceChanged
    | SyncRequest
    | ChatHistory
    | ChatSent
    | AgentThinking
    | PremoveChanged
    | ListingChanged
)


class Envelope(Struct, array_like=True):
    """A message and the process that sent it."""

    sender: str
    message: PeerMessage


_decode = msgspec.json.Decoder(Envelope).decode
_encode = msgspec.json.Encoder().encode


def message_to_bytes(sender: str, message: PeerMessage) -> bytes | None:
    """Encode a message; `None` if it is too long to be sent."""
    data = _encode(Envelope(sender, message))
    return data if len(data) <= MAX_BROADCAST else None


def message_from_bytes(data: bytes) -> Envelope | None:
    """Decode a message; `None` if it is unreadable, for example from another version."""
    try:
        return _decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def latest_that_fit(said: list[Spoken]) -> list[Spoken]:
    """Return the latest chat messages that fit into one peer message."""
    kept: list[Spoken] = []
    left = MAX_BROADCAST - 200
    for each in reversed(said):
        left -= len(_encode(each)) + 1
        if left < 0:
            break
        kept.insert(0, each)
    return kept
