"""The specification's game logic of Octa: settings, results, and the rules on any map.

The rules themselves are in `rules`. This module converts the cells of any `GameMap` to the
engine's form, applies `rules`, and writes the result back.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from parlour.core.checks import is_int, shown
from parlour.core.errors import IllegalAction
from parlour.games.octa.rules import (
    NO_LIMIT,
    ONGOING,
    REASONS,
    TIE,
    fired,
    pack_cell,
    refusal_text,
    unpack_cell,
    verdict,
)
from parlour.games.octa.spec.map import CellState, Direction, GameCell, GameMap, Player

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

    Raises `ValueError` for a turn limit below 1 with `TURN_LIMIT_MAJORITY`.
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
        if self.win_condition is WinCondition.TURN_LIMIT_MAJORITY and (
            not is_int(self.turn_limit) or self.turn_limit < 1
        ):
            limit = shown(self.turn_limit)
            raise ValueError(f"turn_limit must be an int of at least 1, not {limit}")


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
    """Octa on any map. Changes that the caller makes to cells between moves take effect."""

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
        cells = self._cells()
        packed, links = _read(cells)
        start = next(index for index, other in enumerate(cells) if other is cell)
        _write(fired(packed, links, start, player.value, self._config.stop_on_enemy), cells)
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
        states = [cell.state for cell in self._cells()]
        count_1, count_2 = states.count(CellState.PLAYER_1), states.count(CellState.PLAYER_2)
        by_turns = self._config.win_condition is WinCondition.TURN_LIMIT_MAJORITY
        limit = min(self._config.turn_limit, FAR) if by_turns else NO_LIMIT
        return verdict(count_1, count_2, self._turns, limit), count_1 - count_2

    def _cells(self) -> list[GameCell]:
        """Return the map's cells, without duplicates."""
        return list({id(cell): cell for cell in self._map.get_all_cells()}.values())

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
        if not any(other is cell for other in self._cells()):
            return "the cell is not on this map"
        return refusal_text(cell.state.value, player.value)


def _read(cells: list[GameCell]) -> tuple[bytes, list[int]]:
    """Return cells and neighbours in the engine's form; neighbours off the map become -1."""
    index = {id(cell): number for number, cell in enumerate(cells)}
    packed = bytes([pack_cell(cell.state.value, cell.direction.value) for cell in cells])
    links = [index.get(id(cell.neighbors.get(way)), -1) for cell in cells for way in Direction]
    return packed, links


def _write(packed: bytes, cells: list[GameCell]) -> None:
    for value, cell in zip(packed, cells, strict=True):
        owner, arrow = unpack_cell(value)
        cell.state = CellState(owner)
        cell.direction = Direction(arrow)
