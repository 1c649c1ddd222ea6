"""Agents by name, with settings that are checked like a game's options.

An agent's text is its name and its settings: `mcts:sims=2000,seed=1`. `level:5` is short
for `level:n=5`. Somebody's own agent is named by where it stands, `my_module:MyAgent`, with
settings after a second colon: `my_module:MyAgent:depth=3`.
"""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from parlour.agents.base import Agent, Analysis, check_decision
from parlour.agents.mcts import MctsAgent
from parlour.agents.search import SearchAgent
from parlour.agents.simple import ExactAgent, GreedyAgent, RandomAgent
from parlour.core.errors import AgentError, in_one_line
from parlour.core.game import Game, State
from parlour.core.options import (
    Option,
    check_options,
    did_you_mean,
    find_option,
    flag,
    fraction,
    integer,
)

DEFAULT_SIMS = 1000
DEFAULT_SECONDS = 1.0

BEST = "mcts"
"""What plays a game best that names no agent."""

LEVELS = (
    "random",
    "mcts:sims=10,blunder=0.3",
    "mcts:sims=25,blunder=0.15",
    "mcts:sims=50",
    "mcts:sims=150",
    "mcts:sims=500",
    "mcts:sims=2000,time=1",
    "mcts:time=1",
    "mcts:time=3",
)
"""The levels of a game that names none, weakest first."""

SEED = integer("seed", 0, -(2**63), 2**64 - 1, "the seed of its random choices")
BLUNDER = fraction("blunder", None, 0, 1, "how often it plays any legal action instead")
TIME = fraction("time", None, 0, 86_400, "seconds for a move")

Settings = Mapping[str, Any]


class _Delegating(Agent):
    """Becomes another agent, by the game that it is asked to play."""

    def __init__(self) -> None:
        super().__init__(0, 0.0)
        self._game: Game | None = None
        self._agent: Agent | None = None

    def text_for(self, game: Game) -> str:
        """The text of the agent to become."""
        raise AgentError(f"{type(self).__name__} does not define text_for()")

    def check_game(self, game: Game) -> None:
        """`AgentError` if the agent to become cannot play it."""
        agent(self.text_for(game)).check_game(game)

    def _agent_for(self, state: State) -> Agent:
        if self._agent is None or self._game != state.game:
            self._agent = agent(self.text_for(state.game))
            self._game = state.game
        return self._agent

    def choose(self, state: State) -> int:
        """What the other chooses."""
        check_decision(state)
        return self._agent_for(state).choose(state)

    def analyse(self, state: State) -> Analysis:
        """What the other thinks."""
        check_decision(state)
        return self._agent_for(state).analyse(state)

    def forget(self) -> None:
        """Pass it on."""
        if self._agent is not None:
            self._agent.forget()


class BestAgent(_Delegating):
    """The agent that plays the game best, with the given time."""

    def __init__(self, seconds: float, seed: int) -> None:
        super().__init__()
        self._wanted: Settings = {"time": seconds, "seed": seed}

    def text_for(self, game: Game) -> str:
        """The game's best agent, with the time and the seed where it takes them."""
        text = game.best_agent() or BEST
        name, given = _parse(text)
        declared = {option.name for option in _lookup(name)[1]}
        extra = {key: value for key, value in self._wanted.items() if key in declared - set(given)}
        return agent_text(name, {**given, **extra})


class LevelAgent(_Delegating):
    """One of the game's nine levels."""

    def __init__(self, level: int, seed: int) -> None:
        super().__init__()
        self._level = level
        self._seed = seed

    def text_for(self, game: Game) -> str:
        """The game's text of that level, with the seed where it takes one."""
        levels = game.level_agents() or LEVELS
        if self._level > len(levels):
            raise AgentError(f"{game.name} has levels 1 to {len(levels)}, not {self._level}")
        return seeded(levels[self._level - 1], self._seed)


def _mcts(values: Settings) -> Agent:
    sims, seconds = values["sims"], values["time"]
    if sims is None and seconds is None:
        sims = DEFAULT_SIMS
    return MctsAgent(
        sims or 0,
        seconds or 0.0,
        values["exploration"],
        values["bias"] or 0.0,
        values["widening"] or 0.0,
        values["width"] or 0,
        values["cutoff"] or 0,
        values["keep"],
        values["seed"],
        values["blunder"] or 0.0,
    )


def _search(values: Settings) -> Agent:
    depth, nodes, seconds = values["depth"], values["nodes"], values["time"]
    if depth is None and nodes is None and seconds is None:
        seconds = DEFAULT_SECONDS
    return SearchAgent(
        depth or 0, nodes or 0, seconds or 0.0, values["seed"], values["blunder"] or 0.0
    )


Maker = Callable[[Settings], Agent]

