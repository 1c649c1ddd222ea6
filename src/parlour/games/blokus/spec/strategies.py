"""The specification's strategies of Blokus, computer players, and the game loop."""

import math
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Protocol

from parlour.core.checks import as_int
from parlour.core.playouts import playouts
from parlour.core.rng import Rng
from parlour.games.blokus.pieces import SIZES
from parlour.games.blokus.rules import BlokusState
from parlour.games.blokus.spec.model import GameState, Move, check_player_id, move_of
from parlour.games.blokus.spec.validation import BlokusRules, PlacementHandler, on_turn

DEFAULT_SECONDS = 0.5
"""The default thinking time of `StrategicStrategy`."""

CANDIDATES = 24
"""The number of placements that `StrategicStrategy` runs playouts from."""

EXPLORATION = 0.7
"""The exploration constant of the upper confidence bound."""


class Strategy(ABC):
    """Chooses moves. A custom strategy only defines `calculate_move`."""

    @abstractmethod
    def calculate_move(
        self, game_state: GameState, player_id: int, time_limit: float | None = None
    ) -> Move:
        """Return a legal move for this player, or a pass if nothing fits."""


class EngineStrategy(Strategy):
    """The base class of strategies that choose among the engine's placements."""

    def __init__(self, seed: int | None = None) -> None:
        """Seed the random choices; without a seed they differ from run to run."""
        self._rng = Rng(int.from_bytes(os.urandom(8), "big") if seed is None else seed)

    def calculate_move(
        self, game_state: GameState, player_id: int, time_limit: float | None = None
    ) -> Move:
        """Return the best move found for this player within `time_limit` seconds.

        If it is not the player's turn, return the move they would make if it were.
        """
        deadline = time.monotonic() + _checked_limit(time_limit, self.default_seconds())
        state = on_turn(game_state, player_id)
        if state is None:
            return Move(None, None, 0, player_id, is_pass=True)
        return move_of(game_state, player_id, self.choose(state, deadline))

    def default_seconds(self) -> float:
        """Return the default time limit."""
        return math.inf

    @abstractmethod
    def choose(self, state: BlokusState, deadline: float) -> int:
        """Return the id of a legal placement before `time.monotonic()` reaches the deadline."""


class RandomStrategy(EngineStrategy):
    """Chooses uniformly among the legal moves."""

    def choose(self, state: BlokusState, deadline: float) -> int:
        """Return a random placement."""
        return state.sample(self._rng)


class CornerStrategy(EngineStrategy):
    """Maximises its own open corners; prefers large pieces, then the centre."""

    def choose(self, state: BlokusState, deadline: float) -> int:
        """Return the best placement considered before the deadline."""
        return ranked(state, deadline)[0]


class StrategicStrategy(EngineStrategy):
    """Runs random playouts from the most promising moves, mostly from the best ones.

    The candidates are the moves that `CornerStrategy` ranks highest. The upper confidence bound
    (UCB) of the results selects the candidate of the next playout.
    """

    def default_seconds(self) -> float:
        """Return half a second."""
        return DEFAULT_SECONDS

    def choose(self, state: BlokusState, deadline: float) -> int:
        """Return the candidate with the most playouts at the deadline."""
        seat = state.actor
        actions = ranked(state, deadline)[:CANDIDATES]
        after = [state.apply(action) for action in actions]
        totals = [0.0] * len(actions)
        visits = [0] * len(actions)
        games = 0
        while len(actions) > 1 and time.monotonic() < deadline:
            if games < len(actions):
                k = games
            else:
                scale = EXPLORATION * EXPLORATION * math.log(games)
                values = [
                    total / count + math.sqrt(scale / count)
                    for total, count in zip(totals, visits, strict=True)
                ]
                k = values.index(max(values))
            totals[k] += playouts(after[k], 1, self._rng.next32()).returns[seat]
            visits[k] += 1
            games += 1
        return actions[visits.index(max(visits))]


class PlayableAgent(Protocol):
    """What a strategy asks of an agent; `parlour.agent(...)` returns one."""

    def choose(self, state: Any) -> int:
        """Return the action to play."""
        ...


class AgentStrategy(Strategy):
    """Plays the moves of an agent, such as `parlour.agent("mcts:time=1")`."""

    def __init__(self, agent: PlayableAgent) -> None:
        """Take the agent, whose own settings limit its time. Raises `ValueError` for others."""
        if not callable(getattr(agent, "choose", None)):
            raise ValueError(f"agent must have choose(state), not {agent!r}")
        self._agent = agent

    def calculate_move(
        self, game_state: GameState, player_id: int, time_limit: float | None = None
    ) -> Move:
        """Return the agent's choice, or a pass if nothing fits; `time_limit` is only checked."""
        _checked_limit(time_limit, math.inf)
        state = on_turn(game_state, player_id)
        if state is None:
            return Move(None, None, 0, player_id, is_pass=True)
        return move_of(game_state, player_id, self._agent.choose(state))


