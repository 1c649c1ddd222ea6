"""What a server refuses, as errors with the codes of the protocol, on both sides of the wire."""

from typing import ClassVar

from parlour.core.errors import ParlourError


class Unauthorized(ParlourError):
    """There is no token, or it is not valid."""

    code: ClassVar[str] = "unauthorized"


class NotYourSeat(ParlourError):
    """The token is for another seat."""

    code: ClassVar[str] = "not_your_seat"


class ForeignOrigin(ParlourError):
    """A page of somebody else asks."""

    code: ClassVar[str] = "foreign_origin"


class Conflict(ParlourError):
    """The same id was used for another request."""

    code: ClassVar[str] = "conflict"


class ClaimUsed(ParlourError):
    """The claim was used before, or there never was one."""

    code: ClassVar[str] = "used"


class TooLarge(ParlourError):
    """The message is too large."""

    code: ClassVar[str] = "too_large"


class RateLimited(ParlourError):
    """Too many requests; `retry_after` is in seconds."""

    code: ClassVar[str] = "rate_limited"

    def __init__(self, message: str, retry_after: float = 1.0, limit: str = "") -> None:
        """With the time to wait, and the server's limit that was reached."""
        super().__init__(message)
        self.retry_after = retry_after
        self.limit = limit


class ServerClosing(ParlourError):
    """The server shuts down."""

    code: ClassVar[str] = "closing"


class StoreUnavailable(ParlourError):
    """Nothing can be stored or read at the moment. The same request again is carried out once."""

    code: ClassVar[str] = "store_unavailable"


class WrongVersion(ParlourError):
    """The other side speaks another version of the protocol."""

    code: ClassVar[str] = "version"
