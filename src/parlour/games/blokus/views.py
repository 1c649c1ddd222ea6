"""The placements of Blokus as displays choose them: the same in every position, so kept."""

from functools import cache

from parlour.core.scene import ActionView
from parlour.games.blokus.notation import cell_to_text
from parlour.games.blokus.pieces import PIECE_NAMES
from parlour.games.blokus.tables import PlacementTables


class PlacementViews:
    """Each placement's view, made when it is first asked for."""

    def __init__(self, table: PlacementTables) -> None:
        """Nothing is made yet."""
        self._table = table
        self._views: dict[int, ActionView] = {}
        side = int(table.side)
        places = [divmod(cell, side) for cell in range(side * side)]
        self._names = [cell_to_text(side, row, col) for row, col in places]
        # A text has its cells from the bottom row up, each row from the left.
        self._rank = [(side - row) * side + col for row, col in places]
        self._cell_of = {int(table.square(row, col)): row * side + col for row, col in places}

    def view(self, action: int) -> ActionView:
        """The cells that a placement covers, under the name of its piece."""
        known = self._views.get(action)
        if known is None:
            table = self._table
            cells = tuple([self._cell_of[square] for square in table.squares(action)])
            # Looked up, not computed: a scene may have hundreds that nobody has seen before.
            ranked = sorted(cells, key=self._rank.__getitem__)
            text = ",".join([self._names[cell] for cell in ranked])
            known = ActionView(action, text, cells, PIECE_NAMES[table.piece(action)])
            self._views[action] = known
        return known

    def words(self, action: int) -> str:
        """`L5 at e14`: the piece, and its first cell in reading order."""
        view = self.view(action)
        return f"{view.group} at {self._names[view.cells[0]]}"


@cache
def placement_views(table: PlacementTables) -> PlacementViews:
    """The views of one board; shared by every game on it."""
    return PlacementViews(table)
