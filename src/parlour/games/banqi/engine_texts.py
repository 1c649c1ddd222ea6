"""The CDC and UCI notations of Banqi: squares, pieces, moves and positions.

Our board has 4 rows of 8. CDC rotates it: its columns are a to d and its rows 8 to 1, so our
square (row, column) is column `row`, row `8 - column` there. UCI keeps the orientation, with
columns a to h and rows counted from the bottom, 0 to 3.
"""

import re
from collections.abc import Sequence

from parlour.core.errors import ActionTextError, InvalidState, OptionError, StateTextError
from parlour.core.game import CHANCE, Game, State
from parlour.games.banqi.bits import COLS, ROWS, SQUARES
from parlour.games.banqi.pieces import (
    COLOUR_WORDS,
    EMPTY,
    FACE_DOWN,
    FIRST_MOVE,
    KINDS,
    NO_COLOUR,
    PIECES,
    SET_SIZES,
)
from parlour.games.banqi.rules import BanqiRules, BanqiState
from parlour.games.banqi.setup import BanqiSetup
from parlour.interchange import FEN, START, CdcDialect, PositionDialect, split_position, with_moves

CDC_SIGNS = "KGMRNCPkgmrncp"
UCI_SIGNS = "GAERHCSgaerhcs"
"""The letters by piece; upper case is red."""

REPETITIONS = 3
LARGEST_LIMIT = 1000


def cdc_square(square: int) -> str:
    """Return `a8` for our square 0, `d1` for the last one."""
    row, col = divmod(square, COLS)
    return f"{'abcd'[row]}{COLS - col}"


def cdc_square_from_text(text: str) -> int:
    """Return the square of such a name. Raises `ActionTextError` if there is none."""
    if re.fullmatch("[a-d][1-8]", text) is None:
        raise ActionTextError(f"{text[:20]!r} is not a square: a to d, 1 to 8")
    return "abcd".index(text[0]) * COLS + COLS - int(text[1])


def uci_square(square: int) -> str:
    """Return `a3` for our square 0, `h0` for the last one."""
    row, col = divmod(square, COLS)
    return f"{'abcdefgh'[col]}{ROWS - 1 - row}"


def uci_square_from_text(text: str) -> int:
    """Return the square of such a name. Raises `ActionTextError` if there is none."""
    if re.fullmatch("[a-h][0-3]", text) is None:
        raise ActionTextError(f"{text[:20]!r} is not a square: a to h, 0 to 3")
    return (ROWS - 1 - int(text[1])) * COLS + "abcdefgh".index(text[0])


def ends_of(action: int) -> tuple[int, int]:
    """Return the source and target squares, which are the same for a flip."""
    return (action, action) if action < FIRST_MOVE else divmod(action - FIRST_MOVE, SQUARES)


def action_of(source: int, target: int) -> int:
    """Return the action between two squares, or the flip if they are the same."""
    return source if source == target else FIRST_MOVE + SQUARES * source + target


def piece_from_sign(signs: str, sign: str) -> int:
    """Return the piece. Raises `ActionTextError` for an unknown letter."""
    if len(sign) == 1 and sign in signs:
        return signs.index(sign)
    raise ActionTextError(f"{sign[:20]!r} is not a piece; use one of {signs}")


