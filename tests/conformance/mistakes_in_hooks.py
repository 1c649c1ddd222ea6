"""Mistakes in what agents and random games rely on."""

from librt.vecs import vec
from mistaken import Mistake, nim

from parlour import OVER, Actions, State, estimate


def lead(state, seat):
    return 1.0 if (state.heap % 4 != 0) == (state.seat == seat) else -1.0


def at_the_end(state, seat):
    return State.evaluate(state, seat)


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
        "an estimate is as large as a win",
        "parlour.estimate squeezes any number",
        nim(evaluate=lambda s, seat: lead(s, seat) if s.heap else at_the_end(s, seat)),
        nim(evaluate=lambda s, seat: estimate(lead(s, seat)) if s.heap else at_the_end(s, seat)),
    ),
    Mistake(
        "the end is worth more than a win",
        "evaluate stays within 1 of 0 at the end, not 2.0",
        nim(evaluate=lambda s, seat: 2 * at_the_end(s, seat)),
        nim(evaluate=lambda s, seat: at_the_end(s, seat)),
    ),
    Mistake(
        "all evaluations together are not what they are one by one",
        "evaluations() is evaluate of every seat, [0.0, 0.0], not [0.5, -0.5]",
        nim(evaluations=lambda s: vec[float]([0.5, -0.5])),
        nim(evaluations=lambda s: vec[float]([s.evaluate(0), s.evaluate(1)])),
    ),
    Mistake(
        "the evaluation is trusted more than wholly",
        "trust() is a number from 0 to 1, not 2.0",
        nim(trust=lambda s: 2.0),
        nim(trust=lambda s: 1.0),
    ),
    Mistake(
        "sample draws what is not legal",
        "sample draws legal actions only, not [",
        nim(sample=lambda s, rng: rng.below(3)),
        nim(sample=lambda s, rng: rng.below(min(3, s.heap))),
    ),
    Mistake(
        "sample never reaches the last action",
        "sample reaches every legal action, but never [2]",
        nim(sample=lambda s, rng: rng.below(min(2, s.heap))),
        nim(sample=lambda s, rng: rng.below(min(3, s.heap))),
    ),
    Mistake(
        "unordered_actions leaves one out",
        "unordered_actions lists what legal_actions does, which is [0, 1, 2], and not [2, 1]",
        nim(unordered_actions=lambda s: Actions(range(min(3, s.heap) - 1, 0, -1))),
        nim(unordered_actions=lambda s: Actions(range(min(3, s.heap) - 1, -1, -1))),
    ),
    Mistake(
        "rollout_action draws what is not legal",
        "rollout_action draws a legal action, not 2",
        nim(rollout_action=lambda s, rng: 2),
        nim(rollout_action=lambda s, rng: min(3, s.heap) - 1),
    ),
    Mistake(
        "no action is a candidate",
        "candidates(1) is never empty: return legal_actions() where it would be",
        nim(candidates=lambda s, depth: Actions(a for a in [s.heap % 4 - 1] if a >= 0)),
        nim(candidates=lambda s, depth: Actions([max(0, s.heap % 4 - 1)])),
    ),
    Mistake(
        "a candidate is not legal",
        "candidates(1) lists legal actions only, each once, not [2]",
        nim(candidates=lambda s, depth: Actions([2])),
        nim(candidates=lambda s, depth: s.legal_actions()),
    ),
    Mistake(
        "the noisy actions are a list",
        "noisy_actions() returns parlour.Actions([...]), not []",
        nim(noisy_actions=lambda s: []),
        nim(noisy_actions=lambda s: Actions([])),
    ),
    Mistake(
        "there are too few priors",
        "priors is empty or has a number for each of the 3 actions, not 1",
        nim(priors=lambda s, actions: vec[float]([0.5])),
        nim(priors=lambda s, actions: vec[float]([0.5] * len(actions))),
    ),
    Mistake(
        "a prior is not a number",
        "priors are finite, not [nan",
        nim(priors=lambda s, actions: vec[float]([float("nan")] * len(actions))),
        nim(priors=lambda s, actions: vec[float]([0.0] * len(actions))),
    ),
    Mistake(
        "the urgency is a float",
        "urgency(0) is an int, not 0.5",
        nim(urgency=lambda s, action: action + 0.5),
        nim(urgency=lambda s, action: action + 5),
    ),
    Mistake(
        "what is known is worth more than a win",
        "known(False) is UNSOLVED, or within 1 of 0, not 3.0",
        nim(known=lambda s, is_deep: 3.0),
        nim(known=lambda s, is_deep: 2.0),
    ),
    Mistake(
        "the margin is nothing",
        "margin() is a positive number, not 0.0",
        nim(margin=lambda s: 0.0),
        nim(margin=lambda s: 0.5),
    ),
    Mistake(
        "a rough evaluation lies between the bounds",
        "evaluate_between(-1, 1) is evaluate(0), or outside of both, not 0.25",
        nim(evaluate_between=lambda s, low, high: 0.25),
        nim(evaluate_between=lambda s, low, high: s.evaluate(0)),
    ),
    Mistake(
        "playout draws twice for each decision",
        "playout draws from the generator exactly as sample does in turn",
        nim(playout=lambda s, rng, limit: played_on(s, rng, limit, draws=2)),
        nim(playout=played_on),
    ),
    Mistake(
        "playout goes on after its limit",
        "playout stops after 0 decisions, its limit, not after 1",
        nim(playout=one_more),
        nim(playout=played_on),
    ),
    Mistake(
        "playout changes the state",
        "playout changed the state that it was called on: copy it first",
        nim(playout=played_in_place),
        nim(playout=lambda s, rng, limit: played_in_place(copied(s), rng, limit)),
    ),
    Mistake(
        "the fingerprint is the same for all",
        "make them from all that the key holds",
        nim(heap=30, fingerprint=lambda s: 7),
        nim(heap=30, fingerprint=lambda s: 2 * s.heap + s.seat),
    ),
    Mistake(
        "the fingerprint is a hash",
        "a fingerprint is an int from 0 to 2**62 - 1",
        nim(fingerprint=lambda s: hash((s.heap, s.seat)) - 2**62),
        nim(fingerprint=lambda s: hash((s.heap, s.seat)) % 2**62),
    ),
]
