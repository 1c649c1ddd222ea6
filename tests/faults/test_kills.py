"""kill -9 at every step of every write loses nothing that was acknowledged."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from parlour.arena import run_match
from parlour.table import load
from parlour.table.opening import resume_file

# The process kills itself before or after its Nth call of a function that changes the disk.
KILLER = """
import os, signal, sys
from pathlib import Path

def killing(name, when, count):
    real = getattr(os, name)

    def call(*arguments, **more):
        global calls
        if name in watched:
            calls += 1
            if calls == count and when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
        try:
            return real(*arguments, **more)
        finally:
            if name in watched and calls == count and when == "after":
                os.kill(os.getpid(), signal.SIGKILL)

    return call

watched = ("replace", "fsync", "mkdir")
calls = 0
target, when, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
for each in watched:
    setattr(os, each, killing(each, when, count))
"""

GAME = """
import parlour
from parlour.table import ChanceSource, Table
table = Table(parlour.game("banqi"), seed=1, chance=ChanceSource.from_seed(1), path=target)
for number in range(4):
    table.play(table.state.legal_actions()[0])
    print(len(table.line.actions), flush=True)
table.close()
"""

MATCH = """
from parlour.arena import run_match
run_match("octa:size=1", ["random", "greedy"], 4, seed=3, processes=0, folder=target,
          on_progress=lambda progress: print(progress.done, flush=True))
"""


def killed(code, target, when, count):
    """Run until the kill. Return the acknowledged numbers, and whether the process was killed."""
    done = subprocess.run(
        [sys.executable, "-c", KILLER + code, str(target), when, str(count)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return [int(line) for line in done.stdout.split()], done.returncode != 0


def check_game(path, acknowledged):
    if not path.exists():
        assert acknowledged == []
        return
    record = load(path)
    assert len(record.actions) >= max(acknowledged, default=0)
    table = resume_file(path)
    table.play(table.state.legal_actions()[-1])
    table.close()
    assert [entry.name for entry in path.parent.iterdir() if not entry.name.startswith(".")] == [
        path.name
    ]


def check_match(folder, acknowledged):
    seen = []
    result = run_match(
        "octa:size=1",
        ["random", "greedy"],
        4,
        seed=3,
        processes=0,
        folder=folder,
        on_progress=seen.append,
    )
    assert len(result.games) == 4
    kept = seen[0].kept if seen else 4
    assert kept >= max(acknowledged, default=0)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("code", "check"), [(GAME, check_game), (MATCH, check_match)])
def test_a_kill_at_every_rename_fsync_and_mkdir_loses_nothing(tmp_path, code, check, when):
    count, was_killed = 0, True
    while was_killed:
        count += 1
        target = tmp_path / str(count) / "kept"
        acknowledged, was_killed = killed(code, target, when, count)
        check(target, acknowledged)
    assert count > 8


@pytest.mark.parametrize(("code", "check"), [(GAME, check_game), (MATCH, check_match)])
def test_a_kill_at_any_moment_loses_nothing(tmp_path, code, check):
    rng = random.Random(5)
    for number in range(6):
        target = tmp_path / str(number) / "kept"
        process = subprocess.Popen(
            [sys.executable, "-c", KILLER + code, str(target), "never", "0"],
            stdout=subprocess.PIPE,
            text=True,
        )
        wanted = rng.randrange(4)
        lines = [process.stdout.readline() for _ in range(wanted)]
        time.sleep(rng.random() / 100)
        os.kill(process.pid, signal.SIGKILL)
        rest, _ = process.communicate()
        acknowledged = [int(line) for line in ("".join(lines) + rest).split()]
        check(target, acknowledged)
