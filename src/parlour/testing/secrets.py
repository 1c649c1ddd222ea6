"""Check secrets: nothing reveals them, and `determinize` does not depend on them."""

from itertools import islice, pairwise

from parlour.core.game import CHANCE, OVER, State, is_shown
from parlour.core.rng import Rng
from parlour.core.scene import Scene
from parlour.testing.promise import broken, promise
from parlour.testing.scenes import viewers

SEEDS = (1, 2, 3)
NO_SECRETS = (
    "Pass `has_secrets=True` and write `determinize`; otherwise agents would see everything."
)


def check_start(start: State) -> None:
    """Check that nothing is hidden at the start, because seeds are public."""
    seen = start.scene()
    for seat in range(start.game.seats):
        promise(
            _content(start.scene(seat)) == _content(seen),
            f"seat {seat} sees something else at the start than a spectator, but seeds are public",
            cure="Deal hidden cards and pieces by chance, after the start.",
        )
        drawn = start.determinize(seat, Rng(1))
        promise(
            drawn == start,
            f"determinize({seat}) must not change the start, because seeds are public, "
            f"but returned {{}}",
            drawn.key(),
            cure="Deal hidden cards and pieces by chance, after the start.",
        )


def check_secrets(start: State, state: State) -> bool:
    """Check that `determinize` redraws what a seat does not know, and nothing reveals it.

    Return whether it changed anything.
    """
    if not state.game.has_secrets:
        _check_open(state)
        return False
    changed = False
    for seat in range(state.game.seats):
        for seed in SEEDS:
            drawn = state.determinize(seat, Rng(seed))
            _check_drawn(state, drawn, seat)
            _check_texts(start, state, drawn, seat)
            again = drawn.determinize(seat, Rng(9))
            direct = state.determinize(seat, Rng(9))
            promise(
                direct == again,
                f"determinize({seat}) depends on something that the seat does not know: "
                f"from its own result it draws {{}} with the same generator, not {{}}",
                again.key(),
                direct.key(),
                cure="Sort what is unknown before you shuffle it, so that the true order does "
                "not leak.",
            )
            changed = changed or drawn != state
    _check_hidden_actions(state)
    return changed


def _content(scene: Scene) -> tuple[object, ...]:
    return (scene.cells, tuple(view.tray for view in scene.seats))


def _check_open(state: State) -> None:
    """Check that without secrets all viewers see the same, and nothing is redrawn."""
    seen = _content(state.scene())
    for seat in range(state.game.seats):
        promise(
            _content(state.scene(seat)) == seen,
            f"seat {seat} sees other cells or another tray than a spectator, but "
            "has_secrets is False",
            cure=NO_SECRETS,
        )
        drawn = state.determinize(seat, Rng(1))
        promise(
            drawn == state,
            f"determinize({seat}) changes the state to {{}}, but has_secrets is False",
            drawn.key(),
            cure=NO_SECRETS,
        )
        for action in islice(state.legal_actions(), 4):
            promise(
                state.game.can_see(state, action, seat),
                f"can_see is False for seat {seat} and action {action}, but has_secrets is False",
                cure=NO_SECRETS,
            )


def _check_drawn(state: State, drawn: State, seat: int) -> None:
    """Check that the seat cannot distinguish the drawn position from the true one."""
    promise(
        isinstance(drawn, State),
        f"determinize({seat}) must return a State, not {{}}",
        drawn,
        cure="Return a state of the same class.",
    )
    promise(
        drawn.game == state.game,
        f"determinize({seat}) must keep the game",
        cure="Pass `self.game` to the new state.",
    )
    promise(
        drawn.actor == state.actor,
        f"determinize({seat}) must keep the actor, {{}}, not {{}}",
        int(state.actor),
        int(drawn.actor),
        cure="Keep the seat to act, which every seat knows.",
    )
    true, other = state.scene(seat), drawn.scene(seat)
    for field in ("cells", "seats", "status"):
        promise(
            getattr(true, field) == getattr(other, field),
            f"determinize({seat}) changes what seat {seat} itself sees, the {field} of its scene",
            cure="Redraw only what the scene does not show, and show only what the seat knows.",
        )
    if state.actor == seat:
        promise(
            list(drawn.legal_actions()) == list(state.legal_actions()),
            f"determinize({seat}) must keep the legal actions of seat {seat}, {{}}, not {{}}",
            list(state.legal_actions()),
            list(drawn.legal_actions()),
            cure="Keep everything that the seat's actions depend on.",
        )
    promise(
        _content(state.scene()) == _content(drawn.scene()),
        f"a spectator sees something that seat {seat} does not know",
        cure="Show spectators only what all seats know.",
    )
    if state.actor == OVER:
        promise(
            drawn.result() == state.result(),
            f"determinize({seat}) must keep the result, {{}}, not {{}}",
            state.result(),
            drawn.result(),
            cure="Keep everything that decides the result once the game is over.",
        )


