"""My Game: an example to replace with your own rules.

1. Two seats take turns to place a stone on an empty cell.
2. The first to have four stones in a row, across, down or diagonal, wins.
3. If no cell is empty and neither has four in a row, the game is a draw.
4. The seed blocks pairs of opposite cells, so that neither seat has an advantage.

Cells are numbered in reading order: 0 is a1, 1 is b1, and so on.
"""

import parlour
from parlour import OVER, Actions, ActionView, Cell, Game, Guide, Result, Rng, Scene, State, grids
from parlour.options import check_options, integer

IN_A_ROW = 4
NAMES = ("red", "blue")
STONES = "xo"
CELLS = {
    ".": Cell("·", "empty"),
    "x": Cell("X", "a red stone", 0, "red"),
    "o": Cell("O", "a blue stone", 1, "blue"),
    "-": Cell("▒", "blocked", marks=("wall",)),
}


class MyGame(Game["Position"]):
    """The game: its options, its start, its texts and its scene."""

    OPTIONS = (
        integer("size", 6, 4, 12, "rows and columns"),
        integer("blocked", 2, 0, 4, "pairs of cells that the seed blocks"),
    )

    def __init__(self, **options: object) -> None:
        values = check_options("my_game", self.OPTIONS, options)
        board = grids.board(values["size"], values["size"])
        self.lines = grids.lines(board, IN_A_ROW)
        super().__init__(
            name="my_game",
            title="My Game",
            seats=2,
            num_actions=board.size,
            max_plies=board.size,
            options=values,
            board=board,
        )

    def start(self, seed: int = 0) -> "Position":
        rng = Rng(seed)
        free = list(grids.half(self.board))
        blocked = [free.pop(rng.below(len(free))) for _ in range(self.options["blocked"])]
        return Position(self, grids.symmetric(self.board, dict.fromkeys(blocked, "-")))

    def guide(self) -> Guide:
        return Guide(
            self,
            f"Place a stone on an empty cell. The first to have {IN_A_ROW} stones in a row, "
            "across, down or diagonal, wins.",
        )

    def state_to_text(self, state: "Position") -> str:
        return grids.board_to_text(self.board, state.signs)

    def state_from_text(self, text: str) -> "Position":
        state = Position(self, grids.board_from_text(self.board, text, CELLS))
        if state.signs.count("x") - state.signs.count("o") not in (0, 1):
            raise parlour.InvalidState("red must have as many stones as blue, or one more")
        if state.won[state.seat]:
            raise parlour.InvalidState(f"{NAMES[state.seat]} has won and cannot be to move")
        return state

    def action_to_text(self, state: "Position", action: int) -> str:
        return grids.cell_to_text(self.board, action)

    def action_from_text(self, state: "Position", text: str) -> int:
        return grids.cell_from_text(self.board, text)

    def action_view(self, state: "Position", action: int) -> ActionView:
        return ActionView(action, self.action_to_text(state, action), (action,))

    def action_at(self, state: "Position", cells: tuple[int, ...], group: str = "") -> int | None:
        return cells[0] if len(cells) == 1 else None

    def seat_names(self, state: "Position") -> tuple[str, ...]:
        return NAMES

    def scene(self, state: "Position", seat: int | None) -> Scene:
        if state.won[1 - state.seat]:
            status = f"{NAMES[1 - state.seat]} wins."
        else:
            status = "a draw." if state.has_ended else f"{NAMES[state.seat]} to move."
        return grids.scene(state, lambda cell: CELLS[state.signs[cell]], status.capitalize())


class Position(State):
    """A position and its rules. It never changes: `apply` makes the next one."""

    def __init__(self, game: MyGame, signs: str) -> None:
        super().__init__(game)
        self.signs = signs
        self.seat = (signs.count("x") + signs.count("o")) % 2
        self.won = tuple(game.lines.has(signs, stone) for stone in STONES)
        self.has_ended = "." not in signs or self.won[1 - self.seat]

    @property
    def actor(self) -> int:
        return OVER if self.has_ended else self.seat

    def legal_actions(self) -> Actions:
        if self.has_ended:
            return Actions([])
        return Actions(cell for cell, sign in enumerate(self.signs) if sign == ".")

    def rule_against(self, action: int) -> str | None:
        return None if self.signs[action] == "." else "that cell is not empty"

    def apply(self, action: int) -> "Position":
        return Position(self.game, grids.placed(self.signs, {action: STONES[self.seat]}))

    def result(self) -> Result | None:
        if not self.has_ended:
            return None
        if not self.won[1 - self.seat]:
            return Result((0.0, 0.0), None, "the board is full")
        value = 1.0 if self.seat == 1 else -1.0
        return Result((value, -value), None, f"{IN_A_ROW} in a row")

    def key(self) -> str:
        return self.signs
