"""Matches of the specification as games of Parlour, and back.

`public_state` in `moves` is the way to the playable game. It hides the face-down pieces, so
the way back has to deal them.
"""

from parlour.core.checks import as_int, shown
from parlour.core.errors import IllegalAction
from parlour.core.rng import Rng
from parlour.games.banqi.bits import SQUARES
from parlour.games.banqi.pieces import (
    EMPTY,
    FACE_DOWN,
    FIRST_MOVE,
    KINDS,
    NO_COLOUR,
    NOTHING,
    NUM_ACTIONS,
    PIECES,
)
from parlour.games.banqi.rules import BanqiState
from parlour.games.banqi.spec.match import COLOR_ORDER, KIND_ORDER, Color, Match, MatchStatus, Piece
from parlour.games.banqi.spec.moves import execute_capture, execute_flip, execute_move


def match_from_state(state: BanqiState, seed: int) -> Match:
    """Return a match that looks like this state; the seed deals the face-down pieces.

    Pieces that are neither on the board nor face-down count as captured. The specification has
    no draws, so a drawn game is still in progress. Raises `ValueError` for a state in which a
    flip waits for its outcome.
    """
    if not isinstance(state, BanqiState) or state.flipping != NOTHING:
        raise ValueError(f"state must be a state of Banqi between two actions, not {shown(state)}")
    deal = [piece for piece, number in enumerate(state.hidden()) for _ in range(number)]
    Rng(seed).shuffle(deal)
    board: list[Piece | None] = []
    lost = [_piece(number, True).kind.number for number in range(PIECES)]
    for square in state.squares():
        if square == EMPTY:
            board.append(None)
            continue
        number = deal.pop() if square == FACE_DOWN else square
        lost[number] -= 1
        board.append(_piece(number, square != FACE_DOWN))
    is_decided = state.winner != NO_COLOUR
    is_waiting = state.turn == NO_COLOUR
    taken = [_piece(number, True, True) for number in range(PIECES) for _ in range(lost[number])]
    return Match(
        board=tuple(board),
        status=(
            MatchStatus.WAITING_FIRST_FLIP
            if is_waiting
            else MatchStatus.ENDED
            if is_decided
            else MatchStatus.IN_PROGRESS
        ),
        current_turn=None if is_waiting else COLOR_ORDER[state.turn],
        red_captured=tuple(piece for piece in taken if piece.color is Color.BLACK),
        black_captured=tuple(piece for piece in taken if piece.color is Color.RED),
        winner=COLOR_ORDER[state.winner] if is_decided else None,
        first_flip_passes=state.game.options["first_flip_passes"] is True,
    )


def execute_action(match: Match, action: int) -> Match:
    """Return the match after an action of the playable game, such as an agent's choice.

    Raises `IllegalAction` with the validator's error.
    """
    number = as_int(action)
    if number is None or not 0 <= number < NUM_ACTIONS:
        raise IllegalAction(f"an action must be 0 to {NUM_ACTIONS - 1}, not {shown(action)}")
    if number < FIRST_MOVE:
        return execute_flip(match, number)
    source, target = divmod(number - FIRST_MOVE, SQUARES)
    if match.board[target] is None:
        return execute_move(match, source, target)
    return execute_capture(match, source, target)


def _piece(number: int, is_revealed: bool, is_dead: bool = False) -> Piece:
    color, kind = divmod(number, KINDS)
    return Piece(KIND_ORDER[kind], COLOR_ORDER[color], is_revealed, is_dead)
