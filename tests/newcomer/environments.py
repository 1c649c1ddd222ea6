"""New environments without a registry and without a second compilation.

Packages come from the environment that runs the tests, and Parlour's wheel is repacked from its
installation.
"""

import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

LEFT_BY_PIP = ("INSTALLER", "REQUESTED", "direct_url.json")


def new_environment(folder: Path) -> Path:
    """Create an environment with its own packages; return the folder of its programs."""
    venv.create(folder, with_pip=False, symlinks=True)
    programs = folder / "bin"
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    done = subprocess.run([programs / "python", "-c", asked], capture_output=True, text=True)
    own = Path(done.stdout.strip())
    theirs = dict.fromkeys([sysconfig.get_path("purelib"), *others()])
    (own / "borrowed.pth").write_text("\n".join(theirs) + "\n")
    return programs


def others() -> list[str]:
    """Return further package folders of the running environment."""
    return [each for each in sys.path if Path(each).name in ("site-packages", "dist-packages")]


def repacked(folder: Path) -> Path:
    """Return a wheel in the folder with the files of the installed package."""
    installed = distribution("parlour")
    about = installed.read_text("WHEEL") or ""
    tag = next(line for line in about.splitlines() if line.startswith("Tag: "))
    wheel = folder / f"parlour-{installed.version}-{tag.removeprefix('Tag: ')}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for file in installed.files or []:
            is_part = ".." not in file.parts and "__pycache__" not in file.parts
            if is_part and file.name not in LEFT_BY_PIP:
                archive.write(str(file.locate()), str(file))
    return wheel
