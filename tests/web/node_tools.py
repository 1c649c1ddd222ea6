"""Packages of npm that tests and pictures need: `make .venv/node` installs them."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / ".venv" / "node" / "node_modules"


def package(name):
    """The folder of a package."""
    folder = FOLDER / name
    assert folder.exists(), f"npm's {name} is missing: make .venv/node"
    return folder


def type_errors():
    """What TypeScript says about the types in the comments of the page."""
    demo = ROOT / "tools" / "site" / "demo"
    page = [
        *sorted((ROOT / "src" / "parlour" / "web").glob("*.js")),
        demo / "frame.js",
        demo / "shim.js",
    ]
    program = [
        "node",
        package("typescript") / "bin" / "tsc",
        *("--checkJs", "--allowJs", "--strict", "--noEmit"),
        *("--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler", "--lib"),
    ]
    told = ""
    for library, files in (
        ("es2022,dom,dom.iterable", page),
        ("es2022,webworker", [demo / "worker.js"]),
    ):
        done = subprocess.run([*program, library, *files], capture_output=True, text=True)
        told += done.stdout + done.stderr
    return told
