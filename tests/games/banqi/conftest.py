"""Positions and matches for tests, drawn as text."""

from collections.abc import Callable

import pytest

from parlour.games.banqi import (
    BanqiGame,
    BanqiState,
    Color,
    Match,
    MatchStatus,
    Piece,
    PieceKind,
)

SIGNS = "KGMRHCP"


def drawn_state(
    *rows: str,
    turn: str = "red",
    seat: int = 0,
    quiet: int = 0,
    down: str = "-",
    more: tuple[str, ...] = (),
    **options: object,
) -> BanqiState:
    """Return the state with these rows at the top of an otherwise empty board."""
    board = [*rows, *["........"] * (4 - len(rows))]
    head = "first flip" if turn == "first flip" else f"{turn}, seat {seat}"
    lines = [f"turn: {head}", f"quiet: {quiet}", *more, f"face-down: {down}", *board]
    return BanqiGame(**options).state_from_text("\n".join(lines))


def piece(sign: str, is_revealed: bool = True, is_dead: bool = False) -> Piece:
    """Return the piece of a letter; upper case is red."""
    kind = list(PieceKind)[SIGNS.index(sign.upper())]
    return Piece(kind, Color.RED if sign.isupper() else Color.BLACK, is_revealed, is_dead)


def drawn_match(squares: dict[int, str], turn: str | None = "red", **fields: object) -> Match:
    """Return a match in progress with these pieces; `?K` is a face-down King."""
    board: list[Piece | None] = [None] * 32
    for index, sign in squares.items():
        board[index] = piece(sign[-1], is_revealed=sign[0] != "?")
    values: dict[str, object] = {"status": MatchStatus.IN_PROGRESS, "current_turn": turn, **fields}
    return Match(board=tuple(board), **values)


def full_set(color: str, dead: bool = True) -> tuple[Piece, ...]:
    """Return all 16 pieces of a colour as captured."""
    return tuple(
        Piece(kind, Color(color), is_revealed=True, is_dead=dead)
        for kind in PieceKind
        for _ in range(kind.number)
    )


@pytest.fixture
def draw_state() -> Callable[..., BanqiState]:
    return drawn_state


@pytest.fixture
def draw_match() -> Callable[..., Match]:
    return drawn_match


@pytest.fixture
def make_piece() -> Callable[..., Piece]:
    return piece


@pytest.fixture
def whole_set() -> Callable[..., tuple[Piece, ...]]:
    return full_set
