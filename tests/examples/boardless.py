"""Twenty-one: an example of a game without a board; a position is the list of numbers said."""

import re

from parlour import (
    OVER,
    Actions,
    Game,
    Result,
    Scene,
    SeatView,
    State,
    StateTextError,
)
from parlour.options import check_options, integer

WORDS = ("one", "two", "three")


class TwentyOne(Game):
    """Add one, two or three each turn; reaching the goal loses."""

    OPTIONS = (integer("goal", 21, 1, 99, "the number that loses"),)

    def __init__(self, **options):
        values = check_options("twenty_one", self.OPTIONS, options)
        self.goal = values["goal"]
        super().__init__(
            name="twenty_one",
            title="Twenty-one",
            seats=2,
            num_actions=len(WORDS),
            max_plies=self.goal,
            options=values,
        )

    def start(self, seed=0):
        return TwentyOneState(self, ())

    def action_to_text(self, state, action):
        return WORDS[action]

    def state_to_text(self, state):
        return "said " + (" ".join(map(str, state.said)) or "nothing")

    def state_from_text(self, text):
        match = re.fullmatch(r"said (nothing|[123](?: [123])*)", text)
        if match is None:
            raise StateTextError(f"expected 'said nothing' or 'said 1 3 2', not {text[:20]!r}")
        said = () if match[1] == "nothing" else tuple(map(int, match[1].split()))
        if sum(said) > self.goal or sum(said[:-1]) == self.goal:
            raise StateTextError(f"the game ends at {self.goal}")
        return TwentyOneState(self, said)

    def scene(self, state, seat):
        if state.actor == OVER:
            status = f"{self.goal}: player {2 - state.seat} loses."
        else:
            status = f"The sum is {sum(state.said)}: player {state.seat + 1} adds to it."
        trays = (tuple(map(str, state.said[number::2])) for number in (0, 1))
        return Scene(seats=tuple(SeatView(tray=tray) for tray in trays), status=status)


class TwentyOneState(State):
    def __init__(self, game, said):
        super().__init__(game)
        self.said = said

    @property
    def seat(self):
        return len(self.said) % 2

    @property
    def actor(self):
        return OVER if sum(self.said) == self.game.goal else self.seat

    def legal_actions(self):
        return Actions(range(min(len(WORDS), self.game.goal - sum(self.said))))

    def apply(self, action):
        return TwentyOneState(self.game, (*self.said, action + 1))

    def result(self):
        if self.actor != OVER:
            return None
        value = 1.0 if self.seat == 0 else -1.0
        return Result((value, -value), None, "the other reached the goal")

    def key(self):
        return self.said
