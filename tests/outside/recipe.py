"""The recipe of docs/outside.md, followed to the letter: the page is read and carried out."""

import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import parlour

HERE = Path(__file__).parent
PAGE = HERE.parent.parent / "docs" / "outside.md"
SOURCE = HERE / "connect_four.py"
PARLOUR = Path(parlour.__file__).parent.parent


def block(language):
    """The page's only block in that language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return found


def environment(*folders):
    """For a process that sees these folders, and the parlour that is running here."""
    known = dict(os.environ, PYTHONPATH=os.pathsep.join(map(str, (*folders, PARLOUR))))
    if PARLOUR.name != "site-packages":
        # Not installed, so mypy is told where its types are.
        known["MYPYPATH"] = str(PARLOUR)
    return known


def build(folder, source):
    """The compiled package of a game's source, unpacked: the folder to put on the path."""
    (folder / "connect_four.py").write_text(source, "utf-8")
    (folder / "pyproject.toml").write_text(block("toml"), "utf-8")
    (folder / "setup.py").write_text(block("python"), "utf-8")
    words = shlex.split(block("sh").splitlines()[0])
    assert words[0] == "python"
    done = subprocess.run(
        [sys.executable, *words[1:]],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("dist/*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "site")
    return folder / "site"


def without_the_cure(source):
    """The same source as somebody writes it who has not read the page."""
    assert source.count("@mypyc_attr(native_class=False)\n") == 2
    return source.replace("@mypyc_attr(native_class=False)\n", "").replace("mypyc_attr, ", "")


def run(site, code):
    """A process that has the package installed."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=site,
        env=environment(site),
        capture_output=True,
        text=True,
        check=False,
    )
