"""Choose an action cell by cell or piece by piece: the logic without a screen.

Actions without a group are chosen by touching their cells in turn: one cell, or from and to.
Actions with a group place a piece: choose it, rotate it, and put it where it fits.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from parlour.core.scene import ActionView, Scene
from parlour.shapes import Shape, mirrored, normalise, turned

WhyNot = Callable[[tuple[int, ...], str], str]


class Touch(NamedTuple):
    """The result of touching a cell: an action, a refusal with its reason, or neither yet."""

    action: int | None = None
    refusal: str = ""


class Ghost(NamedTuple):
    """A piece held over the board."""

    cells: tuple[int, ...]
    """The cells of the board that it covers."""
    action: int | None
    """The action that places it there, if it fits."""
    reason: str
    """The reason why it does not fit, or ""."""


def anchor(shape: Shape) -> tuple[int, int]:
    """Return the cell by which a cursor holds a shape: the one nearest to its middle."""
    row = sum(r for r, _ in shape) / len(shape)
    col = sum(c for _, c in shape) / len(shape)
    return min(shape, key=lambda cell: (abs(cell[0] - row) + abs(cell[1] - col), cell))


class Picker:
    """The choice of one action in one position."""

    def __init__(self, scene: Scene, why_not: WhyNot) -> None:
        """Start without a choice; `why_not` returns the rule against cells, for a group, or ""."""
        self.scene = scene
        self._why_not = why_not
        self.touched: tuple[int, ...] = ()
        self.group = ""
        self.shape: Shape = ()
        self.by_cells = [view for view in scene.actions if view.cells and not view.group]
        self.by_name = [view for view in scene.actions if not view.cells]
        self.by_group: dict[str, dict[frozenset[int], ActionView]] = {}
        for view in scene.actions:
            if view.group and view.cells:
                self.by_group.setdefault(view.group, {})[frozenset(view.cells)] = view

    def clear(self) -> None:
        """Clear the touched cells."""
        self.touched = ()

    def let_go(self) -> None:
        """Drop the piece in hand."""
        self.group, self.shape = "", ()

    # Cell by cell.

    def targets(self) -> set[int]:
        """Return the cells that can be touched next."""
        at = len(self.touched)
        found = {
            view.cells[at]
            for view in self.by_cells
            if len(view.cells) > at and view.cells[:at] == self.touched
        }
        if at == 0:
            for view in self.by_cells:
                found.update(view.also)
        return found

    def touch(self, cell: int) -> Touch:
        """Touch a cell: continue, choose an action, or start again from it."""
        for view in () if self.touched else self.by_cells:
            if cell in view.also:
                return Touch(view.action)
        for touched in dict.fromkeys(((*self.touched, cell), (cell,))):
            matching = [view for view in self.by_cells if view.cells[: len(touched)] == touched]
            if len(matching) == 1 and matching[0].cells == touched:
                self.touched = ()
                return Touch(matching[0].action)
            if matching:
                self.touched = touched
                return Touch()
        touched = (*self.touched, cell)
        self.touched = ()
        return Touch(None, self.why_not(touched))

    def why_not(self, cells: tuple[int, ...]) -> str:
        """Return the rule against touching these cells, in the game's words if it has any."""
        if not self.scene.actions:
            return "it is not your turn"
        reason = self._why_not(cells, "")
        if reason:
            return reason
        cell = self.scene.cells[cells[-1]]
        if len(cells) == 1 and cell.owner == self.scene.actor:
            return f"{cell.label}: it has no legal move now"
        return f"{cell.label}: there is nothing to choose here now"

    # Piece by piece.

    @property
    def groups(self) -> list[str]:
        """The pieces that fit somewhere."""
        return list(self.by_group)

    def pick(self, group: str) -> bool:
        """Take a piece in hand; return whether it fits anywhere."""
        if group not in self.by_group:
            return False
        if group != self.group:
            self.group = group
            view = next(iter(self.by_group[group].values()))
            self.shape = self.shape_of(view.cells)
        return True

    def pick_letter(self, letter: str) -> bool:
        """Take the next piece whose name begins with this letter; return whether there is one."""
        names = [name for name in self.groups if name.lower().startswith(letter.lower())]
        if not names:
            return False
        at = names.index(self.group) + 1 if self.group in names else 0
        return self.pick(names[at % len(names)])

    def pick_next(self, step: int) -> None:
        """Take the next or previous piece that fits somewhere."""
        names = self.groups
        if names:
            at = names.index(self.group) + step if self.group in names else 0
            self.pick(names[at % len(names)])

    def turn(self) -> None:
        """Rotate the piece in hand clockwise."""
        self.shape = turned(self.shape) if self.shape else self.shape

    def flip(self) -> None:
        """Flip the piece in hand."""
        self.shape = mirrored(self.shape) if self.shape else self.shape

    def shape_of(self, cells: Iterable[int]) -> Shape:
        """Return the shape of cells of the board."""
        return normalise(divmod(cell, self.scene.board.cols) for cell in cells)

    def ghost(self, cursor: int) -> Ghost | None:
        """Return the piece in hand, held at the cursor, or `None`."""
        if not self.shape:
            return None
        rows, cols = self.scene.board.rows, self.scene.board.cols
        row, col = divmod(cursor, cols)
        at_row, at_col = anchor(self.shape)
        places = [(row + r - at_row, col + c - at_col) for r, c in self.shape]
        inside = tuple(r * cols + c for r, c in places if 0 <= r < rows and 0 <= c < cols)
        if len(inside) < len(places):
            return Ghost(inside, None, "it sticks out of the board")
        view = self.by_group[self.group].get(frozenset(inside))
        if view is not None:
            return Ghost(inside, view.action, "")
        return Ghost(inside, None, self._why_not(inside, self.group) or "it does not fit there")

    def places(self) -> list[int]:
        """Return the cursors where the piece in hand fits in this orientation, in reading order."""
        if not self.shape:
            return []
        return sorted(
            self.cursor_for(cells)
            for cells in self.by_group[self.group]
            if self.shape_of(cells) == self.shape
        )

    def cursor_for(self, cells: Iterable[int]) -> int:
        """Return the cursor at which the piece in hand covers these cells."""
        cols = self.scene.board.cols
        at_row, at_col = anchor(self.shape)
        listed = list(cells)
        top = min(cell // cols for cell in listed)
        left = min(cell % cols for cell in listed)
        return (top + at_row) * cols + left + at_col

    def step(self, cursor: int, step: int) -> int | None:
        """Return the next cursor where the piece fits, rotating it if necessary."""
        for _ in range(8):
            places = self.places()
            if places:
                later = [place for place in places if place > cursor]
                earlier = [place for place in places if place < cursor]
                if step > 0:
                    return (later or places)[0]
                return (earlier or places)[-1]
            self.turn()
            if _ == 3:
                self.flip()
        return None
