"""What environments refuse."""

from typing import ClassVar

from parlour.core.errors import ParlourError


class NotRunning(ParlourError):
    """The environment was not reset, is closed, or its episode is over."""

    code: ClassVar[str] = "not_running"


class ActionsError(ParlourError):
    """Actions for many games that are of a wrong type or shape, or in no game's range."""

    code: ClassVar[str] = "bad_actions"


class WorkerLost(ParlourError):
    """A process that stepped a part of the games has ended; the environment is closed."""

    code: ClassVar[str] = "worker_lost"
