"""The layout of the packages: what is compiled, names that are gone, names that are used once."""

import importlib
import re
import tomllib
from pathlib import Path

import pytest

import parlour

SOURCES = Path(__file__).parent.parent / "src" / "parlour"

OLD_MODULES = """
agents.asking agents.naming
arena.folder arena.pairing arena.playing arena.table
core.checking core.dialect core.files core.formats core.geometry core.intervals
core.score_sheet core.shapes core.svg core.svg_cells core.time_control
envs.registration
games.banqi.advice games.banqi.board games.banqi.contract games.banqi.match games.banqi.past
games.blokus.advice games.blokus.base games.blokus.contract games.blokus.finding
games.blokus.hands games.blokus.laying games.blokus.placing games.blokus.positions
games.blokus.preview games.blokus.room games.blokus.strategies games.blokus.views
games.cat_mouse.contract
games.octa.contract games.octa.session
scenes.picker scenes.text
terminal.advice terminal.bare terminal.clicking terminal.commands terminal.drawing
terminal.exporting terminal.hands terminal.opening terminal.picking terminal.playing
terminal.records terminal.replaying terminal.reports terminal.stage terminal.svg
terminal.thinking terminal.words
"""

# Compiled although they name no machine type: what compiled modules call, natively.
COMPILED_ALL_THE_SAME = {
    "core/checks.py": "asked for every action that is played",
    "core/errors.py": "raised by compiled modules",
    "core/options.py": "the type of a game's options",
    "core/outside.py": "asked when a class is made",
    "core/record.py": "plays whole games",
    "core/registry.py": "makes games",
    "core/result.py": "the type of what a game ends with",
    "core/scene.py": "the type of what a game shows",
    "games/blokus/evaluation.py": "asked at the end of every playout",
    "table/chance.py": "part of every move at a table",
    "table/clock.py": "part of every move at a table",
    "table/planner.py": "part of every move at a table",
    "table/standing.py": "part of every move at a table",
    "table/table.py": "part of every move at a table",
    "table/views.py": "part of every move at a table",
}


@pytest.mark.parametrize("name", OLD_MODULES.split())
def test_no_module_can_be_imported_under_an_old_name(name):
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(f"parlour.{name}")


def compiled_files():
    project = tomllib.loads((SOURCES.parent.parent / "pyproject.toml").read_text("utf-8"))
    patterns = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["include"]
    root = SOURCES.parent.parent
    found = {}
    for pattern in patterns:
        files = list(root.glob(pattern.lstrip("/")))
        assert files, f"{pattern} names no file"
        found.update((str(path.relative_to(SOURCES)), path) for path in files)
    return found


def test_modules_with_machine_types_are_compiled_and_others_need_a_reason():
    typed = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if re.search(r"^from mypy_extensions import", path.read_text("utf-8"), re.MULTILINE)
    }
    assert set(compiled_files()) == (typed - INTERPRETED) | set(COMPILED_ALL_THE_SAME)


# They name machine types without being compiled, for the sake of who calls them.
INTERPRETED = {
    "__init__.py",
    "core/author.py",
    "games/octa/spec/logic.py",
    "templates/compiled/src/my_game.py",
    "testing/observations.py",
}


def test_every_compiled_module_belongs_to_the_running_build():
    for name in compiled_files():
        module = importlib.import_module(f"parlour.{name[:-3].replace('/', '.')}")
        assert module.__file__.endswith(".py") != parlour.build_info().compiled


def test_the_signal_check_is_never_compiled():
    """A compiled function would let none in: Ctrl-C would wait for the end of a search."""
    assert "core/signals.py" not in compiled_files()
    module = importlib.import_module("parlour.core.signals")
    assert module.__file__.endswith(".py")
    assert type(module.let_signals_in) is type(compiled_files)


SAME_IDEA = {"Decline", "Play", "Resign"}
"""A seat's requests: messages on the wire, and requests of a table."""


def test_no_class_name_has_two_meanings():
    """Names of a specification are its own, and nested classes are named by their owner too."""
    places = {}
    for path in SOURCES.rglob("*.py"):
        parts = path.relative_to(SOURCES).parts
        if parts[0] == "templates" or any(part.startswith("spec") for part in parts):
            continue
        for name in re.findall(r"^class (\w+)", path.read_text("utf-8"), re.MULTILINE):
            places.setdefault(name, []).append("/".join(parts))
    twice = {name: found for name, found in places.items() if len(found) > 1}
    assert twice.keys() == SAME_IDEA, twice


def test_room_means_a_live_game_on_the_server():
    """One word for one idea, in module and class names."""
    rooms = set()
    for path in SOURCES.rglob("*.py"):
        classes = re.findall(r"^class (\w+)", path.read_text("utf-8"), re.MULTILINE)
        if any("room" in name.lower() for name in (path.name, *classes)):
            rooms.add(path.relative_to(SOURCES).parts[0])
    assert rooms == {"server"}


def test_the_map_of_packages_is_complete():
    """Every package and public module is in CONTRIBUTING.md, and nothing else."""
    text = (SOURCES.parent.parent / "CONTRIBUTING.md").read_text("utf-8")
    table = text[text.index("| in `src/parlour/` |") : text.index("| elsewhere |")]
    named = re.findall(r"`([\w/.]+)`", "".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)))
    packages = {f"{path.parent.name}/" for path in SOURCES.glob("*/__init__.py")}
    modules = {path.name for path in SOURCES.glob("*.py") if not path.name.startswith("_")}
    assert sorted(named) == sorted({*packages, *modules, "templates/"})


def test_the_diagram_of_packages_is_up_to_date(root, monkeypatch):
    """`python tools/package_diagram.py` draws it again."""
    monkeypatch.syspath_prepend(str(root / "tools"))
    from package_diagram import PICTURE, picture

    assert PICTURE.read_text("utf-8") == picture()
