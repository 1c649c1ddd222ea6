"""The example games by name, and the command as a shell runs it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from climb import Climb
from dice import Dice
from nim import Nim
from patience import PATIENCE

import parlour

# Names shared with the processes that tests of clusters start.
sys.path.insert(0, str(Path(__file__).parent))

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture(autouse=True)
def _examples(_registry):
    parlour.register("nim", Nim)
    parlour.register("dice", Dice)
    parlour.register("climb", Climb)


def records_in(folder):
    """Return the record of each game in a folder, by number."""
    lines = (folder / "games.jsonl").read_text("utf-8").splitlines()
    return {entry["game"]: entry["record"] for entry in map(json.loads, lines)}


@pytest.fixture(name="records_in")
def _records_in():
    return records_in


@pytest.fixture
def environment():
    """Return an environment in which a command finds the tested build and example agents."""
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*map(os.path.abspath, paths), str(EXAMPLES)]),
        "PYTHONIOENCODING": "utf-8",
    }


@pytest.fixture
def command(environment, tmp_path):
    """Runs `parlour match ...` in a separate folder."""

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "parlour.cli", "match", *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=environment,
            cwd=tmp_path,
            timeout=PATIENCE,
            check=False,
        )

    return run
