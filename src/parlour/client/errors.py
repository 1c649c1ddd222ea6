"""Errors of clients: the server's refusals as the library's own errors, and failed connections."""

from typing import ClassVar

from parlour.agents.guard import AgentFault
from parlour.core.errors import (
    ActionTextError,
    AgentError,
    BadMessage,
    ContractError,
    GameLoadError,
    IllegalAction,
    NotFound,
    OptionError,
    ParlourError,
    RecordError,
    StateTextError,
)
from parlour.protocol.errors import (
    ClaimUsed,
    Conflict,
    ForeignOrigin,
    NotYourSeat,
    RateLimited,
    ServerClosing,
    StoreUnavailable,
    TooLarge,
    Unauthorized,
    WrongVersion,
)
from parlour.protocol.json import UnknownType
from parlour.table.clock import ClockError
from parlour.table.errors import (
    Busy,
    GameLost,
    GameOver,
    NotYourTurn,
    StaleEvents,
    TableError,
    TimeUp,
)


class BadLink(ParlourError):
    """Not a link to a table.

    >>> from parlour.client import Link
    >>> Link.from_text("games.example.org")
    Traceback (most recent call last):
    parlour.client.errors.BadLink: a link to a table looks like ...
    """

    code: ClassVar[str] = "bad_link"


class Unreachable(GameLost):
    """The server did not answer after several attempts.

    >>> Unreachable.code
    'unreachable'
    """

    code: ClassVar[str] = "unreachable"


class ServerRefusal(ParlourError):
    """A refusal with a code that this client does not know.

    >>> refusal("teapot", "I am a teapot")
    ServerRefusal('I am a teapot (teapot)')
    """

    code: ClassVar[str] = "refused"


KINDS: dict[str, type[ParlourError]] = {
    kind.code: kind
    for kind in (
        ActionTextError,
        AgentError,
        AgentFault,
        BadMessage,
        Busy,
        ClaimUsed,
        ClockError,
        ServerClosing,
        Conflict,
        ContractError,
        ForeignOrigin,
        GameLoadError,
        GameOver,
        IllegalAction,
        NotFound,
        NotYourSeat,
        NotYourTurn,
        OptionError,
        RateLimited,
        RecordError,
        StaleEvents,
        StateTextError,
        StoreUnavailable,
        TableError,
        TimeUp,
        TooLarge,
        Unauthorized,
        UnknownType,
        WrongVersion,
    )
}
"""The error class of each code of the protocol."""

PASSING = frozenset(("rate_limited", "closing", "store_unavailable", "busy"))
"""Codes after which the same request may soon succeed; nothing has happened yet."""


def refusal(code: str, message: str) -> ParlourError:
    """Return the error for a code; `ServerRefusal` for an unknown one.

    >>> refusal("over", "the game is over")
    GameOver('the game is over')
    """
    kind = KINDS.get(code)
    return ServerRefusal(f"{message} ({code})") if kind is None else kind(message)