def ranked(state: BlokusState, deadline: float) -> list[int]:
    """Return the legal placements by open corners, then size, then closeness to the centre.

    After the deadline, return only those considered so far, at least one.
    """
    table = state.rules.tables
    colour = state.mover
    middle = (state.rules.side - 1) / 2
    found: list[tuple[int, int, float, int]] = []
    for action in state.legal_actions():
        cells = [table.cell(square) for square in table.squares(action)]
        away = sum(abs(row - middle) + abs(col - middle) for row, col in cells) / len(cells)
        size = SIZES[table.piece(action)]
        found.append((-state.corners_after(colour, action), -size, away, action))
        if time.monotonic() >= deadline:
            break
    return [action for _, _, _, action in sorted(found)]


def _checked_limit(time_limit: object, default: float) -> float:
    if time_limit is None:
        return default
    seconds = time_limit if isinstance(time_limit, float) else as_int(time_limit)
    if seconds is None or not seconds >= 0:
        raise ValueError(f"time_limit must be a number of seconds or None, not {time_limit!r}")
    return float(seconds)


class AIPlayer:
    """A computer player with a strategy."""

    def __init__(
        self, player_id: int, strategy: Strategy, color: str, name: str | None = None
    ) -> None:
        """Take any string as the colour. The default name is `AI` and the id."""
        self.player_id = check_player_id(player_id)
        if not callable(getattr(strategy, "calculate_move", None)):
            raise ValueError(f"strategy must be a Strategy, not {strategy!r}")
        if not isinstance(color, str):
            raise ValueError(f"color must be a str, not {color!r}")
        if name is not None and not isinstance(name, str):
            raise ValueError(f"name must be a str or None, not {name!r}")
        self.strategy = strategy
        self.color = color
        self.name = f"AI {player_id}" if name is None else name

    def calculate_move(self, game_state: GameState, time_limit: float | None = None) -> Move:
        """Return the strategy's move for this player."""
        return self.strategy.calculate_move(game_state, self.player_id, time_limit)


class GameLoop:
    """Executes the moves of computer players."""

    def __init__(self, game_state: GameState) -> None:
        """Start from this state."""
        self.placement_handler = PlacementHandler(game_state)

    @property
    def game_state(self) -> GameState:
        """The current state."""
        return self.placement_handler.game_state

    def trigger_ai_move(self, ai_player: AIPlayer, time_limit: float | None = None) -> Move:
        """Ask the player for a move, validate it, execute it, and return it.

        The order is the specification's: select, flip, rotate as often as needed, place. Raises
        `ValueError`, and changes nothing, if the move is illegal or belongs to another player.
        """
        move = ai_player.calculate_move(self.game_state, time_limit)
        verdict = BlokusRules.validate_move(self.game_state, move)
        if verdict.reason is not None:
            raise ValueError(verdict.reason)
        if move.player_id != ai_player.player_id:
            raise ValueError(
                f"player {ai_player.player_id} made a move for player {move.player_id}"
            )
        if move.piece is None or move.position is None:
            return move
        handler = self.placement_handler
        handler.select_piece(move.piece.name)
        if move.flip:
            handler.flip_piece()
        for _ in range(move.rotation // 90):
            handler.rotate_piece()
        placed, error = handler.place_piece(*move.position)
        if not placed:
            handler.clear_selection()
            raise ValueError(error)
        return move

    def _trigger_ai_move(self, ai_player: AIPlayer, time_limit: float | None = None) -> Move:
        """Call `trigger_ai_move`; this is the specification's name for it."""
        return self.trigger_ai_move(ai_player, time_limit)

    def run(self, ai_players: Mapping[int, AIPlayer], time_limit: float | None = None) -> GameState:
        """Let the players, by id, play to the end. Return the final state.

        Raises `ValueError` if the player to move is missing.
        """
        while self.game_state.current_player is not None:
            player_id = self.game_state.current_player
            if player_id not in ai_players:
                raise ValueError(
                    f"it is player {player_id}'s turn, but ai_players has no player {player_id}"
                )
            self.trigger_ai_move(ai_players[player_id], time_limit)
        return self.game_state
