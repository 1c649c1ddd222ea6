"""Exchange games with other programs: dialects of engine protocols, and file formats.

`Game.dialect("gtp")` returns a `Dialect`, or `None` if the game is not played through that
protocol. A dialect belongs to one game with its options chosen. It translates and has no rules.
Text that it cannot read raises `ActionTextError`, `StateTextError` or `OptionError`.

    protocol   class              for
    gtp        GtpDialect         engines that keep a board: play C MOVE, genmove C
    cdc        CdcDialect         the same with numbered commands and face-down pieces
    uci, ugi   PositionDialect    engines that receive whole positions

`Game.FORMATS` lists `RecordFormat`s, which `parlour convert` reads and writes.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from parlour.core.errors import ActionTextError, OptionError, StateTextError
from parlour.core.game import CHANCE, Game, State
from parlour.core.record import Record

START = "startpos"
FEN = "fen"
MOVES = "moves"


class Dialect:
    """Moves in text. The defaults are the game's texts, so that any game has a dialect."""

    def __init__(self, game: Game) -> None:
        """Store the game."""
        self.game = game

    def move_to_text(self, state: State, action: int) -> str:
        """Return the text of a decision."""
        return self.game.action_to_text(state, action)

    def move_from_text(self, state: State, text: str) -> int:
        """Return the decision with that text, legal or not. Raises `ActionTextError`."""
        return self.game.action_from_text(state, text)


class BoardDialect(Dialect):
    """For engines that keep a board: the side to move, and commands that set up the game."""

    def side(self, state: State) -> str:
        """Return the side to move, as commands name it."""
        return str(int(state.actor) + 1)

    def is_side(self, state: State, word: str) -> bool:
        """Whether the word names the side to move; a protocol may have several words for it."""
        return word.lower() == self.side(state).lower()

    def setup(self) -> tuple[str, ...]:
        """Return the commands that select the game and its rules."""
        return ()

    def configured(self, command: str, argument: str) -> Game | None:
        """Return the game that such a command selects, or `None` for other commands.

        Raises `OptionError` for an unknown game.
        """
        return None

    def outcome(self, final: State) -> str:
        """Return how the game ended, in the protocol's words."""
        result = final.result()
        return "" if result is None else result.reason


class GtpDialect(BoardDialect):
    """For engines that speak GTP: `set_game`, `play`, `genmove`."""

    name = ""
    """The name of the game for `set_game`."""

    def sides(self) -> tuple[str, ...]:
        """Return every side, in playing order."""
        return tuple(str(seat + 1) for seat in range(self.game.seats))

    def setup(self) -> tuple[str, ...]:
        """Choose the game by its name."""
        return (f"set_game {self.name}",)

    def configured(self, command: str, argument: str) -> Game | None:
        """Accept only the name of this game."""
        if command != "set_game":
            return None
        if argument != self.name:
            raise OptionError(f"the only game is {self.name}")
        return self.game

    def turned_to(self, state: State, word: str) -> State:
        """Return the position with that side to move. Raises `ActionTextError` off turn."""
        if self.is_side(state, word):
            return state
        raise ActionTextError(f"it is the turn of {self.side(state)}, not of {word}")

    def final_score(self, state: State) -> str:
        """Return the points of every side."""
        result = state.result()
        scores = () if result is None else result.scores or result.returns
        return " ".join(f"{score:g}" for score in scores)

    def place(self, state: State, word: str) -> str:
        """Return the rank of that side at the end, and `shared` if others have it too."""
        if word not in self.sides():
            raise ActionTextError(f"a side must be one of {', '.join(self.sides())}, not {word}")
        return place_text(self.final_score(state).split(), self.sides().index(word))


def place_text(scores: Sequence[str] | Sequence[float], index: int) -> str:
    """Return the rank of one of these scores, 1 for the best, and `shared` for a tie."""
    points = [float(score) for score in scores]
    better = sum(other > points[index] for other in points)
    return f"{better + 1}" + (" shared" if points.count(points[index]) > 1 else "")


class CdcDialect(BoardDialect):
    """For engines that speak CDC: both sides receive every move and every reveal."""

    def told(self, before: State, action: int) -> str | None:
        """Return the command that announces an action, or `None` before its reveal is known."""
        return None if before.actor == CHANCE else f"move {self.move_to_text(before, action)}"

    def actions(self, state: State, command: str, words: Sequence[str]) -> list[int]:
        """Return the actions that such a command announces. Raises `ActionTextError`."""
        return [self.move_from_text(state, " ".join(words))]

    def arranged(self, words: Sequence[str]) -> State:
        """Return the position of the command `init_board`."""
        raise StateTextError("this game does not support init_board")


class PositionDialect(Dialect):
    """For engines that speak UCI or UGI, which receive positions.

    The default, the moves from the start, is right for every game without chance.
    """

    def position_to_text(self, states: Sequence[State], actions: Sequence[int]) -> str:
        """Return what follows the word `position` after these actions from the first state.

        There is one more state than there are actions.
        """
        return with_moves(START, self._texts(states, actions))

    def position_from_text(self, start: State, text: str) -> tuple[State, list[int]]:
        """Return the first state of a position and its actions; `startpos` means `start`."""
        head, moves = split_position(text)
        return self._begin(start, head), self._actions(self._begin(start, head), moves)

    def _begin(self, start: State, head: str) -> State:
        if head != START:
            raise StateTextError(f"a position must begin with {START!r}, not {head[:40]!r}")
        return start

    def _texts(self, states: Sequence[State], actions: Sequence[int]) -> list[str]:
        played = zip(states, actions, strict=False)
        return [self.move_to_text(state, action) for state, action in played]

    def _actions(self, state: State, moves: Sequence[str]) -> list[int]:
        found: list[int] = []
        for text in moves:
            action = self.move_from_text(state, text)
            state = state.play(action)
            found.append(action)
        return found


def with_moves(head: str, moves: Sequence[str]) -> str:
    """Return a position's text followed by moves."""
    return " ".join([head, MOVES, *moves]) if moves else head


def split_position(text: str) -> tuple[str, list[str]]:
    """Return a position's text before the word `moves`, and the words after it."""
    words = text.split()
    at = words.index(MOVES) if MOVES in words else len(words)
    return " ".join(words[:at]), words[at + 1 :]


class RecordFormat:
    """A text format of another program for whole games."""

    name: ClassVar[str] = ""
    """A word such as `blksgf`, which is also the file extension."""
    title: ClassVar[str] = ""
    """A description for `parlour convert --help` and messages."""

    def write(self, record: Record) -> str:
        """Return the record in this format. Raises `RecordError` if it has no such form."""
        raise NotImplementedError

    def read(self, text: str, options: Mapping[str, object]) -> Record:
        """Return the record of a text. Raises `RecordError`, which names the wrong place.

        `options` are the options that the user gave, each already checked; the text must agree
        with them.
        """
        raise NotImplementedError
