"""The parameters of the rules of Blokus: the board, the colours and their seats."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from parlour.core.game import Game, State
from parlour.core.options import Value
from parlour.core.scene import Board
from parlour.games.blokus.pieces import PIECE_NAMES, SHAPES
from parlour.games.blokus.tables import tables

PIECES: Final = 21

NOBODY: Final = -1
"""The value of the colour to move after the end."""

SHARED: Final = -1
"""The seat of a colour that all seats play in turn."""


def column_name(col: int) -> str:
    """Return the letter of a column: `a` for column 0."""
    return chr(ord("a") + col)


@mypyc_attr(allow_interpreted_subclasses=True)
class BlokusRuleset(Game):
    """A game of Blokus without texts and scenes."""

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
        """Take, for each colour, its starting cell, its seat (or SHARED), and its name."""
        board = tables(side)
        rows = tuple([str(side - row) for row in range(side)])
        super().__init__(
            name="blokus",
            title=title,
            seats=seats,
            num_actions=board.count,
            max_plies=PIECES * len(starts),
            options=options,
            board=Board(
                side,
                side,
                rows,
                tuple([column_name(col) for col in range(side)]),
                pieces=tuple(zip(PIECE_NAMES, SHAPES, strict=True)),
            ),
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
        """Return the state with these cells. Raises `InvalidState` if it is impossible.

        `cells` are in reading order, each 0 or a colour counted from 1. `mover` is the colour to
        move, counted from 0, or NOBODY. `small` has a bit for each colour that placed all its
        pieces with I1 last.
        """
