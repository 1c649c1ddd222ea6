"""What processes tell each other in passing: nothing of it is kept, and any of it may be lost."""

import msgspec
from msgspec import Struct

from parlour.protocol.messages import Spoken
from parlour.server.store.store import MOST_WHISPERED, RequestRow


class Here(Struct, array_like=True):
    """Who looks at a table in one process."""

    table: str
    seats: list[int]
    watchers: int


class Alive(Struct, tag="alive"):
    """A process is there, since when, and who looks at some of its tables."""

    since: int
    here: list[Here] = []
    rounds: int = 1
    """So many of these tell of all its tables."""
    asks: bool = False
    """It has just begun, and wants to know who else is there."""
    leaves: bool = False


class Visited(Struct, tag="visited"):
    """Somebody came to a table, or went."""

    here: Here


class Curious(Struct, tag="curious"):
    """Somebody came to a table where nobody was in that process: what is to be known?"""


class Remembered(Struct, tag="remembered"):
    """What was said at a table."""

    said: list[Spoken]


class Spoke(Struct, tag="spoke"):
    """Somebody said something, by that request."""

    spoken: Spoken
    request: RequestRow


class Thinks(Struct, tag="thinks"):
    """An agent was asked."""

    seat: int
    ahead: int


class Wished(Struct, tag="wished"):
    """A seat's premove is this now, with the words for it; the latest counts."""

    seat: int
    action: int | str | None
    at: int
    message: str = ""
    request: RequestRow | None = None


class Listed(Struct, tag="listed"):
    """The list of tables is not what it was."""


Word = Alive | Visited | Curious | Remembered | Spoke | Thinks | Wished | Listed


class Whisper(Struct, array_like=True):
    """A word, and which process says it."""

    who: str
    word: Word


_decode = msgspec.json.Decoder(Whisper).decode
_encode = msgspec.json.Encoder().encode


def whisper_to_bytes(who: str, word: Word) -> bytes | None:
    """As it is sent; `None` if it is too long for that."""
    data = _encode(Whisper(who, word))
    return data if len(data) <= MOST_WHISPERED else None


def whisper_from_bytes(data: bytes) -> Whisper | None:
    """What was said; `None` for what cannot be read: from another version, say."""
    try:
        return _decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def those_that_fit(said: list[Spoken]) -> list[Spoken]:
    """The latest of what was said, as much as one whisper holds."""
    kept: list[Spoken] = []
    left = MOST_WHISPERED - 200
    for each in reversed(said):
        left -= len(_encode(each)) + 1
        if left < 0:
            break
        kept.insert(0, each)
    return kept
