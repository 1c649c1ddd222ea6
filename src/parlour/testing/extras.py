"""Check the extras for players and spectators: words, frames, remarks, fields, a solution."""

import json

from parlour.core.game import OVER, State, is_shown
from parlour.core.scene import Scene
from parlour.testing.actions import spread
from parlour.testing.promise import broken, promise
from parlour.testing.scenes import viewers


def check_extras(start: State, state: State) -> None:
    """Check that words, frames, remarks, help and fields work for every seat and spectator."""
    for viewer in viewers(state.game):
        _check_words(state, viewer)
        _check_guide(start, state, viewer)
        for action in spread(state.legal_actions(), 2):
            _check_frames(state, action, viewer)


def _check_words(state: State, viewer: int | None) -> None:
    game = state.game
    for action in spread(state.legal_actions()):
        words = game.action_words(state, action, viewer)
        promise(
            isinstance(words, str) and words.strip() and len(words.splitlines()) == 1,
            "action_words() must return a line of text for every viewer, not {}",
            words,
            cure="Return one line for every seat and for `None`.",
        )
        promise(
            is_shown(game, state, action, viewer) or words != game.action_to_text(state, action),
            "action_words() must hide what the viewer may not see: it returned {} for {}",
            words,
            viewer,
            cure="Call `can_see` first, and return a text such as 'a card' to the others.",
        )


def _check_guide(start: State, state: State, viewer: int | None) -> None:
    game = state.game
    guide = game.guide()
    remark = guide.remark(start, state, viewer)
    promise(
        isinstance(remark, str),
        "remark() must return a str, not {}",
        remark,
        cure="Return a text; it may be empty.",
    )
    fields = game.json_fields(state, 0, viewer)
    try:
        written = json.dumps(fields)
    except (TypeError, ValueError) as error:
        broken(
            f"json_fields() must return values that JSON can hold: {error}",
            cure="Use lists, dicts with text keys, texts, numbers, bools and `None` only.",
        )
    promise(
        written.startswith("{"),
        "json_fields() must return a dict, not {}",
        fields,
        cure="Return `{}` if there are none.",
    )
    for topic in guide.topics():
        text = guide.explain(state, topic, viewer)
        promise(
            isinstance(text, str) and text,
            f"explain() must return a text on {topic!r}, which topics() lists, not {{}}",
            text,
            cure="Return a text for each topic that `topics` lists.",
        )
    unknown = guide.explain(state, "no such topic", viewer)
    promise(
        unknown is None,
        "explain() must return None for an unknown topic, not {}",
        unknown,
        cure="Return `None` for every other topic.",
    )


def _check_frames(state: State, action: int, viewer: int | None) -> None:
    frames = state.game.frames(state, action, viewer)
    after = state.apply(action).scene(viewer)
    promise(
        isinstance(frames, list) and all(isinstance(frame, Scene) for frame in frames),
        "frames() must return a list of Scenes, not {}",
        frames,
        cure="Collect `state.scene(seat)` in a list.",
    )
    promise(
        frames and frames[-1] == after,
        f"the last frame of action {action} must be the scene after it, for viewer {viewer}",
        cure="End with `state.apply(action).scene(seat)`.",
    )
    promise(
        all(frame.board == after.board for frame in frames),
        f"every frame of action {action} must have the game's board",
        cure="Make frames with `State.scene`, or copy one with `_replace`.",
    )


def check_solution(state: State) -> None:
    """Check that a solution can be played and wins."""
    solution = state.game.guide().solution(state)
    if solution is None or state.actor == OVER:
        return
    for action in solution:
        state = state.play(action)
    result = state.result()
    promise(
        result is not None and max(result.returns) > 0,
        "a solution must end in a win, not {} with result {}",
        solution,
        result,
        cure="Return the actions from this position to the win.",
    )
