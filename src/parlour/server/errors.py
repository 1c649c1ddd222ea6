"""What the server refuses, with the codes of the protocol."""

from parlour.protocol.errors import (
    ClaimUsed,
    Closing,
    Conflict,
    ForeignOrigin,
    NotYourSeat,
    RateLimited,
    StoreUnavailable,
    TooLarge,
    Unauthorized,
    WrongVersion,
)
from parlour.table.errors import StaleEvents

__all__ = [
    "ClaimUsed",
    "Closing",
    "Conflict",
    "ForeignOrigin",
    "NotYourSeat",
    "RateLimited",
    "StalePly",
    "StoreUnavailable",
    "TooLarge",
    "Unauthorized",
    "WrongVersion",
]


class StalePly(StaleEvents):
    """The action was chosen for another position."""
