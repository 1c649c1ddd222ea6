"""Mistakes in what is legal, what an action does, how a game ends, and in chance."""

from itertools import count

from dice import ODDS, Dice, DiceState
from mistaken import Mistake, described, dice, new_class, nim
from nim import Nim, NimState

from parlour import CHANCE, OVER, Actions, Result, SeatView


def ids(state):
    return range(min(3, state.heap))


def ended(*result):
    """A method `result` that gives this at the end."""
    return lambda state: None if state.heap else Result(*result)


def taken_in_place(state, action):
    state.heap -= action + 1
    state.seat = 1 - state.seat
    return state


def taken_at_random(state, action, counter=count()):  # noqa: B008
    return NimState(state.game, max(0, state.heap - 1 - next(counter) % 2), 1 - state.seat)


def with_stones(state):
    """A state that holds a list beside the number."""
    state.stones = ["stone"] * state.heap
    return state


STONES = {
    "start": lambda g, seed=0: with_stones(Nim.start(g, seed)),
    "state_from_text": lambda g, text: with_stones(Nim.state_from_text(g, text)),
}


def sharing_stones(state, action):
    after = NimState.apply(state, action)
    after.stones = state.stones
    del after.stones[after.heap :]
    return after


def copying_stones(state, action):
    after = NimState.apply(state, action)
    after.stones = state.stones[: after.heap]
    return after


class StateWithoutGame(NimState):
    def __init__(self, heap, seat):
        self.heap, self.seat = heap, seat


def nameless(init):
    """Nim with this constructor."""
    return new_class(Nim, {"__init__": init})()


def of_seats(count):
    """Nim for two, described for more."""

    def scene(game, state, seat):
        return Nim.scene(game, state, seat)._replace(seats=(SeatView(),) * count)

    return {**described(Nim, seats=count), "scene": scene}


LISTS = {heap: Actions(range(min(3, heap))) for heap in range(7)}
KEPT_LISTS = {heap: Actions(range(min(3, heap))) for heap in range(7)}


def nim_of(**methods):
    """The number of stones as the key, from the list."""
    return nim(game=STONES, key=lambda s: (len(s.stones), s.seat), **methods)