_AGENTS: dict[str, tuple[Maker, tuple[Option, ...]]] = {
    "random": (lambda values: RandomAgent(values["seed"], 0.0), (SEED,)),
    "greedy": (
        lambda values: GreedyAgent(values["seed"], values["blunder"] or 0.0),
        (SEED, BLUNDER),
    ),
    "mcts": (
        _mcts,
        (
            integer("sims", None, 1, 10**9, f"simulations for a move; {DEFAULT_SIMS} without time"),
            TIME,
            fraction("exploration", 0.7, 0, 100, "how much it tries what looks worse"),
            fraction("bias", None, 0, 1000, "the weight of the game's priors"),
            fraction("widening", None, 0, 1000, "consider 2 + w * sqrt(visits) actions only"),
            integer("width", None, 1, 10**6, "keep so many of the most promising replies only"),
            integer("cutoff", None, 1, 10**6, "plies of a playout until evaluate decides"),
            flag("keep", True, "keep the tree between moves"),
            SEED,
            BLUNDER,
        ),
    ),
    "search": (
        _search,
        (
            integer("depth", None, 1, 64, "plies to look ahead"),
            integer("nodes", None, 1, 10**12, "positions to look at"),
            fraction("time", None, 0, 86_400, "seconds for a move; 1 without another budget"),
            SEED,
            BLUNDER,
        ),
    ),
    "exact": (
        lambda values: ExactAgent(values["seed"], values["blunder"] or 0.0),
        (SEED, BLUNDER),
    ),
    "best": (
        lambda values: BestAgent(values["time"], values["seed"]),
        (fraction("time", DEFAULT_SECONDS, 0, 86_400, "seconds for a move"), SEED),
    ),
    "level": (
        lambda values: LevelAgent(values["n"], values["seed"]),
        (integer("n", 5, 1, 9, "the level, 1 for beginners"), SEED),
    ),
}


def agent_names() -> list[str]:
    """The names of the agents."""
    return list(_AGENTS)


def agent_settings(name: str) -> tuple[Option, ...]:
    """The settings that an agent takes."""
    return _lookup(name)[1]


def agent(text: str, /, **settings: object) -> Agent:
    """The agent of that name or text, with these settings.

    Raises `AgentError` for an unknown name and `OptionError` for a wrong setting.
    """
    name, given = _parse(text)
    make, declared = _lookup(name)
    return make(check_options(name, declared, {**given, **settings}))


def seeded(text: str, seed: int) -> str:
    """The agent's text, with a seed if it takes one and the text gives none.

    It is this seed, folded into the range that the agent's own `seed` may have.
    """
    name, given = _parse(text)
    _, words = _split(text)
    for option in _lookup(name)[1]:
        if option.name == "seed" and option.kind == "integer" and "seed" not in given:
            low, high = int(option.low), int(option.high)
            inside = seed if low <= seed <= high else low + seed % (high - low + 1)
            words.append(f"seed={inside}")
    return ":".join(part for part in (name, ",".join(words)) if part)


def agent_text(name: str, settings: Settings) -> str:
    """The text that `agent` reads."""
    declared = _lookup(name)[1]
    words = (
        f"{key}={find_option(name, declared, key).to_text(value)}"
        for key, value in settings.items()
    )
    return ":".join(part for part in (name, ",".join(words)) if part)


# A module's path, a colon and a class; what may follow it are settings.
_OWN_AGENT = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*(?=:|$)")


def _lookup(name: str) -> tuple[Maker, tuple[Option, ...]]:
    if _OWN_AGENT.fullmatch(name):
        return _load(name)
    if name not in _AGENTS:
        raise AgentError(
            f"there is no agent {name!r}{did_you_mean(name, _AGENTS)}; "
            f"the agents are {', '.join(_AGENTS)}"
        )
    return _AGENTS[name]


def _load(name: str) -> tuple[Maker, tuple[Option, ...]]:
    """Somebody's own agent: a subclass of `Agent` that can be imported.

    Its class attribute `SETTINGS` declares what its constructor takes by keyword; without
    one that is `seed` and `blunder`, as in `Agent`.
    """
    path, _, word = name.partition(":")
    try:
        found = getattr(import_module(path), word, None)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{path}.".startswith(f"{error.name}."):
            # It is there, but something that it needs is not.
            raise AgentError(f"{name} does not load: {in_one_line(error)}") from error
        raise AgentError(
            f"there is no agent {path!r}{did_you_mean(path, _AGENTS)}, and {name} is none of "
            f"your own: {error}; the agents are {', '.join(_AGENTS)}"
        ) from error
    except (Exception, SystemExit) as error:
        raise AgentError(f"{name} does not load: {in_one_line(error)}") from error
    if not (isinstance(found, type) and issubclass(found, Agent)) or found is Agent:
        raise AgentError(f"{name} is not a subclass of parlour.agents.Agent")
    declared: tuple[Option, ...] = getattr(found, "SETTINGS", (SEED, BLUNDER))
    if not (isinstance(declared, tuple) and all(isinstance(each, Option) for each in declared)):
        raise AgentError(f"{name}: SETTINGS is a tuple of options, like parlour.options.integer")
    construct: Any = found

    def make(values: Settings) -> Agent:
        given = dict(values)
        if BLUNDER in declared:
            given["blunder"] = values["blunder"] or 0.0
        try:
            made: Agent = construct(**given)
        except (Exception, SystemExit) as error:
            raise AgentError(f"{name} was not made: {in_one_line(error)}") from error
        return made

    return make, declared


def _split(text: str) -> tuple[str, list[str]]:
    """The name and the words after it, not yet looked at."""
    if not isinstance(text, str):
        raise AgentError(f"an agent's name is a str, not {type(text).__name__}")
    text = text.strip()
    name, _, rest = text.partition(":")
    own = None if name in _AGENTS else _OWN_AGENT.match(text)
    if own is not None:
        name, rest = own[0], text[own.end() + 1 :]
    return name, [word for part in rest.split(",") if (word := part.strip())]


def _parse(text: str) -> tuple[str, dict[str, object]]:
    """The name and the settings of an agent's text."""
    name, words = _split(text)
    declared = _lookup(name)[1]
    settings: dict[str, object] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            if name != "level" or settings:
                example = declared[0].name if declared else "NAME"
                raise AgentError(f"a setting reads like {example}=VALUE, not {word!r}")
            key, value = "n", word
        key = key.strip()
        if key in settings:
            raise AgentError(f"{key} is given twice in {text!r}")
        settings[key] = find_option(name, declared, key).from_text(value.strip())
    return name, settings
