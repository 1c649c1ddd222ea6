"""Errors that a server responds with, shared by server and clients."""

from typing import ClassVar

from parlour.core.errors import ParlourError


class Unauthorized(ParlourError):
    """The token is missing or not valid."""

    code: ClassVar[str] = "unauthorized"


class NotYourSeat(ParlourError):
    """The token is for another seat."""

    code: ClassVar[str] = "not_your_seat"


class ForeignOrigin(ParlourError):
    """The request comes from a page of another origin."""

    code: ClassVar[str] = "foreign_origin"


class Conflict(ParlourError):
    """The id was already used for a different request."""

    code: ClassVar[str] = "conflict"


class ClaimUsed(ParlourError):
    """The claim was already used, or never existed."""

    code: ClassVar[str] = "used"


class TooLarge(ParlourError):
    """The message is too large."""

    code: ClassVar[str] = "too_large"


class RateLimited(ParlourError):
    """Too many requests; `retry_after` is in seconds."""

    code: ClassVar[str] = "rate_limited"

    def __init__(self, message: str, retry_after: float = 1.0, limit: str = "") -> None:
        """Store the seconds to wait and the name of the rate limit that was exceeded."""
        super().__init__(message)
        self.retry_after = retry_after
        self.limit = limit


class ServerClosing(ParlourError):
    """The server is shutting down."""

    code: ClassVar[str] = "closing"


class StoreUnavailable(ParlourError):
    """The store is not available. Repeat the same request; it runs only once."""

    code: ClassVar[str] = "store_unavailable"


class WrongVersion(ParlourError):
    """The peer uses another version of the protocol."""

    code: ClassVar[str] = "version"
