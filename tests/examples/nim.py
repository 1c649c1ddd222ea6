"""Nim with one heap: an example of a game in plain Python, in one file."""

import re

from parlour import (
    OVER,
    Actions,
    ActionView,
    Board,
    Cell,
    Game,
    Result,
    Scene,
    SeatView,
    State,
    StateTextError,
)
from parlour.options import check_options, integer


class Nim(Game):
    """Take one to three; taking the last one wins."""

    OPTIONS = (integer("heap", 10, 1, 1000, "how many there are at the start"),)

    def __init__(self, **options):
        values = check_options("nim", self.OPTIONS, options)
        heap = values["heap"]
        super().__init__(
            name="nim",
            title="Nim",
            seats=2,
            num_actions=3,
            max_plies=heap,
            options=values,
            board=Board(1, heap, ("",), tuple(str(stone + 1) for stone in range(heap))),
        )

    def start(self, seed=0):
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

    def action_view(self, state, action):
        """By the leftmost of the stones that are taken from the right."""
        return ActionView(action, f"take{action + 1}", (state.heap - action - 1,))

    def scene(self, state, seat):
        stones = (Cell("o", "a stone"),) * state.heap
        gone = (Cell(".", "no stone"),) * (self.options["heap"] - state.heap)
        return Scene(stones + gone, (SeatView(), SeatView()), f"{state.heap} left.")


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
