"""The error of this room."""

from parlour.core.errors import ParlourError


class MatchError(ParlourError):
    """A match cannot be played as it was asked for; the text says what would be right."""

    code = "bad_match"
