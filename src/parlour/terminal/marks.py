"""What is shown on top of a scene."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass
class Marks:
    """Cells that stand out, and why."""

    cursor: int = 0
    targets: Collection[int] = ()
    touched: Collection[int] = ()
    last: Collection[int] = ()
    hint: Collection[int] = ()
    ghost: Collection[int] = ()
    ghost_fits: bool = False
    preview: Collection[int] = ()
    """Cells that would change hands by what the cursor is on."""
    shows_cursor: bool = True
