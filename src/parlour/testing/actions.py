"""The rules' own promises: who acts, what is legal, what an action does, how a game ends."""

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
    """The first, the last, and some between."""
    listed = list(items)
    some = [*listed[:1], *listed[-1:], *listed[:: max(1, len(listed) // 6)]]
    return list(islice(dict.fromkeys(some), count))


def check_shape(state: State) -> None:
    """There is an actor, and its legal actions are ids in ascending order; none at the end."""
    game = state.game
    actor: object = state.actor
    promise(
        not callable(actor), "actor is a property: put @property before it ({} is a method)", actor
    )
    promise(
        is_int(actor) and (actor in (CHANCE, OVER) or 0 <= state.actor < game.seats),
        f"actor is a seat from 0 to {game.seats - 1}, parlour.CHANCE or parlour.OVER, not {{}}",
        actor,
    )
    legal = state.legal_actions()
    promise(
        isinstance(legal, Actions),  # type: ignore[misc]
        "legal_actions returns a list or parlour.Actions([...]), not {}",
        legal,
    )
    ids = list(legal)
    promise(ids == sorted(ids), "legal actions ascend: sort {}", ids)
    promise(len(set(ids)) == len(ids), "each legal action is listed once, not as in {}", ids)
    promise(
        (actor == OVER) == (not ids),
        "there are legal actions unless, and only unless, actor is OVER: actor {}, legal {}",
        actor,
        ids,
    )
    if actor != CHANCE:
        promise(
            all(0 <= action < game.num_actions for action in ids),
            f"ids are from 0 to num_actions - 1, which is {game.num_actions - 1}, not {{}}: raise "
            "num_actions",
            ids,
        )
    if ids:
        legal[0] = -9
        promise(
            list(state.legal_actions()) == ids,
            "legal_actions gives a list that is the caller's to keep: make a new one each time",
        )


def check_key(state: State) -> None:
    """The key can be compared and hashed, and is the same each time."""
    key = state.key()
    try:
        hash(key)
    except TypeError:
        broken(f"key is hashable, with tuples instead of lists: not {shown(key)}")
    promise(state.key() == key, "key is the same each time, not {} and then {}", key, state.key())


def check_apply(state: State) -> None:
    """An action gives a new state, the same each time, and leaves the old one as it was."""
    for action in spread(state.legal_actions()):
        before = state.key()
        after = state.apply(action)
        check_untouched(state, before, action)
        promise(isinstance(after, State), f"apply({action}) returns a State, not {{}}", after)
        promise(
            after.game == state.game, f"apply({action}) stays in the game, not {{}}", after.game
        )
        again = state.apply(action)
        promise(
            after == again,
            f"apply({action}) gives the same state each time: {{}}, then {{}}; all chance is an "
            "action of CHANCE",
            after.key(),
            again.key(),
        )


def check_untouched(state: State, before: object, action: int) -> None:
    """`apply` never changes the state that it is called on.

    Its key was `before`.
    """
    promise(
        state.key() == before,
        f"apply({action}) changed the state that it was called on, from {{}} to {{}}: copy what "
        "you change",
        before,
        state.key(),
    )


def check_advance(state: State) -> None:
    """`scratch` and `advance` give what `apply` gives, and change nothing else."""
    for action in spread(state.legal_actions()):
        before = state.key()
        after = state.scratch().advance(action)
        promise(
            state.key() == before,
            f"advance({action}) changed the state from which scratch was asked: replace scratch "
            "and advance both or none",
        )
        promise(
            after == state.apply(action),
            f"advance({action}) and apply({action}) agree, not {{}} and {{}}",
            after.key(),
            state.apply(action).key(),
        )


def check_result(state: State) -> None:
    """There is a result at the end, one return a seat; and none before."""
    game = state.game
    result = state.result()
    is_over = state.actor == OVER
    promise(
        (result is not None) == is_over,
        "there is a result if, and only if, actor is parlour.OVER: actor {}, result {}",
        int(state.actor),
        result,
    )
    if result is None:
        return
    promise(
        isinstance(result, Result),
        "result returns parlour.Result(returns, scores, reason), not {}",
        result,
    )
    returns = result.returns
    promise(
        isinstance(returns, tuple) and len(returns) == game.seats,
        f"returns is a tuple with one number for each of the {game.seats} seats, not {{}}",
        returns,
    )
    promise(
        all(isinstance(value, int | float) and -1 <= value <= 1 for value in returns),
        "returns lie in [-1, 1], not {}: scale them",
        returns,
    )
    _check_utility(game, "returns", returns)
    promise(
        result.scores is None or len(result.scores) == game.seats,
        "scores is None or has one number for each seat, not {}",
        result.scores,
    )
    promise(
        isinstance(result.reason, str) and result.reason.strip(),
        "a result has a reason in words, not {}",
        result.reason,
    )


def _check_utility(game: Game, what: str, values: tuple[float, ...]) -> None:
    """Check that numbers of the seats relate as the game's utility and teams say."""
    promise(
        game.utility != ZERO_SUM or abs(sum(values)) < 1e-9,
        f"{what} of a zero-sum game sum to 0, not as {{}}: pass utility='general' or 'common' to "
        "super().__init__ if what one wins others do not lose",
        values,
    )
    promise(
        game.utility != COMMON or len(set(values)) == 1,
        f"{what} of a common game are the same for all seats, not {{}}: pass utility='general' if "
        "they may differ",
        values,
    )
    promise(
        len(set(zip(game.teams, values, strict=True))) == game.num_teams,
        f"{what} are equal within a team; the teams are {game.teams}, the {what} {{}}",
        values,
    )


def check_rewards(state: State) -> None:
    """Check that rewards are one number a seat, and the returns at the end."""
    game = state.game
    rewards = state.rewards()
    promise(
        isinstance(rewards, tuple)
        and len(rewards) == game.seats
        and all(isinstance(value, int | float) and -1 <= value <= 1 for value in rewards),
        f"rewards is a tuple with a number from -1 to 1 for each of the {game.seats} seats, not "
        "{}: return what each seat has collected so far, scaled like returns",
        rewards,
    )
    _check_utility(game, "rewards", rewards)
    result = state.result()
    promise(
        result is None or rewards == result.returns,
        "rewards at the end are the returns, {}, not {}: what a seat collected adds up to them",
        result and result.returns,
        rewards,
    )


def check_chance(state: State) -> None:
    """There are outcomes with their odds at CHANCE, and nowhere else."""
    outcomes = state.chance_outcomes()
    if state.actor != CHANCE:
        promise(outcomes == [], "chance_outcomes is empty unless actor is CHANCE, not {}", outcomes)
        return
    promise(state.game.has_chance, "a state is at CHANCE: pass has_chance=True to super().__init__")
    legal = list(state.legal_actions())
    ids = [outcome for outcome, _ in outcomes]
    promise(
        ids == legal and all(is_int(outcome) for outcome in ids),
        "chance_outcomes has the legal actions in their order, not {} for {}",
        outcomes,
        legal,
    )
    odds = [probability for _, probability in outcomes]
    promise(
        all(probability > 0 for probability in odds),
        "every outcome has a probability above 0: leave out those that cannot happen, not {}",
        outcomes,
    )
    promise(abs(sum(odds) - 1) < 1e-9, "the odds sum to 1, not to {}", sum(odds))


def check_refusals(state: State, rng: Rng) -> None:
    """`refusal`, `play` and `legal_actions` say the same of every id, and of what is none."""
    legal = set(state.legal_actions())
    count = state.game.num_actions
    ids: Iterable[int] = range(count)
    if count > PROBES:
        ids = {*(rng.below(count) for _ in range(PROBES)), *spread(sorted(legal))}
    for action in (*ids, -1, count, 2**70, -(2**70), 10**5000):
        _check_refusal(state, action, action in legal)
    for junk in NOT_ACTIONS:
        promise(state.refusal(junk), f"refusal({junk!r}) gives a reason")
        went = instead_of((IllegalAction, ActionTextError), state.play, junk)
        if went:
            broken(f"play({junk!r}) raises IllegalAction or ActionTextError, but {went}")


def _check_refusal(state: State, action: int, is_legal: bool) -> None:
    reason = state.refusal(action)
    promise(
        (reason is None) == is_legal,
        "rule_against agrees with legal_actions: action {} is {}, refused because {}",
        action,
        "legal" if is_legal else "not legal",
        reason,
    )
    if is_legal:
        promise(state.play(action) == state.apply(action), f"play({action}) is apply({action})")
        return
    promise(isinstance(reason, str) and reason, "a refusal says why, not {}", reason)
    went = instead_of(IllegalAction, state.play, action)
    if went:
        broken(f"play({shown(action)}) raises IllegalAction, but {went}")
