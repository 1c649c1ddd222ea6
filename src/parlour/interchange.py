"""What a game offers to other programs: dialects of engine protocols, and file formats.

`Game.dialect("gtp")` returns a `Dialect`, or `None` if the game is not played through that
protocol. A dialect belongs to one game with its options chosen. It translates and has no rules.
Text that it cannot read raises `ActionTextError`, `StateTextError` or `OptionError`.

    protocol   class              for
    gtp        GtpDialect         programs with a board of their own: play C MOVE, genmove C
    cdc        CdcDialect         the same with numbered commands and face-down pieces
    uci, ugi   PositionDialect    programs that receive whole positions

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
    """Moves in text. The defaults are the game's own texts, so that any game has a dialect."""

    def __init__(self, game: Game) -> None:
        """For that game, with its options."""
        self.game = game

    def move_to_text(self, state: State, action: int) -> str:
        """A decision's text."""
        return self.game.action_to_text(state, action)

    def move_from_text(self, state: State, text: str) -> int:
        """The decision with that text, legal or not; `ActionTextError` if there is none."""
        return self.game.action_from_text(state, text)


class BoardDialect(Dialect):
    """For programs that keep a board: whose turn it is, and how they are told of the rules."""

    def side(self, state: State) -> str:
        """The side to move, as commands name it."""
        return str(int(state.actor) + 1)

    def is_side(self, state: State, word: str) -> bool:
        """Whether the word names the side to move; a protocol may have several for it."""
        return word.lower() == self.side(state).lower()

    def setup(self) -> tuple[str, ...]:
        """The commands that tell a program which game, and with which rules, is played."""
        return ()

    def configured(self, command: str, argument: str) -> Game | None:
        """The game after such a command, or `None` where the command does not change it.

        `OptionError` if there is no such game.
        """
        return None

    def outcome(self, final: State) -> str:
        """How the game ended that came to this position, in the protocol's words."""
        result = final.result()
        return "" if result is None else result.reason


class GtpDialect(BoardDialect):
    """For programs that speak GTP: `set_game`, `play`, `genmove`."""

    name = ""
    """What `set_game` calls the game."""

    def sides(self) -> tuple[str, ...]:
        """Every side, in the order of play."""
        return tuple(str(seat + 1) for seat in range(self.game.seats))

    def setup(self) -> tuple[str, ...]:
        """Choose the game by its name."""
        return (f"set_game {self.name}",)

    def configured(self, command: str, argument: str) -> Game | None:
        """The only name is this game's."""
        if command != "set_game":
            return None
        if argument != self.name:
            raise OptionError(f"the only game is {self.name}")
        return self.game

    def turned_to(self, state: State, word: str) -> State:
        """The position with that side to move; `ActionTextError` where that is not its turn."""
        if self.is_side(state, word):
            return state
        raise ActionTextError(f"it is the turn of {self.side(state)}, not of {word}")

    def final_score(self, state: State) -> str:
        """The points of every side."""
        result = state.result()
        scores = () if result is None else result.scores or result.returns
        return " ".join(f"{score:g}" for score in scores)

    def place(self, state: State, word: str) -> str:
        """The place of that side in the final ranking; `shared` follows where others have it."""
        if word not in self.sides():
            raise ActionTextError(f"a side is one of {', '.join(self.sides())}, not {word}")
        return place_text(self.final_score(state).split(), self.sides().index(word))


def place_text(scores: Sequence[str] | Sequence[float], index: int) -> str:
    """The place of one of these scores, 1 for the best, and `shared` if others have the same."""
    points = [float(score) for score in scores]
    better = sum(other > points[index] for other in points)
    return f"{better + 1}" + (" shared" if points.count(points[index]) > 1 else "")


class CdcDialect(BoardDialect):
    """For programs that speak CDC: both sides are told of every move and every reveal."""

    def told(self, before: State, action: int) -> str | None:
        """The command that tells of an action, or `None` while a reveal is still to come."""
        return None if before.actor == CHANCE else f"move {self.move_to_text(before, action)}"

    def actions(self, state: State, command: str, words: Sequence[str]) -> list[int]:
        """What such a command tells of; `ActionTextError` if it is none."""
        return [self.move_from_text(state, " ".join(words))]

    def arranged(self, words: Sequence[str]) -> State:
        """The position of the command `init_board`."""
        raise StateTextError("this game cannot be set up")


class PositionDialect(Dialect):
    """For programs that speak UCI or UGI, which are sent positions.

    The default, the moves from the start on, is right for every game without chance.
    """

    def position_to_text(self, states: Sequence[State], actions: Sequence[int]) -> str:
        """What follows the word `position`: where these actions led from the first state.

        There is one state more than there are actions.
        """
        return with_moves(START, self._texts(states, actions))

    def position_from_text(self, start: State, text: str) -> tuple[State, list[int]]:
        """The state where a position begins, and its actions; `start` is what `startpos` means."""
        head, moves = split_position(text)
        return self._begin(start, head), self._actions(self._begin(start, head), moves)

    def _begin(self, start: State, head: str) -> State:
        if head != START:
            raise StateTextError(f"a position begins with {START!r} here, not {head[:40]!r}")
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
    """A position's text and the moves from there."""
    return " ".join([head, MOVES, *moves]) if moves else head


def split_position(text: str) -> tuple[str, list[str]]:
    """A position's text before the word `moves`, and the words after it."""
    words = text.split()
    at = words.index(MOVES) if MOVES in words else len(words)
    return " ".join(words[:at]), words[at + 1 :]


class RecordFormat:
    """A text form of whole games that another program reads or writes."""

    name: ClassVar[str] = ""
    """A word, `blksgf`; files of this form end with a dot and it."""
    title: ClassVar[str] = ""
    """What it is, for `parlour convert --help` and messages."""

    def write(self, record: Record) -> str:
        """The record in this form; `RecordError` if it cannot be said in it."""
        raise NotImplementedError

    def read(self, text: str, options: Mapping[str, object]) -> Record:
        """The game that the text tells of; `RecordError` names the place that is wrong.

        `options` are the game's options as far as the user gave them, checked one by one; what
        the text says itself must agree with them.
        """
        raise NotImplementedError