MISTAKES = [
    Mistake(
        "the legal actions are not sorted",
        "legal actions must ascend, not [2, 1, 0]",
        nim(legal_actions=lambda s: Actions(reversed(ids(s)))),
        nim(legal_actions=lambda s: Actions(sorted(ids(s)))),
    ),
    Mistake(
        "the legal actions are a tuple",
        "legal_actions() must return a list or parlour.Actions([...]), not (0, 1, 2)",
        nim(legal_actions=lambda s: tuple(ids(s))),
        nim(legal_actions=lambda s: Actions(ids(s))),
    ),
    Mistake(
        "an action is listed twice",
        "each legal action must be listed once, not [0, 0, 1, 1, 2, 2]",
        nim(legal_actions=lambda s: Actions(sorted([*ids(s), *ids(s)]))),
        nim(legal_actions=lambda s: Actions(sorted({*ids(s), *ids(s)}))),
    ),
    Mistake(
        "the ids begin with 1",
        "ids must be from 0 to num_actions - 1, which is 2, not [1, 2, 3]",
        nim(
            legal_actions=lambda s: Actions(each + 1 for each in ids(s)),
            apply=lambda s, a: NimState(s.game, s.heap - a, 1 - s.seat),
        ),
        nim(),
    ),
    Mistake(
        "seats and num_actions are swapped",
        "which is 1, not [0, 1, 2]. Raise `num_actions` to the largest id plus one, over all "
        "positions and options; perhaps it was swapped with `seats`",
        nim(game=described(Nim, seats=3, num_actions=2)),
        nim(game=described(Nim, seats=2, num_actions=3)),
    ),
    Mistake(
        "most seats never act",
        "there are 4 seats and 3 actions, but the seats [2, 3] never acted",
        nim(game=of_seats(4), result=ended((0.0,) * 4, None, "over")),
        nim(game=of_seats(2), result=ended((0.0,) * 2, None, "over")),
    ),
    Mistake(
        "the state does not call super().__init__",
        "'StateWithoutGame' did not call super().__init__, so a state has no game",
        nim(game={"start": lambda g, seed=0: StateWithoutGame(6, 0)}),
        nim(),
    ),
    Mistake(
        "the game does not call super().__init__",
        "did not call super().__init__, so the game has no name",
        nameless(lambda self, **options: None),
        nameless(Nim.__init__),
    ),
    Mistake(
        "the list of legal actions is handed out again and again",
        "legal_actions() must return a new list each time",
        nim(legal_actions=lambda s: LISTS[s.heap]),
        nim(legal_actions=lambda s: KEPT_LISTS[s.heap][:]),
    ),
    Mistake(
        "actor is a method",
        "actor must be a property;",
        nim(actor=lambda s: s.seat if s.heap else OVER),
        nim(actor=property(lambda s: s.seat if s.heap else OVER)),
    ),
    Mistake(
        "seats are counted from 1",
        "actor must be a seat from 0 to 1, parlour.CHANCE or parlour.OVER, not 2",
        nim(actor=property(lambda s: s.seat + 1 if s.heap else OVER)),
        nim(actor=property(lambda s: s.seat if s.heap else OVER)),
    ),
    Mistake(
        "actor is a float",
        "actor must be a seat from 0 to 1, parlour.CHANCE or parlour.OVER, not 0.0",
        nim(actor=property(lambda s: float(s.seat) if s.heap else OVER)),
        nim(actor=property(lambda s: int(float(s.seat)) if s.heap else OVER)),
    ),
    Mistake(
        "the game is never over",
        "there must be legal actions unless actor is OVER, and none then: actor 1, legal []",
        nim(actor=property(lambda s: s.seat)),
        nim(actor=property(lambda s: s.seat if s.heap else OVER)),
    ),
    Mistake(
        "the result is a tuple",
        "result() must return parlour.Result(returns, scores, reason), not ((0.0, 0.0), None",
        nim(result=lambda s: None if s.heap else ((0.0, 0.0), None, "over")),
        nim(result=ended((0.0, 0.0), None, "over")),
    ),
    Mistake(
        "there is a result before the end",
        "there must be a result if, and only if, actor is parlour.OVER: actor 0",
        nim(result=lambda s: Result((0.0, 0.0), None, "so far")),
        nim(result=ended((0.0, 0.0), None, "so far")),
    ),
    Mistake(
        "a common game has a winner",
        "returns of a common game must be the same for all seats, not (1.0, -1.0)",
        nim(game=described(Nim, utility="common"), result=ended((1.0, -1.0), None, "over")),
        nim(game=described(Nim, utility="general"), result=ended((1.0, -1.0), None, "over")),
    ),
    Mistake(
        "partners get different returns",
        "returns must be equal within a team; the teams are (0, 0), the returns (1.0, -1.0)",
        nim(game=described(Nim, utility="general", teams=(0, 0))),
        nim(game=described(Nim, utility="general", teams=(0, 1))),
    ),
    Mistake(
        "all seats of a zero-sum game are partners",
        "a zero-sum game must have at least two teams, not (0, 0)",
        nim(game=described(Nim, teams=(0, 0))),
        nim(game=described(Nim, utility="common"), result=ended((1.0, 1.0), None, "over")),
    ),
    Mistake(
        "a common game has two teams",
        "a common game must have a single team, not (0, 1)",
        nim(game=described(Nim, utility="common", teams=(0, 1))),
        nim(game=described(Nim, utility="common"), result=ended((1.0, 1.0), None, "over")),
    ),
    Mistake(
        "teams are counted from 1",
        "teams must be a tuple with a team number, from 0, for each of the 2 seats, not (1",
        nim(game=described(Nim, teams=(1, 2))),
        nim(game=described(Nim, teams=(0, 1))),
    ),
    Mistake(
        "the utility is misspelt",
        "utility must be one of ('zero-sum', 'common', 'general'), not 'zero sum'",
        nim(game=described(Nim, utility="zero sum")),
        nim(game=described(Nim, utility="zero-sum")),
    ),
    Mistake(
        "rewards are of the last action alone",
        "rewards at the end must be the returns, (1.0, -1.0), not (0.0, 0.0)",
        nim(rewards=lambda s: (0.0, 0.0)),
        nim(rewards=lambda s: s.result().returns if s.result() else (0.0, 0.0)),
    ),
    Mistake(
        "rewards are points",
        "scaled like returns",
        nim(rewards=lambda s: (float(s.heap), 0.0 - s.heap)),
        nim(rewards=lambda s: s.result().returns if s.result() else (0.0, 0.0)),
    ),
    Mistake(
        "the returns are of the winner only",
        "one number for each of the 2 seats, not (1.0,)",
        nim(result=ended((1.0,), None, "over")),
        nim(result=ended((1.0, -1.0), None, "over")),
    ),
    Mistake(
        "the loser loses nothing",
        "returns of a zero-sum game must sum to 0, not (1.0, 0.0)",
        nim(result=ended((1.0, 0.0), None, "over")),
        nim(result=ended((1.0, -1.0), None, "over")),
    ),
    Mistake(
        "the returns are points",
        "returns must lie in [-1, 1], not (3.0, -3.0)",
        nim(result=ended((3.0, -3.0), None, "over")),
        nim(result=ended((1.0, -1.0), (3.0, -3.0), "over")),
    ),
    Mistake(
        "there is one score for two seats",
        "scores must be None or have one number for each seat, not (3.0,)",
        nim(result=ended((0.0, 0.0), (3.0,), "over")),
        nim(result=ended((0.0, 0.0), (3.0, 3.0), "over")),
    ),
    Mistake(
        "the result has no reason",
        "a result must have a reason in words, not ' '",
        nim(result=ended((0.0, 0.0), None, " ")),
        nim(result=ended((0.0, 0.0), None, "over")),
    ),
    Mistake(
        "apply changes the state in place",
        "apply(0) changed the state that it was called on, from (6, 0) to (5, 1)",
        nim(apply=taken_in_place),
        nim(apply=NimState.apply),
    ),
    Mistake(
        "two states share a list that apply changes",
        "apply(0) changed the state that it was called on, from (6, 0) to (5, 0)",
        nim_of(apply=sharing_stones),
        nim_of(apply=copying_stones),
    ),
    Mistake(
        "apply draws at random by itself",
        "apply(0) must give the same state each time, not (5, 1) and then (4, 1)",
        nim(apply=taken_at_random),
        nim(),
    ),
    Mistake(
        "the key forgets whose turn it is",
        "two states with different texts have the same key",
        nim(heap=10, key=lambda s: s.heap),
        nim(heap=10, key=lambda s: (s.heap, s.seat)),
    ),
    Mistake(
        "the key is a list",
        "key() must be hashable, not [6, 0]",
        nim(key=lambda s: [s.heap, s.seat]),
        nim(key=lambda s: (s.heap, s.seat)),
    ),
    Mistake(
        "max_plies is too small",
        "a game did not end within max_plies, 2",
        nim(game=described(Nim, max_plies=2)),
        nim(game=described(Nim, max_plies=6)),
    ),
    Mistake(
        "rule_against forbids nothing",
        "rule_against must agree with legal_actions: action 2 is 'not legal'",
        nim(heap=2, rule_against=lambda s, a: None),
        nim(heap=2, rule_against=lambda s, a: None if a < s.heap else "there are not as many"),
    ),
    Mistake(
        "advance changes a state that is no scratch",
        "advance(0) changed the state that scratch() was called on",
        nim(advance=taken_in_place),
        nim(advance=taken_in_place, scratch=lambda s: NimState(s.game, s.heap, s.seat)),
    ),
    Mistake(
        "advance forgets to pass the turn",
        "advance(0) and apply(0) must agree, not give (5, 0) and (5, 1)",
        nim(advance=lambda s, a: NimState(s.game, s.heap - a - 1, s.seat)),
        nim(advance=lambda s, a: NimState(s.game, s.heap - a - 1, 1 - s.seat)),
    ),
    Mistake(
        "has_chance is forgotten",
        "a state is at CHANCE, but has_chance is False",
        dice(game=described(Dice, has_chance=False)),
        dice(game=described(Dice, has_chance=True)),
    ),
    Mistake(
        "the odds do not sum to 1",
        "the probabilities must sum to 1, not 1.5",
        dice(chance_outcomes=lambda s: [(o, 0.5) for o, _ in ODDS] if s.rolled else []),
        dice(chance_outcomes=lambda s: [(o, 1 / 3) for o, _ in ODDS] if s.rolled else []),
    ),
    Mistake(
        "an outcome cannot happen",
        "every outcome must have a probability above 0, not [(1, 0.0), (4, 0.5), (6, 0.5)]",
        dice(
            chance_outcomes=lambda s: [(1, 0.0), (4, 0.5), (6, 0.5)] if s.rolled else [],
        ),
        dice(
            chance_outcomes=lambda s: [(4, 0.5), (6, 0.5)] if s.rolled else [],
            legal_actions=lambda s: Actions([4, 6]) if s.rolled else DiceState.legal_actions(s),
        ),
    ),
    Mistake(
        "chance has outcomes where a seat decides",
        "chance_outcomes() must be empty unless actor is CHANCE, not [(1, 0.5), (4, 0.25), (6",
        dice(chance_outcomes=lambda s: list(ODDS)),
        dice(chance_outcomes=lambda s: list(ODDS) if s.actor == CHANCE else []),
    ),
    Mistake(
        "the outcomes are in another order than the legal actions",
        "chance_outcomes() must list the legal actions in their order, not [(6, 0.25), (4",
        dice(chance_outcomes=lambda s: ODDS[::-1] if s.rolled else []),
        dice(chance_outcomes=lambda s: sorted(ODDS) if s.rolled else []),
    ),
    Mistake(
        "the outcomes are floats",
        "chance_outcomes() must list the legal actions in their order, not [(1.0, 0.5), (4.0",
        dice(chance_outcomes=lambda s: [(float(o), p) for o, p in ODDS] if s.rolled else []),
        dice(chance_outcomes=lambda s: list(ODDS) if s.rolled else []),
    ),
    Mistake(
        "an action that is read is a bool",
        "action_from_text() must strip spaces and read 'walk' as 0, not False",
        dice(game={"action_from_text": lambda g, s, t: Dice.action_from_text(g, s, t) != 0}),
        dice(game={"action_from_text": Dice.action_from_text}),
    ),
]
