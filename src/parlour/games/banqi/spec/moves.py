"""The specification's functions of Banqi: validate, execute, legal moves, win condition.

The rules themselves are in `rules`. This module converts a `Match` to the engine's state, which
holds only public information, and converts the result back. All functions are pure.
"""

from dataclasses import replace

from parlour.core.checks import as_int
from parlour.core.errors import IllegalAction
from parlour.core.rng import Rng
from parlour.games.banqi.bits import SQUARES
from parlour.games.banqi.game import BanqiGame
from parlour.games.banqi.pieces import (
    CAPTURE_ALL,
    EMPTY,
    FACE_DOWN,
    FIRST_MOVE,
    KINDS,
    NO_COLOUR,
    ONGOING,
    PIECES,
    REASONS,
    RED,
)
from parlour.games.banqi.rules import BanqiState
from parlour.games.banqi.setup import BanqiSetup, position
from parlour.games.banqi.spec.match import (
    COLOR_ORDER,
    KIND_ORDER,
    Color,
    Match,
    MatchStatus,
    Piece,
    PieceKind,
)
from parlour.games.banqi.spec.results import (
    CaptureAction,
    LegalMoveSet,
    MoveAction,
    ValidationResult,
    WinReason,
    WinResult,
)

INVALID_PIECE_INDEX = "Invalid piece index"
INVALID_INDICES = "Invalid indices"
MATCH_ENDED = "Match already ended"
NOT_IN_PROGRESS = "Match not in progress"

# A match does not count quiet turns, so it never reaches the limit.
_RULES = {
    passes: BanqiGame(rules="house", first_flip_passes=passes, repetition=False)
    for passes in (False, True)
}


def create_match(seed: int, first_flip_passes: bool = False) -> Match:
    """Return a match before its first flip, shuffled by the seed; seeds never change meaning.

    Raises `TypeError` for a seed that is not an int.
    """
    rng = Rng(seed)
    pieces = [
        Piece(kind, color) for color in Color for kind in PieceKind for _ in range(kind.number)
    ]
    for last in range(SQUARES - 1, 0, -1):
        other = rng.below(last + 1)
        pieces[last], pieces[other] = pieces[other], pieces[last]
    return Match(tuple(pieces), MatchStatus.WAITING_FIRST_FLIP, first_flip_passes=first_flip_passes)


def public_state(match: Match) -> BanqiState:
    """Return the engine's state with what both players see; red is seat 0.

    It holds only the number of face-down pieces of each kind. A piece that is neither on the
    board nor captured is not counted as lost, but the text of such a state treats it as captured.
    """
    squares = []
    hidden = [0] * PIECES
    for piece in match.board:
        if piece is None:
            squares.append(EMPTY)
        elif piece.is_revealed:
            squares.append(_number(piece))
        else:
            squares.append(FACE_DOWN)
            hidden[_number(piece)] += 1
    turn = NO_COLOUR if match.current_turn is None else COLOR_ORDER.index(match.current_turn)
    setup = BanqiSetup(
        tuple(squares), tuple(hidden), turn, NO_COLOUR if match.current_turn is None else RED
    )
    captured = (len(match.black_captured), len(match.red_captured))
    return position(_RULES[match.first_flip_passes], setup, captured)


def validate_flip(match: Match, piece_index: object) -> ValidationResult:
    """Whether that piece can be flipped. Never raises, whatever the index."""
    return _verdict(_flip_error(match, _index(piece_index)))


def validate_move(match: Match, from_index: object, to_index: object) -> ValidationResult:
    """Whether that is a legal move. Never raises, whatever the indices."""
    return _verdict(_move_error(match, _index(from_index), _index(to_index)))


def validate_capture(match: Match, from_index: object, to_index: object) -> ValidationResult:
    """Whether that is a legal capture. Never raises, whatever the indices."""
    return _verdict(_capture_error(match, _index(from_index), _index(to_index)))


def execute_flip(match: Match, piece_index: int) -> Match:
    """Return the match after the flip. Raises `IllegalAction` with the validator's error."""
    index = _index(piece_index)
    _refuse(_flip_error(match, index))
    piece = match.board[index]
    assert piece is not None
    flipped = public_state(match).apply(index)
    return _after(match, flipped.apply(_number(piece)), {index: replace(piece, is_revealed=True)})


