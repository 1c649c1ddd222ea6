"""The error of this package."""

from parlour.core.errors import ParlourError


class MatchError(ParlourError):
    """A match, tournament or rating is invalid; the message says what is allowed."""

    code = "bad_match"