def _check_texts(start: State, state: State, drawn: State, seat: int) -> None:
    """Check that texts and fields for a seat contain only what it knows."""
    game = state.game
    promise(
        game.json_fields(state, 0, seat) == game.json_fields(drawn, 0, seat),
        f"json_fields() reveals to seat {seat} what it does not know: {{}}",
        game.json_fields(state, 0, seat),
        cure="Build the fields from what `state.scene(seat)` shows.",
    )
    guide = game.guide()
    promise(
        guide.remark(start, state, seat) == guide.remark(start, drawn, seat),
        f"remark() reveals to seat {seat} what it does not know: {{}}",
        guide.remark(start, state, seat),
        cure="Build the text from what `state.scene(seat)` shows.",
    )
    for topic in guide.topics():
        promise(
            guide.explain(state, topic, seat) == guide.explain(drawn, topic, seat),
            f"explain() reveals to seat {seat} what it does not know: {{}}",
            guide.explain(state, topic, seat),
            cure="Build the text from what `state.scene(seat)` shows.",
        )


def _check_hidden_actions(state: State) -> None:
    """Check that a seat cannot distinguish actions that it does not see."""
    game = state.game
    legal = list(state.legal_actions())
    actor = state.actor
    if actor >= 0:
        for action in legal:
            promise(
                game.can_see(state, action, int(actor)),
                f"can_see must be True for the seat that acts: action {action} of seat {actor}",
                cure="Return True for the seat that acts.",
            )
    for seat in range(game.seats):
        seen = [action for action in legal if seat != actor and game.can_see(state, action, seat)]
        for first, second in pairwise(seen[:5]):
            _check_known(state, first, second, seat)
    for viewer in viewers(game):
        hidden = [action for action in legal if not is_shown(game, state, action, viewer)]
        for first, second in pairwise(hidden[:5]):
            _check_alike(state, first, second, viewer)


def _check_known(state: State, first: int, second: int, seat: int) -> None:
    """Check that a seat which sees an action knows it afterwards."""
    one, two = state.apply(first), state.apply(second)
    if one == two or one.actor != two.actor or one.scene(seat) != two.scene(seat):
        return
    for seed in SEEDS:
        if one.determinize(seat, Rng(seed)) != two.determinize(seat, Rng(seed)):
            return
    maker = "chance" if state.actor == CHANCE else f"seat {state.actor}"
    broken(
        f"can_see tells seat {seat} which action {maker} made, {first} or {second}, but "
        f"determinize({seat}) draws the same positions after both",
        cure="Return False from `can_see` if the seat must not know the action; otherwise keep "
        "the action in `determinize`.",
    )


def _check_alike(state: State, first: int, second: int, viewer: int | None) -> None:
    one, two = state.apply(first), state.apply(second)
    if one.scene(viewer) != two.scene(viewer):
        return  # the scene shows a difference, so these actions are not hidden
    words = [state.game.action_words(state, action, viewer) for action in (first, second)]
    promise(
        words[0] == words[1],
        "action_words() reveals a hidden action: {} or {}",
        *words,
        cure="Return one text for all actions that it could have been, such as 'a card'.",
    )
    if viewer is None or one.actor != two.actor:
        return
    drawn = [after.determinize(viewer, Rng(5)) for after in (one, two)]
    if drawn[0] != drawn[1]:
        maker = "chance" if state.actor == CHANCE else f"seat {state.actor}"
        broken(
            f"seat {viewer} cannot see which action {maker} made, {first} or {second}, "
            f"but determinize({viewer}) reveals it: it draws {drawn[0].key()!r} after "
            f"one and {drawn[1].key()!r} after the other with the same generator",
            cure="Redraw the hidden action from all that it could have been, in sorted order.",
        )