class BanqiCdc(CdcDialect):
    """The CDC dialect, used by programs at Taiwanese and Olympiad tournaments."""

    def move_to_text(self, state: State, action: int) -> str:
        """Return `b3 b4`, or `b3 b3` for a flip."""
        return " ".join(map(cdc_square, ends_of(action)))

    def move_from_text(self, state: State, text: str) -> int:
        """Return the move, capture or flip. Raises `ActionTextError`."""
        words = text.split()
        if len(words) != 2:
            raise ActionTextError(f"a move must be two squares, such as 'b3 b4', not {text[:40]!r}")
        return action_of(*map(cdc_square_from_text, words))

    def side(self, state: State) -> str:
        """Return `red`, `black`, or `other` before the first flip."""
        assert isinstance(state, BanqiState)
        return "other" if state.turn == NO_COLOUR else COLOUR_WORDS[state.turn]

    def is_side(self, state: State, word: str) -> bool:
        """Whether a word names the side to move; before the first flip every colour does."""
        assert isinstance(state, BanqiState)
        if state.turn == NO_COLOUR:
            return word in (*COLOUR_WORDS, "other", "unknown")
        return word == self.side(state)

    def setup(self) -> tuple[str, ...]:
        """Return the commands that set the rules for draws."""
        rules = self.game
        assert isinstance(rules, BanqiRules)
        repetitions = REPETITIONS if rules.repetition else 0
        return (f"num_repetition {repetitions}", f"num_moves_to_draw {rules.quiet_limit}")

    def configured(self, command: str, argument: str) -> Game | None:
        """Return the game with another rule for draws, or `None` for an unknown command."""
        if command == "boardsize":
            if sorted(argument.split()) != ["4", "8"]:
                raise OptionError(f"the board must be 4 by 8, not {argument[:20]!r}")
            return self.game
        if command == "num_repetition":
            if argument not in ("0", str(REPETITIONS)):
                raise OptionError(f"num_repetition must be 0 (never a draw) or {REPETITIONS}")
            return self._with(repetition=argument != "0")
        if command == "num_moves_to_draw":
            if not (argument.isascii() and argument.isdecimal() and len(argument) < 9):
                raise OptionError(f"num_moves_to_draw must be a number from 1 to {LARGEST_LIMIT}")
            return self._with(quiet_limit=int(argument))
        return None

    def _with(self, **options: object) -> Game:
        return type(self.game)(**{**self.game.options, **options})

    def outcome(self, final: State) -> str:
        """Return `red`, `black` or `draw`."""
        winner = _state(final).winner
        return "draw" if winner == NO_COLOUR else COLOUR_WORDS[winner]

    def told(self, before: State, action: int) -> str | None:
        """Return `move b3 b4`, or `flip b3 P` when the piece is revealed."""
        assert isinstance(before, BanqiState)
        if before.actor == CHANCE:
            return f"flip {cdc_square(before.flipping)} {CDC_SIGNS[action]}"
        return None if action < FIRST_MOVE else f"move {self.move_to_text(before, action)}"

    def actions(self, state: State, command: str, words: Sequence[str]) -> list[int]:
        """Return the move, or the flip and the piece that it revealed."""
        if command == "flip":
            if len(words) != 2:
                raise ActionTextError("a flip must be a square and a piece, such as 'b3 P'")
            return [cdc_square_from_text(words[0]), piece_from_sign(CDC_SIGNS, words[1])]
        return [self.move_from_text(state, " ".join(words))]

    def arranged(self, words: Sequence[str]) -> State:
        """Return the position of `init_board`: 32 signs in CDC's order, and the colour to move.

        `-` is an empty square and `X` a face-down piece.
        """
        if len(words) != 2 or len(words[0]) != SQUARES or words[1] not in COLOUR_WORDS:
            raise StateTextError(
                f"init_board takes {SQUARES} signs ({CDC_SIGNS}, X, -), from a8 to d1 row by row, "
                "and red or black"
            )
        squares = [EMPTY] * SQUARES
        for index, sign in enumerate(words[0]):
            square = cdc_square_from_text(f"{'abcd'[index % ROWS]}{COLS - index // ROWS}")
            if sign != "-":
                known = FACE_DOWN if sign in "Xx" else piece_from_sign(CDC_SIGNS, sign)
                squares[square] = known
        turn = COLOUR_WORDS.index(words[1])
        hidden = _hidden_pieces(squares)
        return BanqiSetup(tuple(squares), hidden, turn, turn).build(_rules(self.game))


def _hidden_pieces(squares: Sequence[int]) -> tuple[int, ...]:
    """Return the face-down pieces of a board on which nothing has been captured."""
    left = [SET_SIZES[piece % KINDS] - squares.count(piece) for piece in range(PIECES)]
    if sum(left) != squares.count(FACE_DOWN) or min(left) < 0:
        raise InvalidState(
            "init_board needs a board without captures: "
            f"{squares.count(FACE_DOWN)} squares are face-down, {sum(left)} pieces are missing"
        )
    return tuple(left)


def _rules(game: Game) -> BanqiRules:
    assert isinstance(game, BanqiRules)
    return game


