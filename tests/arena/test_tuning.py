"""Tuning: reproducible steps, a folder that resumes, and weights that improve."""

import json
import os
import signal
import subprocess
import sys

import pytest
from patience import PATIENCE

import parlour
from parlour.arena.errors import MatchError
from parlour.arena.runner import runner_of
from parlour.arena.tuning import Step, Tuning, settled, tune
from parlour.core.errors import OptionError
from parlour.games.banqi import BanqiGame

HERE = runner_of(processes=0)
QUICK = Tuning(parlour.game("banqi"), by="greedy", steps=3, games=4, reach=1.0, seed=2)


def steps_in(folder):
    return (folder / "steps.jsonl").read_text()


def test_the_same_tuning_finds_the_same_weights_wherever_it_is_played(tmp_path):
    here = tune(QUICK, tmp_path / "here", HERE)
    elsewhere = tune(QUICK, tmp_path / "elsewhere", runner_of(processes=2))
    assert here == elsewhere
    assert steps_in(tmp_path / "here") == steps_in(tmp_path / "elsewhere")
    assert json.loads((tmp_path / "here" / "weights.json").read_text()) == here
    assert list(here) == list(QUICK.weights)
    assert here != QUICK.weights


def test_an_interrupted_tuning_resumes(tmp_path):
    whole = tune(QUICK, tmp_path / "whole", HERE)
    tune(QUICK._replace(steps=3), tmp_path / "cut", HERE)
    file = tmp_path / "cut" / "steps.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text(lines[0] + lines[1][:-20])
    seen = []
    assert tune(QUICK, tmp_path / "cut", HERE, seen.append) == whole
    assert [step.number for step in seen] == [0, 1, 2]
    assert file.read_text() == steps_in(tmp_path / "whole")


def test_a_line_that_was_changed_does_not_count(tmp_path):
    tune(QUICK, tmp_path, HERE)
    before = steps_in(tmp_path)
    changed = before.replace('"share": 0', '"share": 9', 1)
    assert changed != before
    (tmp_path / "steps.jsonl").write_text(changed)
    tune(QUICK, tmp_path, HERE)
    assert steps_in(tmp_path) == before


def test_only_the_named_weights_move(tmp_path):
    found = tune(QUICK._replace(names=("cannon",)), tmp_path, HERE)
    assert list(found) == ["cannon"]
    assert found["cannon"] != QUICK.weights["cannon"]


def test_a_step_moves_towards_the_winner():
    steps = [Step(0, 0.5, {"a": 1.0}), Step(1, 0.5, {"a": 3.0}), Step(2, 0.5, {"a": 5.0})]
    assert settled(steps) == {"a": 4.0}


def test_foreign_folders_are_refused(tmp_path):
    tune(QUICK, tmp_path / "one", HERE)
    with pytest.raises(MatchError, match="holds another tuning"):
        tune(QUICK._replace(seed=1), tmp_path / "one", HERE)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("private")
    with pytest.raises(MatchError, match="not empty"):
        tune(QUICK, tmp_path / "full", HERE)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"game": parlour.game("cat_mouse")}, "no weights"),
        ({"names": ("cannons",)}, "has no weight"),
        ({"steps": 0}, "--steps"),
        ({"games": -1}, "--games"),
        ({"reach": 0.0}, "--reach"),
        ({"pace": 2.0}, "--pace"),
        ({"by": "gtp:rm -rf /"}, "tuned needs one of"),
    ],
)
def test_invalid_settings_are_refused_before_anything_is_written(tmp_path, wrong, words):
    with pytest.raises((MatchError, OptionError, parlour.AgentError), match=words):
        tune(QUICK._replace(**wrong), tmp_path / "new", HERE)
    assert not (tmp_path / "new").exists()


class Spoilt(BanqiGame):
    """Banqi whose evaluation hardly counts material."""

    def heuristics(self):
        return super().heuristics().weighted({"lead": 0.2})


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_tuning_corrects_a_bad_weight(tmp_path, seed):
    """If mobility counts almost nothing, agents that value it more win."""
    wrong = Tuning(Spoilt(), "greedy", ("lead",), steps=4, games=8, reach=1.0, pace=1.0, seed=seed)
    assert tune(wrong, tmp_path, HERE)["lead"] > 0.4


def test_the_command_prints_the_weights_and_resumes(tmp_path):
    command = [sys.executable, "-m", "parlour.cli", "tune", "banqi", "--by", "greedy"]
    command += ["--steps", "2", "--games", "4", "--reach", "1", "--seed", "2"]
    command += ["--processes", "0", "--verify", "2"]
    first, again = (
        subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
        for _ in range(2)
    )
    assert first.returncode == 0, first.stderr
    assert "play with them: tuned:by=greedy,weights=" in first.stdout
    assert first.stdout == again.stdout


def test_ctrl_c_keeps_the_steps(tmp_path):
    command = [sys.executable, "-m", "parlour.cli", "tune", "banqi", "--by", "search:nodes=50"]
    process = subprocess.Popen(
        [*command, "--steps", "1000", "--games", "2", "--processes", "0", "--folder", "t"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stderr.readline()
    os.kill(process.pid, signal.SIGINT)
    _, words = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "run the same command to continue" in words.splitlines()[-1]
    assert len(steps_in(tmp_path / "t").splitlines()) >= 1
