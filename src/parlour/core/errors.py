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
    """A position that cannot be: an invariant does not hold."""


class StateTextError(ParlourError):
    """The text does not describe a position of this game."""


class RecordError(ParlourError):
    """The record is damaged, or its actions cannot be played; the text names the line."""


class AgentError(ParlourError):
    """There is no such agent or setting, or an agent was asked where nobody decides."""


class MissingExtra(ParlourError):
    """An optional part is not installed; the text says how to get it."""


class ContractError(ParlourError):
    """A game broke a promise of the contract while somebody relied on it."""


def in_one_line(error: BaseException) -> str:
    """Any error as one line of printable text, even if it does not want to be shown."""
    import traceback  # here, because few runs need it and every run would pay for it

    # Not str(error): that may raise too.
    text = " ".join("".join(traceback.format_exception_only(error)).split())
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
