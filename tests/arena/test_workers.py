"""Worker processes and masters that die."""

import contextlib
import importlib
import os
import signal
import subprocess
import sys
import time

import pytest
from nim import Nim

from parlour.arena import MatchError, run_match
from parlour.arena.plan import Plan

FALLING = """
import os
from nim import Nim, NimState

class FallingState(NimState):
    def apply(self, action):
        os._exit(5)

class Falling(Nim):
    def start(self, seed=0):
        return FallingState(self, 10, 0)
"""


def stumbling(tmp_path, times):
    return f"odd_agents:Stumbling:file={tmp_path / 'deaths'},times={times}"


@pytest.mark.parametrize("times", [1, 2])
def test_a_worker_that_dies_is_replaced_and_its_game_played_again(tmp_path, times):
    agents = [stumbling(tmp_path, times), "odd_agents:First"]
    result = run_match(Nim(), agents, 4, processes=1, folder=tmp_path / "match")
    assert (tmp_path / "deaths").read_text() == "x" * times
    assert len(result.games) == 4
    assert result.faults == []
    calm = run_match(Nim(), ["odd_agents:First"] * 2, 4, processes=0)
    assert [played.moves for played in result.games] == [played.moves for played in calm.games]


def test_after_three_deaths_the_running_agent_loses(tmp_path):
    agents = ["odd_agents:First", stumbling(tmp_path, 3)]
    folder = tmp_path / "match"
    result = run_match(Nim(), agents, 4, processes=1, folder=folder)
    assert [played.fault is None for played in result.games] == [False, True, True, True]
    first = result.games[0]
    assert first.fault.seat == 1
    assert first.fault.reason == "crashed: its process ended 3 times, with status 9"
    assert first.returns == (1.0, -1.0)
    assert run_match(Nim(), agents, 4, processes=1, folder=folder) == result


def test_an_agent_that_always_dies_loses_every_game_and_the_match_continues():
    result = run_match(Nim(), ["odd_agents:Dying", "odd_agents:First"], 4, processes=2)
    assert [number for number, _ in result.faults] == [0, 0, 0, 0]


def test_a_worker_that_dies_while_no_agent_runs_ends_the_match(tmp_path, monkeypatch):
    (tmp_path / "falling.py").write_text(FALLING)
    monkeypatch.syspath_prepend(tmp_path)
    game = importlib.import_module("falling").Falling()
    with pytest.raises(MatchError, match=r"game 1 ended 3 times, .*status 5, while no agent was"):
        run_match(game, ["odd_agents:First"] * 2, 2, processes=1)


@pytest.mark.parametrize("processes", [0, 2])
def test_a_million_games_are_planned_one_after_another(processes, monkeypatch):
    class Enough(Exception):
        pass

    def stop(progress):
        if progress.done == 3:
            raise Enough

    made = []
    task = Plan.task
    monkeypatch.setattr(Plan, "task", lambda plan, n: made.append(n) or task(plan, n))
    with pytest.raises(Enough):
        run_match(Nim(), ["random"] * 2, 10**6, processes=processes, on_progress=stop)
    assert len(made) <= 3 + processes + 1


MORE = ("--processes", "1", "--folder", "match")


def wait_until(holds):
    for _ in range(3000):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("waited in vain")


def test_a_thinking_worker_ends_with_its_master(environment, tmp_path):
    begun = tmp_path / "begun"
    agent = f"odd_agents:Endless:file={begun}"
    process = subprocess.Popen(
        [sys.executable, "-m", "parlour.cli", "match", "octa", agent, agent, *MORE],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd=tmp_path,
        start_new_session=True,
    )
    try:
        wait_until(begun.exists)
        process.kill()
        process.wait()

        def is_gone():
            try:
                os.killpg(process.pid, 0)
            except ProcessLookupError:
                return True
            return False

        wait_until(is_gone)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
