"""Banqi in an ES module (`embed/banqi`), compared with the Python rules by shared vectors."""

import json
import re
import shutil
import subprocess
from pathlib import Path

from embed_vectors import BANQI_VALIDATIONS
from patience import PATIENCE
from programs import found_program

HERE = Path(__file__).parent
ERRORS = {
    *("Invalid piece index", "Piece already revealed", "No piece at index"),
    *("Match already ended", "Invalid indices", "Match not in progress"),
    *("Not current player's turn", "Piece not revealed", "Destination not adjacent"),
    *("Destination not empty", "Attacker not revealed", "Target not revealed"),
    *("Target is own piece", "Invalid capture: rank too low", "King cannot capture Pawn"),
    *("Cannon must jump over exactly one piece", "Cannon cannot capture adjacent piece"),
}
"""Every error text of the specification."""


def run(*command, **more):
    words = list(map(str, command))
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_module_answers_like_the_python_rules(root, banqi_file):
    path, errors = banqi_file
    assert errors == ERRORS
    module = root / "embed" / "banqi" / "banqi.js"
    node = found_program("nodejs", "node")
    seen = json.loads(run(node, HERE / "read_banqi.mjs", module, path))
    assert seen["validations"] >= BANQI_VALIDATIONS
    assert set(seen["errors"]) == ERRORS


def package(root, folder):
    """Copy the package to where Node and TypeScript look for it."""
    shutil.copytree(root / "embed" / "banqi", folder / "node_modules" / "parlour-banqi")


def test_the_types_are_strict_and_match_the_specification(root, tmp_path):
    package(root, tmp_path)
    shutil.copy(HERE / "banqi_types.ts", tmp_path)
    tsc = root / ".venv" / "node" / "node_modules" / "typescript" / "bin" / "tsc"
    options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022"]
    run(found_program("nodejs", "node"), tsc, *options, tmp_path / "banqi_types.ts", cwd=tmp_path)
    texts = set(re.findall(r"\| ['\"](.+)['\"]", types_of(root)))
    assert texts == ERRORS


def types_of(root):
    text = (root / "embed" / "banqi" / "banqi.d.ts").read_text("utf-8")
    return text[text.index("export type ValidationError") : text.index("export type WinResult")]


def test_the_example_of_the_readme_runs(root, tmp_path):
    package(root, tmp_path)
    text = (root / "embed" / "banqi" / "README.md").read_text("utf-8")
    code = re.search(r"```js\n(.*?)```", text, re.DOTALL)[1]
    shown = re.search(r"```text\n(.*?)```", text, re.DOTALL)[1]
    (tmp_path / "example.mjs").write_text(code, "utf-8")
    assert run(found_program("nodejs", "node"), "example.mjs", cwd=tmp_path) == shown
