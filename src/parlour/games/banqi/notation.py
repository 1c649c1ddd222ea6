"""Text forms of Banqi: actions, and positions that people can read and edit.

    turn: red, seat 1
    quiet: 3
    face-down: KGMMRHCPPPkggmrrhccppp
    ? ? . K ? ? p ?
    ? ? ? ? . ? ? ?
    ? ? r ? ? ? ? ?
    ? ? ? ? P . ? ?

Pieces are K G M R H C P (King, Guard, Minister, Rook, Horse, Cannon, Pawn), upper case
red, lower case black; `?` is a face-down piece, `.` an empty square. `turn` names the
colour and the seat to move, or is `first flip`. `quiet` counts the turns since the last
flip or capture. `face-down` lists the hidden pieces in any order, or is `-`. Pieces that
appear nowhere have been captured. Some positions have more lines after `quiet`:

    moves: a1-a2 h4-h3 a2-a1     the quiet turns, if the game has the repetition rule
    flipping: c2                 the piece on c2 is being flipped
    over: red wins by stalemate  the game has ended
"""

import re

from parlour.core.checks import check_text, shown
from parlour.core.errors import ActionTextError, InvalidState, StateTextError
from parlour.core.game import CHANCE
from parlour.games.banqi.bits import COLS, ROWS, SQUARES
from parlour.games.banqi.pieces import (
    COLOUR_WORDS,
    EMPTY,
    FACE_DOWN,
    FIRST_MOVE,
    NO_COLOUR,
    NOTHING,
    ONGOING,
    PIECE_SIGNS,
    PIECES,
    REASONS,
)
from parlour.games.banqi.rules import BanqiRules, BanqiState
from parlour.games.banqi.setup import BanqiSetup, square_name

SIGNS = PIECE_SIGNS + ".?"
FIRST_FLIP = "first flip"
NONE = "-"

_SQUARE = "[a-h][1-4]"


def piece_sign(piece: int) -> str:
    """Return the letter of a piece, `?` or `.`."""
    if piece == FACE_DOWN:
        return "?"
    return "." if piece == EMPTY else PIECE_SIGNS[piece]


def square_from_name(name: str) -> int:
    """Return the index of a valid square name."""
    return (int(name[1]) - 1) * COLS + "abcdefgh".index(name[0])


def action_to_text(state: BanqiState, action: int) -> str:
    """Return `c2`, `c2-c3` or `c2xc3`; at CHANCE `=K`."""
    if state.actor == CHANCE:
        return f"={PIECE_SIGNS[action]}"
    if action < FIRST_MOVE:
        return square_name(action)
    source, target = divmod(action - FIRST_MOVE, SQUARES)
    sign = "-" if state.piece(target) == EMPTY else "x"
    return f"{square_name(source)}{sign}{square_name(target)}"


def action_from_text(state: BanqiState, text: str) -> int:
    """Return the id of an action, legal or not. Raises `ActionTextError` for any other text."""
    word = check_text("an action's text", text, ActionTextError)
    if state.actor == CHANCE:
        if len(word) == 2 and word[0] == "=" and word[1] in PIECE_SIGNS:
            return PIECE_SIGNS.index(word[1])
        raise ActionTextError(
            f"{shown(word)} is not the outcome of a flip; write = and one of {PIECE_SIGNS}"
        )
    match = re.fullmatch(f"({_SQUARE})(?:([-x])({_SQUARE}))?", word)
    if match is None:
        raise ActionTextError(
            f"{shown(word)} is not a move; write c2 to flip, c2-c3 to move, "
            "c2xc3 to capture (squares are a1 to h4)"
        )
    source = square_from_name(match[1])
    if match[2] is None:
        return source
    target = square_from_name(match[3])
    action = FIRST_MOVE + SQUARES * source + target
    is_empty = state.piece(target) == EMPTY
    if is_empty == (match[2] == "-") or state.refusal(action) is not None:
        return action
    if is_empty:
        raise ActionTextError(f"that square is empty; to move there, write {match[1]}-{match[3]}")
    raise ActionTextError(f"that square is not empty; to capture, write {match[1]}x{match[3]}")


def state_to_text(state: BanqiState) -> str:
    """Return the position's exact text."""
    turn = FIRST_FLIP
    if state.turn != NO_COLOUR:
        turn = f"{COLOUR_WORDS[state.turn]}, seat {state.turn ^ state.seat_0}"
    lines = [f"turn: {turn}", f"quiet: {state.quiet}"]
    moves = [divmod(action - FIRST_MOVE, SQUARES) for action in state.quiet_actions()]
    if moves:
        texts = (f"{square_name(source)}-{square_name(target)}" for source, target in moves)
        lines.append(f"moves: {' '.join(texts)}")
    if state.flipping != NOTHING:
        lines.append(f"flipping: {square_name(state.flipping)}")
    if state.why != ONGOING:
        lines.append(f"over: {over_text(state)}")
    hidden = "".join(
        PIECE_SIGNS[piece] * number for piece, number in enumerate(state.hidden()) if number
    )
    lines.append(f"face-down: {hidden or NONE}")
    signs = [piece_sign(piece) for piece in state.squares()]
    lines.extend(" ".join(signs[row * COLS : (row + 1) * COLS]) for row in range(ROWS))
    return "\n".join(lines)


