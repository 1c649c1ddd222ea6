"""Scouts: an example of a game with hidden tokens, moves from cell to cell, and draws."""

import re

from parlour import (
    CHANCE,
    OVER,
    Actions,
    ActionTextError,
    ActionView,
    Board,
    Cell,
    Game,
    Result,
    Scene,
    SeatView,
    State,
    StateTextError,
    fold_seed,
)
from parlour.core.options import check_options, integer

ROWS, COLS = 2, 3
CELLS = ROWS * COLS
EACH = CELLS // 2


def name(cell):
    return f"{'abc'[cell % COLS]}{cell // COLS + 1}"


def near(one, two):
    return abs(one // COLS - two // COLS) + abs(one % COLS - two % COLS) == 1


class Scouts(Game):
    """Turn a token over, or move your own to a neighbouring cell, taking what is there."""

    OPTIONS = (integer("turns", 30, 1, 200, "turns until it is a tie"),)
    DRAW_OFFERS = True

    def __init__(self, **options):
        values = check_options("scouts", self.OPTIONS, options)
        super().__init__(
            name="scouts",
            title="Scouts",
            seats=2,
            num_actions=CELLS + CELLS**2,
            max_plies=values["turns"],
            options=values,
            has_chance=True,
            board=Board(ROWS, COLS, ("1", "2"), ("a", "b", "c")),
        )

    def start(self, seed=0):
        fold_seed(seed)
        return ScoutsState(self, "?" * CELLS, 0, -1, (EACH, EACH))

    def action_to_text(self, state, action):
        if state.actor == CHANCE:
            return f"={'AB'[action]}"
        if action < CELLS:
            return name(action)
        return "-".join(name(cell) for cell in divmod(action - CELLS, CELLS))

    def action_from_text(self, state, text):
        word = text.strip()
        ids = state.legal_actions() if state.actor == CHANCE else range(self.num_actions)
        for action in ids:
            if self.action_to_text(state, action) == word:
                return action
        raise ActionTextError(f"{word[:20]!r} is not an action: a1 turns over, a1-b1 moves")

    def state_to_text(self, state):
        down = "".join(map(str, state.down))
        return f"{state.board} turn {state.turns} flipping {state.flipping} down {down}"

    def state_from_text(self, text):
        match = re.fullmatch(r"([AB.?]{6}) turn ([0-9]+) flipping (-1|[0-5]) down (\d)(\d)", text)
        if match is None or int(match[2]) > self.max_plies:
            raise StateTextError(f"no position: {text[:20]!r}")
        down = (int(match[4]), int(match[5]))
        if sum(down) != match[1].count("?"):
            raise StateTextError("the tokens that are face-down are miscounted")
        return ScoutsState(self, match[1], int(match[2]), int(match[3]), down)

    def action_view(self, state, action):
        cells = () if state.actor == CHANCE else touched(action)
        return ActionView(action, self.action_to_text(state, action), cells)

    def action_at(self, state, cells, group=""):
        if len(cells) == 2:
            return CELLS + cells[0] * CELLS + cells[1]
        return cells[0] if len(cells) == 1 else None

    def seat_names(self, state):
        return ("one", "two")

    def scene(self, state, seat):
        kinds = {
            ".": Cell("·", "empty"),
            "?": Cell("?", "face-down", marks=("face-down",)),
            "A": Cell("A", "a token of one", 0),
            "B": Cell("B", "a token of two", 1),
        }
        return Scene(
            cells=tuple(kinds[sign] for sign in state.board),
            seats=tuple(SeatView(score=f"{state.tokens(seat)} tokens") for seat in (0, 1)),
            status="Over." if state.actor == OVER else f"Turn {state.turns + 1}.",
        )


def touched(action):
    return (action,) if action < CELLS else divmod(action - CELLS, CELLS)


class ScoutsState(State):
    def __init__(self, game, board, turns, flipping, down):
        super().__init__(game)
        self.board = board
        self.turns = turns
        self.flipping = flipping
        self.down = down

    def tokens(self, seat):
        return self.board.count("AB"[seat]) + self.down[seat]

    @property
    def seat(self):
        return self.turns % 2

    def is_over(self):
        return (
            self.turns >= self.game.max_plies
            or 0 in (self.tokens(0), self.tokens(1))
            or not self.moves()
        )

    @property
    def actor(self):
        if self.flipping >= 0:
            return CHANCE
        return OVER if self.is_over() else self.seat

    def moves(self):
        return [a for a in range(self.game.num_actions) if self.broken_rule(a) is None]

    def broken_rule(self, action):
        own = "AB"[self.seat]
        if action < CELLS:
            return None if self.board[action] == "?" else "there is nothing to turn over"
        start, to = divmod(action - CELLS, CELLS)
        if self.board[start] != own:
            return "that is no token of yours"
        if not near(start, to):
            return "a token moves to a neighbouring cell"
        if self.board[to] in (own, "?"):
            return "that cell is taken"
        return None

    def legal_actions(self):
        if self.flipping >= 0:
            return Actions(seat for seat in (0, 1) if self.down[seat])
        return Actions([] if self.actor == OVER else self.moves())

    def rule_against(self, action):
        return self.broken_rule(action)

    def chance_outcomes(self):
        if self.flipping < 0:
            return []
        total = sum(self.down)
        return [(seat, self.down[seat] / total) for seat in (0, 1) if self.down[seat]]

    def apply(self, action):
        board = list(self.board)
        if self.flipping >= 0:
            board[self.flipping] = "AB"[action]
            down = tuple(n - (seat == action) for seat, n in enumerate(self.down))
            return ScoutsState(self.game, "".join(board), self.turns + 1, -1, down)
        if action < CELLS:
            return ScoutsState(self.game, self.board, self.turns, action, self.down)
        start, to = divmod(action - CELLS, CELLS)
        board[to], board[start] = board[start], "."
        return ScoutsState(self.game, "".join(board), self.turns + 1, -1, self.down)

    def result(self):
        if self.actor != OVER:
            return None
        value = float((self.tokens(1) == 0) - (self.tokens(0) == 0))
        return Result((value, -value), None, "all taken" if value else "out of turns")

    def evaluate(self, seat):
        lead = (self.tokens(seat) - self.tokens(1 - seat)) / CELLS
        return lead if self.result() is None else self.result().returns[seat]

    def key(self):
        return (self.board, self.turns, self.flipping, self.down)
