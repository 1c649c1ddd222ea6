"""Scouts: an example of a game with hidden tokens, moves from cell to cell, and draws."""

import re

from parlour import (
    CHANCE,
    OVER,
    Actions,
    ActionTextError,
    ActionView,
    Cell,
    Game,
    Heuristics,
    Result,
    SeatView,
    State,
    StateTextError,
    grids,
)
from parlour.options import check_options, integer

BOARD = grids.board(2, 3)
CELLS = BOARD.size
EACH = CELLS // 2
KINDS = {
    ".": Cell("·", "empty"),
    "?": Cell("?", "face-down", marks=("face-down",)),
    "A": Cell("A", "a token of one", 0),
    "B": Cell("B", "a token of two", 1),
}


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
            board=BOARD,
        )

    def heuristics(self):
        return ScoutsHeuristics(self)

    def start(self, seed=0):
        return ScoutsState(self, grids.empty(BOARD, "?"), 0, -1, (EACH, EACH))

    def action_to_text(self, state, action):
        if state.actor == CHANCE:
            return f"={'AB'[action]}"
        return "-".join(grids.cell_to_text(BOARD, cell) for cell in touched(action))

    def action_from_text(self, state, text):
        word = text.strip()
        ids = state.legal_actions() if state.actor == CHANCE else range(self.num_actions)
        for action in ids:
            if self.action_to_text(state, action) == word:
                return action
        raise ActionTextError(f"{word[:20]!r} is not an action: a1 turns over, a1-b1 moves")

    def state_to_text(self, state):
        down = "".join(map(str, state.down))
        head = f"turn {state.turns} flipping {state.flipping} down {down}"
        return f"{head}\n{grids.board_to_text(BOARD, state.board)}"

    def state_from_text(self, text):
        head, _, rows = text.partition("\n")
        match = re.fullmatch(r"turn ([0-9]{1,3}) flipping (-1|[0-5]) down (\d)(\d)", head)
        if match is None or int(match[1]) > self.max_plies:
            raise StateTextError(f"expected 'turn 0 flipping -1 down 33', not {head[:20]!r}")
        board = grids.board_from_text(BOARD, rows, KINDS)
        down = (int(match[3]), int(match[4]))
        if sum(down) != board.count("?"):
            raise StateTextError("the tokens that are face-down are miscounted")
        return ScoutsState(self, board, int(match[1]), int(match[2]), down)

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
        seats = [SeatView(score=f"{state.tokens(number)} tokens") for number in (0, 1)]
        status = "Over." if state.actor == OVER else f"Turn {state.turns + 1}."
        return grids.scene(state, lambda cell: KINDS[state.board[cell]], status, seats)


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

    def has_ended(self):
        return (
            self.turns >= self.game.max_plies
            or 0 in (self.tokens(0), self.tokens(1))
            or not self.moves()
        )

    @property
    def actor(self):
        if self.flipping >= 0:
            return CHANCE
        return OVER if self.has_ended() else self.seat

    def moves(self):
        return [a for a in range(self.game.num_actions) if self.broken_rule(a) is None]

    def broken_rule(self, action):
        own = "AB"[self.seat]
        if action < CELLS:
            return None if self.board[action] == "?" else "there is nothing to turn over"
        start, to = touched(action)
        if self.board[start] != own:
            return "that is not your token"
        if to not in grids.neighbours(BOARD, start):
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
        if self.flipping >= 0:
            board = grids.placed(self.board, {self.flipping: "AB"[action]})
            down = tuple(n - (seat == action) for seat, n in enumerate(self.down))
            return ScoutsState(self.game, board, self.turns + 1, -1, down)
        if action < CELLS:
            return ScoutsState(self.game, self.board, self.turns, action, self.down)
        start, to = touched(action)
        board = grids.placed(self.board, {to: self.board[start], start: "."})
        return ScoutsState(self.game, board, self.turns + 1, -1, self.down)

    def result(self):
        if self.actor != OVER:
            return None
        value = float((self.tokens(1) == 0) - (self.tokens(0) == 0))
        return Result((value, -value), None, "all taken" if value else "out of turns")

    def key(self):
        return (self.board, self.turns, self.flipping, self.down)


class ScoutsHeuristics(Heuristics):
    def evaluate(self, state, seat):
        lead = (state.tokens(seat) - state.tokens(1 - seat)) / CELLS
        return lead if state.result() is None else state.result().returns[seat]
