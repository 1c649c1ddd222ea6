"""What a viewer sees, described once for every kind of display.

A scene is built up from what the viewer may know and from nothing else. Terminal and
page draw scenes and know no game.
"""

from typing import NamedTuple

NOBODY = -1


class Cell(NamedTuple):
    """One cell of the grid, for eyes, for the colour-blind and for screen readers."""

    glyph: str
    """One or two characters that tell its content without the help of colour."""
    label: str
    """Its content in words, without its place."""
    owner: int = NOBODY
    """The seat it belongs to, or NOBODY."""
    marks: tuple[str, ...] = ()
    """Further properties by name, for instance "wall"; a display may style them."""


class SeatView(NamedTuple):
    """What stands beside the board for one seat."""

    name: str
    score: str = ""
    """Its points so far in the game's own words, or empty."""
    tray: tuple[str, ...] = ()
    """What it holds or has taken: pieces left, pieces captured."""


class ActionView(NamedTuple):
    """A legal action, and the cells that a click or a key touches to choose it."""

    action: int
    text: str
    cells: tuple[int, ...]
    group: str = ""
    """The piece that is laid onto `cells`, by its name in the tray; or empty.

    Without it the cells are touched one after another. With it a display lets the player
    choose among the groups first, then turn the piece and place it.
    """


class Scene(NamedTuple):
    """A whole view; `cells` in reading order, `rows * cols` of them."""

    rows: int
    cols: int
    cells: tuple[Cell, ...]
    row_names: tuple[str, ...]
    col_names: tuple[str, ...]
    seats: tuple[SeatView, ...]
    actor: int
    status: str
    """One sentence: whose turn it is, or how the game ended."""
    actions: tuple[ActionView, ...]
    """Empty unless it is this viewer's turn; a spectator sees the actor's."""
