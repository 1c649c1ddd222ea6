"""Execute the recipe of docs/outside.md exactly as the page gives it."""

import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import parlour

PAGE = Path(__file__).parent.parent.parent / "docs" / "outside.md"
PARLOUR = Path(parlour.__file__).parent.parent
NAME = "four"
PROGRAMS = {
    "parlour": [sys.executable, "-m", "parlour.cli"],
    "python": [sys.executable],
}


def commands():
    """The page's only block for a shell, line by line: make, enter, build, install, check."""
    (block,) = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    make, enter, build, install, check = [shlex.split(line) for line in block.splitlines()]
    assert enter == ["cd", NAME]
    assert install == ["python", "-m", "pip", "install", "dist/*.whl"]
    return make, build, check


def environment(*folders):
    """For a process that sees these folders, and the parlour that is running here."""
    known = dict(os.environ, PYTHONPATH=os.pathsep.join(map(str, (*folders, PARLOUR))))
    if PARLOUR.name != "site-packages":
        # It is not installed, so mypy needs the path of its types.
        known["MYPYPATH"] = str(PARLOUR)
    return known


def carry_out(words, folder, *places):
    """What a line of the page prints."""
    done = subprocess.run(
        [*PROGRAMS[words[0]], *words[1:]],
        cwd=folder,
        env=environment(*places),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def made(folder):
    """The new package in that folder: where it is, and its source."""
    carry_out(commands()[0], folder)
    return folder / NAME, folder / NAME / "src" / f"{NAME}.py"


def built(package):
    """The compiled package, unpacked: the folder to put on the path."""
    carry_out(commands()[1], package)
    (wheel,) = package.glob("dist/*.whl")
    zipfile.ZipFile(wheel).extractall(package / "site")
    return package / "site"


def without_the_cure(source):
    """Return the same source without the decorators that the page requires."""
    assert source.count("@mypyc_attr(native_class=False)\n") == 2
    return source.replace("@mypyc_attr(native_class=False)\n", "").replace("mypyc_attr, ", "")


def run(site, *arguments):
    """A process that has the package installed."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=site,
        env=environment(site),
        capture_output=True,
        text=True,
        check=False,
    )
