"""What a game adds for those who play and look on: words, frames, remarks, fields, a solution."""

import json

from parlour.core.game import OVER, State, is_shown
from parlour.core.scene import Scene
from parlour.testing.actions import spread
from parlour.testing.promise import broken, promise
from parlour.testing.scenes import viewers


def check_extras(start: State, state: State) -> None:
    """Words, frames, remarks, help and fields answer for every seat and for a spectator."""
    for viewer in viewers(state.game):
        _check_words(state, viewer)
        _check_told(start, state, viewer)
        for action in spread(state.legal_actions(), 2):
            _check_frames(state, action, viewer)


def _check_words(state: State, viewer: int | None) -> None:
    game = state.game
    for action in spread(state.legal_actions()):
        words = game.action_words(state, action, viewer)
        promise(
            isinstance(words, str) and words.strip() and len(words.splitlines()) == 1,
            "action_words returns a line of text for every viewer, not {}",
            words,
        )
        promise(
            is_shown(game, state, action, viewer) or words != game.action_to_text(state, action),
            "action_words hides what the viewer may not see: 'a card', say, instead of {} for {}",
            words,
            viewer,
        )


def _check_told(start: State, state: State, viewer: int | None) -> None:
    game = state.game
    guide = game.guide()
    remark = guide.remark(start, state, viewer)
    promise(isinstance(remark, str), "remark returns a str, not {}", remark)
    fields = game.json_fields(state, 0, viewer)
    try:
        written = json.dumps(fields)
    except (TypeError, ValueError) as error:
        broken(f"json_fields returns plain values that JSON has: {error}")
    promise(written.startswith("{"), "json_fields returns a dict, not {}", fields)
    for topic in guide.topics():
        text = guide.explain(state, topic, viewer)
        promise(
            isinstance(text, str) and text,
            f"explain has a text on {topic!r}, which topics lists, not {{}}",
            text,
        )
    unknown = guide.explain(state, "no such topic", viewer)
    promise(unknown is None, "explain returns None for a topic that is not there, not {}", unknown)


def _check_frames(state: State, action: int, viewer: int | None) -> None:
    frames = state.game.frames(state, action, viewer)
    after = state.apply(action).scene(viewer)
    promise(
        isinstance(frames, list) and all(isinstance(frame, Scene) for frame in frames),
        "frames returns a list of Scenes, not {}",
        frames,
    )
    promise(
        frames and frames[-1] == after,
        f"the last frame of action {action} is the scene after it, for viewer {viewer}",
    )
    promise(
        all(frame.board == after.board for frame in frames),
        f"every frame of action {action} has the game's board: make frames from State.scene",
    )


def check_solution(state: State) -> None:
    """A solution can be played, and wins."""
    solution = state.game.guide().solution(state)
    if solution is None or state.actor == OVER:
        return
    for action in solution:
        state = state.play(action)
    result = state.result()
    promise(
        result is not None and max(result.returns) > 0,
        "a solution ends in a win, not as {} with result {}",
        solution,
        result,
    )
