"""Mistakes in what agents and random games rely on."""

from dice import ODDS
from librt.vecs import vec
from mistaken import Mistake, clever_nim, dice, nim

from parlour import OVER, Actions, Heuristics, Observer, estimate


def lead(state, seat):
    return 1.0 if (state.heap % 4 != 0) == (state.seat == seat) else -1.0


def at_the_end(heuristics, state, seat):
    return Heuristics.evaluate(heuristics, state, seat)


def watched(legal_actions):
    """Nim with an observer that lists the legal actions so."""

    class Watching(Observer):
        def __init__(self, game):
            super().__init__(game, ("heap",), rows=1, cols=1)

        def write(self, state, seat, out, at):
            out[at] = state.heap

    Watching.legal_actions = legal_actions
    return nim(game={"observer": lambda game: Watching(game)})


def played_on(state, rng, limit, draws=1):
    """A playout that draws so often for each decision."""
    made = 0
    while state.actor != OVER and made < limit:
        for _ in range(draws):
            drawn = rng.below(min(3, state.heap))
        state = state.apply(drawn)
        made += 1
    return state, made


def played_in_place(state, rng, limit):
    end, made = played_on(state, rng, limit)
    state.heap, state.seat = end.heap, end.seat
    return state, made


def copied(state):
    return state.game.state_from_text(state.game.state_to_text(state))


def one_more(state, rng, limit):
    return played_on(state, rng, limit + 1)


