"""Scenes of Banqi: the face-up pieces, and the squares of the others."""

from functools import cache

from parlour.core.game import CHANCE
from parlour.core.scene import NOBODY, ActionView, Cell, Scene, SeatView
from parlour.games.banqi.bits import SQUARES
from parlour.games.banqi.notation import action_to_text
from parlour.games.banqi.pieces import (
    CHARACTERS,
    COLOUR_WORDS,
    EMPTY,
    FACE_DOWN,
    FACES,
    FIRST_MOVE,
    KINDS,
    NO_COLOUR,
    PIECE_SIGNS,
    SET_SIZES,
)
from parlour.games.banqi.rules import BanqiRules, BanqiState
from parlour.games.banqi.setup import piece_words, square_name

EMPTY_CELL = Cell("·", "empty")
FACE_DOWN_CELL = Cell("?", "face-down", face=FACES[-1], marks=("face-down",))
FLIPPING_CELL = Cell(
    "?", "face-down, being flipped", face=FACES[-1], marks=("face-down", "flipping")
)

REASON_WORDS = {
    "capture-all": "every enemy piece is captured",
    "stalemate": "the opponent has no legal move",
    "quiet-limit": "too many turns without a flip or capture",
    "repetition": "the same position occurred three times",
}


def scene(rules: BanqiRules, state: BanqiState) -> Scene:
    """Return the scene, which is the same for every viewer."""
    return Scene(
        cells=_cells(state),
        seats=(_seat(state, 0), _seat(state, 1)),
        status=_status(rules, state),
    )


def touched(action: int) -> tuple[int, ...]:
    """Return the squares that choose an action: the one to flip, or source and target."""
    return (action,) if action < FIRST_MOVE else divmod(action - FIRST_MOVE, SQUARES)


def action_words(state: BanqiState, action: int) -> str:
    """Return `flip c2`, `c2-c3`, `c2xc3: captures the red pawn` or `flipped c2: red pawn`."""
    if state.actor == CHANCE:
        return f"flipped {square_name(state.flipping)}: {piece_words(action).lower()}"
    if action < FIRST_MOVE:
        return f"flip {square_name(action)}"
    text = action_to_text(state, action)
    taken = state.piece(touched(action)[1])
    return text if taken == EMPTY else f"{text}: captures the {piece_words(taken).lower()}"


def _cells(state: BanqiState) -> tuple[Cell, ...]:
    cells = tuple(map(_piece_cells(state.seat_0).__getitem__, state.squares()))
    at = state.flipping
    return cells if at < 0 else (*cells[:at], FLIPPING_CELL, *cells[at + 1 :])


@cache
def _piece_cells(seat_0: int) -> dict[int, Cell]:
    """Return the views of all pieces, if seat 0 plays that colour."""
    views = {piece: piece_cell(piece, piece // KINDS ^ seat_0) for piece in range(2 * KINDS)}
    return {EMPTY: EMPTY_CELL, FACE_DOWN: FACE_DOWN_CELL, **views}


@cache
def action_view(action: int, text: str) -> ActionView:
    """Return the view of an action of a seat: a square to flip, or source and target."""
    return ActionView(action, text, touched(action))


def piece_cell(piece: int, owner: int = NOBODY) -> Cell:
    """Return the view of a face-up piece."""
    colour = piece // KINDS
    return Cell(
        PIECE_SIGNS[piece],
        piece_words(piece),
        owner,
        COLOUR_WORDS[colour],
        FACES[piece],
        CHARACTERS[piece],
    )


def player_name(state: BanqiState, seat: int) -> str:
    """Return `player 1`, or `player 1, red` once the colours are decided."""
    if state.seat_0 == NO_COLOUR:
        return f"player {seat + 1}"
    return f"player {seat + 1}, {COLOUR_WORDS[state.seat_0 ^ seat]}"


def _seat(state: BanqiState, seat: int) -> SeatView:
    """Return the view of a seat with the pieces that it has captured."""
    if state.seat_0 == NO_COLOUR:
        return SeatView()
    squares = state.squares()
    hidden = state.hidden()
    foe = 1 - (state.seat_0 ^ seat)
    taken: list[str] = []
    for kind in range(KINDS):
        piece = KINDS * foe + kind
        missing = SET_SIZES[kind] - squares.count(piece) - hidden[piece]
        taken.extend(PIECE_SIGNS[piece] * missing)
    return SeatView(score=f"{len(taken)} captured", tray=tuple(taken))


def _status(rules: BanqiRules, state: BanqiState) -> str:
    result = state.result()
    if result is not None:
        why = REASON_WORDS[result.reason]
        if result.winner is None:
            return f"The game is a draw: {why}."
        return f"{_player(state, result.winner)} wins: {why}."
    if state.actor == CHANCE:
        return f"The piece on {square_name(state.flipping)} is being flipped."
    player = _player(state, state.actor)
    if state.turn == NO_COLOUR:
        return f"{player}: flip a piece; its colour will be yours."
    left = state.squares().count(FACE_DOWN)
    return (
        f"{player} to move; {left} face-down; "
        f"{state.quiet} of {rules.quiet_limit} quiet turns until a draw."
    )


def _player(state: BanqiState, seat: int) -> str:
    """Return `Player 1`, or `Player 1 (red)` once the colours are decided."""
    if state.seat_0 == NO_COLOUR:
        return f"Player {seat + 1}"
    return f"Player {seat + 1} ({COLOUR_WORDS[state.seat_0 ^ seat]})"
