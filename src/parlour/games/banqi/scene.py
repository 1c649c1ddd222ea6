"""What a viewer of Banqi sees: the face-up pieces, and where the others lie."""

from parlour.core.game import CHANCE
from parlour.core.scene import NOBODY, Cell, Scene, SeatView
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

REASON_WORDS = {
    "capture-all": "every piece of the other colour is captured",
    "stalemate": "the other colour cannot move",
    "quiet-limit": "too many turns without a flip or a capture",
    "repetition": "the same position for the third time",
}


def scene(rules: BanqiRules, state: BanqiState) -> Scene:
    """The same view for everybody: a state knows no more than what shows."""
    return Scene(
        cells=tuple(_cell(state, square) for square in range(SQUARES)),
        seats=(_seat(state, 0), _seat(state, 1)),
        status=_status(rules, state),
    )


def touched(action: int) -> tuple[int, ...]:
    """The squares that choose a decision: the one to flip, or from and to."""
    return (action,) if action < FIRST_MOVE else divmod(action - FIRST_MOVE, SQUARES)


def action_words(state: BanqiState, action: int) -> str:
    """`flips c2`, `c2-c3`, `c2xc3: takes the black guard`; a reveal: `flipped c2: black guard`."""
    if state.actor == CHANCE:
        return f"flipped {square_name(state.flipping)}: {piece_words(action).lower()}"
    if action < FIRST_MOVE:
        return f"flips {square_name(action)}"
    text = action_to_text(state, action)
    taken = state.piece(touched(action)[1])
    return text if taken == EMPTY else f"{text}: takes the {piece_words(taken).lower()}"


def _cell(state: BanqiState, square: int) -> Cell:
    piece = state.piece(square)
    if piece == EMPTY:
        return EMPTY_CELL
    if piece == FACE_DOWN:
        if square == state.flipping:
            marks = ("face-down", "flipping")
            return Cell("?", "face-down, being flipped", face=FACES[-1], marks=marks)
        return FACE_DOWN_CELL
    return piece_cell(piece, piece // KINDS ^ state.seat_0)


def piece_cell(piece: int, owner: int = NOBODY) -> Cell:
    """A piece that shows."""
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
    """`player 1`, with the colour once it has one."""
    if state.seat_0 == NO_COLOUR:
        return f"player {seat + 1}"
    return f"player {seat + 1}, {COLOUR_WORDS[state.seat_0 ^ seat]}"


def _seat(state: BanqiState, seat: int) -> SeatView:
    """The seat with the pieces that it has captured."""
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
        return f"{player_name(state, result.winner).capitalize()}, wins: {why}."
    if state.actor == CHANCE:
        return f"The piece on {square_name(state.flipping)} is turned over."
    player = player_name(state, state.actor).capitalize()
    if state.turn == NO_COLOUR:
        return f"{player}: flip a piece; its colour will be yours."
    left = state.squares().count(FACE_DOWN)
    return (
        f"{player}, to move; {left} face-down; "
        f"{state.quiet} of {rules.quiet_limit} quiet turns until a draw."
    )
