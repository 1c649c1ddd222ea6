"""What a seat does not know: it shows nowhere, and `determinize` depends on nothing of it."""

from itertools import islice, pairwise

from parlour.core.game import CHANCE, OVER, State, is_shown
from parlour.core.rng import Rng
from parlour.core.scene import Scene
from parlour.testing.promise import broken, promise
from parlour.testing.scenes import viewers

SEEDS = (1, 2, 3)
NO_SECRETS = (
    "but has_secrets is False: agents would see everything; pass has_secrets=True and write "
    "determinize"
)


def check_start(start: State) -> None:
    """Nothing is hidden at the start, because seeds are public."""
    seen = start.scene()
    for seat in range(start.game.seats):
        promise(
            _content(start.scene(seat)) == _content(seen),
            f"seat {seat} sees something else at the start than a spectator: seeds are public, so "
            "deal what is hidden by chance, after the start",
        )
        drawn = start.determinize(seat, Rng(1))
        promise(
            drawn == start,
            f"determinize({seat}) leaves the start as it is, because seeds are public, not {{}}: "
            "deal what is hidden by chance, after the start",
            drawn.key(),
        )


def check_secrets(start: State, state: State) -> bool:
    """Nobody learns what it does not know: `determinize` draws that anew, and nothing else.

    Whether it changed anything.
    """
    if not state.game.has_secrets:
        _check_open(state)
        return False
    changed = False
    for seat in range(state.game.seats):
        for seed in SEEDS:
            drawn = state.determinize(seat, Rng(seed))
            _check_drawn(state, drawn, seat)
            _check_told(start, state, drawn, seat)
            again = drawn.determinize(seat, Rng(9))
            direct = state.determinize(seat, Rng(9))
            promise(
                direct == again,
                f"determinize({seat}) depends on something that the seat does not know: from what "
                "it draws itself it draws {} with the same generator, not {}",
                again.key(),
                direct.key(),
            )
            changed = changed or drawn != state
    _check_hidden_actions(state)
    return changed


def _content(scene: Scene) -> tuple[object, ...]:
    return (scene.cells, tuple(view.tray for view in scene.seats))


def _check_open(state: State) -> None:
    """Without secrets everybody sees the same, and nothing is drawn anew."""
    seen = _content(state.scene())
    for seat in range(state.game.seats):
        promise(
            _content(state.scene(seat)) == seen,
            f"seat {seat} sees other cells or another tray than a spectator, {NO_SECRETS}",
        )
        drawn = state.determinize(seat, Rng(1))
        promise(
            drawn == state,
            f"determinize({seat}) changes the state to {{}}, {NO_SECRETS}",
            drawn.key(),
        )
        for action in islice(state.legal_actions(), 4):
            promise(
                state.game.can_see(state, action, seat),
                f"can_see is False for seat {seat} and action {action}, {NO_SECRETS}",
            )


def _check_drawn(state: State, drawn: State, seat: int) -> None:
    """That the seat cannot tell the position that was drawn from the true one."""
    promise(isinstance(drawn, State), f"determinize({seat}) returns a State, not {{}}", drawn)
    promise(drawn.game == state.game, f"determinize({seat}) stays in the game")
    promise(
        drawn.actor == state.actor,
        f"determinize({seat}) keeps the actor, {{}}, not {{}}",
        int(state.actor),
        int(drawn.actor),
    )
    true, other = state.scene(seat), drawn.scene(seat)
    for field in ("cells", "seats", "status"):
        promise(
            getattr(true, field) == getattr(other, field),
            f"determinize({seat}) changes what seat {seat} itself sees, the {field} of its scene: "
            "draw anew only what the scene does not show, and show only what the seat knows",
        )
    if state.actor == seat:
        promise(
            list(drawn.legal_actions()) == list(state.legal_actions()),
            f"determinize({seat}) keeps the legal actions of seat {seat}, {{}}, not {{}}",
            list(state.legal_actions()),
            list(drawn.legal_actions()),
        )
    promise(
        _content(state.scene()) == _content(drawn.scene()),
        f"a spectator sees something that seat {seat} does not know: show it to nobody, or "
        "spectators could tell it",
    )
    if state.actor == OVER:
        promise(
            drawn.result() == state.result(),
            f"determinize({seat}) keeps the result, {{}}, not {{}}",
            state.result(),
            drawn.result(),
        )


def _check_told(start: State, state: State, drawn: State, seat: int) -> None:
    """What a seat is told in words and fields says no more than it knows."""
    game = state.game
    promise(
        game.json_fields(state, 0, seat) == game.json_fields(drawn, 0, seat),
        f"json_fields tells seat {seat} what it does not know: {{}}",
        game.json_fields(state, 0, seat),
    )
    guide = game.guide()
    promise(
        guide.remark(start, state, seat) == guide.remark(start, drawn, seat),
        f"remark tells seat {seat} what it does not know: {{}}",
        guide.remark(start, state, seat),
    )
    for topic in guide.topics():
        promise(
            guide.explain(state, topic, seat) == guide.explain(drawn, topic, seat),
            f"explain tells seat {seat} what it does not know: {{}}",
            guide.explain(state, topic, seat),
        )


def _check_hidden_actions(state: State) -> None:
    """After an action that a seat does not see, all that it could have been are the same to it."""
    game = state.game
    legal = list(state.legal_actions())
    actor = state.actor
    if actor >= 0:
        for action in legal:
            promise(
                game.can_see(state, action, int(actor)),
                f"can_see is True for the seat that acts: action {action} of seat {actor}",
            )
    for viewer in viewers(game):
        hidden = [action for action in legal if not is_shown(game, state, action, viewer)]
        for first, second in pairwise(hidden[:5]):
            _check_alike(state, first, second, viewer)


def _check_alike(state: State, first: int, second: int, viewer: int | None) -> None:
    one, two = state.apply(first), state.apply(second)
    if one.scene(viewer) != two.scene(viewer):
        return  # It learns something of it after all.
    words = [state.game.action_words(state, action, viewer) for action in (first, second)]
    promise(
        words[0] == words[1],
        "action_words tells who cannot see it which action it was: {} or {}; say the same of both, "
        "such as 'a card'",
        *words,
    )
    if viewer is None or one.actor != two.actor:
        return
    drawn = [after.determinize(viewer, Rng(5)) for after in (one, two)]
    if drawn[0] != drawn[1]:
        maker = "chance" if state.actor == CHANCE else f"seat {state.actor}"
        broken(
            f"seat {viewer} cannot see which action {maker} made, {first} or {second}, but "
            f"determinize({viewer}) tells: it draws {drawn[0].key()!r} after one and "
            f"{drawn[1].key()!r} after the other with the same generator; draw anew what the seat "
            "does not know"
        )
