"""Nim with one heap, as somebody outside Parlour would add it: plain Python, one file."""

import re

from parlour import (
    OVER,
    Actions,
    ActionView,
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


class Nim(Game):
    """Take one to three; who takes the last one wins."""

    OPTIONS = (integer("heap", 10, 1, 1000, "how many there are at the start"),)

    def __init__(self, **options):
        values = check_options("nim", self.OPTIONS, options)
        super().__init__("nim", "Nim", 2, 3, values["heap"], values)

    def start(self, seed=0):
        fold_seed(seed)
        return NimState(self, self.options["heap"], 0)

    def action_to_text(self, state, action):
        return f"take{action + 1}"

    def state_to_text(self, state):
        return f"{state.heap} left, player {state.seat + 1} to move"

    def state_from_text(self, text):
        match = re.fullmatch(r"([0-9]{1,4}) left, player ([12]) to move", text)
        if match is None or int(match[1]) > self.options["heap"]:
            raise StateTextError(f"expected '5 left, player 1 to move', not {text!r}")
        return NimState(self, int(match[1]), int(match[2]) - 1)

    def scene(self, state, seat):
        mine = seat is None or seat == state.actor
        heap = state.heap
        return Scene(
            rows=1,
            cols=max(1, heap),
            cells=(Cell("o", "a stone"),) * heap or (Cell(".", "no stone"),),
            row_names=("",),
            col_names=tuple(str(n + 1) for n in range(max(1, heap))),
            seats=(SeatView("player 1"), SeatView("player 2")),
            actor=state.actor,
            status=f"{heap} left.",
            actions=tuple(
                ActionView(action, self.action_to_text(state, action), tuple(range(action + 1)))
                for action in (state.legal_actions() if mine else ())
            ),
        )


class NimState(State):
    def __init__(self, game, heap, seat):
        super().__init__(game)
        self.heap = heap
        self.seat = seat

    @property
    def actor(self):
        return self.seat if self.heap else OVER

    def legal_actions(self):
        return Actions(range(min(3, self.heap)))

    def apply(self, action):
        return NimState(self.game, self.heap - action - 1, 1 - self.seat)

    def result(self):
        if self.heap:
            return None
        winner = 1.0 if self.seat == 1 else -1.0
        return Result((winner, -winner), None, "took the last one")

    def key(self):
        return (self.heap, self.seat)