def execute_move(match: Match, from_index: int, to_index: int) -> Match:
    """Return the match after the move. Raises `IllegalAction` with the validator's error."""
    source, target = _index(from_index), _index(to_index)
    _refuse(_move_error(match, source, target))
    after = public_state(match).apply(FIRST_MOVE + SQUARES * source + target)
    return _after(match, after, {source: None, target: match.board[source]})


def execute_capture(match: Match, from_index: int, to_index: int) -> Match:
    """Return the match after the capture. Raises `IllegalAction` with the validator's error."""
    source, target = _index(from_index), _index(to_index)
    _refuse(_capture_error(match, source, target))
    taken = match.board[target]
    assert taken is not None
    after = public_state(match).apply(FIRST_MOVE + SQUARES * source + target)
    return _after(
        match,
        after,
        {source: None, target: match.board[source]},
        replace(taken, is_dead=True),
    )


def check_win_condition(match: Match) -> WinResult:
    """Check whether a colour has lost all its pieces, or the colour to move has no action."""
    state = public_state(match)
    if state.why == ONGOING or (match.current_turn is None and state.why != CAPTURE_ALL):
        return WinResult(match.status is MatchStatus.ENDED, match.winner)
    return WinResult(True, COLOR_ORDER[state.winner], WinReason(REASONS[state.why]))


def get_legal_moves(match: Match) -> LegalMoveSet:
    """Return every action that the validators accept; none after the end."""
    if match.status is MatchStatus.ENDED:
        return LegalMoveSet((), (), ())
    flips: list[int] = []
    moves: list[MoveAction] = []
    captures: list[CaptureAction] = []
    for action in public_state(match).decisions():
        if action < FIRST_MOVE:
            flips.append(action)
            continue
        source, target = divmod(action - FIRST_MOVE, SQUARES)
        if match.board[target] is None:
            moves.append(MoveAction(source, target))
        else:
            captures.append(CaptureAction(source, target))
    return LegalMoveSet(tuple(flips), tuple(moves), tuple(captures))


NO_INDEX = -1


def _index(value: object) -> int:
    """Return a valid square for any kind of integer, otherwise NO_INDEX."""
    number = as_int(value)
    return NO_INDEX if number is None or not 0 <= number < SQUARES else int(number)


def _number(piece: Piece) -> int:
    return KINDS * COLOR_ORDER.index(piece.color) + KIND_ORDER.index(piece.kind)


def _verdict(error: str | None) -> ValidationResult:
    return ValidationResult(error is None, error)


def _refuse(error: str | None) -> None:
    if error is not None:
        raise IllegalAction(error)


def _flip_error(match: Match, index: int) -> str | None:
    if match.status is MatchStatus.ENDED:
        return MATCH_ENDED
    if index == NO_INDEX:
        return INVALID_PIECE_INDEX
    return public_state(match).flip_refusal(index)


def _move_error(match: Match, source: int, target: int) -> str | None:
    if match.status is not MatchStatus.IN_PROGRESS:
        return NOT_IN_PROGRESS
    if NO_INDEX in (source, target):
        return INVALID_INDICES
    return public_state(match).move_refusal(source, target)


def _capture_error(match: Match, source: int, target: int) -> str | None:
    if match.status is not MatchStatus.IN_PROGRESS:
        return NOT_IN_PROGRESS
    if NO_INDEX in (source, target):
        return INVALID_INDICES
    return public_state(match).capture_refusal(source, target)


def _after(
    match: Match,
    state: object,
    changes: dict[int, Piece | None],
    taken: Piece | None = None,
) -> Match:
    """Return the match with these squares changed and the status of the engine's state."""
    assert isinstance(state, BanqiState)
    board = list(match.board)
    for index, piece in changes.items():
        board[index] = piece
    red_captured, black_captured = match.red_captured, match.black_captured
    if taken is not None and taken.color is Color.BLACK:
        red_captured = (*red_captured, taken)
    elif taken is not None:
        black_captured = (*black_captured, taken)
    has_ended = state.why != ONGOING
    return replace(
        match,
        board=tuple(board),
        status=MatchStatus.ENDED if has_ended else MatchStatus.IN_PROGRESS,
        current_turn=COLOR_ORDER[state.turn],
        red_captured=red_captured,
        black_captured=black_captured,
        winner=COLOR_ORDER[state.winner] if has_ended else None,
    )
