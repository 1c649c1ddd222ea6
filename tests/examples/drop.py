"""Four in a row: an example of actions that every cell of a column chooses."""

import re

from parlour import (
    OVER,
    Actions,
    ActionTextError,
    ActionView,
    Board,
    Cell,
    Game,
    InvalidState,
    Result,
    Scene,
    SeatView,
    State,
    StateTextError,
    fold_seed,
)
from parlour.core.options import check_options, integer

LETTERS = "abcdefghi"
NAMES = ("yellow", "red")
SIGNS = "YR"
LINES = ((0, 1), (1, 0), (1, 1), (1, -1))
KINDS = {
    ".": Cell("·", "empty"),
    "Y": Cell("Y", "yellow", 0, "yellow"),
    "R": Cell("R", "red", 1, "red"),
}


class Drop(Game):
    """A disc drops to the lowest empty cell of its column; four in a row win."""

    OPTIONS = (
        integer("rows", 6, 4, 9, "cells in a column"),
        integer("cols", 7, 4, 9, "columns"),
    )

    def __init__(self, **options):
        values = check_options("drop", self.OPTIONS, options)
        self.rows, self.cols = values["rows"], values["cols"]
        super().__init__(
            name="drop",
            title="Drop",
            seats=2,
            num_actions=self.cols,
            max_plies=self.rows * self.cols,
            options=values,
            board=Board(
                self.rows,
                self.cols,
                tuple(str(self.rows - row) for row in range(self.rows)),
                tuple(LETTERS[: self.cols]),
            ),
        )

    def start(self, seed=0):
        fold_seed(seed)
        return DropState(self, ("",) * self.cols)

    def action_to_text(self, state, action):
        return LETTERS[action]

    def action_from_text(self, state, text):
        word = text.strip()
        if len(word) != 1 or word not in LETTERS[: self.cols]:
            raise ActionTextError(f"{word[:20]!r} is not a column; they are a to {self.last}")
        return LETTERS.index(word)

    @property
    def last(self):
        return LETTERS[self.cols - 1]

    def state_to_text(self, state):
        return " ".join(discs or "-" for discs in state.columns)

    def state_from_text(self, text):
        words = text.split(" ")
        if len(words) != self.cols or not all(re.fullmatch("-|[YR]+", word) for word in words):
            raise StateTextError(f"expected {self.cols} columns like 'YR' or '-', from below")
        state = DropState(self, tuple(word.replace("-", "") for word in words))
        if any(len(discs) > self.rows for discs in state.columns):
            raise InvalidState(f"a column has room for {self.rows} discs")
        discs = "".join(state.columns)
        if not 0 <= discs.count("Y") - discs.count("R") <= 1:
            raise InvalidState("yellow has as many discs as red, or one more")
        if state.has_won(state.seat):
            raise InvalidState(f"{NAMES[state.seat]} has won, and would be to move")
        return state

    def cell(self, col, height):
        return (self.rows - 1 - height) * self.cols + col

    def action_view(self, state, action):
        """By the cell that the disc drops to; every other one of the column does as well."""
        lands = self.cell(action, len(state.columns[action]))
        others = (self.cell(action, height) for height in reversed(range(self.rows)))
        return ActionView(
            action,
            LETTERS[action],
            (lands,),
            also=tuple(cell for cell in others if cell != lands),
        )

    def action_at(self, state, cells, group=""):
        return cells[0] % self.cols if len(cells) == 1 else None

    def seat_names(self, state):
        return NAMES

    def scene(self, state, seat):
        result = state.result()
        if result is None:
            status = f"{NAMES[state.seat].capitalize()} drops a disc."
        elif result.winner is None:
            status = "The board is full: a draw."
        else:
            status = f"{NAMES[result.winner].capitalize()} has four in a row."
        cells = tuple(
            KINDS[state.disc(self.rows - 1 - row, col) or "."]
            for row in range(self.rows)
            for col in range(self.cols)
        )
        return Scene(cells, (SeatView(), SeatView()), status)


class DropState(State):
    def __init__(self, game, columns):
        super().__init__(game)
        self.columns = columns
        self.is_over = not self.open_columns() or self.has_won(1 - self.seat)

    def disc(self, height, col):
        """The disc at that place, or empty."""
        if not 0 <= col < len(self.columns) or not 0 <= height < len(self.columns[col]):
            return ""
        return self.columns[col][height]

    @property
    def seat(self):
        return sum(map(len, self.columns)) % 2

    def has_won(self, seat):
        return any(
            all(self.disc(row + k * up, col + k * right) == SIGNS[seat] for k in range(4))
            for row in range(self.game.rows)
            for col in range(self.game.cols)
            for up, right in LINES
        )

    def open_columns(self):
        return [col for col, discs in enumerate(self.columns) if len(discs) < self.game.rows]

    @property
    def actor(self):
        return OVER if self.is_over else self.seat

    def legal_actions(self):
        return Actions([] if self.actor == OVER else self.open_columns())

    def rule_against(self, action):
        return None if len(self.columns[action]) < self.game.rows else "that column is full"

    def apply(self, action):
        columns = list(self.columns)
        columns[action] += SIGNS[self.seat]
        return DropState(self.game, tuple(columns))

    def result(self):
        if self.actor != OVER:
            return None
        if not self.has_won(1 - self.seat):
            return Result((0.0, 0.0), None, "the board is full")
        value = -1.0 if self.seat == 0 else 1.0
        return Result((value, -value), None, "four in a row")

    def key(self):
        return self.columns
