"""Public names exist, are documented and stay public."""

import importlib
import pydoc
import re

import pytest

import parlour

PACKAGES = [
    "parlour",
    "parlour.client",
    "parlour.envs",
    "parlour.cards",
    "parlour.grids",
    "parlour.table",
    "parlour.testing",
    *(f"parlour.games.{name}" for name in parlour.game_names()),
]

READINGS = {
    "parlour.games.cat_mouse": (
        "create_game apply_move get_valid_moves choose_mouse_move GameState Grid Cat Mouse "
        "Position ApplyResult PlacementError solve hint par Solution"
    ),
    "parlour.games.banqi": (
        "create_match Match Piece Color PieceKind validate_flip validate_move validate_capture "
        "ValidationResult execute_flip execute_move execute_capture check_win_condition "
        "WinResult get_legal_moves LegalMoveSet MoveAction CaptureAction"
    ),
    "parlour.games.blokus": (
        "Move Piece Player Board GameState BlokusRules PlacementHandler Strategy RandomStrategy "
        "CornerStrategy StrategicStrategy AIPlayer GameLoop ValidationResult"
    ),
    "parlour.games.octa": (
        "Coordinate Direction rotate_clockwise Player CellState GameCell GameMap GraphGameMap "
        "GameConfig WinCondition GameResult GameLogic OctaGameLogic MoveProvider "
        "ScriptedMoveProvider CLIView GameEngine InvalidMoveError"
    ),
    "parlour": (
        "game game_names perft playouts CHANCE OVER Game State Result Record build_info "
        "IllegalAction register Batch Observer observer"
    ),
}


def test_the_page_on_stability_lists_the_public_modules(root):
    """A module is public if, and only if, it has `__all__`."""
    source = root / "src"
    public = {
        ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")
        for path in source.rglob("*.py")
        if "\n__all__ = " in path.read_text("utf-8") and "templates" not in path.parts
    }
    page = (root / "docs" / "stability.md").read_text("utf-8")
    listed = page.partition("**Public API**")[2].partition("the contract of")[0]
    assert set(re.findall(r"`(parlour[\w.]*)`", listed)) == public


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_exists_once_and_has_a_docstring(package):
    module = importlib.import_module(package)
    names = module.__all__
    assert len(set(names)) == len(names)
    assert all(hasattr(module, name) for name in names)
    silent = [
        name
        for name in names
        if callable(getattr(module, name)) and not getattr(module, name).__doc__
    ]
    assert silent == []


def methods_of(cls):
    """The public methods and properties that a class of ours defines itself."""
    for name, value in vars(cls).items():
        is_ours = callable(value) or isinstance(value, property | classmethod | staticmethod)
        is_descriptor = type(value).__name__ in ("getset_descriptor", "method_descriptor")
        if not name.startswith("_") and (is_ours or is_descriptor):
            yield name, value


# Attributes are documented where they are assigned.
STORED = {"game", "seats", "name", "title", "options", "board", "faces", "notes", "actions"}


@pytest.mark.parametrize(
    "cls",
    [
        parlour.Batch,
        parlour.Game,
        parlour.Observer,
        parlour.State,
        parlour.Rng,
        parlour.Record,
    ],
)
def test_every_method_has_a_docstring_in_both_builds(cls):
    documented = [name for name, value in methods_of(cls) if value.__doc__]
    silent = [name for name, value in methods_of(cls) if not value.__doc__]
    assert len(documented) >= 3
    fields = set(getattr(cls, "__mypyc_attrs__", ())) | STORED
    assert set(silent) <= fields


def test_help_shows_signature_and_docstring():
    text = pydoc.render_doc(parlour.playouts, renderer=pydoc.plaintext)
    assert "playouts(state" in text
    assert "Play `games` games at random from `state` to their ends." in text
    text = pydoc.render_doc(parlour.State.play, renderer=pydoc.plaintext)
    assert "play(self" in text
    assert "Raises `IllegalAction` with the rule against it" in text


def test_help_on_the_package_leads_to_every_part_of_it():
    text = pydoc.render_doc(parlour, renderer=pydoc.plaintext)
    for name in ("Game", "State", "Record", "agent", "playouts", "Batch", "envs", "check_game"):
        assert name in parlour.__doc__
        assert name in text


@pytest.mark.parametrize(("package", "names"), READINGS.items())
def test_the_names_that_callers_rely_on_are_public(package, names):
    assert set(names.split()) <= set(importlib.import_module(package).__all__)


def test_every_error_is_a_parlour_error_and_a_value_error():
    errors = [
        value
        for name in parlour.__all__
        if isinstance(value := getattr(parlour, name), type) and issubclass(value, Exception)
    ]
    assert len(errors) >= 9
    assert all(issubclass(error, parlour.ParlourError) for error in errors)
    assert issubclass(parlour.ParlourError, ValueError)
