"""The command `parlour new`."""

import contextlib
import keyword
import re
import shlex
import sys
from collections.abc import Iterator
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

import click

from parlour.core.checks import printable, shown
from parlour.core.errors import OptionError, ParlourError
from parlour.core.registry import game_names

LONGEST_NAME = 30

NEXT = """\
{folder} contains a playable game. Next steps:
  cd {quoted}
  python -m pip install {flags}
  parlour play {name}
  parlour check {name}
The rules are in src/{name}.py. See README.md for more.
"""


class FolderExists(ParlourError):
    """The folder already exists. It is left unchanged."""

    code: ClassVar[str] = "exists"


@click.command(
    epilog="""
\b
Examples:
  parlour new hopper                  plain Python, in the folder hopper
  parlour new hopper --compiled       compiled with mypyc: see docs/outside.md
  parlour new 'my games/hopper'       in another folder
"""
)
@click.argument("folder", type=click.Path(path_type=Path), metavar="NAME")
@click.option("--compiled", is_flag=True, help="Add the build files for compiling with mypyc.")
def new(folder: Path, compiled: bool) -> int:
    """Create a package with a new game.

    NAME is the game's name and the folder to create, or a path to it. The small game in it can be
    played at once.
    """
    name = make_package(folder, compiled)
    flags = "--no-build-isolation ." if compiled else "-e ."
    quoted = shlex.quote(str(folder))
    print(printable(NEXT.format(folder=folder, quoted=quoted, flags=flags, name=name)), end="")
    return 0


def make_package(folder: Path, compiled: bool = False) -> str:
    """Create the package in that new folder and return the game's name, which is the folder's.

    Raise `OptionError` for an invalid name, and `FolderExists` if something is in the way. Nothing
    is overwritten, and a partly created package is removed.
    """
    name = checked_name(folder.name)
    if not folder.parent.is_dir():
        raise OptionError(f"there is no folder {folder.parent} for {folder.name}")
    made: list[Path] = []
    try:
        _make_folder(folder, made)
        for path, text in rendered(name, compiled):
            place = folder / path
            if not place.parent.is_dir():
                _make_folder(place.parent, made)
            with place.open("x", encoding="utf-8", newline="\n") as file:
                made.append(place)
                file.write(text)
    except BaseException:
        _remove(made)
        raise
    return name


def _make_folder(folder: Path, made: list[Path]) -> None:
    try:
        folder.mkdir()
    except FileExistsError:
        raise FolderExists(f"{folder} already exists; choose another name or remove it") from None
    made.append(folder)


def _remove(made: list[Path]) -> None:
    """Remove what was created, in reverse order; a folder with other files stays."""
    for path in reversed(made):
        with contextlib.suppress(OSError):
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink()


def checked_name(text: str) -> str:
    """Return the name of a new game, with `_` for `-`. Raise `OptionError` if it is invalid.

    It is also a module's name and must not hide an existing module.
    """
    name = text.replace("-", "_")
    if re.fullmatch("[a-z][a-z0-9_]*", name) is None or len(name) > LONGEST_NAME:
        raise OptionError(
            f"a game's name must have small letters, digits and _, begin with a letter, and have "
            f"at most {LONGEST_NAME} characters, like cat_mouse; not {shown(text)}"
        )
    if keyword.iskeyword(name):
        raise OptionError(f"{name} is a Python keyword; choose another name")
    if name in game_names():
        raise OptionError(f"a game {name} already exists; choose another name")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise OptionError(f"{name} would hide the module {name}; choose another name")
    with contextlib.suppress(metadata.PackageNotFoundError):
        metadata.distribution(name)
        raise OptionError(f"a package {name} is already installed; choose another name")
    return name


def rendered(name: str, compiled: bool) -> Iterator[tuple[str, str]]:
    """Return the files of a new package as pairs of path and text."""
    words = {
        "my_game": name,
        "my-game": name.replace("_", "-"),
        "MyGame": "".join(word.capitalize() for word in name.split("_")) + "Game",
        "My Game": " ".join(word.capitalize() for word in name.split("_") if word),
    }
    pattern = re.compile("|".join(words))
    template = resources.files("parlour") / "templates" / ("compiled" if compiled else "plain")
    for path, file in template_files(template):
        text = file.read_text("utf-8")
        place, whole = (pattern.sub(lambda found: words[found[0]], each) for each in (path, text))
        yield place, whole


def template_files(folder: Traversable, path: str = "") -> Iterator[tuple[str, Traversable]]:
    """Return every file below the folder with its path, except those that tools create."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.startswith((".", "__pycache__")):
            continue
        if entry.is_file():
            yield f"{path}{entry.name}", entry
        else:
            yield from template_files(entry, f"{path}{entry.name}/")
