"""The specification's game logic of Octa: settings, results, and the rules on any map.

The rules themselves are in `rules`. This module converts the cells of any `GameMap` to the
engine's form, applies `rules`, and writes the result back. It converts only the cells that a
move can reach, so a move costs what it changes, whatever the size of the map.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from parlour.core.checks import as_int, shown
from parlour.core.errors import IllegalAction
from parlour.games.octa.game import OctaGame
from parlour.games.octa.rules import (
    NO_LIMIT,
    ONGOING,
    REASONS,
    TIE,
    OctaState,
    fired,
    pack_cell,
    refusal_text,
    unpack_cell,
    verdict,
)
from parlour.games.octa.spec.map import (
    CellCounts,
    CellState,
    Coordinate,
    Direction,
    GameCell,
    GameMap,
    GraphGameMap,
    Player,
    rotate_clockwise,
)

FAR = 2**62
"""Larger turn limits are clamped to this one."""


class InvalidMoveError(IllegalAction):
    """The move is not valid. Nothing has changed."""


class WinCondition(Enum):
    """The condition that ends a game."""

    ELIMINATION = "elimination"
    TURN_LIMIT_MAJORITY = "turn-limit-majority"


@dataclass(frozen=True, slots=True)
class GameConfig:
    """The settings of a session.

    Raises `ValueError` for a field of another type, and for a turn limit below 1 with
    `TURN_LIMIT_MAJORITY`.
    """

    win_condition: WinCondition
    turn_limit: int
    stop_on_enemy: bool

    def __post_init__(self) -> None:
        """Check the fields."""
        if not isinstance(self.win_condition, WinCondition):
            raise ValueError(
                f"win_condition must be a WinCondition, not {shown(self.win_condition)}"
            )
        if not isinstance(self.stop_on_enemy, bool):
            raise ValueError(
                f"stop_on_enemy must be True or False, not {shown(self.stop_on_enemy)}"
            )
        limit = as_int(self.turn_limit)
        is_looked_at = self.win_condition is WinCondition.TURN_LIMIT_MAJORITY
        if limit is None or (is_looked_at and limit < 1):
            least = " of at least 1" if is_looked_at else ""
            raise ValueError(f"turn_limit must be an int{least}, not {shown(self.turn_limit)}")
        object.__setattr__(self, "turn_limit", limit)


class GameResult(NamedTuple):
    """The outcome. `winner` is `None` while the reason is `"ongoing"`, and for a `"tie"`."""

    winner: Player | None
    reason: str


class GameLogic(ABC):
    """The rules on a map."""

    @abstractmethod
    def is_valid_move(self, cell: GameCell, player: Player) -> bool:
        """Whether the player may choose this cell now."""

    @abstractmethod
    def make_move(self, cell: GameCell, player: Player) -> GameResult:
        """Make the move, without switching players."""

    @abstractmethod
    def is_game_over(self) -> bool:
        """Whether the game has ended."""

    @abstractmethod
    def get_current_player(self) -> Player:
        """Return the player to move."""

    @abstractmethod
    def switch_player(self) -> None:
        """Pass the turn to the other player."""

    @abstractmethod
    def get_turn_count(self) -> int:
        """Return the number of moves made."""

    def get_result(self) -> GameResult:
        """Return `"tie"` or `"ongoing"`, because only `make_move` knows the winner.

        Override it to name the winner.
        """
        return GameResult(None, REASONS[TIE] if self.is_game_over() else REASONS[ONGOING])


class OctaGameLogic(GameLogic):
    """Octa on any map. Changes that the caller makes to cells between moves take effect.

    A cell belongs to the map if `get_cell(cell.coordinate)` returns it. The map is read as a
    whole when the logic is made, and again when `get_total_cell_count()` has changed or a move
    reaches a cell of the map that was not there before. So cells that a map gains or loses
    later count too.
    """

    def __init__(self, game_map: GameMap, config: GameConfig) -> None:
        """Start with player 1. Raises `ValueError` for arguments of the wrong type."""
        if not isinstance(game_map, GameMap):
            raise ValueError(f"game_map must be a GameMap, not {shown(game_map)}")
        if not isinstance(config, GameConfig):
            raise ValueError(f"config must be a GameConfig, not {shown(config)}")
        self._map = game_map
        self._config = config
        self._current = Player.PLAYER_1
        self._turns = 0
        self._ply_cap: int | None = None
        self._read_map()

    def _read_map(self) -> None:
        self._total = self._map.get_total_cell_count()
        self._counts = CellCounts(list(self._map.get_all_cells()))

    def __getstate__(self) -> dict[str, Any]:
        """Copy and pickle everything but the counts."""
        return {name: value for name, value in vars(self).items() if name != "_counts"}

    def __setstate__(self, fields: dict[str, Any]) -> None:
        """Count the cells of the copied map."""
        vars(self).update(fields)
        self._read_map()

    def to_state(self) -> OctaState:
        """Return the state of the playable game, for agents, records and displays.

        Elimination gets a ply cap: that of `from_state`, or the default. Raises `ValueError` if
        the map is not a `GraphGameMap` with its own links, or if the playable game cannot have
        this position.
        """
        if not isinstance(self._map, GraphGameMap) or not self._map.has_grid_links():
            raise ValueError("only a GraphGameMap with its own links has a playable game")
        by_turns = self._config.win_condition is WinCondition.TURN_LIMIT_MAJORITY
        game = OctaGame(
            size=self._map.get_size(),
            win_condition=self._config.win_condition.value,
            turn_limit=self._config.turn_limit if by_turns else self._ply_cap,
            stop_on_enemy=self._config.stop_on_enemy,
        )
        cells = self._map.get_all_cells()
        packed = bytes([pack_cell(cell.state.value, cell.direction.value) for cell in cells])
        return game.position(packed, self._current.value, self._turns)

    @staticmethod
    def from_state(state: OctaState) -> "OctaGameLogic":
        """Return a logic on a new map that continues a state of the playable game.

        The specification's elimination has no ply cap, so the logic does not end there;
        `to_state` uses the cap of the state again.
        """
        if not isinstance(state, OctaState) or not isinstance(state.game, OctaGame):
            raise ValueError(f"state must be a state of the playable Octa, not {shown(state)}")
        options = state.game.options
        game_map = GraphGameMap(state.game.size)
        for number, cell in enumerate(game_map.get_all_cells()):
            owner, arrow = state.cell(number)
            cell.state, cell.direction = CellState(owner), Direction(arrow)
        condition = WinCondition(options["win_condition"])
        config = GameConfig(condition, state.limit, options["stop_on_enemy"] is True)
        logic = OctaGameLogic(game_map, config)
        logic._current = Player(state.mover)
        logic._turns = state.turns
        logic._ply_cap = state.limit
        return logic

    @property
    def game_map(self) -> GameMap:
        """The map."""
        return self._map

    def is_valid_move(self, cell: object, player: object) -> bool:
        """Whether the player may choose this cell now. Never raises, whatever the types."""
        return self._refusal(cell, player) is None

    def make_move(self, cell: GameCell, player: Player) -> GameResult:
        """Make the move and return the result.

        Raises `InvalidMoveError`, and changes nothing, if the move is not valid.
        """
        reason = self._refusal(cell, player)
        if reason is not None:
            raise InvalidMoveError(reason)
        self._fire(cell, player)
        self._turns += 1
        return self.get_result()

    def is_game_over(self) -> bool:
        """Whether the game has ended, judged by the current cells."""
        return self._verdict()[0] != ONGOING

    def get_current_player(self) -> Player:
        """Return the player to move."""
        return self._current

    def switch_player(self) -> None:
        """Pass the turn to the other player."""
        self._current = self._current.opponent

    def get_turn_count(self) -> int:
        """Return the number of moves made."""
        return self._turns

    def get_result(self) -> GameResult:
        """Return the outcome, judged by the current cells."""
        why, lead = self._verdict()
        if why in (ONGOING, TIE):
            return GameResult(None, REASONS[why])
        return GameResult(Player.PLAYER_1 if lead > 0 else Player.PLAYER_2, REASONS[why])

    def _verdict(self) -> tuple[int, int]:
        """Return the engine's verdict, and player 1's lead in cells."""
        if self._map.get_total_cell_count() != self._total:
            self._read_map()
        count_1, count_2 = (self._counts.owned(player) for player in Player)
        by_turns = self._config.win_condition is WinCondition.TURN_LIMIT_MAJORITY
        limit = min(self._config.turn_limit, FAR) if by_turns else NO_LIMIT
        return verdict(count_1, count_2, self._turns, limit), count_1 - count_2

    def _fire(self, start: GameCell, player: Player) -> None:
        """Let `rules` fire the chain on the cells along the arrows, more of them if needed.

        A chain always follows the arrows, each turned once. It changes the first of these
        cells up to the one that stops it.
        """
        path = [start]
        numbers = {id(start): 0}
        links: list[int] = []
        while True:
            is_complete = False
            for _ in range(len(path)):
                way = rotate_clockwise(path[-1].direction)
                cell = self._on_map(path[-1].neighbors.get(way))
                number = -1 if cell is None else numbers.setdefault(id(cell), len(path))
                links += [number if other is way else -1 for other in Direction]
                is_complete = number < len(path)
                if cell is None or is_complete:
                    break
                path.append(cell)
            before = bytes([pack_cell(cell.state.value, cell.direction.value) for cell in path])
            ends = [] if is_complete else [-1] * len(Direction)
            after = fired(before, links + ends, 0, player.value, self._config.stop_on_enemy)
            if is_complete or after[-1] == before[-1]:
                break
        for cell, old, new in zip(path, before, after, strict=True):
            if new != old:
                owner, arrow = unpack_cell(new)
                cell.state, cell.direction = CellState(owner), Direction(arrow)

    def _on_map(self, cell: GameCell | None) -> GameCell | None:
        """Return the cell if it belongs to the map, and count it if it is new."""
        if cell is None or self._cell_at(cell.coordinate) is not cell:
            return None
        if not cell.is_counted_by(self._counts):
            self._read_map()
        return cell

    def _cell_at(self, coordinate: Coordinate) -> GameCell | None:
        try:
            return self._map.get_cell(coordinate)
        except Exception:
            return None  # the coordinate of another map, which this one need not understand

    def _refusal(self, cell: object, player: object) -> str | None:
        # Check the type only, so that no methods of the argument run.
        if not issubclass(type(cell), GameCell) or not issubclass(type(player), Player):
            return "a move is a GameCell of the map and a Player"
        assert isinstance(cell, GameCell)
        assert isinstance(player, Player)
        if self.is_game_over():
            return "the game is over"
        if player is not self._current:
            return f"it is not {player.name}'s turn"
        if self._on_map(cell) is None:
            return "the cell is not on this map"
        return refusal_text(cell.state.value, player.value)
