"""Turn-based grid games for people and for programs."""

from typing import TYPE_CHECKING

from librt.vecs import vec
from mypy_extensions import i64

from parlour._build import BuildInfo, __version__, build_info
from parlour.core import options
from parlour.core.colours import COLOURS
from parlour.core.errors import (
    ActionTextError,
    AgentError,
    ContractError,
    GameLoadError,
    GameNotInstalled,
    IllegalAction,
    InvalidState,
    MissingExtra,
    OptionError,
    ParlourError,
    RecordError,
    StateTextError,
    UnknownGame,
    UnknownRecord,
)
from parlour.core.game import CHANCE, OVER, Game, State
from parlour.core.perft import divide, perft
from parlour.core.playouts import Playouts, playouts
from parlour.core.record import Record
from parlour.core.registry import game, game_class, game_names, register
from parlour.core.result import UNDECIDED, Result, estimate
from parlour.core.rng import Rng, fold_seed
from parlour.core.scene import HOLE, MARKS, ActionView, Board, Cell, Scene, SeatView

if TYPE_CHECKING:
    from parlour.agents import Agent

Actions = vec[i64]
"""What `State.legal_actions` returns: `Actions([3, 5, 8])`."""


def agent(text: str, /, **settings: object) -> "Agent":
    """The agent of that name or text, with these settings: `agent("mcts", sims=2000, seed=1)`.

    Raises `AgentError` for an unknown name and `OptionError` for a wrong setting.
    """
    from parlour.agents import agent as make  # here, because not every program needs agents

    return make(text, **settings)


def agent_names() -> list[str]:
    """The names of the agents."""
    from parlour.agents import agent_names as names

    return names()


__all__ = [
    "CHANCE",
    "COLOURS",
    "HOLE",
    "MARKS",
    "OVER",
    "UNDECIDED",
    "ActionTextError",
    "ActionView",
    "Actions",
    "AgentError",
    "Board",
    "BuildInfo",
    "Cell",
    "ContractError",
    "Game",
    "GameLoadError",
    "GameNotInstalled",
    "IllegalAction",
    "InvalidState",
    "MissingExtra",
    "OptionError",
    "ParlourError",
    "Playouts",
    "Record",
    "RecordError",
    "Result",
    "Rng",
    "Scene",
    "SeatView",
    "State",
    "StateTextError",
    "UnknownGame",
    "UnknownRecord",
    "__version__",
    "agent",
    "agent_names",
    "build_info",
    "divide",
    "estimate",
    "fold_seed",
    "game",
    "game_class",
    "game_names",
    "options",
    "perft",
    "playouts",
    "register",
]
