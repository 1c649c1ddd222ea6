"""Games on Ray and Dask equal local ones, even after a worker was killed."""

import hashlib
import json
import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest
from cluster_games import AGENTS, GAMES, export_hash
from patience import PATIENCE

import parlour
from parlour.arena import MatchError, run_match, runner_of

SCRIPT = Path(__file__).with_name("cluster_games.py")

ALONE = ("unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
"""Run in a network namespace with loopback only: a local Ray cluster listens on all interfaces."""

COMMANDS = {"dask": (), "ray": ALONE}


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """Return the hash of the export of the reference match."""
    folder = tmp_path_factory.mktemp("here") / "match"
    run_match(parlour.game("octa", size=1), AGENTS, GAMES, seed=5, processes=0, folder=folder)
    return export_hash(folder)


@pytest.mark.parametrize("place", COMMANDS)
def test_a_cluster_plays_the_same_games(place, environment, expected, tmp_path):
    done = subprocess.run(
        [*COMMANDS[place], sys.executable, str(SCRIPT), place, str(tmp_path)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads((tmp_path / "answer.json").read_text("utf-8"))
    assert answer["killed"] == 1
    assert answer["export"] == expected
    reason = answer["not importable"]
    assert reason.startswith(f"{place}: a worker cannot play with only_here:Mine: ")
    assert reason.endswith("install its module on every worker; finished games are kept")
    assert answer["dying"].startswith(f"{place}: a batch of games was lost with its worker")
    assert "use --on local to find the failing agent" in answer["dying"]


@pytest.mark.parametrize("processes", [1, 2])
def test_local_workers_play_the_same_games_after_one_was_killed(processes, expected, tmp_path):
    killed = []

    def on_progress(progress):
        if progress.done == 3:
            worker = multiprocessing.active_children()[0]
            killed.append(worker.pid)
            worker.kill()

    run_match(
        parlour.game("octa", size=1),
        AGENTS,
        GAMES,
        seed=5,
        processes=processes,
        folder=tmp_path / "match",
        on_progress=on_progress,
    )
    assert len(killed) == 1
    assert export_hash(tmp_path / "match") == expected


@pytest.mark.parametrize("place", ["ray:127.0.0.1:1", "dask:127.0.0.1:1", "dask:tcp://[::1]:1"])
def test_an_unreachable_cluster_is_reported_in_one_line(command, place):
    done = command("octa", "random", "random", "--games", "2", "--on", place)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"parlour: no cluster answers at {place.partition(':')[2]} (")
    assert "play here with --on local; finished games are kept" in done.stderr


@pytest.mark.parametrize("place", ["", "rya", "ray:", "local:here", "dask:"])
def test_an_unknown_place_is_refused(place):
    if place:
        with pytest.raises(MatchError, match="--on takes local, ray, ray:ADDRESS, dask or dask"):
            runner_of(place)
    else:
        assert runner_of(place).parallel >= 1


@pytest.mark.parametrize("address", ["here", "here:many", ":80", "a:99999"])
def test_an_invalid_address_is_refused(address):
    with pytest.raises(MatchError, match="a cluster's address must be HOST:PORT"):
        run_match("octa", ["random"] * 2, 2, runner=runner_of(f"dask:{address}"))


def test_processes_are_for_this_machine():
    with pytest.raises(MatchError, match="--processes applies to this machine only"):
        runner_of("ray", 2)


def test_the_hash_depends_on_the_games(expected):
    assert expected != hashlib.sha256(b"").hexdigest()
