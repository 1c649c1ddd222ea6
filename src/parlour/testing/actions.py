"""Check the rules: actor, legal actions, the effect of actions, chance and results."""

from collections.abc import Iterable
from itertools import islice

from parlour import Actions
from parlour.core.checks import is_int, shown
from parlour.core.errors import ActionTextError, IllegalAction
from parlour.core.game import CHANCE, OVER, Game, State
from parlour.core.result import COMMON, ZERO_SUM, Result
from parlour.core.rng import Rng
from parlour.testing.promise import broken, instead_of, promise

NOT_ACTIONS: tuple[object, ...] = (
    None,
    "no such action",
    1.0,
    True,
    b"1",
    (),
    object(),
    float("nan"),
)
PROBES = 64


def spread(items: Iterable[int], count: int = 8) -> list[int]:
    """Return the first item, the last, and some between."""
    listed = list(items)
    some = [*listed[:1], *listed[-1:], *listed[:: max(1, len(listed) // 6)]]
    return list(islice(dict.fromkeys(some), count))


def check_shape(state: State) -> None:
    """Check that there is an actor with ascending legal actions, and none at the end."""
    game = state.game
    actor: object = state.actor
    promise(
        not callable(actor),
        "actor must be a property; {} is a method",
        actor,
        cure="Write `@property` before `def actor`.",
    )
    promise(
        is_int(actor) and (actor in (CHANCE, OVER) or 0 <= state.actor < game.seats),
        f"actor must be a seat from 0 to {game.seats - 1}, parlour.CHANCE or "
        f"parlour.OVER, not {{}}",
        actor,
        cure="Return a plain int; bools and `None` are refused.",
    )
    legal = state.legal_actions()
    promise(
        isinstance(legal, Actions),  # type: ignore[misc]
        "legal_actions() must return a list or parlour.Actions([...]), not {}",
        legal,
        cure="Write `return parlour.Actions([...])`.",
    )
    ids = list(legal)
    promise(
        ids == sorted(ids),
        "legal actions must ascend, not {}",
        ids,
        cure="Sort the list before you return it.",
    )
    promise(
        len(set(ids)) == len(ids),
        "each legal action must be listed once, not {}",
        ids,
        cure="Remove duplicates: two ways to make one action share its id.",
    )
    promise(
        (actor == OVER) == (not ids),
        "there must be legal actions unless actor is OVER, and none then: actor {}, legal {}",
        actor,
        ids,
        cure="Give a seat that cannot move an action to pass, or skip it in `actor`; "
        "return an empty list at `OVER`.",
    )
    if actor != CHANCE:
        promise(
            all(0 <= action < game.num_actions for action in ids),
            f"ids must be from 0 to num_actions - 1, which is {game.num_actions - 1}, not {{}}",
            ids,
            cure="Raise `num_actions` to the largest id plus one, over all positions and options; "
            "perhaps it was swapped with `seats`.",
        )
    if ids:
        legal[0] = -9
        promise(
            list(state.legal_actions()) == ids,
            "legal_actions() must return a new list each time",
            cure="Copy a list that the state keeps: callers may change the result.",
        )


def check_key(state: State) -> None:
    """Check that the key is hashable and the same each time."""
    key = state.key()
    try:
        hash(key)
    except TypeError:
        broken(
            f"key() must be hashable, not {shown(key)}",
            cure="Turn lists, dicts and sets into sorted tuples or frozensets.",
        )
    promise(
        state.key() == key,
        "key() must be the same each time, not {} and then {}",
        key,
        state.key(),
        cure="Leave out of the key what is drawn, counted or timed.",
    )


def check_apply(state: State) -> None:
    """Check that an action gives the same new state each time and does not change the old one."""
    for action in spread(state.legal_actions()):
        before = state.key()
        after = state.apply(action)
        check_untouched(state, before, action)
        promise(
            isinstance(after, State),
            f"apply({action}) must return a State, not {{}}",
            after,
            cure="Return the new state, even if nothing changes.",
        )
        promise(
            after.game == state.game,
            f"apply({action}) must keep the game, not return one of {{}}",
            after.game,
            cure="Pass `self.game` to the new state.",
        )
        again = state.apply(action)
        promise(
            after == again,
            f"apply({action}) must give the same state each time, not {{}} and then {{}}",
            after.key(),
            again.key(),
            cure="Draw nothing in `apply`: set `actor` to `CHANCE` and make each outcome an "
            "action.",
        )


def check_untouched(state: State, before: object, action: int) -> None:
    """Check that `apply` does not change the state.

    `before` is the key before the call.
    """
    promise(
        state.key() == before,
        f"apply({action}) changed the state that it was called on, from {{}} to {{}}",
        before,
        state.key(),
        cure="Copy a list or a vec before you write into it, nested ones too.",
    )


def check_advance(state: State) -> None:
    """Check that `scratch` and `advance` give the states of `apply`, and change nothing else."""
    for action in spread(state.legal_actions()):
        before = state.key()
        after = state.scratch().advance(action)
        promise(
            state.key() == before,
            f"advance({action}) changed the state that scratch() was called on",
            cure="Replace `scratch` and `advance` both or neither; `advance` may write only "
            "into a copy that `scratch` made.",
        )
        promise(
            after == state.apply(action),
            f"advance({action}) and apply({action}) must agree, not give {{}} and {{}}",
            after.key(),
            state.apply(action).key(),
            cure="Let both call one function for the change itself.",
        )


def check_result(state: State) -> None:
    """Check that there is a result at the end, with a return for each seat, and none before."""
    game = state.game
    result = state.result()
    is_over = state.actor == OVER
    promise(
        (result is not None) == is_over,
        "there must be a result if, and only if, actor is parlour.OVER: actor {}, result {}",
        int(state.actor),
        result,
        cure="Let `actor` and `result` use one function that tells whether the game is over.",
    )
    if result is None:
        return
    promise(
        isinstance(result, Result),
        "result() must return parlour.Result(returns, scores, reason), not {}",
        result,
        cure="Return a `Result`, not the number of the winner or a tuple.",
    )
    returns = result.returns
    promise(
        isinstance(returns, tuple) and len(returns) == game.seats,
        f"returns must be a tuple with one number for each of the {game.seats} seats, not {{}}",
        returns,
        cure="List a return for every seat, also for seats that left.",
    )
    promise(
        all(isinstance(value, int | float) and -1 <= value <= 1 for value in returns),
        "returns must lie in [-1, 1], not {}",
        returns,
        cure="Divide them by the largest possible value; put points of any size into `scores`.",
    )
    _check_utility(game, "returns", returns)
    promise(
        result.scores is None or len(result.scores) == game.seats,
        "scores must be None or have one number for each seat, not {}",
        result.scores,
        cure="List a score for every seat, or pass `None`.",
    )
    promise(
        isinstance(result.reason, str) and result.reason.strip(),
        "a result must have a reason in words, not {}",
        result.reason,
        cure="Pass a few words, such as `took the last one`.",
    )


def _check_utility(game: Game, what: str, values: tuple[float, ...]) -> None:
    """Check that the numbers of the seats agree with the game's utility and teams."""
    promise(
        game.utility != ZERO_SUM or abs(sum(values)) < 1e-9,
        f"{what} of a zero-sum game must sum to 0, not {{}}",
        values,
        cure="Subtract the mean, or pass `utility='general'` or `'common'` to `super().__init__`.",
    )
    promise(
        game.utility != COMMON or len(set(values)) == 1,
        f"{what} of a common game must be the same for all seats, not {{}}",
        values,
        cure="Give every seat the same number, or pass `utility='general'`.",
    )
    promise(
        len(set(zip(game.teams, values, strict=True))) == game.num_teams,
        f"{what} must be equal within a team; the teams are {game.teams}, the {what} {{}}",
        values,
        cure="Give partners the same number.",
    )


def check_rewards(state: State) -> None:
    """Check that rewards are a number for each seat, and at the end the returns."""
    game = state.game
    rewards = state.rewards()
    promise(
        isinstance(rewards, tuple)
        and len(rewards) == game.seats
        and all(isinstance(value, int | float) and -1 <= value <= 1 for value in rewards),
        "rewards must be a tuple with a number from -1 to 1 for each of the "
        f"{game.seats} seats, not {{}}",
        rewards,
        cure="Return what each seat has collected so far, scaled like returns.",
    )
    _check_utility(game, "rewards", rewards)
    result = state.result()
    promise(
        result is None or rewards == result.returns,
        "rewards at the end must be the returns, {}, not {}",
        result and result.returns,
        rewards,
        cure="Compute both from the same numbers.",
    )


def check_chance(state: State) -> None:
    """Check that there are outcomes with probabilities at CHANCE, and nowhere else."""
    outcomes = state.chance_outcomes()
    if state.actor != CHANCE:
        promise(
            outcomes == [],
            "chance_outcomes() must be empty unless actor is CHANCE, not {}",
            outcomes,
            cure="Return `[]` unless the actor is `CHANCE`.",
        )
        return
    promise(
        state.game.has_chance,
        "a state is at CHANCE, but has_chance is False",
        cure="Pass `has_chance=True` to `super().__init__`.",
    )
    legal = list(state.legal_actions())
    ids = [outcome for outcome, _ in outcomes]
    promise(
        ids == legal and all(is_int(outcome) for outcome in ids),
        "chance_outcomes() must list the legal actions in their order, not {} for {}",
        outcomes,
        legal,
        cure="Return the same ids in the same order, as plain ints.",
    )
    odds = [probability for _, probability in outcomes]
    promise(
        all(probability > 0 for probability in odds),
        "every outcome must have a probability above 0, not {}",
        outcomes,
        cure="Leave out outcomes that cannot happen.",
    )
    promise(
        abs(sum(odds) - 1) < 1e-9,
        "the probabilities must sum to 1, not {}",
        sum(odds),
        cure="Divide counts by their sum.",
    )


def check_refusals(state: State, rng: Rng) -> None:
    """Check that `refusal`, `play` and `legal_actions` agree on every id and on other values."""
    legal = set(state.legal_actions())
    count = state.game.num_actions
    ids: Iterable[int] = range(count)
    if count > PROBES:
        ids = {*(rng.below(count) for _ in range(PROBES)), *spread(sorted(legal))}
    for action in (*ids, -1, count, 2**70, -(2**70), 10**5000):
        _check_refusal(state, action, action in legal)
    for junk in NOT_ACTIONS:
        promise(
            state.refusal(junk),
            f"refusal({junk!r}) gave no reason",
            cure="Return a sentence from `rule_against` for every illegal id, and `None` for "
            "legal ones.",
        )
        went = instead_of((IllegalAction, ActionTextError), state.play, junk)
        if went:
            broken(
                f"play({junk!r}) must raise IllegalAction or ActionTextError, but {went}",
                cure="Raise `ActionTextError` from `action_from_text` for unknown texts, not "
                "`KeyError` or `ValueError`.",
            )


def _check_refusal(state: State, action: int, is_legal: bool) -> None:
    reason = state.refusal(action)
    promise(
        (reason is None) == is_legal,
        "rule_against must agree with legal_actions: action {} is {}, refused because {}",
        action,
        "legal" if is_legal else "not legal",
        reason,
        cure="Derive both from one function; `rule_against` is called for every id in "
        "every position.",
    )
    if is_legal:
        promise(
            state.play(action) == state.apply(action),
            f"play({action}) must equal apply({action})",
            cure="Replace `apply` and `rule_against`, not `play`.",
        )
        return
    promise(
        isinstance(reason, str) and reason,
        "a refusal must say why, not {}",
        reason,
        cure="Return a sentence from `rule_against`, not an empty text or `True`.",
    )
    went = instead_of(IllegalAction, state.play, action)
    if went:
        broken(
            f"play({shown(action)}) must raise IllegalAction, but {went}",
            cure="Return the reason from `rule_against`, which must not raise.",
        )
