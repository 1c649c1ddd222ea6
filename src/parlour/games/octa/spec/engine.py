"""The specification's game sessions of Octa: move providers and the game loop."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TextIO

from parlour.core.checks import shown
from parlour.core.errors import ActionTextError
from parlour.games.octa.notation import ARROWS, OWNERS, parse_coordinate
from parlour.games.octa.spec.logic import GameLogic, GameResult, InvalidMoveError
from parlour.games.octa.spec.map import Coordinate, GameMap


class MoveProvider(ABC):
    """A source of moves: a person, a script or a program."""

    @abstractmethod
    def get_next_move(self) -> Coordinate | None:
        """Return the next move, or `None` if there are no more."""


class ScriptedMoveProvider(MoveProvider):
    """Provides moves from a list."""

    def __init__(self, moves: Iterable[Coordinate]) -> None:
        """Take the moves in order."""
        self._moves = iter([Coordinate(*move) for move in moves])

    def get_next_move(self) -> Coordinate | None:
        """Return the next move of the list, or `None` at its end."""
        return next(self._moves, None)


class CLIView(MoveProvider):
    """The console: draws the board as text and reads moves typed as `x,y`."""

    def __init__(self, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
        """Use `sys.stdin` and `sys.stdout` unless other streams are given."""
        self._stdin = stdin
        self.stdout = stdout

    def get_next_move(self) -> Coordinate | None:
        """Return the next `x,y`, asking again after invalid input; `None` at the end of input."""
        out = self.stdout or sys.stdout
        while True:
            print("Your move (x,y): ", end="", file=out, flush=True)
            line = (self._stdin or sys.stdin).readline()
            if not line:
                print(file=out)
                return None
            try:
                return Coordinate(*parse_coordinate(line))
            except ActionTextError as error:
                print(f"{error}.", file=out)


class GameEngine:
    """Orchestrates a session: show the board, get a move, make it, switch players."""

    def __init__(
        self,
        game_map: GameMap,
        logic: GameLogic,
        provider: MoveProvider,
        stdout: TextIO | None = None,
    ) -> None:
        """Connect the parts of the session.

        The board is printed to `stdout`, by default to the stream of a `CLIView` provider.
        """
        if stdout is None and isinstance(provider, CLIView):
            stdout = provider.stdout
        self._map = game_map
        self._logic = logic
        self._provider = provider
        self._stdout = stdout
        self._last: GameResult | None = None

    def run(self) -> GameResult:
        """Play until the game is over or the provider has no more moves.

        Return the final result; its reason is `"ongoing"` if the session stopped early. After
        an illegal coordinate, print a message and ask the same player again.
        """
        out = self._stdout or sys.stdout
        while not self._logic.is_game_over():
            player = self._logic.get_current_player()
            print(board_text(self._map), file=out)
            print(f"Turn {self._logic.get_turn_count() + 1}: {player.name}", file=out)
            if not self._make_a_move():
                break
            self._logic.switch_player()
        print(board_text(self._map), file=out)
        result = self._result()
        winner = "nobody" if result.winner is None else result.winner.name
        print(f"Winner: {winner} ({result.reason})", file=out)
        return result

    def _result(self) -> GameResult:
        """Return the logic's result, or that of its last move if it has no `get_result`."""
        if type(self._logic).get_result is GameLogic.get_result and self._last is not None:
            return self._last
        return self._logic.get_result()

    def _make_a_move(self) -> bool:
        """Ask the provider until it gives a legal move. Return whether a move was made."""
        out = self._stdout or sys.stdout
        while (move := self._provider.get_next_move()) is not None:
            text = ",".join(map(str, move)) if isinstance(move, tuple) else shown(move)
            cell = self._map.get_cell(move)
            if cell is None:
                print(f"{text} is not on the map.", file=out)
                continue
            try:
                self._last = self._logic.make_move(cell, self._logic.get_current_player())
            except InvalidMoveError as error:
                print(f"{text} is not valid: {error}.", file=out)
                continue
            return True
        return False


def board_text(game_map: GameMap) -> str:
    """Return a map as text, north on top; a cell is its owner (`.`, `1`, `2`, `#`) and arrow."""
    cells = {cell.coordinate: cell for cell in game_map.get_all_cells()}
    if not cells:
        return ""
    columns = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
    rows = range(max(y for _, y in cells), min(y for _, y in cells) - 1, -1)
    lines = []
    for y in rows:
        signs = []
        for x in columns:
            cell = cells.get(Coordinate(x, y))
            sign = "" if cell is None else OWNERS[cell.state.value] + ARROWS[cell.direction.value]
            signs.append(f"{sign:>3}")
        lines.append(f"{y:>4} " + " ".join(signs))
    lines.append("     " + " ".join(f"{x:>3}" for x in columns))
    return "\n".join(line.rstrip() for line in lines)
