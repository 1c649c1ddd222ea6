"""What can be imported is what is meant to be."""

import importlib

import pytest

import parlour

PACKAGES = [
    "parlour",
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
        "IllegalAction register"
    ),
}


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
    # mypyc keeps the docstrings of interpreted modules only.
    assert silent == [] or parlour.build_info().compiled


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
