"""Two heaps: an example of a game in which a seat without a move passes."""

import re

from parlour import OVER, Actions, Game, Result, Scene, SeatView, State, StateTextError
from parlour.options import check_options

PASS = 2


class TwoHeaps(Game):
    """Take one or two stones from your own heap; the last stone of all wins."""

    def __init__(self, **options):
        values = check_options("two_heaps", (), options)
        super().__init__(
            name="two_heaps",
            title="Two Heaps",
            seats=2,
            num_actions=3,
            max_plies=14,
            options=values,
        )

    def start(self, seed=0):
        return Heaps(self, (3, 5), 0)

    def action_to_text(self, state, action):
        return ("one", "two", "pass")[action]

    def state_to_text(self, state):
        return f"{state.heaps[0]} {state.heaps[1]} {state.seat}"

    def state_from_text(self, text):
        if not re.fullmatch("[0-3] [0-5] [01]", text):
            raise StateTextError("write two heaps and the seat: 3 5 0")
        first, second, seat = map(int, text.split())
        return Heaps(self, (first, second), seat)

    def scene(self, state, seat):
        return Scene((), tuple(SeatView(score=str(heap)) for heap in state.heaps), "Take or pass.")


class Heaps(State):
    def __init__(self, game, heaps, seat):
        super().__init__(game)
        self.heaps, self.seat = heaps, seat

    @property
    def actor(self):
        return self.seat if any(self.heaps) else OVER

    def legal_actions(self):
        if self.actor == OVER:
            return Actions([])
        return Actions(range(min(2, self.heaps[self.seat])) or [PASS])

    def apply(self, action):
        heaps = list(self.heaps)
        heaps[self.seat] -= 0 if action == PASS else action + 1
        return Heaps(self.game, tuple(heaps), 1 - self.seat)

    def result(self):
        won = 1.0 if self.seat == 1 else -1.0
        return None if any(self.heaps) else Result((won, -won), None, "took the last stone")

    def key(self):
        return (self.heaps, self.seat)
