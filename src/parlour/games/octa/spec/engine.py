"""The specification's game sessions of Octa: move providers and the game loop."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Protocol, TextIO

from parlour.core.checks import as_int, shown
from parlour.core.errors import ActionTextError
from parlour.core.game import OVER
from parlour.games.octa.notation import ARROWS, OWNERS, coordinate_of, parse_coordinate
from parlour.games.octa.spec.logic import (
    GameLogic,
    GameResult,
    InvalidMoveError,
    OctaGameLogic,
)
from parlour.games.octa.spec.map import Coordinate, GameCell, GameMap


class MoveProvider(ABC):
    """A source of moves: a person, a script or a program."""

    @abstractmethod
    def get_next_move(self) -> Coordinate | None:
        """Return the next move, or `None` if there are no more."""


class ScriptedMoveProvider(MoveProvider):
    """Provides moves from a list."""

    def __init__(self, moves: Iterable[Coordinate]) -> None:
        """Take the moves in order. Raises `ValueError` unless each is a pair of ints."""
        if not isinstance(moves, Iterable):
            raise ValueError(f"moves must be a list of coordinates, not {shown(moves)}")
        self._moves = iter([_coordinate(move) for move in moves])

    def get_next_move(self) -> Coordinate | None:
        """Return the next move of the list, or `None` at its end."""
        return next(self._moves, None)


def _coordinate(move: object) -> Coordinate:
    if isinstance(move, tuple | list) and len(move) == 2:
        x, y = map(as_int, move)
        if x is not None and y is not None:
            return Coordinate(x, y)
    raise ValueError(f"a move must be a Coordinate or a pair of ints, not {shown(move)}")


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


class PlayableAgent(Protocol):
    """What a provider asks of an agent; `parlour.agent(...)` returns one."""

    def choose(self, state: Any) -> int:
        """Return the action to play."""
        ...


class AgentMoveProvider(MoveProvider):
    """Provides the moves of an agent for one player or both, on a square map."""

    def __init__(self, logic: OctaGameLogic, agent: PlayableAgent) -> None:
        """Take the logic whose moves the agent chooses, and for instance `parlour.agent("mcts")`.

        Raises `ValueError` for arguments of another type.
        """
        if not isinstance(logic, OctaGameLogic):
            raise ValueError(f"logic must be an OctaGameLogic, not {shown(logic)}")
        if not callable(getattr(agent, "choose", None)):
            raise ValueError(f"agent must have choose(state), not {shown(agent)}")
        self._logic = logic
        self._agent = agent

    def get_next_move(self) -> Coordinate | None:
        """Return the agent's choice for the player to move, or `None` after the end."""
        state = self._logic.to_state()
        if state.actor == OVER:
            return None
        action = self._agent.choose(state)
        return Coordinate(*coordinate_of(state.game.size, action))


class GameEngine:
    """Orchestrates a session: show the board, get a move, make it, switch players."""

    def __init__(
        self,
        game_map: GameMap,
        logic: GameLogic,
        provider: MoveProvider,
        stdout: TextIO | None = None,
    ) -> None:
        """Connect the parts of the session. Raises `ValueError` for a part of another type.

        The board is printed to `stdout`, by default to the stream of a `CLIView` provider.
        """
        parts = {"game_map": game_map, "logic": logic, "provider": provider}
        kinds = (GameMap, GameLogic, MoveProvider)
        for (name, part), kind in zip(parts.items(), kinds, strict=True):
            if not isinstance(part, kind):
                raise ValueError(f"{name} must be a {kind.__name__}, not {shown(part)}")
        if stdout is not None and not callable(getattr(stdout, "write", None)):
            raise ValueError(f"stdout must be a text stream, not {shown(stdout)}")
        if stdout is None and isinstance(provider, CLIView):
            stdout = provider.stdout
        self._map = game_map
        self._logic = logic
        self._provider = provider
        self._stdout = stdout
        self._last: GameResult | None = None

    def run(self) -> GameResult:
        """Play until the game is over or the provider has no more moves.

        Return the final result; its reason is `"ongoing"` if the session stopped early, which
        it also does if the player has no valid move. After an illegal coordinate, print a
        message and ask the same player again.
        """
        out = self._stdout or sys.stdout
        while not self._logic.is_game_over() and self._can_move():
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

    def _can_move(self) -> bool:
        player = self._logic.get_current_player()
        cells = self._map.get_all_cells()
        return any(self._logic.is_valid_move(cell, player) for cell in cells)

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


DENSE = 100_000
"""A map is drawn as a grid if its bounding box has at most this many places."""


def board_text(game_map: GameMap) -> str:
    """Return a map as text, north on top; a cell is its owner (`.`, `1`, `2`, `#`) and arrow.

    The cells of a map with too many gaps are listed instead, one per line.
    """
    cells = {cell.coordinate: cell for cell in game_map.get_all_cells()}
    if not cells:
        return ""
    west, east = min(x for x, _ in cells), max(x for x, _ in cells)
    south, north = min(y for _, y in cells), max(y for _, y in cells)
    if (east - west + 1) * (north - south + 1) > max(DENSE, 4 * len(cells)):
        ordered = sorted(cells.items(), key=lambda item: (-item[0][1], item[0][0]))
        return "\n".join(f"{x},{y} {_sign(cell)}" for (x, y), cell in ordered)
    columns, rows = range(west, east + 1), range(north, south - 1, -1)
    lines = []
    for y in rows:
        signs = [_sign(cells.get(Coordinate(x, y))) for x in columns]
        lines.append(f"{y:>4} " + " ".join(f"{sign:>3}" for sign in signs))
    lines.append("     " + " ".join(f"{x:>3}" for x in columns))
    return "\n".join(line.rstrip() for line in lines)


def _sign(cell: GameCell | None) -> str:
    return "" if cell is None else OWNERS[cell.state.value] + ARROWS[cell.direction.value]
