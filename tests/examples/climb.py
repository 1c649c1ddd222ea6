"""Four climbers: an example of a game with four seats, places and scores."""

import re

from parlour import (
    OVER,
    Actions,
    Board,
    Cell,
    Game,
    Heuristics,
    Result,
    Rng,
    Scene,
    SeatView,
    State,
    StateTextError,
    estimate,
)
from parlour.options import check_options, integer

SEATS = 4
STEPS = 4


class Climb(Game):
    """In turn each climbs 0 to 3 steps, from a height that the seed gives; the highest wins."""

    OPTIONS = (integer("rounds", 2, 1, 9, "turns of each climber"),)

    def __init__(self, **options):
        values = check_options("climb", self.OPTIONS, options)
        super().__init__(
            name="climb",
            title="Climb",
            seats=SEATS,
            num_actions=STEPS,
            max_plies=SEATS * values["rounds"],
            options=values,
            board=Board(1, SEATS, ("height",), ("1", "2", "3", "4")),
        )

    def heuristics(self):
        return ClimbHeuristics(self)

    def start(self, seed=0):
        rng = Rng(seed)
        return ClimbState(self, tuple(rng.below(2) for _ in range(SEATS)), 0)

    def state_to_text(self, state):
        return f"{' '.join(map(str, state.heights))} turn {state.turn}"

    def state_from_text(self, text):
        match = re.fullmatch(r"(\d{1,3}) (\d{1,3}) (\d{1,3}) (\d{1,3}) turn (\d{1,3})", text)
        if match is None or int(match[5]) > self.max_plies:
            raise StateTextError(f"expected '0 1 0 1 turn 0', not {text!r}")
        heights = tuple(int(match[number]) for number in range(1, 5))
        return ClimbState(self, heights, int(match[5]))

    def seat_names(self, state):
        return tuple(f"climber {seat + 1}" for seat in range(SEATS))

    def scene(self, state, seat):
        cells = tuple(Cell(str(h % 100), f"{h} up", i) for i, h in enumerate(state.heights))
        return Scene(cells, (SeatView(),) * SEATS, f"Turn {state.turn + 1}.")


class ClimbState(State):
    def __init__(self, game, heights, turn):
        super().__init__(game)
        self.heights = heights
        self.turn = turn

    @property
    def actor(self):
        return self.turn % SEATS if self.turn < self.game.max_plies else OVER

    def legal_actions(self):
        return Actions([] if self.actor == OVER else range(STEPS))

    def apply(self, action):
        heights = list(self.heights)
        heights[self.turn % SEATS] += action
        return ClimbState(self.game, tuple(heights), self.turn + 1)

    def _returns(self):
        """The first place is worth 1, the last -1; equals share."""
        return tuple(
            sum((own > other) - (own < other) for other in self.heights) / (SEATS - 1)
            for own in self.heights
        )

    def result(self):
        if self.actor != OVER:
            return None
        return Result(self._returns(), tuple(map(float, self.heights)), "all have climbed")

    def key(self):
        return (self.heights, self.turn)


class ClimbHeuristics(Heuristics):
    def evaluate(self, state, seat):
        value = state._returns()[seat]
        return value if state.actor == OVER else estimate(value)
