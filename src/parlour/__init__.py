"""Turn-based grid games for people and for programs."""

from librt.vecs import vec
from mypy_extensions import i64

from parlour._build import BuildInfo, __version__, build_info
from parlour.core import options
from parlour.core.errors import (
    ActionTextError,
    ContractError,
    GameLoadError,
    IllegalAction,
    InvalidState,
    OptionError,
    ParlourError,
    RecordError,
    StateTextError,
    UnknownGame,
)
from parlour.core.game import CHANCE, OVER, Game, Result, State
from parlour.core.perft import divide, perft
from parlour.core.playouts import Playouts, playouts
from parlour.core.record import Record
from parlour.core.registry import game, game_class, game_names, register
from parlour.core.rng import Rng, fold_seed
from parlour.core.scene import ActionView, Cell, Scene, SeatView

Actions = vec[i64]
"""What `State.legal_actions` returns: `Actions([3, 5, 8])`."""

__all__ = [
    "CHANCE",
    "OVER",
    "ActionTextError",
    "ActionView",
    "Actions",
    "BuildInfo",
    "Cell",
    "ContractError",
    "Game",
    "GameLoadError",
    "IllegalAction",
    "InvalidState",
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
    "__version__",
    "build_info",
    "divide",
    "fold_seed",
    "game",
    "game_class",
    "game_names",
    "options",
    "perft",
    "playouts",
    "register",
]
