"""What a viewer of Banqi sees: the face-up pieces, and where the others lie."""

from parlour.core.game import CHANCE
from parlour.core.scene import ActionView, Cell, Scene, SeatView
from parlour.games.banqi.bits import COLS, ROWS, SQUARES
from parlour.games.banqi.notation import PIECE_SIGNS, action_to_text
from parlour.games.banqi.pieces import EMPTY, FACE_DOWN, FIRST_MOVE, KINDS, NO_COLOUR, SET_SIZES
from parlour.games.banqi.rules import BanqiRules, BanqiState
from parlour.games.banqi.setup import COLOUR_WORDS, piece_words, square_name

EMPTY_CELL = Cell("·", "empty")

REASON_WORDS = {
    "capture-all": "every piece of the other colour is captured",
    "stalemate": "the other colour cannot move",
    "quiet-limit": "too many turns without a flip or a capture",
    "repetition": "the same position for the third time",
}


def scene(rules: BanqiRules, state: BanqiState, seat: int | None) -> Scene:
    """The view of `seat`, or of a spectator; both seats see the same pieces."""
    actor = state.actor
    mine = actor != CHANCE and (seat is None or seat == actor)
    return Scene(
        rows=ROWS,
        cols=COLS,
        cells=tuple(_cell(state, square) for square in range(SQUARES)),
        row_names=tuple(str(row + 1) for row in range(ROWS)),
        col_names=tuple("abcdefgh"),
        seats=(_seat(state, 0), _seat(state, 1)),
        actor=actor,
        status=_status(rules, state),
        actions=tuple(
            ActionView(action, action_to_text(state, action), _touched(action))
            for action in (state.legal_actions() if mine else ())
        ),
    )


def _touched(action: int) -> tuple[int, ...]:
    return (action,) if action < FIRST_MOVE else divmod(action - FIRST_MOVE, SQUARES)


def _cell(state: BanqiState, square: int) -> Cell:
    piece = state.piece(square)
    if piece == EMPTY:
        return EMPTY_CELL
    if piece == FACE_DOWN:
        if square == state.flipping:
            return Cell("?", "face-down, being flipped", marks=("face-down", "flipping"))
        return Cell("?", "face-down", marks=("face-down",))
    colour = piece // KINDS
    owner = colour ^ state.seat_0
    return Cell(PIECE_SIGNS[piece], piece_words(piece), owner, (COLOUR_WORDS[colour],))


def _player(state: BanqiState, seat: int) -> str:
    if state.seat_0 == NO_COLOUR:
        return f"player {seat + 1}"
    return f"player {seat + 1}, {COLOUR_WORDS[state.seat_0 ^ seat]}"


def _seat(state: BanqiState, seat: int) -> SeatView:
    """The seat with the pieces that it has captured."""
    if state.seat_0 == NO_COLOUR:
        return SeatView(_player(state, seat))
    squares = state.squares()
    hidden = state.hidden()
    foe = 1 - (state.seat_0 ^ seat)
    taken: list[str] = []
    for kind in range(KINDS):
        piece = KINDS * foe + kind
        missing = SET_SIZES[kind] - squares.count(piece) - hidden[piece]
        taken.extend(PIECE_SIGNS[piece] * missing)
    return SeatView(_player(state, seat), f"{len(taken)} captured", tuple(taken))


def _status(rules: BanqiRules, state: BanqiState) -> str:
    result = state.result()
    if result is not None:
        why = REASON_WORDS[result.reason]
        if result.winner is None:
            return f"The game is a draw: {why}."
        return f"{_player(state, result.winner).capitalize()}, wins: {why}."
    if state.actor == CHANCE:
        return f"The piece on {square_name(state.flipping)} is turned over."
    player = _player(state, state.actor).capitalize()
    if state.turn == NO_COLOUR:
        return f"{player}: flip a piece; its colour will be yours."
    left = state.squares().count(FACE_DOWN)
    return (
        f"{player}, to move; {left} face-down; "
        f"{state.quiet} of {rules.quiet_limit} quiet turns until a draw."
    )
