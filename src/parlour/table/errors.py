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


class GameLost(TableError):
    """The game cannot be reached from here any more; who comes back finds it as it was."""

    code: ClassVar[str] = "lost"


class TimeUp(TableError):
    """The seat has no time left."""

    code: ClassVar[str] = "time_up"


class StaleEvents(TableError):
    """The events do not follow the last one: something else has happened in between."""

    code: ClassVar[str] = "stale"


class Busy(TableError):
    """Somebody else has it, or there is more work than is taken on; later it may be done."""

    code: ClassVar[str] = "busy"


class GameInUse(Busy):
    """Another process plays this game."""
