"""What a table refuses; the codes are those that servers and protocols send."""

from typing import ClassVar

from parlour.core.errors import ParlourError


class TableError(ParlourError):
    """Something that the table does not allow now; the text says why."""

    code: ClassVar[str] = "not_allowed"


class NotYourTurn(TableError):
    """Another seat is to act."""

    code: ClassVar[str] = "not_your_turn"


class GameOver(TableError):
    """The game has ended."""

    code: ClassVar[str] = "over"


class TimeUp(TableError):
    """The seat has no time left."""

    code: ClassVar[str] = "time_up"


class StaleEvents(TableError):
    """The events do not follow the last one: something else has happened in between."""

    code: ClassVar[str] = "stale"


class GameInUse(TableError):
    """Another process plays this game."""

    code: ClassVar[str] = "busy"
