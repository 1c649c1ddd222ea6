"""What the rules of Blokus need to know of a game: the board, the colours and who plays them."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from parlour.core.game import Game, State
from parlour.core.options import Value
from parlour.core.scene import Board
from parlour.games.blokus.tables import tables

PIECES: Final = 21

NOBODY: Final = -1
"""Instead of a colour to lay: the game is over."""

SHARED: Final = -1
"""Instead of a seat: all seats play this colour in turn."""


def column_name(col: int) -> str:
    """`a` for column 0."""
    return chr(ord("a") + col)


@mypyc_attr(allow_interpreted_subclasses=True)
class BlokusRuleset(Game):
    """A game of Blokus without its text forms and its scenes."""

    def __init__(
        self,
        title: str,
        options: Mapping[str, Value],
        side: int,
        starts: tuple[tuple[int, int], ...],
        seats: int,
        players: tuple[int, ...],
        colour_names: tuple[str, ...],
    ) -> None:
        """Per colour its starting cell, the seat that plays it or SHARED, and its name."""
        board = tables(side)
        rows = tuple([str(side - row) for row in range(side)])
        super().__init__(
            name="blokus",
            title=title,
            seats=seats,
            num_actions=board.count,
            max_plies=PIECES * len(starts),
            options=options,
            board=Board(side, side, rows, tuple([column_name(col) for col in range(side)])),
            faces=colour_names,
        )
        self.tables: Final = board
        self.side: Final = side
        self.starts: Final = starts
        self.players: Final = tuple(players)
        self._players: Final[vec[i64]] = vec[i64](players)
        self.colour_names: Final = colour_names
        self.colours: Final[i64] = len(starts)

    @abstractmethod
    def position(self, cells: bytes, mover: int, small: int) -> State:
        """The state with these cells; `InvalidState` if it cannot be.

        `cells` in reading order, 0 or a colour counted from 1; `mover` is the colour to
        lay, counted from 0, or NOBODY; `small` has a bit for each colour that laid all its
        pieces and I1 last.
        """
