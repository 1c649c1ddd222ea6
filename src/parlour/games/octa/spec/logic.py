"""The specification's logic of Octa: settings, results, and the rules over any map.

It holds no rules: it reads the cells of any `GameMap` into the engine's form, asks
`rules`, and writes the answer back.
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
"""A turn limit beyond this is the same as this one."""


class InvalidMoveError(IllegalAction):
    """The move is not valid; no cell and no count has changed."""


class WinCondition(Enum):
    """What ends a game."""

    ELIMINATION = "elimination"
    TURN_LIMIT_MAJORITY = "turn-limit-majority"


@dataclass(frozen=True, slots=True)
class GameConfig:
    """The settings of a session. `ValueError` for a turn limit below 1 where it counts."""

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
    """The outcome: no winner while the reason is `"ongoing"`, and in a `"tie"`."""

    winner: Player | None
    reason: str


class GameLogic(ABC):
    """The rules over a map."""

    @abstractmethod
    def is_valid_move(self, cell: GameCell, player: Player) -> bool:
        """Whether the player may choose this cell now."""

    @abstractmethod
    def make_move(self, cell: GameCell, player: Player) -> GameResult:
        """Carry out the move; the players are not switched."""

    @abstractmethod
    def is_game_over(self) -> bool:
        """Whether the game has ended."""

    @abstractmethod
    def get_current_player(self) -> Player:
        """Whose turn it is."""

    @abstractmethod
    def switch_player(self) -> None:
        """Give the turn to the other player."""

    @abstractmethod
    def get_turn_count(self) -> int:
        """Moves made so far."""

    def get_result(self) -> GameResult:
        """How the game stands, as far as the other methods tell; `make_move` says who has won."""
        return GameResult(None, REASONS[TIE] if self.is_game_over() else REASONS[ONGOING])


class OctaGameLogic(GameLogic):
    """Octa on any map. What the caller sets on cells between moves counts."""

    def __init__(self, game_map: GameMap, config: GameConfig) -> None:
        """Player 1 begins. `ValueError` unless both are what they are called."""
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
        """Carry out the move and say how the game stands.

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
        """Whether the game has ended, by the cells as they are now."""
        return self._verdict()[0] != ONGOING

    def get_current_player(self) -> Player:
        """Whose turn it is."""
        return self._current

    def switch_player(self) -> None:
        """Give the turn to the other player."""
        self._current = self._current.opponent

    def get_turn_count(self) -> int:
        """Moves made so far."""
        return self._turns

    def get_result(self) -> GameResult:
        """The outcome by the cells as they are now."""
        why, lead = self._verdict()
        if why in (ONGOING, TIE):
            return GameResult(None, REASONS[why])
        return GameResult(Player.PLAYER_1 if lead > 0 else Player.PLAYER_2, REASONS[why])

    def _verdict(self) -> tuple[int, int]:
        """The engine's verdict, and by how many cells player 1 leads."""
        states = [cell.state for cell in self._cells()]
        count_1, count_2 = states.count(CellState.PLAYER_1), states.count(CellState.PLAYER_2)
        by_turns = self._config.win_condition is WinCondition.TURN_LIMIT_MAJORITY
        limit = min(self._config.turn_limit, FAR) if by_turns else NO_LIMIT
        return verdict(count_1, count_2, self._turns, limit), count_1 - count_2

    def _cells(self) -> list[GameCell]:
        """The map's cells, each once even if the map repeats itself."""
        return list({id(cell): cell for cell in self._map.get_all_cells()}.values())

    def _refusal(self, cell: object, player: object) -> str | None:
        # Asked by type, so that no object's own methods are run.
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
    """Cells and neighbours in the engine's form; a neighbour that is not on the map is none."""
    index = {id(cell): number for number, cell in enumerate(cells)}
    packed = bytes([pack_cell(cell.state.value, cell.direction.value) for cell in cells])
    links = [index.get(id(cell.neighbors.get(way)), -1) for cell in cells for way in Direction]
    return packed, links


def _write(packed: bytes, cells: list[GameCell]) -> None:
    for value, cell in zip(packed, cells, strict=True):
        owner, arrow = unpack_cell(value)
        cell.state = CellState(owner)
        cell.direction = Direction(arrow)
