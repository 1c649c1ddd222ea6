"""Wrappers that make the contract easy to write in plain Python. Never compiled."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from librt.vecs import vec
from mypy_extensions import i64

from parlour.core.rng import fold_seed

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from parlour.core.game import State

    StateT = TypeVar("StateT", bound=State, default=Any)
else:
    from typing import TypeVar

    StateT = TypeVar("StateT", bound="State")


def wrap(cls: Any, name: str, wrapper: Callable[[Any], Any]) -> None:
    """Wrap a method that the class itself defines; leave inherited ones alone."""
    if name in cls.__dict__:
        setattr(cls, name, wrapper(cls.__dict__[name]))


def with_folded_seed(start: Any) -> Any:
    """Wrap an author's `start` so that it receives a seed in range."""

    @wraps(start)
    def folded(self: Any, seed: object = 0) -> Any:
        return start(self, fold_seed(seed))

    return folded


def with_list(legal_actions: Any) -> Any:
    """Wrap an author's `legal_actions` so that it may return a list."""

    @wraps(legal_actions)
    def listed(self: Any) -> Any:
        found = legal_actions(self)
        return vec[i64](found) if isinstance(found, list) else found

    return listed
