"""Shared test vectors of the picker; `python tests/drawing/picker_vectors.py` regenerates them.

`picker.json` has the result of each step for some scenes. The page's picker is tested with the same
file (tests/web/test_picker.py), so both displays behave alike.
"""

import json
import random
import sys
from pathlib import Path

FILE = Path(__file__).parent / "picker.json"
GAMES = [
    ("scouts", "Scouts", 3),
    ("tiles", "Tiles", 0),
    ("connect_four", "ConnectFour", 2),
    ("hex_holes", "Yavalath", 2),
    ("octa", "", 4),
    ("banqi", "", 25),
    ("blokus:variant=duo", "", 6),
]


def answer(picker, name, argument):
    """Return the result of a step with the picker of `drawing/`."""
    if name == "touch":
        found = picker.touch(argument)
        is_refused = found.action is None and not picker.touched
        return {"action": found.action, "refused": is_refused, "touched": list(picker.touched)}
    if name == "targets":
        return sorted(picker.targets())
    if name == "groups":
        return picker.groups
    if name == "pick":
        return picker.pick(argument)
    if name in ("turn", "flip"):
        getattr(picker, name)()
        return [list(cell) for cell in picker.shape]
    if name == "ghost":
        ghost = picker.ghost(argument)
        return None if ghost is None else {"cells": sorted(ghost.cells), "action": ghost.action}
    if name == "places":
        return picker.places()
    assert name == "step"
    return picker.step(*argument)


def written():
    """Return the vectors, made by the picker of `drawing/`."""
    import parlour
    from parlour.drawing.picker import Picker
    from parlour.protocol.json import encode
    from parlour.protocol.scenes import SceneSender

    vectors = []
    for module, kind, plies in GAMES:
        rng = random.Random(module)
        game = getattr(__import__(module), kind)() if kind else parlour.game(module)
        state = game.start(1)
        for _ in range(plies):
            state = advanced(state, rng)
        while state.actor < 0:
            state = advanced(state, rng)
        scene = state.scene(state.actor)
        picker = Picker(scene, lambda cells, group: "")
        steps = []

        def take(name, argument=None, picker=picker, steps=steps):
            steps.append([name, argument, answer(picker, name, argument)])

        take("targets")
        for _ in range(12):
            likely = sorted(picker.targets()) or [0]
            cell = rng.choice(likely) if rng.random() < 0.7 else rng.randrange(scene.board.size)
            take("touch", cell)
            take("targets")
        take("groups")
        for group in picker.groups[::4]:
            take("pick", group)
            for _ in range(3):
                take(rng.choice(["turn", "flip"]))
                take("places")
                take("ghost", rng.randrange(scene.board.size))
                take("step", [rng.randrange(scene.board.size), rng.choice([-1, 1])])
        wire = json.loads(encode(SceneSender().full(scene)))
        vectors.append({"game": module, "scene": wire, "steps": steps})
    return vectors


def advanced(state, rng):
    if state.actor < 0:
        return state.apply(rng.choice([action for action, _ in state.chance_outcomes()]))
    return state.apply(rng.choice(list(state.legal_actions())))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in written())
    FILE.write_text(f"[\n{lines}\n]\n", "utf-8")
