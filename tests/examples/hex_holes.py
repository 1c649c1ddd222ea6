"""Yavalath: an example of a hexagonal board, cut out of a rhombus by holes."""

from parlour import (
    OVER,
    Actions,
    ActionView,
    Cell,
    Game,
    InvalidState,
    Result,
    State,
    grids,
)
from parlour.options import check_options, integer

NAMES = ("white", "black")
SIGNS = "XO"
KINDS = {
    ".": Cell("·", "empty"),
    "X": Cell("X", "white", 0, "white"),
    "O": Cell("O", "black", 1, "black"),
}


class Yavalath(Game):
    """Four of your own in a row win, but three in a row without a fourth lose."""

    OPTIONS = (integer("side", 3, 2, 5, "cells along each of the six sides"),)

    def __init__(self, **options):
        values = check_options("yavalath", self.OPTIONS, options)
        side = values["side"]
        width = 2 * side - 1
        holes = [
            row * width + col
            for row in range(width)
            for col in range(width)
            if not side - 1 <= row + col <= 3 * (side - 1)
        ]
        board = grids.board(width, width, shape="hex", holes=holes)
        self.lines = {length: grids.lines(board, length) for length in (3, 4)}
        super().__init__(
            name="yavalath",
            title="Yavalath",
            seats=2,
            num_actions=board.size,
            max_plies=board.size - len(holes),
            options=values,
            board=board,
        )

    def start(self, seed=0):
        return YavalathState(self, grids.empty(self.board))

    def action_to_text(self, state, action):
        return grids.cell_to_text(self.board, action)

    def action_from_text(self, state, text):
        return grids.cell_from_text(self.board, text)

    def state_to_text(self, state):
        return grids.board_to_text(self.board, state.stones)

    def state_from_text(self, text):
        stones = grids.board_from_text(self.board, text, KINDS)
        if not 0 <= stones.count("X") - stones.count("O") <= 1:
            raise InvalidState("white must have as many stones as black, or one more")
        state = YavalathState(self, stones)
        if state.longest(state.seat) > 2:
            raise InvalidState(f"{NAMES[state.seat]} has ended the game, and would be to move")
        return state

    def action_view(self, state, action):
        return ActionView(action, self.action_to_text(state, action), (action,))

    def action_at(self, state, cells, group=""):
        return cells[0] if len(cells) == 1 else None

    def seat_names(self, state):
        return NAMES

    def scene(self, state, seat):
        result = state.result()
        if result is None:
            status = f"{NAMES[state.seat].capitalize()} to move."
        elif result.winner is None:
            status = "The board is full: a draw."
        else:
            status = f"{NAMES[result.winner].capitalize()} wins: {result.reason}."
        return grids.scene(state, lambda cell: KINDS[state.stones[cell]], status)


class YavalathState(State):
    def __init__(self, game, stones):
        super().__init__(game)
        self.stones = stones
        self.has_ended = "." not in stones or self.longest(1 - self.seat) > 2

    @property
    def seat(self):
        return self.stones.count("X") - self.stones.count("O")

    @property
    def actor(self):
        return OVER if self.has_ended else self.seat

    def longest(self, seat):
        """The longest row of that seat: 4, 3, or 2 for anything shorter."""
        for length in (4, 3):
            if self.game.lines[length].has(self.stones, SIGNS[seat]):
                return length
        return 2

    def legal_actions(self):
        if self.actor == OVER:
            return Actions([])
        return Actions(cell for cell, sign in enumerate(self.stones) if sign == ".")

    def rule_against(self, action):
        if self.stones[action] == "#":
            return "that is a hole, not a cell"
        return None if self.stones[action] == "." else "a stone lies there already"

    def apply(self, action):
        return YavalathState(self.game, grids.placed(self.stones, {action: SIGNS[self.seat]}))

    def result(self):
        if self.actor != OVER:
            return None
        mover = 1 - self.seat
        longest = self.longest(mover)
        if longest < 3:
            return Result((0.0, 0.0), None, "the board is full")
        value = 1.0 if (longest > 3) == (mover == 0) else -1.0
        return Result((value, -value), None, f"{longest} in a row")

    def key(self):
        return self.stones
