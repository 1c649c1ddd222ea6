"""Errors of environments."""

from typing import ClassVar

from parlour.core.errors import ParlourError


class NotRunning(ParlourError):
    """The environment was not reset, is closed, or its episode is over.

    >>> from parlour.envs import NotRunning
    >>> NotRunning.code
    'not_running'
    """

    code: ClassVar[str] = "not_running"


class ActionsError(ParlourError):
    """The actions for a vector environment have a wrong type, shape or range.

    >>> from parlour.envs import ActionsError
    >>> ActionsError.code
    'bad_actions'
    """

    code: ClassVar[str] = "bad_actions"


class WorkerLost(ParlourError):
    """A worker process has ended, and the environment is closed.

    >>> from parlour.envs import WorkerLost
    >>> WorkerLost.code
    'worker_lost'
    """

    code: ClassVar[str] = "worker_lost"
