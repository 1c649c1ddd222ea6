"""Check sampling, playouts, evaluations and search heuristics."""

import math

from librt.vecs import vec

from parlour import Actions
from parlour.core.checks import is_int
from parlour.core.game import CHANCE, OVER, State
from parlour.core.heuristics import UNKNOWN_VALUE, Heuristics, heuristics
from parlour.core.result import UNDECIDED
from parlour.core.rng import Rng
from parlour.testing.beliefs import most_distance
from parlour.testing.promise import promise

SMALL = 8
DRAWS = 60
"""For each legal action."""
LIKELY = 0.05
MOST_FINGERPRINT = 2**62 - 1


def check_values(state: State) -> list[float]:
    """Check that evaluations agree and stay within bounds, as do fingerprints.

    Return the evaluation of each seat.
    """
    most = UNDECIDED if state.result() is None else 1.0
    known = heuristics(state.game)
    values: list[float] = []
    for seat in range(state.game.seats):
        value = known.evaluate(state, seat)
        promise(
            isinstance(value, int | float) and abs(value) <= most,
            f"evaluate must stay within {most:g} of 0 "
            f"{('before' if most < 1 else 'at')} the end, not {{}}",
            value,
            cure="Pass your number through `parlour.estimate`; at the end return the seat's "
            "return.",
        )
        values.append(value)
    together = list(known.evaluate_seats(state))
    promise(
        together == values,
        f"evaluate_seats must equal evaluate of every seat, {values}, not {{}}",
        together,
        cure="Compute both from the same numbers, or leave out `evaluate_seats`.",
    )
    weight = known.evaluation_weight(state)
    promise(
        isinstance(weight, int | float) and 0.0 <= weight <= 1.0,
        "evaluation_weight must be a number from 0 to 1, not {}",
        weight,
        cure="Return 0 for the playout alone, 1 for `evaluate` alone.",
    )
    number = known.fingerprint(state)
    promise(
        is_int(number) and 0 <= number <= MOST_FINGERPRINT,
        "a fingerprint must be an int from 0 to 2**62 - 1, not {}",
        number,
        cure="Mask it: `value & (2**62 - 1)`.",
    )
    return values


def check_draws(state: State, rng: Rng) -> None:
    """Check that `sample` reaches all legal actions, and `rollout_policy` draws legal ones."""
    legal = set(state.legal_actions())
    if not legal:
        return
    # The default draws from the legal actions, which were checked already.
    can_miss = type(state).sample is not State.sample and len(legal) <= SMALL
    draws = DRAWS * len(legal) if can_miss else 4
    all_drawn = [state.sample(rng) for _ in range(draws)]
    drawn = set(all_drawn)
    promise(
        drawn <= legal,
        "sample must draw legal actions only, not {}",
        sorted(drawn - legal),
        cure="Draw from the actions that `legal_actions` lists.",
    )
    if can_miss:
        odds = dict(state.chance_outcomes())
        missed = [each for each in legal - drawn if odds.get(each, 1.0) >= LIKELY]
        promise(
            not missed,
            f"sample must reach every legal action, but never drew {{}} in {draws} draws",
            sorted(missed),
            cure="Draw uniformly; often an index stops one short.",
        )
        _check_frequencies(legal, odds, all_drawn)
    known = heuristics(state.game)
    for _ in range(4):
        action = known.rollout_policy(state, rng)
        promise(
            action in legal,
            "rollout_policy must draw a legal action, not {}",
            action,
            cure="Draw from the actions that `legal_actions` lists.",
        )


def _check_frequencies(legal: set[int], odds: dict[int, float], drawn: list[int]) -> None:
    """Compare the frequencies of a sample by a chi-squared test."""
    distance = 0.0
    for action in legal:
        expected = len(drawn) * odds.get(action, 1.0 / len(legal))
        distance += (drawn.count(action) - expected) ** 2 / expected
    promise(
        distance <= most_distance(len(legal)),
        f"sample must draw {'outcomes by their probabilities' if odds else 'uniformly'}, but in "
        f"{len(drawn)} draws it gave {{}}",
        {action: drawn.count(action) for action in sorted(legal)},
        cure="Draw with one `rng.below(len(actions))`, or leave out `sample`.",
    )