MISTAKES = [
    Mistake(
        "a method is misspelt",
        "is never called; the contract has Heuristics.evaluate",
        clever_nim(evaluates=at_the_end),
        clever_nim(evaluate=at_the_end),
    ),
    Mistake(
        "evaluate ignores the seat",
        "evaluate must depend on the seat in a zero-sum game",
        clever_nim(evaluate=lambda h, s, seat: 0.5 if s.heap else at_the_end(h, s, seat)),
        clever_nim(
            evaluate=lambda h, s, seat: (
                0.5 * (-1) ** (seat + s.actor) if s.heap else at_the_end(h, s, seat)
            )
        ),
    ),
    Mistake(
        "an estimate is as large as a win",
        "evaluate must stay within 0.96 of 0 before the end, not 1.0",
        clever_nim(evaluate=lambda h, s, seat: lead(s, seat) if s.heap else at_the_end(h, s, seat)),
        clever_nim(
            evaluate=lambda h, s, seat: (
                estimate(lead(s, seat)) if s.heap else at_the_end(h, s, seat)
            )
        ),
    ),
    Mistake(
        "the end is worth more than a win",
        "evaluate must stay within 1 of 0 at the end, not 2.0",
        clever_nim(evaluate=lambda h, s, seat: 2 * at_the_end(h, s, seat)),
        clever_nim(evaluate=at_the_end),
    ),
    Mistake(
        "all evaluations together are not what they are one by one",
        "evaluate_seats must equal evaluate of every seat, [0.0, 0.0], not [0.5, -0.5]",
        clever_nim(evaluate_seats=lambda h, s: vec[float]([0.5, -0.5])),
        clever_nim(evaluate_seats=lambda h, s: vec[float]([h.evaluate(s, 0), h.evaluate(s, 1)])),
    ),
    Mistake(
        "the evaluation is trusted more than wholly",
        "evaluation_weight must be a number from 0 to 1, not 2.0",
        clever_nim(evaluation_weight=lambda h, s: 2.0),
        clever_nim(evaluation_weight=lambda h, s: 1.0),
    ),
    Mistake(
        "sample draws what is not legal",
        "sample must draw legal actions only, not [2]",
        nim(sample=lambda s, rng: rng.below(3)),
        nim(sample=lambda s, rng: rng.below(min(3, s.heap))),
    ),
    Mistake(
        "sample never reaches the last action",
        "sample must reach every legal action, but never drew [2]",
        nim(sample=lambda s, rng: rng.below(min(2, s.heap))),
        nim(sample=lambda s, rng: rng.below(min(3, s.heap))),
    ),
    Mistake(
        "sample prefers the first action",
        "sample must draw uniformly, but in 180 draws it gave {0: ",
        nim(sample=lambda s, rng: min(rng.below(min(3, s.heap)), rng.below(min(3, s.heap)))),
        nim(sample=lambda s, rng: rng.below(min(3, s.heap))),
    ),
    Mistake(
        "sample ignores the odds of a loaded die",
        "sample must draw outcomes by their probabilities, but in 180 draws it gave {1: ",
        dice(sample=lambda s, rng: ODDS[rng.below(3)][0] if s.rolled else rng.below(2)),
        dice(sample=lambda s, rng: ODDS[max(0, rng.below(4) - 1)][0] if s.rolled else rng.below(2)),
    ),
    Mistake(
        "the observer's legal actions lack one",
        "Observer.legal_actions must list the legal actions, [0, 1, 2], in any order, not [2",
        watched(lambda o, s: Actions(range(min(3, s.heap) - 1, 0, -1))),
        watched(lambda o, s: Actions(range(min(3, s.heap) - 1, -1, -1))),
    ),
    Mistake(
        "rollout_policy draws what is not legal",
        "rollout_policy must draw a legal action, not 2",
        clever_nim(rollout_policy=lambda h, s, rng: 2),
        clever_nim(rollout_policy=lambda h, s, rng: min(3, s.heap) - 1),
    ),
    Mistake(
        "no action is a candidate",
        "search_actions(state, 1) must not be empty",
        clever_nim(
            search_actions=lambda h, s, depth: Actions(a for a in [s.heap % 4 - 1] if a >= 0)
        ),
        clever_nim(search_actions=lambda h, s, depth: Actions([max(0, s.heap % 4 - 1)])),
    ),
    Mistake(
        "a candidate is not legal",
        "search_actions(state, 1) must list legal actions only, each once, not [2]",
        clever_nim(search_actions=lambda h, s, depth: Actions([2])),
        clever_nim(search_actions=lambda h, s, depth: s.legal_actions()),
    ),
    Mistake(
        "the noisy actions are a list",
        "quiescence_actions must return parlour.Actions([...]), not []",
        clever_nim(quiescence_actions=lambda h, s: []),
        clever_nim(quiescence_actions=lambda h, s: Actions([])),
    ),
    Mistake(
        "there are too few priors",
        "priors must be empty or have a number for each of the 3 actions, not 1",
        clever_nim(priors=lambda h, s, actions: vec[float]([0.5])),
        clever_nim(priors=lambda h, s, actions: vec[float]([0.5] * len(actions))),
    ),
    Mistake(
        "a prior is not a number",
        "priors must be finite, not [nan, nan, nan]",
        clever_nim(priors=lambda h, s, actions: vec[float]([float("nan")] * len(actions))),
        clever_nim(priors=lambda h, s, actions: vec[float]([0.0] * len(actions))),
    ),
    Mistake(
        "a move order is a float",
        "move_order(state, 0) must be an int, not 0.5",
        clever_nim(move_order=lambda h, s, action: action + 0.5),
        clever_nim(move_order=lambda h, s, action: action + 5),
    ),
    Mistake(
        "what is known is worth more than a win",
        "known_value(state, False) must be UNKNOWN_VALUE or lie in [-1, 1], not 3.0",
        clever_nim(known_value=lambda h, s, is_deep: 3.0),
        clever_nim(known_value=lambda h, s, is_deep: 2.0),
    ),
    Mistake(
        "the margin is nothing",
        "futility_margin must be a positive number, not 0.0",
        clever_nim(futility_margin=lambda h, s: 0.0),
        clever_nim(futility_margin=lambda h, s: 0.5),
    ),
    Mistake(
        "a rough evaluation lies between the bounds",
        "evaluate_within(state, -1, 1) must be evaluate(state, 0) or a bound outside of them",
        clever_nim(evaluate_within=lambda h, s, low, high: 0.25),
        clever_nim(evaluate_within=lambda h, s, low, high: h.evaluate(s, 0)),
    ),
    Mistake(
        "playout draws twice for each decision",
        "playout must draw from the generator exactly as often as sample does",
        nim(playout=lambda s, rng, limit: played_on(s, rng, limit, draws=2)),
        nim(playout=played_on),
    ),
    Mistake(
        "playout goes on after its limit",
        "playout must stop after 0 decisions, its limit, not 1",
        nim(playout=one_more),
        nim(playout=played_on),
    ),
    Mistake(
        "playout changes the state",
        "playout changed the state that it was called on",
        nim(playout=played_in_place),
        nim(playout=lambda s, rng, limit: played_in_place(copied(s), rng, limit)),
    ),
    Mistake(
        "the fingerprint is the same for all",
        "fingerprints must distinguish states",
        clever_nim(heap=30, fingerprint=lambda h, s: 7),
        clever_nim(heap=30, fingerprint=lambda h, s: 2 * s.heap + s.seat),
    ),
    Mistake(
        "the fingerprint is a hash",
        "a fingerprint must be an int from 0 to 2**62 - 1",
        clever_nim(fingerprint=lambda h, s: hash((s.heap, s.seat)) - 2**62),
        clever_nim(fingerprint=lambda h, s: hash((s.heap, s.seat)) % 2**62),
    ),
]