class BanqiUci(PositionDialect):
    """The UCI dialect.

    A position is `BOARD TURN POOL CLOCK NUMBER`:

    - the board from the top row down, with `X` for face-down and digits for empty squares;
    - the turn `r`, `b`, or `-` before the first flip;
    - the number of face-down pieces of each kind, `G1A2s5` or `-`;
    - the quiet turns;
    - the number of the turn, which determines the seat to move.

    In the moves of a position a flip includes the piece that it revealed: `a0a0=G`.
    """

    def move_to_text(self, state: State, action: int) -> str:
        """Return `a0b0`, or `a0a0` for a flip."""
        return "".join(map(uci_square, ends_of(action)))

    def move_from_text(self, state: State, text: str) -> int:
        """Return the move, capture or flip. Raises `ActionTextError`."""
        if len(text) != 4:
            raise ActionTextError(f"a move must be two squares, such as 'a0b0', not {text[:20]!r}")
        return action_of(uci_square_from_text(text[:2]), uci_square_from_text(text[2:]))

    def position_to_text(self, states: Sequence[State], actions: Sequence[int]) -> str:
        """Return the position after the last flip or capture, and the quiet moves since."""
        last = len(states) - 1
        while last > 0 and _state(states[last]).quiet > 0:
            last -= 1
        turns = sum(state.actor != CHANCE for state in states[:last])
        fen = self.fen(_state(states[last]), turns + 1)
        return with_moves(f"{FEN} {fen}", self._texts(states[last:], actions[last:]))

    def fen(self, state: BanqiState, number: int) -> str:
        """Return the text of one position."""
        squares = state.squares()
        rows = ["".join(map(_sign, squares[at : at + COLS])) for at in range(0, SQUARES, COLS)]
        board = re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(rows))
        turn = "-" if state.turn == NO_COLOUR else "rb"[state.turn]
        counts = enumerate(state.hidden())
        pool = "".join(f"{UCI_SIGNS[piece]}{count}" for piece, count in counts if count)
        return f"{board} {turn} {pool or '-'} {state.quiet} {number}"

    def position_from_text(self, start: State, text: str) -> tuple[State, list[int]]:
        """Return the first state and the actions of a `startpos` or `fen` position."""
        head, moves = split_position(text)
        first = start if head == START else self.state_from_fen(head)
        state = first
        actions: list[int] = []
        for word in moves:
            move, _, sign = word.partition("=")
            steps = [self.move_from_text(state, move)]
            if sign or steps[0] < FIRST_MOVE:
                steps.append(piece_from_sign(UCI_SIGNS, sign))
            for action in steps:
                state = state.play(action)
                actions.append(action)
        return first, actions

    def state_from_fen(self, head: str) -> BanqiState:
        """Return the position. Raises `StateTextError` or `InvalidState`."""
        word, *fields = head.split()
        if word != FEN or len(fields) != 5:
            raise StateTextError(
                f"a position must be {START!r}, or {FEN!r} and BOARD TURN POOL CLOCK NUMBER"
            )
        board, turn, pool, clock, number = fields
        if turn not in ("r", "b", "-"):
            raise StateTextError(f"the turn must be r, b or -, not {turn[:20]!r}")
        colour = NO_COLOUR if turn == "-" else "rb".index(turn)
        seat = self._seat(_number("number", number, 1))
        rules = _rules(self.game)
        return BanqiSetup(
            _squares_from(board),
            _pool_from(pool),
            colour,
            NO_COLOUR if turn == "-" else colour ^ seat,
            quiet=_number("clock", clock, 0),
        ).build(rules)

    def _seat(self, number: int) -> int:
        """Return the seat of that turn; a first flip that keeps the turn shifts the alternation."""
        passed = number - 1 if _rules(self.game).first_flip_passes else max(number - 2, 0)
        return passed % 2


def _state(state: State) -> BanqiState:
    assert isinstance(state, BanqiState)
    return state


def _sign(piece: int) -> str:
    return "X" if piece == FACE_DOWN else "." if piece == EMPTY else UCI_SIGNS[piece]


def _number(name: str, text: str, low: int) -> int:
    if re.fullmatch("[0-9]{1,6}", text) is None or int(text) < low:
        raise StateTextError(f"the {name} must be a number of at least {low}, not {text[:20]!r}")
    return int(text)


def _squares_from(board: str) -> tuple[int, ...]:
    rows = board.split("/")
    if len(rows) != ROWS:
        raise StateTextError(f"a board must have {ROWS} rows separated by /, not {len(rows)}")
    squares: list[int] = []
    for row in rows:
        signs = re.sub("[1-8]", lambda gap: "." * int(gap[0]), row)
        if len(signs) != COLS:
            raise StateTextError(f"a row must have {COLS} squares, not {len(signs)}: {row[:20]!r}")
        for sign in signs:
            if sign not in UCI_SIGNS + ".X":
                raise StateTextError(f"{sign!r} is not a piece; use {UCI_SIGNS}, X or a digit")
            squares.append(
                EMPTY if sign == "." else FACE_DOWN if sign == "X" else UCI_SIGNS.index(sign)
            )
    return tuple(squares)


def _pool_from(text: str) -> tuple[int, ...]:
    counts = [0] * PIECES
    if text != "-":
        if re.fullmatch(f"(?:[{UCI_SIGNS}][0-9]{{1,2}}){{1,14}}", text) is None:
            raise StateTextError(f"the pool must look like G1A2s5 or -, not {text[:40]!r}")
        for sign, count in re.findall(f"([{UCI_SIGNS}])([0-9]+)", text):
            if counts[UCI_SIGNS.index(sign)]:
                raise StateTextError(f"the pool lists {sign} twice")
            counts[UCI_SIGNS.index(sign)] = int(count)
    return tuple(counts)
