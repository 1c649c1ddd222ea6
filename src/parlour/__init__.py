"""Turn-based grid games for people and for programs.

A `Game` holds rules and options; a `State` is an immutable position. An action has a number and a
text; `play` takes either and checks it.

    >>> import parlour
    >>> game = parlour.game("octa", size=1)
    >>> state = game.start(seed=8)
    >>> [game.action_to_text(state, action) for action in state.legal_actions()]
    ['1,1', '-1,-1']
    >>> state = state.play("1,1")
    >>> agent = parlour.agent("mcts", sims=200, seed=1)
    >>> while state.actor != parlour.OVER:
    ...     state = state.apply(agent.choose(state))
    >>> sum(state.result().returns)
    0.0

Read next, with `help()`:

    games       game, game_names, register; Game and State, the contract for authors
    positions   State.play, legal_actions, result, scene; Record stores a whole game as text
    agents      agent, agent_names; parlour.agents.Agent to write your own; Heuristics
    figures     playouts, perft, divide; parlour.arena for matches and tournaments
    learning    Batch, Observer, observer; parlour.envs for Gymnasium, PettingZoo, OpenSpiel
    live games  parlour.table in this process, parlour.client on a server
    authors     options, Scene, Cell, Board, ActionView, Guide; parlour.testing.check_game
    errors      ParlourError is the root; each error has a `code`

The command `parlour` does the same from a shell: `parlour --help`.
"""

from typing import TYPE_CHECKING

from librt.vecs import vec
from mypy_extensions import i64

from parlour import options
from parlour._build import BuildInfo, __version__, build_info
from parlour.core.batch import Batch
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
from parlour.core.guide import CoachStep, Guide, Section
from parlour.core.heuristics import Heuristics, heuristics
from parlour.core.observer import Observer, Symmetry, observer
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
"""The type of `State.legal_actions`: `Actions([3, 5, 8])`."""


def agent(text: str, /, **settings: object) -> "Agent":
    """Return the agent of that name or text, with these settings.

    Raises `AgentError` for an unknown name and `OptionError` for a wrong setting.

    >>> import parlour
    >>> state = parlour.game("octa:size=1").start(seed=8)
    >>> parlour.agent("mcts", sims=20, seed=1).choose(state) in (2, 6)
    True
    """
    from parlour.agents import agent as make  # here, because not every program needs agents

    return make(text, **settings)


def agent_names() -> list[str]:
    """Return the names of all agents.

    >>> import parlour
    >>> "mcts" in parlour.agent_names()
    True
    """
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
    "Batch",
    "Board",
    "BuildInfo",
    "Cell",
    "CoachStep",
    "ContractError",
    "Game",
    "GameLoadError",
    "GameNotInstalled",
    "Guide",
    "Heuristics",
    "IllegalAction",
    "InvalidState",
    "MissingExtra",
    "Observer",
    "OptionError",
    "ParlourError",
    "Playouts",
    "Record",
    "RecordError",
    "Result",
    "Rng",
    "Scene",
    "SeatView",
    "Section",
    "State",
    "StateTextError",
    "Symmetry",
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
    "heuristics",
    "observer",
    "options",
    "perft",
    "playouts",
    "register",
]
