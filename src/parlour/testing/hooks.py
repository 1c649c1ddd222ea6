"""What agents and random games rely on: sampling, playouts, evaluations, hints for searches."""

import math

from librt.vecs import vec

from parlour import Actions
from parlour.core.checks import is_int
from parlour.core.game import CHANCE, OVER, State
from parlour.core.heuristics import UNKNOWN_VALUE, Heuristics, heuristics
from parlour.core.result import UNDECIDED
from parlour.core.rng import Rng
from parlour.testing.promise import promise

SMALL = 8
DRAWS = 60
LIKELY = 0.05
MOST_FINGERPRINT = 2**62 - 1


def check_values(state: State) -> None:
    """Evaluations stay within their bounds and agree, and the fingerprint in its range."""
    most = UNDECIDED if state.result() is None else 1.0
    known = heuristics(state.game)
    values: list[object] = []
    for seat in range(state.game.seats):
        value = known.evaluate(state, seat)
        promise(
            isinstance(value, int | float) and abs(value) <= most,
            f"evaluate stays within {most:g} of 0 {'before' if most < 1 else 'at'} the end, not "
            "{}: parlour.estimate squeezes any number",
            value,
        )
        values.append(value)
    together = list(known.evaluate_seats(state))
    promise(
        together == values,
        f"evaluate_seats is evaluate of every seat, {values}, not {{}}",
        together,
    )
    weight = known.evaluation_weight(state)
    promise(
        isinstance(weight, int | float) and 0.0 <= weight <= 1.0,
        "evaluation_weight is a number from 0 to 1, not {}",
        weight,
    )
    number = known.fingerprint(state)
    promise(
        is_int(number) and 0 <= number <= MOST_FINGERPRINT,
        "a fingerprint is an int from 0 to 2**62 - 1, not {}",
        number,
    )


def check_draws(state: State, rng: Rng) -> None:
    """`sample` draws legal actions and misses none; `rollout_policy` draws legal ones."""
    legal = set(state.legal_actions())
    if not legal:
        return
    # The default draws from what was checked already.
    can_miss = type(state).sample is not State.sample and len(legal) <= SMALL
    draws = DRAWS * len(legal) if can_miss else 4
    drawn = {state.sample(rng) for _ in range(draws)}
    promise(drawn <= legal, "sample draws legal actions only, not {}", sorted(drawn - legal))
    if can_miss:
        odds = dict(state.chance_outcomes())
        missed = [each for each in legal - drawn if odds.get(each, 1.0) >= LIKELY]
        promise(
            not missed,
            f"sample reaches every legal action, but never {{}} in {draws} draws",
            sorted(missed),
        )
    known = heuristics(state.game)
    for _ in range(4):
        action = known.rollout_policy(state, rng)
        promise(action in legal, "rollout_policy draws a legal action, not {}", action)


def check_hints(state: State) -> None:
    """What a search is told: parts of the legal actions, and a number for each."""
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
            f"search_actions(state, {depth}) is never empty: return legal_actions() instead",
        )
        after = known.null_move(state, depth)
        promise(
            after is None or after.actor not in (CHANCE, OVER),
            f"null_move(state, {depth}) is None, or a position in which a seat is to act",
        )
    for action in legal:
        can_reduce: object = known.can_reduce(state, action)
        promise(isinstance(can_reduce, bool), "can_reduce is True or False, not {}", can_reduce)
    is_repetition: object = known.is_repetition(state)
    promise(
        isinstance(is_repetition, bool), "is_repetition is True or False, not {}", is_repetition
    )
    check_bounds(known, state)
    _check_part("quiescence_actions", known.quiescence_actions(state), allowed)
    priors = known.priors(state, legal)
    promise(isinstance(priors, vec[float]), "priors returns a vec[float], not {}", priors)  # type: ignore[misc]
    promise(
        len(priors) in (0, len(legal)),
        f"priors is empty or has a number for each of the {len(legal)} actions, not {{}}",
        len(priors),
    )
    promise(
        all(math.isfinite(prior) for prior in priors), "priors are finite, not {}", list(priors)
    )
    for action in legal:
        rank = known.move_order(state, action)
        promise(is_int(rank), f"move_order(state, {action}) is an int, not {{}}", rank)


def check_bounds(heuristics: Heuristics, state: State) -> None:
    """What a search leaves out by: solved positions, margins, rough evaluations."""
    for is_deep in (False, True):
        known = heuristics.known_value(state, is_deep)
        promise(
            isinstance(known, int | float) and (known == UNKNOWN_VALUE or abs(known) <= 1.0),
            f"known_value(state, {is_deep}) is UNKNOWN_VALUE, or within 1 of 0, not {{}}",
            known,
        )
    margin = heuristics.futility_margin(state)
    promise(
        isinstance(margin, int | float) and margin > 0.0,
        "futility_margin is a positive number, not {}",
        margin,
    )
    value = heuristics.evaluate(state, 0)
    for low, high in ((-1.0, 1.0), (value - 0.01, value + 0.01), (-1.0, -0.5), (0.5, 1.0)):
        rough = heuristics.evaluate_within(state, low, high)
        promise(
            rough == value or rough <= low or rough >= high,
            f"evaluate_within(state, {low:g}, {high:g}) is evaluate(state, 0), or a bound outside "
            "of them, not {}",
            rough,
        )


def _check_part(name: str, actions: object, allowed: set[int]) -> None:
    promise(
        isinstance(actions, Actions),  # type: ignore[misc]
        f"{name} returns parlour.Actions([...]), not {{}}",
        actions,
    )
    listed = list(actions)  # type: ignore[call-overload]
    promise(
        set(listed) <= allowed and len(set(listed)) == len(listed),
        f"{name} lists legal actions only, each once, not {{}}",
        listed,
    )


def check_playout(state: State, seed: int) -> None:
    """`playout` plays as `sample` and `apply` would with the same generator."""
    before = state.key()
    for limit in (0, 1, 5, state.game.max_plies):
        one, two = Rng(seed), Rng(seed)
        end, made = state.playout(one, limit)
        wanted, count = _stepped(state, two, limit)
        promise(
            state.key() == before, "playout changed the state that it was called on: copy it first"
        )
        promise(
            made <= limit, f"playout stops after {limit} decisions, its limit, not after {{}}", made
        )
        promise(
            (end, made) == (wanted, count),
            f"playout draws from the generator exactly as sample does in turn: with limit {limit} "
            "it led to {} in {} decisions, and sample leads to {} in {}",
            end.key(),
            made,
            wanted.key(),
            count,
        )
        promise(
            one.next32() == two.next32(),
            "playout draws from the generator exactly as sample does in turn, not more often and "
            "not less",
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
