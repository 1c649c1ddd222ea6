"""npm packages for tests and pictures; `make .venv/node` installs them."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / ".venv" / "node" / "node_modules"


def package(name):
    """Return the folder of a package."""
    folder = FOLDER / name
    assert folder.exists(), f"the npm package {name} is missing: run make .venv/node"
    return folder


def type_errors():
    """Return TypeScript's errors in the JSDoc types of the page."""
    demo = ROOT / "tools" / "site" / "demo"
    web = ROOT / "src" / "parlour" / "web"
    worker = web / "sw.js"
    page = [
        *sorted(set(web.glob("*.js")) - {worker}),
        demo / "frame.js",
        demo / "shim.js",
    ]
    program = [
        "node",
        package("typescript") / "bin" / "tsc",
        *("--checkJs", "--allowJs", "--strict", "--noEmit"),
        *("--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler", "--lib"),
    ]
    errors = ""
    for library, files in (
        ("es2022,dom,dom.iterable", page),
        ("es2022,webworker", [demo / "worker.js", worker]),
    ):
        done = subprocess.run([*program, library, *files], capture_output=True, text=True)
        errors += done.stdout + done.stderr
    return errors
