"""Pentobi's file format, `.blksgf`: the Smart Game Format with moves as lists of cells.

    (
    ;GM[Blokus Duo]CA[UTF-8]AP[Parlour]RE[B+7]
    ;B[e10,f10,g10,e11,e12]
    ;W[j5,k5,l5,l6,l7]
    )

The reader follows the main line and ignores variations and properties other than moves. It
rejects files with set-up pieces, because a record must begin at the start. Old files name the
colours BLUE, YELLOW, RED and GREEN, and list one value for each cell of a move.
"""

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

from parlour.core.checks import shown
from parlour.core.errors import ActionTextError, OptionError, RecordError
from parlour.core.game import Game
from parlour.core.record import Line, Record
from parlour.core.registry import game
from parlour.games.blokus.gtp import GAME_NAMES, BlokusGtp, variant_of
from parlour.games.blokus.rules import BlokusState
from parlour.games.blokus.ruleset import NOBODY, BlokusRuleset
from parlour.interchange import RecordFormat

DEEPEST = 200
"""The deepest nesting of variations."""

OLD_WORDS = {"BLUE": "1", "YELLOW": "2", "RED": "3", "GREEN": "4"}
SETUP = ("AB", "AW", "A1", "A2", "A3", "A4", "AE")
MOVES = ("B", "W", "1", "2", "3", "4")


class Node(NamedTuple):
    """A node of the main line: its properties, and its line in the file."""

    line: int
    values: dict[str, list[str]]


class BlokusSgf(RecordFormat):
    """Reads and writes Pentobi's files."""

    name: ClassVar[str] = "blksgf"
    title: ClassVar[str] = "Pentobi's files of Blokus"

    def write(self, record: Record) -> str:
        """Return the game with its variant, moves and result."""
        assert isinstance(record.game, BlokusRuleset)
        dialect = BlokusGtp(record.game)
        head = f"GM[{dialect.name}]CA[UTF-8]AP[Parlour]"
        if record.final.result() is not None:
            head += f"RE[{dialect.final_score(record.final)}]"
        lines = ["(", f";{head}"]
        for state, action in zip(record.states, record.actions, strict=False):
            side, move = dialect.side(state).upper(), dialect.move_to_text(state, action)
            lines.append(f";{side}[{move}]")
        return "\n".join([*lines, ")"]) + "\n"

    def read(self, text: str, options: Mapping[str, object]) -> Record:
        """Return the main line as a record. Raises `RecordError` with the line that is wrong."""
        nodes = _SgfReader(text).main_line()
        played = _game_of(nodes[0], options)
        assert isinstance(played, BlokusRuleset)
        dialect = BlokusGtp(played)
        states: list[BlokusState] = [played.start(0)]
        actions: list[int] = []
        for node in nodes:
            for word, move in _moves_of(node):
                state = states[-1]
                action = _action(dialect, state, node.line, word, move)
                actions.append(action)
                states.append(state.apply(action))
        return Record(played, 0, Line(tuple(actions), tuple(states)))


def _game_of(root: Node, options: Mapping[str, object]) -> Game:
    names = root.values.get("GM", [])
    if len(names) != 1:
        raise _wrong(root.line, f"a property like GM[{GAME_NAMES['duo']}] must name the variant")
    try:
        variant = variant_of(names[0])
    except OptionError as error:
        raise _wrong(root.line, str(error)) from error
    if options.get("variant", variant) != variant:
        raise _wrong(root.line, f"the file says {names[0]}, not variant {options['variant']}")
    return game("blokus", variant=variant)


def _moves_of(node: Node) -> Iterator[tuple[str, str]]:
    for word, values in node.values.items():
        if word in SETUP:
            raise _wrong(node.line, f"{word} sets up pieces; a record must begin at the start")
        side = OLD_WORDS.get(word, word)
        if side in MOVES:
            yield side, ",".join(values)


def _action(dialect: BlokusGtp, state: BlokusState, line: int, word: str, move: str) -> int:
    if state.mover == NOBODY:
        raise _wrong(line, f"{word}[{move[:40]}] comes after the end of the game")
    try:
        if not dialect.is_side(state, word):
            raise _wrong(line, f"it is the turn of {dialect.side(state)}, not of {word}")
        action = dialect.move_from_text(state, move)
    except ActionTextError as error:
        raise _wrong(line, str(error)) from error
    refusal = state.refusal(action)
    if refusal is not None:
        raise _wrong(line, f"{word}[{move}] is not legal: {refusal}")
    return action


def _wrong(line: int, what: str) -> RecordError:
    return RecordError(f"line {line}: {what}")


class _SgfReader:
    """Parses the tree and keeps its main line."""

    # A word, a value in brackets (with backslash escapes), or a single sign.
    _TOKEN = re.compile(
        r"\s*(?:(?P<word>[A-Za-z0-9]+)|\[(?P<value>(?:\\.|[^\]\\])*)\]|(?P<sign>[();]))", re.DOTALL
    )

    def __init__(self, text: str) -> None:
        self._text = text.removeprefix("\ufeff")
        self._at = 0

    @property
    def _line(self) -> int:
        return self._text.count("\n", 0, self._at) + 1

    def main_line(self) -> list[Node]:
        """Return the nodes, at least one. Raises `RecordError` for text around the tree."""
        nodes: list[Node] = []
        depth = 0
        # After the first closing bracket everything belongs to variations.
        is_main = True
        word = ""
        while True:
            found = self._TOKEN.match(self._text, self._at)
            if found is None:
                rest = self._text[self._at :].strip()
                if depth or not nodes or rest:
                    raise self._bad(depth, rest)
                return nodes
            line_at = found.end()
            if found["sign"]:
                self._at = line_at
                if found["sign"] == "(":
                    if nodes and depth == 0:
                        raise _wrong(self._line, "a file holds one game; remove what follows it")
                    depth += 1
                    if depth > DEEPEST:
                        raise _wrong(self._line, f"variations are more than {DEEPEST} deep")
                elif found["sign"] == ")":
                    depth -= 1
                    is_main = False
                    if depth < 0 or not nodes:
                        raise _wrong(self._line, "')' without a game before it")
                else:
                    if depth == 0:
                        raise _wrong(self._line, "a game must begin with '('")
                    if is_main:
                        nodes.append(Node(self._line, {}))
                word = ""
            elif found["word"] is not None:
                self._at = line_at
                word = found["word"].upper()
                if not nodes:
                    raise _wrong(self._line, f"a game must begin with '(;', not {shown(word)}")
                if is_main and word in nodes[-1].values:
                    raise _wrong(self._line, f"{word} occurs twice")
                if is_main:
                    nodes[-1].values[word] = []
            else:
                self._at = line_at
                if not word:
                    raise _wrong(self._line, "a value in brackets needs a name before it")
                if is_main:
                    nodes[-1].values[word].append(
                        re.sub(r"\\(.)", r"\1", found["value"].strip(), flags=re.DOTALL)
                    )

    def _bad(self, depth: int, rest: str) -> RecordError:
        if rest.startswith("["):
            return _wrong(self._line, "a value is not closed by ']'")
        if rest:
            return _wrong(self._line, f"expected ';', a name or a value, not {shown(rest[:20])}")
        if depth:
            return _wrong(self._line, "the game is not closed by ')': the file was cut off")
        return _wrong(self._line, "this is not the Smart Game Format, which begins with '(;'")
