"""Marks that are shown on top of a scene."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass
class Marks:
    """The marked cells, by the reason."""

    cursor: int = 0
    targets: Collection[int] = ()
    touched: Collection[int] = ()
    last: Collection[int] = ()
    hint: Collection[int] = ()
    ghost: Collection[int] = ()
    ghost_fits: bool = False
    preview: Collection[int] = ()
    """Cells that would change hands if the cursor's cell is chosen."""
    shows_cursor: bool = True