def check_hints(state: State) -> None:
    """Check that search heuristics return legal actions and usable numbers."""
    if state.actor in (CHANCE, OVER):
        return
    known = heuristics(state.game)
    legal = state.legal_actions()
    allowed = set(legal)
    for depth in (1, 2, 8):
        searched = known.search_actions(state, depth)
        _check_part(f"search_actions(state, {depth})", searched, allowed)
        promise(
            len(searched) > 0,
            f"search_actions(state, {depth}) must not be empty",
            cure="Return `legal_actions()` if nothing else is left.",
        )
        after = known.null_move(state, depth)
        promise(
            after is None or after.actor not in (CHANCE, OVER),
            f"null_move(state, {depth}) must be None or a position in which a seat is to act",
            cure="Return a state of the same game with the other seat to act, or `None`.",
        )
    for action in legal:
        can_reduce: object = known.can_reduce(state, action)
        promise(
            isinstance(can_reduce, bool),
            "can_reduce must be True or False, not {}",
            can_reduce,
            cure="Return a bool.",
        )
    is_repetition: object = known.is_repetition(state)
    promise(
        isinstance(is_repetition, bool),
        "is_repetition must be True or False, not {}",
        is_repetition,
        cure="Return a bool.",
    )
    check_bounds(known, state)
    _check_part("quiescence_actions", known.quiescence_actions(state), allowed)
    priors = known.priors(state, legal)
    promise(
        isinstance(priors, vec[float]),  # type: ignore[misc]
        "priors must return a vec[float], not {}",
        priors,
        cure="Return `vec[float]` from `librt.vecs`, not a list.",
    )
    promise(
        len(priors) in (0, len(legal)),
        f"priors must be empty or have a number for each of the {len(legal)} actions, not {{}}",
        len(priors),
        cure="Return one number for each action, in their order, or an empty vec.",
    )
    promise(
        all(math.isfinite(prior) for prior in priors),
        "priors must be finite, not {}",
        list(priors),
        cure="Avoid infinity and NaN, such as the logarithm of 0.",
    )
    for action in legal:
        rank = known.move_order(state, action)
        promise(
            is_int(rank),
            f"move_order(state, {action}) must be an int, not {{}}",
            rank,
            cure="Round it to an int.",
        )


def check_bounds(heuristics: Heuristics, state: State) -> None:
    """Check that known values, futility margins and lazy evaluations are sound."""
    for is_deep in (False, True):
        known = heuristics.known_value(state, is_deep)
        promise(
            isinstance(known, int | float) and (known == UNKNOWN_VALUE or abs(known) <= 1.0),
            f"known_value(state, {is_deep}) must be UNKNOWN_VALUE or lie in [-1, 1], not {{}}",
            known,
            cure="Return `parlour.core.heuristics.UNKNOWN_VALUE` for positions that are not "
            "solved.",
        )
    margin = heuristics.futility_margin(state)
    promise(
        isinstance(margin, int | float) and margin > 0.0,
        "futility_margin must be a positive number, not {}",
        margin,
        cure="Return the largest change that a quiet action makes to `evaluate`, or `NO_MARGIN`.",
    )
    value = heuristics.evaluate(state, 0)
    for low, high in ((-1.0, 1.0), (value - 0.01, value + 0.01), (-1.0, -0.5), (0.5, 1.0)):
        rough = heuristics.evaluate_within(state, low, high)
        promise(
            rough == value or rough <= low or rough >= high,
            f"evaluate_within(state, {low:g}, {high:g}) must be evaluate(state, 0) or a "
            f"bound outside of them, not {{}}",
            rough,
            cure="Return `evaluate(state, 0)` if the value lies between the bounds.",
        )


def _check_part(name: str, actions: object, allowed: set[int]) -> None:
    promise(
        isinstance(actions, Actions),  # type: ignore[misc]
        f"{name} must return parlour.Actions([...]), not {{}}",
        actions,
        cure="Return `parlour.Actions` from `search_actions` and `quiescence_actions`.",
    )
    listed = list(actions)  # type: ignore[call-overload]
    promise(
        set(listed) <= allowed and len(set(listed)) == len(listed),
        f"{name} must list legal actions only, each once, not {{}}",
        listed,
        cure="Filter the list by `legal_actions`, and remove duplicates.",
    )


def check_playout(state: State, seed: int) -> None:
    """Check that `playout` plays like `sample` and `apply` with the same generator."""
    before = state.key()
    for limit in (0, 1, 5, state.game.max_plies):
        one, two = Rng(seed), Rng(seed)
        end, made = state.playout(one, limit)
        wanted, count = _stepped(state, two, limit)
        promise(
            state.key() == before,
            "playout changed the state that it was called on",
            cure="Begin with `scratch()`, or a copy.",
        )
        promise(
            made <= limit,
            f"playout must stop after {limit} decisions, its limit, not {{}}",
            made,
            cure="Count decisions of seats; outcomes of chance do not count.",
        )
        promise(
            (end, made) == (wanted, count),
            "playout must draw from the generator exactly as sample does: with limit "
            f"{limit} it led to {{}} in {{}} decisions, and sample leads to {{}} in {{}}",
            end.key(),
            made,
            wanted.key(),
            count,
            cure="Draw one number where `sample` draws one, in the same order: "
            "`rng.below(n)` with the same `n`.",
        )
        promise(
            one.next32() == two.next32(),
            "playout must draw from the generator exactly as often as sample does",
            cure="Draw nothing before the first and nothing after the last action.",
        )


def _stepped(state: State, rng: Rng, limit: int) -> tuple[State, int]:
    made = 0
    while state.actor != OVER:
        if state.actor != CHANCE:
            if made == limit:
                break
            made += 1
        state = state.apply(state.sample(rng))
    return state, made
