"""Errors that a table raises. The codes are those of the protocol."""

from typing import ClassVar

from parlour.core.errors import ParlourError


class TableError(ParlourError):
    """The table does not allow this now. The message gives the reason.

    >>> TableError.code
    'not_allowed'
    """

    code: ClassVar[str] = "not_allowed"


class NotYourTurn(TableError):
    """It is another seat's turn.

    >>> from parlour import game
    >>> from parlour.table import Table
    >>> Table(game("octa", size=1), seed=8).play("1,1", seat=1)
    Traceback (most recent call last):
    parlour.table.errors.NotYourTurn: it is the turn of player 1
    """

    code: ClassVar[str] = "not_your_turn"


class GameOver(TableError):
    """The game has ended.

    >>> GameOver.code
    'over'
    """

    code: ClassVar[str] = "over"


class GameLost(TableError):
    """The connection to the game was lost. The game is unchanged; reconnect to resume it.

    >>> GameLost.code
    'lost'
    """

    code: ClassVar[str] = "lost"


class TimeUp(TableError):
    """The seat has run out of time.

    >>> TimeUp.code
    'time_up'
    """

    code: ClassVar[str] = "time_up"


class StaleEvents(TableError):
    """The events do not follow the table's last one, because others came in between.

    >>> StaleEvents.code
    'stale'
    """

    code: ClassVar[str] = "stale"


class Busy(TableError):
    """In use elsewhere, or overloaded. Try again later.

    >>> Busy.code
    'busy'
    """

    code: ClassVar[str] = "busy"


class GameInUse(Busy):
    """Another process is playing this game.

    >>> GameInUse.code
    'busy'
    """
