"""The error of this package."""

from parlour.core.errors import ParlourError


class MatchError(ParlourError):
    """A match, tournament or rating cannot be as it was asked for; the text says what can."""

    code = "bad_match"
