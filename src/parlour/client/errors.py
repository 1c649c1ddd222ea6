"""Refusals of a server as the errors that the library raises itself, and what goes wrong on the
way to a server.
"""

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
    """The link is not one to a table."""

    code: ClassVar[str] = "bad_link"


class Unreachable(GameLost):
    """The server does not answer, however often it is asked."""

    code: ClassVar[str] = "unreachable"


class ServerRefusal(ParlourError):
    """The server refuses with a code that this client does not know."""

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
"""The error of each code of the protocol."""

PASSING = frozenset(("rate_limited", "closing", "store_unavailable", "busy"))
"""Nothing has happened, and the same request may be granted soon."""


def refusal(code: str, message: str) -> ParlourError:
    """The error of a code; `Refused` for one that is not known."""
    kind = KINDS.get(code)
    return ServerRefusal(f"{message} ({code})") if kind is None else kind(message)
