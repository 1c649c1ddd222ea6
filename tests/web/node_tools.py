"""Programs of npm that tests and checks need and users do not: kept in `.venv/node`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / ".venv" / "node"
PACKAGES = {
    "typescript": "typescript@7",
    "axe-core": "axe-core@4",
    "firacode": "firacode@6",
    "pyodide": "pyodide@314",
}


def package(name):
    """The folder of a package, installed if it is missing."""
    folder = FOLDER / "node_modules" / name
    if not folder.exists():
        if shutil.which("npm") is None:
            sys.exit("the page is checked with node: install it with apt-get install nodejs npm")
        # Made aside and moved into place: several processes may want it at once.
        aside = FOLDER.with_name(f"node-{os.getpid()}")
        aside.mkdir(parents=True)
        command = ["npm", "install", "--silent", "--no-audit", "--prefix", str(aside)]
        subprocess.run([*command, *PACKAGES.values()], check=True, stdout=subprocess.DEVNULL)
        try:
            aside.rename(FOLDER)
        except OSError:
            # The folder is there already: of an earlier list, or by another process just now.
            if not folder.exists():
                shutil.copytree(aside / "node_modules" / name, folder, dirs_exist_ok=True)
            shutil.rmtree(aside)
    return folder


def check_types():
    """Let TypeScript read the types in the comments of the page's modules."""
    modules = sorted((ROOT / "src" / "parlour" / "web").glob("*.js"))
    demo = ROOT / "site" / "demo"
    in_pages = [*modules, demo / "frame.js", demo / "shim.js"]
    options = [
        "--checkJs",
        "--allowJs",
        "--strict",
        "--noEmit",
        "--target",
        "es2022",
        "--module",
        "es2022",
    ]
    options += ["--moduleResolution", "bundler", "--lib"]
    program = package("typescript") / "bin" / "tsc"

    def check(files, library):
        command = ["node", str(program), *options, library, *map(str, files)]
        return subprocess.run(command).returncode

    return check(in_pages, "es2022,dom,dom.iterable") or check(
        [demo / "worker.js"], "es2022,webworker"
    )


if __name__ == "__main__":
    sys.exit(check_types())
