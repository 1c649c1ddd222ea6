"""My Game: Connect Four, as an example to replace with your own rules.

1. Two seats take turns to drop a stone into one of seven columns; it falls to the lowest free cell.
2. Four stones in a row, straight or diagonal, win.
3. If all 42 cells are taken without four in a row, the game is a draw.

Cells in reading order:

     0  1  2  3  4  5  6
     7  8  9 10 11 12 13
    14 15 16 17 18 19 20
    21 22 23 24 25 26 27
    28 29 30 31 32 33 34
    35 36 37 38 39 40 41
     a  b  c  d  e  f  g
"""

from typing import Final

import parlour
from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr, u8
from parlour import OVER, ActionView, Cell, Guide, Result, Rng, Scene, grids

# Import base classes from the module that defines them: mypyc finds them nowhere else.
from parlour.core.game import Game, State
from parlour.options import check_options

ROWS: Final = 6
COLS: Final = 7
CELLS: Final = ROWS * COLS
SIGNS: Final = ".xo"
BOARD: Final = grids.board(ROWS, COLS, first_row="bottom")
KINDS: Final = (
    Cell("·", "empty"),
    Cell("X", "a red stone", 0, "red"),
    Cell("O", "a yellow stone", 1, "yellow"),
)


@mypyc_attr(native_class=False)
class MyGame(Game):
    """The game: its start, its texts and its scene."""

    def __init__(self, **options: object) -> None:
        super().__init__(
            name="my_game",
            title="My Game",
            seats=2,
            num_actions=COLS,
            max_plies=CELLS,
            options=check_options("my_game", self.OPTIONS, options),
            board=BOARD,
        )

    def start(self, seed: object = 0) -> "Position":
        return position(self, Stones(vec[u8]([0] * CELLS), vec[u8]([0] * COLS), 0, False))

    def action_to_text(self, state: State, action: int) -> str:
        return BOARD.col_names[action]

    def action_from_text(self, state: State, text: str) -> int:
        return grids.column_from_text(BOARD, text)

    def action_view(self, state: State, action: int) -> ActionView:
        """Choose a column by the cell where the stone comes to rest, or by any other cell of it."""
        assert isinstance(state, Position)
        rest = state.stones.lowest(action)
        also = [cell for cell in range(action, CELLS, COLS) if cell != rest]
        return ActionView(action, BOARD.col_names[action], (rest,), also=tuple(also))

    def action_at(self, state: State, cells: tuple[int, ...], group: str = "") -> int | None:
        """Return the column of the cell, full or not."""
        if len(cells) != 1 or group or not 0 <= cells[0] < CELLS:
            return None
        return cells[0] % COLS

    def seat_names(self, state: State) -> tuple[str, ...]:
        return ("Red", "Yellow")

    def guide(self) -> Guide:
        return Guide(
            self,
            "Drop a stone into a column; it falls to the lowest free cell. Four stones in a row, "
            "straight or diagonal, win.",
        )

    def state_to_text(self, state: State) -> str:
        """Write six rows of `.`, `x` (the first seat) and `o`, from the top."""
        assert isinstance(state, Position)
        return grids.board_to_text(BOARD, [SIGNS[stone] for stone in state.stones.cells])

    def state_from_text(self, text: str) -> "Position":
        signs = grids.board_from_text(BOARD, text, SIGNS)
        heights = []
        for col in range(COLS):
            stones = signs[col::COLS].lstrip(".")
            if "." in stones:
                raise parlour.InvalidState(f"column {BOARD.col_names[col]} has a gap below a stone")
            heights.append(u8(len(stones)))
        first, second = signs.count("x"), signs.count("o")
        if first - second not in (0, 1):
            raise parlour.InvalidState("x must have as many stones as o, or one more")
        cells = vec[u8]([u8(SIGNS.index(sign)) for sign in signs])
        winners = {signs[cell] for cell in range(CELLS) if cells[cell] and has_four(cells, cell)}
        if winners - {"x" if first > second else "o"}:
            raise parlour.InvalidState("the game was over before the last stone")
        turn = first + second
        return position(self, Stones(cells, vec[u8](heights), turn, bool(winners)))

    def scene(self, state: State, seat: int | None) -> Scene:
        assert isinstance(state, Position)
        result = state.result()
        names = self.seat_names(state)
        if result is None:
            status = f"{names[state.actor]} drops a stone."
        elif result.returns[0] == 0.0:
            status = "A draw."
        else:
            status = f"{names[0 if result.returns[0] > 0.0 else 1]} wins."
        return grids.scene(state, state.stones.drawn, status)