def over_text(state: BanqiState) -> str:
    """Return how the game ended."""
    reason = REASONS[state.why]
    if state.winner == NO_COLOUR:
        return f"draw by {reason}"
    return f"{COLOUR_WORDS[state.winner]} wins by {reason}"


_FIELDS = {
    "turn": "'turn: red, seat 0', 'turn: black, seat 1' or 'turn: first flip'",
    "quiet": "'quiet: 0'",
    "moves": "'moves: a1-a2 h4-h3'",
    "flipping": "'flipping: c2'",
    "over": "'over: red wins by stalemate'",
    "face-down": "'face-down: KPPgp', or 'face-down: -' for none",
}
_PATTERNS = {
    "turn": rf"{FIRST_FLIP}|(?:red|black), seat [01]",
    "quiet": "[0-9]{1,9}",
    "moves": rf"{_SQUARE}-{_SQUARE}(?: +{_SQUARE}-{_SQUARE})*",
    "flipping": _SQUARE,
    "over": ".+",
    "face-down": rf"{NONE}|[{PIECE_SIGNS} ]+",
}
_REQUIRED = ("turn", "quiet", "face-down")


def state_from_text(rules: BanqiRules, text: str) -> BanqiState:
    """Return the position.

    Raises `StateTextError` for malformed text and `InvalidState` for an impossible position.
    """
    whole = check_text("a position's text", text, StateTextError)
    lines = [line.strip() for line in whole.splitlines()]
    fields: dict[str, str] = {}
    at = 0
    while at < len(lines) and ":" in lines[at]:
        name, _, value = lines[at].partition(":")
        _check_field(at + 1, name, value.strip(), fields)
        fields[name] = value.strip()
        at += 1
    for name in _REQUIRED:
        if name not in fields:
            raise StateTextError(f"a line like {_FIELDS[name]} is missing")
    turn, seat_0 = _turn(fields["turn"])
    flipping = square_from_name(fields["flipping"]) if "flipping" in fields else NOTHING
    hidden = fields["face-down"].replace(" ", "")
    setup = BanqiSetup(
        squares=_squares(lines, at),
        hidden=tuple(hidden.count(PIECE_SIGNS[piece]) for piece in range(PIECES)),
        turn=turn,
        seat_0=seat_0,
        flipping=flipping,
        quiet=int(fields["quiet"]),
        moves=tuple(_move(word) for word in fields.get("moves", "").split()),
    )
    state = setup.build(rules)
    _check_end(state, fields.get("over"))
    return state


def _check_field(line: int, name: str, value: str, fields: dict[str, str]) -> None:
    if name not in _FIELDS:
        raise StateTextError(f"line {line}: {name!r} is not one of {', '.join(_FIELDS)}")
    if name in fields:
        raise StateTextError(f"line {line}: {name!r} occurs twice")
    if re.fullmatch(_PATTERNS[name], value) is None:
        raise StateTextError(f"line {line} must read like {_FIELDS[name]}, not {value!r}")


def _turn(value: str) -> tuple[int, int]:
    """Return the colour to move and the colour of seat 0."""
    if value == FIRST_FLIP:
        return NO_COLOUR, NO_COLOUR
    word, seat = value.split(", seat ")
    turn = COLOUR_WORDS.index(word)
    return turn, turn ^ int(seat)


def _move(word: str) -> int:
    source, target = word.split("-")
    return FIRST_MOVE + SQUARES * square_from_name(source) + square_from_name(target)


def _squares(lines: list[str], at: int) -> tuple[int, ...]:
    """Return the board from the lines starting at index `at`."""
    rows = lines[at:]
    if len(rows) != ROWS:
        raise StateTextError(f"the board must have {ROWS} lines, not {len(rows)}")
    squares = []
    for number, line in enumerate(rows, at + 1):
        signs = "".join(line.split())
        if len(signs) != COLS:
            raise StateTextError(f"line {number} must have {COLS} squares, not {len(signs)}")
        for sign in signs:
            if sign not in SIGNS:
                raise StateTextError(
                    f"line {number}: {sign!r} is not a piece; use {' '.join(SIGNS)}"
                )
            squares.append(
                EMPTY if sign == "." else FACE_DOWN if sign == "?" else PIECE_SIGNS.index(sign)
            )
    return tuple(squares)


def _check_end(state: BanqiState, written: str | None) -> None:
    """Check that the `over` line agrees with the position."""
    right = over_text(state) if state.why != ONGOING else None
    if written == right:
        return
    if right is None:
        raise InvalidState(f"the game is not over here; remove the line 'over: {written}'")
    raise InvalidState(f"the game is over here; add the line 'over: {right}'")
