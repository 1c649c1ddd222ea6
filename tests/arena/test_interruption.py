"""An interrupted match ends cleanly, and the same command continues it."""

import os
import signal
import subprocess
import sys
import time

import pytest
from patience import PATIENCE

import parlour
from parlour.arena import match_report, run_match

GAMES = 16
MATCH = (
    *("octa", "odd_agents:Slow", "random", "--set", "size=1", "--games", str(GAMES)),
    *("--seed", "2", "--processes", "2"),
)


def start(environment, folder):
    return subprocess.Popen(
        [sys.executable, "-m", "parlour.cli", "match", *MATCH, "--folder", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment,
        # A separate process group: Ctrl-C in a terminal reaches all of its processes.
        start_new_session=True,
    )


def wait_until(holds):
    for _ in range(3000):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("waited in vain")


def is_gone(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def games_in(folder):
    sheet = folder / "games.jsonl"
    return sheet.read_text("utf-8").count("\n") if sheet.exists() else 0


@pytest.fixture(scope="module")
def whole_match(tmp_path_factory):
    """Return the folder and the table of the same match without an interruption."""
    folder = tmp_path_factory.mktemp("whole")
    game = parlour.game("octa", size=1)
    agents = ["odd_agents:Slow", "random"]
    return folder, match_report(run_match(game, agents, GAMES, seed=2, processes=2, folder=folder))


@pytest.mark.parametrize("games", [1, 3])
def test_ctrl_c_keeps_the_games_and_the_same_command_resumes(
    environment, command, whole_match, records_in, tmp_path, games
):
    folder = tmp_path / "match"
    process = start(environment, folder)
    wait_until(lambda: (folder / "match.json").exists() and games_in(folder) >= games)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    # Python ends by the signal itself if it arrives in an `exec`; a shell shows 130 for both.
    assert process.returncode in (130, -signal.SIGINT)
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("parlour: interrupted after ")
    assert "run the same command to continue" in err
    wait_until(lambda: is_gone(process.pid))

    before = records_in(folder)
    sheet = folder / "games.jsonl"
    lines = sheet.read_bytes()
    assert games <= lines.count(b"\n") < GAMES
    assert [path.name for path in folder.glob("*.part")] == []
    done = command(*MATCH, "--folder", str(folder))
    assert done.returncode == 0, done.stderr
    after = records_in(folder)
    assert len(after) == GAMES
    assert sheet.read_bytes().startswith(lines)
    assert before.items() <= after.items()

    folder_of_whole, table = whole_match
    assert records_in(folder_of_whole) == after
    assert done.stdout.startswith(table)


def test_workers_end_when_the_match_is_killed(environment, tmp_path):
    process = start(environment, tmp_path / "match")
    wait_until(lambda: games_in(tmp_path / "match") >= 1)
    process.kill()
    process.communicate(timeout=PATIENCE)
    wait_until(lambda: is_gone(process.pid))
