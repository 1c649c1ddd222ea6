"""The placements of Blokus as displays choose them: the same in every position, so kept."""

from functools import cache

from parlour.core.scene import ActionView
from parlour.games.blokus.notation import action_to_text, cell_to_text, cells_of
from parlour.games.blokus.pieces import PIECE_NAMES
from parlour.games.blokus.tables import Tables


class PlacementViews:
    """Each placement's view, made when it is first asked for."""

    def __init__(self, table: Tables) -> None:
        """Nothing is made yet."""
        self._table = table
        self._views: dict[int, ActionView] = {}

    def view(self, action: int) -> ActionView:
        """The cells that a placement covers, under the name of its piece."""
        known = self._views.get(action)
        if known is None:
            table = self._table
            cells = tuple(row * table.side + col for row, col in cells_of(table, action))
            piece = PIECE_NAMES[table.piece(action)]
            known = ActionView(action, action_to_text(table, action), cells, piece)
            self._views[action] = known
        return known

    def words(self, action: int) -> str:
        """`L5 at e14`: the piece, and its first cell in reading order."""
        view = self.view(action)
        side = self._table.side
        return f"{view.group} at {cell_to_text(side, *divmod(view.cells[0], side))}"


@cache
def placement_views(table: Tables) -> PlacementViews:
    """The views of one board; shared by every game on it."""
    return PlacementViews(table)
