"""Yavalath: an example of a hexagonal board, cut out of a rhombus by holes."""

import re

from parlour import (
    HOLE,
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
NAMES = ("white", "black")
SIGNS = "XO"
LINES = ((0, 1), (1, 0), (1, -1))
KINDS = {
    ".": Cell("·", "empty"),
    "X": Cell("X", "white", 0, "white"),
    "O": Cell("O", "black", 1, "black"),
    "#": HOLE,
}


class Yavalath(Game):
    """Four of your own in a row win, but three in a row without a fourth lose."""

    OPTIONS = (integer("side", 3, 2, 5, "cells along each of the six sides"),)

    def __init__(self, **options):
        values = check_options("yavalath", self.OPTIONS, options)
        side = values["side"]
        self.width = width = 2 * side - 1
        self.holes = tuple(
            row * width + col
            for row in range(width)
            for col in range(width)
            if not side - 1 <= row + col <= 3 * (side - 1)
        )
        super().__init__(
            name="yavalath",
            title="Yavalath",
            seats=2,
            num_actions=width**2,
            max_plies=width**2 - len(self.holes),
            options=values,
            board=Board(
                width,
                width,
                tuple(str(row + 1) for row in range(width)),
                tuple(LETTERS[:width]),
                shape="hex",
                holes=self.holes,
            ),
        )

    def start(self, seed=0):
        fold_seed(seed)
        cells = ("#" if cell in self.holes else "." for cell in range(self.width**2))
        return YavalathState(self, "".join(cells))

    def action_to_text(self, state, action):
        row, col = divmod(action, self.width)
        return f"{LETTERS[col]}{row + 1}"

    def action_from_text(self, state, text):
        match = re.fullmatch(r"([a-i])([1-9])", text.strip())
        col = LETTERS[: self.width].find(match[1]) if match else -1
        if match is None or col < 0 or int(match[2]) > self.width:
            raise ActionTextError(f"{text.strip()[:20]!r} is not a cell: a letter and a number are")
        return (int(match[2]) - 1) * self.width + col

    def state_to_text(self, state):
        return state.stones

    def state_from_text(self, text):
        start = self.start().stones
        if len(text) != len(start) or not set(text) <= set(".#XO"):
            raise StateTextError(f"expected {len(start)} signs of . # X O, not {text[:20]!r}")
        if any((sign == "#") != (hole == "#") for sign, hole in zip(text, start, strict=True)):
            raise StateTextError("the holes, #, are not where they belong")
        if not 0 <= text.count("X") - text.count("O") <= 1:
            raise InvalidState("white has as many stones as black, or one more")
        state = YavalathState(self, text)
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
        cells = tuple(KINDS[sign] for sign in state.stones)
        return Scene(cells, (SeatView(), SeatView()), status)


class YavalathState(State):
    def __init__(self, game, stones):
        super().__init__(game)
        self.stones = stones
        self.is_over = "." not in stones or self.longest(1 - self.seat) > 2

    @property
    def seat(self):
        return self.stones.count("X") - self.stones.count("O")

    @property
    def actor(self):
        return OVER if self.is_over else self.seat

    def longest(self, seat):
        """How many stones of that seat stand in one row at most."""
        return max(
            self.run(cell, line, SIGNS[seat]) for cell in range(len(self.stones)) for line in LINES
        )

    def run(self, cell, line, sign):
        row, col = divmod(cell, self.game.width)
        count = 0
        while row < self.game.width and 0 <= col < self.game.width:
            if self.stones[row * self.game.width + col] != sign:
                break
            count += 1
            row, col = row + line[0], col + line[1]
        return count

    def legal_actions(self):
        if self.actor == OVER:
            return Actions([])
        return Actions(cell for cell, sign in enumerate(self.stones) if sign == ".")

    def rule_against(self, action):
        if self.stones[action] == "#":
            return "there is no cell"
        return None if self.stones[action] == "." else "a stone lies there already"

    def apply(self, action):
        stones = self.stones[:action] + SIGNS[self.seat] + self.stones[action + 1 :]
        return YavalathState(self.game, stones)

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
