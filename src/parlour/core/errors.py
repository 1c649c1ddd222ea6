"""Every error that Parlour raises on purpose, under one root.

All of them are `ValueError`s: what the caller handed in cannot be used. The text
says what was wrong and what would be right, and nothing has changed when one is raised.
"""


class ParlourError(ValueError):
    """The root: `except ParlourError` catches every refusal and no accident."""


class UnknownGame(ParlourError):
    """No game of that name is registered."""


class GameLoadError(ParlourError):
    """A registered game could not be loaded, or two packages claim its name."""


class OptionError(ParlourError):
    """A game has no such option, or the option does not take that value."""


class IllegalAction(ParlourError):
    """The action is not legal in this state; the text is the rule against it."""


class ActionTextError(ParlourError):
    """The text is not the text of any action of this game."""


class InvalidState(ParlourError):
    """A position that no game can reach: an invariant does not hold."""


class StateTextError(ParlourError):
    """The text does not describe a position of this game."""


class RecordError(ParlourError):
    """The record is damaged, or its actions cannot be played; the text names the line."""


class AgentError(ParlourError):
    """There is no such agent or setting, or an agent was asked where nobody decides."""


class ContractError(ParlourError):
    """A game broke a promise of the contract while somebody relied on it."""


def check_count(name: str, value: object, least: int) -> None:
    """`TypeError` unless the value is an int, `ValueError` unless it is at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}: {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")
