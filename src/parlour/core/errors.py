"""The errors that Parlour raises on purpose, under one root.

All of them are `ValueError`s: an argument cannot be used. The text says what was wrong and what
would be right, and nothing has changed when one is raised. `code` is for programs: it stays the
same from release to release, and servers and protocols send it.
"""

from typing import Any, ClassVar


class ParlourError(ValueError):
    """The root: `except ParlourError` catches every error raised on purpose and no bug.

    >>> import parlour
    >>> try:
    ...     parlour.game("chess")
    ... except parlour.ParlourError as error:
    ...     error.code
    'not_found'
    """

    # A class attribute, because pickling loses whatever an instance holds beside its text.
    code: ClassVar[str] = "error"

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle like every exception.

        Defined here, because some libraries replace `BaseException.__reduce__`.
        """
        return super().__reduce__()


class NotFound(ParlourError):
    """Nothing has that name."""

    code: ClassVar[str] = "not_found"


class UnknownGame(NotFound):
    """No game of that name is registered."""


class BadMessage(ParlourError):
    """A message is not JSON of the right shape; the text says where it is wrong."""

    code: ClassVar[str] = "bad_message"


class GameLoadError(ParlourError):
    """A registered game could not be loaded, or two packages claim its name."""

    code: ClassVar[str] = "game_unavailable"


class OptionError(ParlourError):
    """A game has no such option, or the option does not take that value."""

    code: ClassVar[str] = "bad_option"


class IllegalAction(ParlourError):
    """The action is not legal in this state; the text is the rule against it."""

    code: ClassVar[str] = "illegal"


class ActionTextError(ParlourError):
    """The text is not the text of any action of this game."""

    code: ClassVar[str] = "bad_action"


class InvalidState(ParlourError):
    """An impossible position: an invariant does not hold."""

    code: ClassVar[str] = "invalid_state"


class StateTextError(ParlourError):
    """The text does not describe a position of this game."""

    code: ClassVar[str] = "bad_state"


class RecordError(ParlourError):
    """The record, or a saved batch, is damaged or cannot be played; the text names the line."""

    code: ClassVar[str] = "bad_record"


class GameNotInstalled(RecordError):
    """The record is intact, but its game is not installed, so its actions cannot be checked."""

    code: ClassVar[str] = "game_not_installed"


class UnknownRecord(ParlourError):
    """No file or stored record has that name, or several records match it."""

    code: ClassVar[str] = "no_record"


class AgentError(ParlourError):
    """The agent or setting is unknown, or an agent was asked when no seat is to act."""

    code: ClassVar[str] = "bad_agent"


class MissingExtra(ParlourError):
    """An optional part is not installed; the text says how to get it."""

    code: ClassVar[str] = "missing_extra"


class ContractError(ParlourError):
    """A game or an agent broke a promise of the contract."""

    code: ClassVar[str] = "broken_contract"


def in_one_line(error: BaseException) -> str:
    """Return any error as one line of printable text, even if its `str` raises."""
    import traceback  # here, because few runs need it and every run would pay for it

    # Not str(error): that may raise too.
    return printable(" ".join("".join(traceback.format_exception_only(error)).split()))


def printable(text: str) -> str:
    """Return the text with control characters escaped, line breaks included."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