@mypyc_attr(native_class=False)
class Position(State):
    """The position as Parlour sees it; `position` makes one.

    `stones`, whose class is native, does the work.
    """

    stones: "Stones"

    @property
    def actor(self) -> i64:
        return self.stones.actor()

    def legal_actions(self) -> vec[i64]:
        return self.stones.legal_actions()

    def apply(self, action: i64) -> "Position":
        return position(self.game, self.stones.dropped(action))

    def playout(self, rng: Rng, limit: i64) -> "tuple[Position, i64]":
        """Play a whole game in one call, because calls from Parlour are slow."""
        start = self.stones
        end = start.played_on(rng, limit)
        return position(self.game, end), end.turn - start.turn

    def rule_against(self, action: i64) -> str | None:
        is_full = self.stones.heights[action] == ROWS
        return f"column {BOARD.col_names[action]} is full" if is_full else None

    def result(self) -> Result | None:
        return self.stones.result()

    def key(self) -> object:
        return bytes([int(stone) for stone in self.stones.cells])


def position(game: Game, stones: "Stones") -> Position:
    """Make a state without defining `__init__`, which would take twice as long."""
    state = Position(game)
    state.stones = stones
    return state


FIRST_WINS: Final = Result((1.0, -1.0), None, "four in a row")
SECOND_WINS: Final = Result((-1.0, 1.0), None, "four in a row")
DRAW: Final = Result((0.0, 0.0), None, "the board is full")


class Stones:
    """A position. The class is native because all its bases are in this module."""

    def __init__(self, cells: vec[u8], heights: vec[u8], turn: i64, is_won: bool) -> None:
        self.cells = cells
        """0 is empty, 1 a stone of the first seat, 2 of the second."""
        self.heights = heights
        self.turn = turn
        self.is_won = is_won

    def actor(self) -> i64:
        return OVER if self.is_won or self.turn == CELLS else self.turn % 2

    def legal_actions(self) -> vec[i64]:
        found = vec[i64]()
        if self.actor() != OVER:
            for col in range(COLS):
                if self.heights[col] < ROWS:
                    found = append(found, col)
        return found

    def drawn(self, cell: int) -> Cell:
        return KINDS[self.cells[cell]]

    def lowest(self, col: i64) -> i64:
        """Return the cell where a stone in that column comes to rest."""
        return (ROWS - 1 - i64(self.heights[col])) * COLS + col

    def dropped(self, col: i64) -> "Stones":
        """Return the position with one more stone."""
        cells, heights = self.cells[:], self.heights[:]
        cell = self.lowest(col)
        cells[cell] = u8(1 + self.turn % 2)
        heights[col] += 1
        return Stones(cells, heights, self.turn + 1, has_four(cells, cell))

    def played_on(self, rng: Rng, limit: i64) -> "Stones":
        """Play at random to the end, or for `limit` stones; draw exactly as `sample` does."""
        cells, heights = self.cells[:], self.heights[:]
        turn, is_won = self.turn, self.is_won
        last = min(CELLS, turn + limit)
        free = vec[i64]([col for col in range(COLS) if heights[col] < ROWS])
        count: i64 = len(free)
        while turn < last and not is_won:
            drawn = rng.below(count)
            col = free[drawn]
            height = i64(heights[col])
            cell = (ROWS - 1 - height) * COLS + col
            cells[cell] = u8(1 + turn % 2)
            heights[col] = u8(height + 1)
            if height + 1 == ROWS:
                count -= 1
                while drawn < count:
                    free[drawn] = free[drawn + 1]
                    drawn += 1
            is_won = has_four(cells, cell)
            turn += 1
        return Stones(cells, heights, turn, is_won)

    def result(self) -> Result | None:
        if self.is_won:
            return FIRST_WINS if self.turn % 2 == 1 else SECOND_WINS
        return DRAW if self.turn == CELLS else None


def has_four(cells: vec[u8], cell: i64) -> bool:
    """Whether the stone on that cell is part of four in a row."""
    row, col = cell // COLS, cell % COLS
    return (
        in_line(cells, row, col, 1, 0) > 3
        or in_line(cells, row, col, 0, 1) > 3
        or in_line(cells, row, col, 1, 1) > 3
        or in_line(cells, row, col, 1, -1) > 3
    )


def in_line(cells: vec[u8], row: i64, col: i64, down: i64, right: i64) -> i64:
    """Count the equal stones in a row through this cell, in both directions."""
    stone = cells[row * COLS + col]
    count: i64 = 1
    r, c = row + down, col + right
    while 0 <= r < ROWS and 0 <= c < COLS and cells[r * COLS + c] == stone:
        count += 1
        r += down
        c += right
    r, c = row - down, col - right
    while 0 <= r < ROWS and 0 <= c < COLS and cells[r * COLS + c] == stone:
        count += 1
        r -= down
        c -= right
    return count
