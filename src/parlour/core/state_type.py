"""The type parameter of `Game`, for type checkers; not compiled, because it has a default."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from parlour.core.game import State

    StateT = TypeVar("StateT", bound=State, default=Any)
else:
    from typing import TypeVar

    StateT = TypeVar("StateT", bound="State")
