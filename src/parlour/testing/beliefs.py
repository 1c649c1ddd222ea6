"""Check `determinize` against what a seat can conclude from the last action.

The positions that a seat thought possible before an action, followed by it, are those that it
thinks possible afterwards. Only few positions can be compared so, which is why most checks happen
at the beginning and near the end of a game.
"""

import math
from collections import Counter

from parlour.core.game import CHANCE, State
from parlour.core.rng import Rng
from parlour.testing.promise import broken

FEW = 8
"""The most positions that a seat thinks possible, if they are compared."""
TRIED = 40
DRAWS = 400
OFTEN = 4
"""How often each must be drawn, if all were drawn."""
MOST_ACTIONS = 20


def check_beliefs(before: State, action: int, after: State) -> None:
    """Check that `determinize` draws only what a seat can think possible, and as often."""
    for seat in range(after.game.seats):
        if before.actor != seat or before.actor == CHANCE:
            _check_belief(before, action, after, seat)


def _check_belief(before: State, action: int, after: State, seat: int) -> None:
    rng = Rng(7)
    if len({before.determinize(seat, rng) for _ in range(TRIED)}) > FEW:
        return
    worlds = Counter([before.determinize(seat, rng) for _ in range(DRAWS)])
    if min(worlds.values()) < OFTEN:
        return
    is_hidden = not before.game.can_see(before, action, seat)
    wanted = _reached(worlds, action, after, seat, is_hidden)
    if not wanted or len(wanted) > FEW:
        return
    is_chance = is_hidden and before.actor == CHANCE
    draws = DRAWS if is_chance else TRIED
    drawn = Counter([after.determinize(seat, rng) for _ in range(draws)])
    maker = "chance" if before.actor == CHANCE else f"seat {before.actor}"
    for world in drawn:
        if world not in wanted:
            broken(
                f"determinize({seat}) ignores what seat {seat} knows: after action {action} of "
                f"{maker} it draws {world.key()!r}, in which that action was impossible or would "
                "look different",
                cure="Draw only what fits everything that the seat saw. If the position does not "
                "show it, note it in the state, such as the suits that a player does not hold.",
            )
    if is_chance:
        _check_frequencies(drawn, wanted, seat)


def _reached(
    worlds: Counter[State], action: int, after: State, seat: int, is_hidden: bool
) -> dict[State, float]:
    """Return what the seat thinks possible after the action, with weights.

    The weights are probabilities if the action is a hidden one of chance.
    """
    game = after.game
    scene = after.scene(seat, False)
    reached: dict[State, float] = {}
    for world, count in worlds.items():
        odds = dict(world.chance_outcomes())
        actions = list(world.legal_actions())
        if is_hidden:
            if len(actions) > MOST_ACTIONS:
                return {}
            actions = [each for each in actions if not game.can_see(world, each, seat)]
        elif action in actions:
            actions = [action]
        else:
            continue
        for each in actions:
            found = world.apply(each)
            if found.actor == after.actor and found.scene(seat, False) == scene:
                reached[found] = reached.get(found, 0.0) + count * odds.get(each, 1.0)
    return reached


def _check_frequencies(drawn: Counter[State], wanted: dict[State, float], seat: int) -> None:
    """Compare the frequencies of hidden outcomes by a chi-squared test of two samples."""
    scale = DRAWS / sum(wanted.values())
    distance = 0.0
    for world, weight in wanted.items():
        expected = weight * scale
        distance += (drawn[world] - expected) ** 2 / (drawn[world] + expected)
    if distance > most_distance(len(wanted)):
        world = max(wanted, key=lambda each: abs(drawn[each] - wanted[each] * scale))
        broken(
            f"determinize({seat}) is biased: in {DRAWS} draws after a hidden outcome it gives "
            f"{world.key()!r} {drawn[world]} times, not about {wanted[world] * scale:.0f}",
            cure="Draw every possibility with its probability: shuffle all that is unknown by "
            "`rng.shuffle`, and deal it out.",
        )


def most_distance(kinds: int) -> float:
    """Return a bound of the chi-squared statistic that chance passes once in a million times."""
    freedom = kinds - 1
    return freedom + 6.0 * math.sqrt(2.0 * freedom) + 14.0
