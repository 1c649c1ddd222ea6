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
{folder} holds a game that can be played. Next:
  cd {quoted}
  python -m pip install {flags}
  parlour play {name}
  parlour check {name}
The rules are in src/{name}.py; README.md says more.
"""


class FolderExists(ParlourError):
    """There is something at that place already, and it stays as it is."""

    code: ClassVar[str] = "exists"


@click.command(
    epilog="""
\b
Examples:
  parlour new hopper                  plain Python, in the folder hopper
  parlour new hopper --compiled       at native speed, by mypyc: docs/outside.md
  parlour new 'my games/hopper'       in another folder
"""
)
@click.argument("folder", type=click.Path(path_type=Path), metavar="NAME")
@click.option("--compiled", is_flag=True, help="Add the recipe that compiles it with mypyc.")
def new(folder: Path, compiled: bool) -> int:
    """Create a package with a new game.

    NAME is the game's name and the folder to create, or a path to it. You can play the small game
    at once.
    """
    name = make_package(folder, compiled)
    flags = "--no-build-isolation ." if compiled else "-e ."
    quoted = shlex.quote(str(folder))
    print(printable(NEXT.format(folder=folder, quoted=quoted, flags=flags, name=name)), end="")
    return 0


def make_package(folder: Path, compiled: bool = False) -> str:
    """Make the package in that new folder; the name of the game, which is the folder's.

    Raises `OptionError` for a name that cannot be and `FolderExists` where something is in
    the way. Nothing is overwritten, and what was begun is removed again if it fails.
    """
    name = checked_name(folder.name)
    if not folder.parent.is_dir():
        raise OptionError(f"there is no folder {folder.parent} to make {folder.name} in")
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
        raise FolderExists(
            f"{folder} exists already and stays as it is; choose another name or remove it"
        ) from None
    made.append(folder)


def _remove(made: list[Path]) -> None:
    """What was made, the last first; a folder that somebody else has used meanwhile stays."""
    for path in reversed(made):
        with contextlib.suppress(OSError):
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink()


def checked_name(text: str) -> str:
    """The name of a new game, in which `-` and `_` mean the same; `OptionError` if it cannot be.

    The name is a module's too: it must not hide one that is there.
    """
    name = text.replace("-", "_")
    if re.fullmatch("[a-z][a-z0-9_]*", name) is None or len(name) > LONGEST_NAME:
        raise OptionError(
            f"a game's name has small letters, digits and _, a letter first, and at most "
            f"{LONGEST_NAME} of them, such as cat_mouse, not {shown(text)}"
        )
    if keyword.iskeyword(name):
        raise OptionError(f"{name} is a word of Python; choose another name")
    if name in game_names():
        raise OptionError(f"there is a game {name} already; choose another name")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise OptionError(f"{name} would hide the module {name}; choose another name")
    with contextlib.suppress(metadata.PackageNotFoundError):
        metadata.distribution(name)
        raise OptionError(f"a package {name} is installed; choose another name")
    return name


def rendered(name: str, compiled: bool) -> Iterator[tuple[str, str]]:
    """The files of a new package: where each belongs, and its text."""
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
    """Every file below the folder with its path there; not what tools keep beside sources."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.startswith((".", "__pycache__")):
            continue
        if entry.is_file():
            yield f"{path}{entry.name}", entry
        else:
            yield from template_files(entry, f"{path}{entry.name}/")
