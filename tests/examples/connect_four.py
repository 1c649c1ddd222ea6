"""Connect Four in one file. `parlour.grids` reads, writes and draws the board."""

from parlour import OVER, Actions, ActionView, Cell, Game, InvalidState, Result, Scene, State, grids
from parlour.options import check_options, integer

NAMES, SIGNS = ("yellow", "red"), "YR"
DISCS = {"Y": Cell("Y", "yellow", 0, "yellow"), "R": Cell("R", "red", 1, "red")}
KINDS = {".": Cell("·", "empty"), **DISCS}


class ConnectFour(Game["ConnectFourState"]):
    """Drop a disc to the lowest empty cell of a column. Four in a row win."""

    OPTIONS = (integer("rows", 6, 4, 9, "cells in a column"), integer("cols", 7, 4, 9, "columns"))

    def __init__(self, **options: object) -> None:
        values = check_options("connect_four", self.OPTIONS, options)
        board = grids.board(values["rows"], values["cols"], first_row="bottom")
        self.lines = grids.lines(board, 4)
        super().__init__(
            name="connect_four",
            title="Connect Four",
            seats=2,
            num_actions=board.cols,
            max_plies=board.size,
            options=values,
            board=board,
        )

    def start(self, seed: int = 0) -> "ConnectFourState":
        return ConnectFourState(self, grids.empty(self.board))

    def state_to_text(self, state: "ConnectFourState") -> str:
        return grids.board_to_text(self.board, state.signs)

    def state_from_text(self, text: str) -> "ConnectFourState":
        state = ConnectFourState(self, grids.board_from_text(self.board, text, KINDS))
        if any("." in state.column(col).lstrip(".") for col in range(self.num_actions)):
            raise InvalidState("a disc drops to the lowest empty cell of its column")
        if state.signs.count("Y") - state.signs.count("R") != state.seat:
            raise InvalidState("yellow must have as many discs as red, or one more")
        if state.won[state.seat]:
            raise InvalidState(f"{NAMES[state.seat]} has won and cannot be to move")
        return state

    def action_to_text(self, state: "ConnectFourState", action: int) -> str:
        return self.board.col_names[action]

    def action_view(self, state: "ConnectFourState", action: int) -> ActionView:
        cells = [*range(action, self.board.size, self.board.cols)]
        lands = cells.pop(state.column(action).rindex("."))
        return ActionView(action, self.board.col_names[action], (lands,), also=tuple(cells))

    def action_at(self, state: State, cells: tuple[int, ...], group: str = "") -> int | None:
        return cells[0] % self.board.cols if len(cells) == 1 else None

    def seat_names(self, state: "ConnectFourState") -> tuple[str, ...]:
        return NAMES

    def scene(self, state: "ConnectFourState", seat: int | None) -> Scene:
        status = "Drop a disc."
        if state.has_ended:
            status = f"{NAMES[state.won[1]]} wins.".capitalize() if any(state.won) else "A draw."
        return grids.scene(state, lambda cell: KINDS[state.signs[cell]], status)


class ConnectFourState(State):
    def __init__(self, game: ConnectFour, signs: str) -> None:
        super().__init__(game)
        self.signs = signs
        self.seat = (signs.count("Y") + signs.count("R")) % 2
        self.won = (game.lines.has(signs, "Y"), game.lines.has(signs, "R"))
        self.has_ended = any(self.won) or "." not in signs

    def column(self, col: int) -> str:
        return self.signs[col :: self.game.board.cols]

    @property
    def actor(self) -> int:
        return OVER if self.has_ended else self.seat

    def legal_actions(self) -> Actions:
        top = "" if self.has_ended else self.signs[: self.game.num_actions]
        return Actions(col for col, sign in enumerate(top) if sign == ".")

    def rule_against(self, action: int) -> str | None:
        return None if "." in self.column(action) else "that column is full"

    def apply(self, action: int) -> "ConnectFourState":
        lands = self.column(action).rindex(".") * self.game.board.cols + action
        return ConnectFourState(self.game, grids.placed(self.signs, {lands: SIGNS[self.seat]}))

    def result(self) -> Result | None:
        value = float(self.won[0] - self.won[1])
        reason = "four in a row" if value else "the board is full"
        return Result((value, 0.0 - value), None, reason) if self.has_ended else None

    def key(self) -> str:
        return self.signs
