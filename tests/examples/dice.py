"""A race with a die: an example of a game with chance."""

import re

from parlour import (
    CHANCE,
    OVER,
    Actions,
    ActionTextError,
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

WALK, ROLL = 0, 1
GOAL = 9
ODDS = [(1, 0.5), (4, 0.25), (6, 0.25)]


class Dice(Game):
    """Walk two steps, or roll a loaded die; first past the goal wins. A tie after ten turns."""

    OPTIONS = (integer("turns", 10, 1, 50, "turns until it is a tie"),)

    def __init__(self, **options):
        values = check_options("dice", self.OPTIONS, options)
        super().__init__(
            name="dice",
            title="Dice",
            seats=2,
            num_actions=2,
            max_plies=values["turns"],
            options=values,
            has_chance=True,
            board=Board(1, 2, ("steps",), ("1", "2")),
        )

    def start(self, seed=0):
        return DiceState(self, (0, 0), 0, False)

    def action_to_text(self, state, action):
        if state.actor == CHANCE:
            return f"={action}"
        return ("walk", "roll")[action]

    def action_from_text(self, state, text):
        for action in state.legal_actions() if state.actor == CHANCE else (WALK, ROLL):
            if self.action_to_text(state, action) == text.strip():
                return action
        raise ActionTextError("type walk or roll")

    def state_to_text(self, state):
        return f"{state.steps[0]} {state.steps[1]} turn {state.turns} rolled {state.rolled}"

    def state_from_text(self, text):
        match = re.fullmatch(r"([0-9]+) ([0-9]+) turn ([0-9]{1,3}) rolled (True|False)", text)
        if match is None:
            raise StateTextError("expected '0 0 turn 0 rolled False'")
        return DiceState(self, (int(match[1]), int(match[2])), int(match[3]), match[4] == "True")

    def seat_names(self, state):
        return ("one", "two")

    def scene(self, state, seat):
        cells = tuple(Cell(str(n % 100), f"{n} steps", i) for i, n in enumerate(state.steps))
        return Scene(cells, (SeatView(), SeatView()), f"Turn {state.turns + 1}.")


class DiceState(State):
    def __init__(self, game, steps, turns, rolled):
        super().__init__(game)
        self.steps = steps
        self.turns = turns
        self.rolled = rolled

    @property
    def actor(self):
        if self.rolled:
            return CHANCE
        over = max(self.steps) >= GOAL or self.turns >= self.game.max_plies
        return OVER if over else self.turns % 2

    def legal_actions(self):
        if self.rolled:
            return Actions(outcome for outcome, _ in ODDS)
        return Actions([] if self.actor == OVER else [WALK, ROLL])

    def chance_outcomes(self):
        return list(ODDS) if self.rolled else []

    def apply(self, action):
        if not self.rolled and action == ROLL:
            return DiceState(self.game, self.steps, self.turns, True)
        steps = list(self.steps)
        steps[self.turns % 2] += action if self.rolled else 2
        return DiceState(self.game, tuple(steps), self.turns + 1, False)

    def result(self):
        if self.actor != OVER:
            return None
        value = float((self.steps[0] >= GOAL) - (self.steps[1] >= GOAL))
        return Result((value, -value), self.steps, "past the goal" if value else "out of turns")

    def key(self):
        return (self.steps, self.turns, self.rolled)
