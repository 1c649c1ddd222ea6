"""Test vectors for clients in any language: recorded conversations and scenes.

A test program is given a folder: `*.jsonl` are conversations, and `scenes.json` is a list of games,
each a list of messages with a `scene` or a `diff`. It prints a JSON object: `conversations` is the
client's state after each one, as in `expected.json`, and `scenes` the scene after each message.
"""

import json
import subprocess
from pathlib import Path

from msgspec import UNSET
from patience import PATIENCE

import parlour
from parlour import Rng
from parlour.protocol.json import encode
from parlour.protocol.scenes import SceneReceiver, SceneSender

FOLDER = Path(__file__).parent.parent / "protocol" / "conversations"
EXPECTED = json.loads((FOLDER / "expected.json").read_text("utf-8"))
GAMES = {"octa": {"size": 2}, "banqi": {}, "blokus": {}, "cat_mouse": {}}
STEPS = 12


def scene_messages(name, options):
    """Return the scenes of a game as a server sends them, and as the Python client reads them."""
    game = parlour.game(name, **options)
    rng, state = Rng(1), game.start(1)
    sender, receiver = SceneSender(), SceneReceiver()
    messages, scenes = [], []
    for step in range(STEPS):
        scene = state.scene(0)
        diff = sender.diff(scene) if step % 5 else None
        full = UNSET if diff is not None else sender.full(scene)
        messages.append({"scene": full} if diff is None else {"diff": diff})
        scenes.append(as_read(receiver.take(full, UNSET if diff is None else diff)))
        # Every fourth scene repeats the previous one, to test an empty diff.
        if step % 4 != 3:
            actions = state.legal_actions()
            state = state.play(actions[rng.below(len(actions))])
    return json.loads(encode(messages)), scenes


def as_read(scene):
    """Return a scene of the Python client as JSON, with the names of the protocol."""

    def fields(value):
        return json.loads(json.dumps(value._asdict()))

    board = fields(scene.board)
    board["points"] = board.pop("positions")
    return {
        "board": board,
        "cells": [fields(cell) for cell in scene.cells],
        "seats": [
            {"name": name, "score": seat.score, "tray": list(seat.tray_texts())}
            for name, seat in zip(scene.names, scene.seats, strict=True)
        ],
        "status": scene.status,
        "actor": scene.actor,
        "actors": list(scene.actors),
        "actions": [fields(action) for action in scene.actions],
    }


def check_client(command, folder):
    """Let that program read everything, and each message of the server twice."""
    once, twice = folder / "once", folder / "twice"
    for each in (once, twice):
        each.mkdir()
    for path in FOLDER.glob("*.jsonl"):
        lines = path.read_text("utf-8").splitlines()
        (once / path.name).write_text("\n".join(lines), "utf-8")
        doubled = [line for line in lines for _ in range(2 if '"dir": "S"' in line else 1)]
        (twice / path.name).write_text("\n".join(doubled), "utf-8")
    games = [scene_messages(*each) for each in GAMES.items()]
    for each in (once, twice):
        (each / "scenes.json").write_text(json.dumps([messages for messages, _ in games]), "utf-8")
    found = _run(command, once)
    assert found["conversations"] == EXPECTED
    for name, (_, scenes), read in zip(GAMES, games, found["scenes"], strict=True):
        for step, (wanted, scene) in enumerate(zip(scenes, read, strict=True)):
            assert by_words(scene) == by_words(wanted), (name, step)
    # Chat messages are not events: a repeated one cannot be detected.
    spoken = {"said": None, "talk": None}
    doubled = {
        name: {**known, **spoken} for name, known in _run(command, twice)["conversations"].items()
    }
    assert doubled == {name: {**known, **spoken} for name, known in EXPECTED.items()}


def by_words(scene):
    """Return the same scene with actions by the names of the protocol."""
    actions = [
        {("id" if key == "action" else key): value for key, value in each.items()}
        for each in scene["actions"]
    ]
    return {**scene, "actions": actions}


def _run(command, folder):
    done = subprocess.run(
        [*map(str, command), str(folder)], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr + done.stdout
    # Some programs print their name first.
    return json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))
