"""The clients in `examples/` play against a real server without using the library."""

import re
import subprocess
import sys
import threading

import pytest
from patience import PATIENCE


def run(root, *arguments):
    path = root / "examples" / "stdlib_client.py"
    done = subprocess.run(
        [sys.executable, "-I", path, *arguments], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("game", ["octa", "cat_mouse", "banqi", "blokus"])
def test_it_creates_a_table_and_plays_to_the_end(root, server, game):
    told = run(root, server.url, game).splitlines()
    listed = server.run(server.app.rooms.store.count())
    assert listed.get("over") == 1, (listed, told[-1])


def test_it_plays_the_seat_of_an_invitation(root, client):
    table = client.create("octa", seats=["me", "open"], options={"size": 2})

    def play():
        while table.turn():
            table.play(table.scene.actions[0].action)

    thread = threading.Thread(target=play)
    thread.start()
    told = run(root, table.invitations[0].url)
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert told.splitlines()[-1] == table.scene.status


def test_a_refusal_is_printed_with_its_code(root, server):
    path = root / "examples" / "stdlib_client.py"
    command = [sys.executable, "-I", path, f"{server.url}/t/x#seat=0&claim=y"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert done.stderr.startswith("not_found: ")


def test_it_imports_nothing_but_the_standard_library(root):
    text = (root / "examples" / "stdlib_client.py").read_text("utf-8")
    names = re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)
    assert set(names) <= set(sys.stdlib_module_names)
