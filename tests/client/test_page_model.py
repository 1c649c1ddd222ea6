"""After any game, the page's model equals the server's standing."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from live_play import GAMES, model, play, random_plan
from patience import PATIENCE
from programs import found_program

WEB = Path(__file__).parent.parent.parent / "src" / "parlour" / "web"
PLANS = 12


@pytest.mark.parametrize("name", GAMES)
def test_the_pages_model_equals_the_servers_standing(name, tmp_path):
    messages, wanted = [], []
    for seed in range(PLANS):
        for viewer, *server in play(
            tmp_path / f"{seed}.sqlite", name, random_plan(random.Random(seed))
        ):
            messages.append(viewer.delivered)
            wanted.append(model(*server))
    for file in ("game.js", "scene.js"):
        shutil.copy(WEB / file, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    (tmp_path / "messages.json").write_text(json.dumps(messages), "utf-8")
    script = Path(__file__).with_name("read_page.mjs")
    done = subprocess.run(
        [found_program("nodejs", "node"), str(script), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    for found, expected in zip(json.loads(done.stdout), wanted, strict=True):
        assert found == expected
