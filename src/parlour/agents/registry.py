"""Registry of agents: by name, with settings that are checked like a game's options.

An agent's text is its name and its settings: `mcts:sims=2000,seed=1`. `level:5` is short
for `level:n=5`. A third-party agent is named by module and class, `my_module:MyAgent`, with
settings after a second colon: `my_module:MyAgent:depth=3`. A package can also register a name
in the entry-point group `parlour.agents`:

    [project.entry-points."parlour.agents"]
    my-agent = "my_package:MyAgent"

For an agent with `TAKES_REST`, everything after the name is one value:
`engine:/usr/games/engine --threads=2`.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from parlour.agents.base import Agent
from parlour.core.checks import shown
from parlour.core.errors import AgentError, OptionError, ParlourError, in_one_line
from parlour.core.options import (
    Option,
    Value,
    check_options,
    did_you_mean,
    find_option,
    settings_from_text,
)
from parlour.core.packages import imported, offers_in, package_of

GROUP = "parlour.agents"

BUILT_IN: dict[str, type[Agent]] = {}
"""Built-in agents by name. `parlour.agents` fills it, because `best` and `level` need this module.
"""


OURS = "parlour."


def is_built_in(text: str) -> bool:
    """Whether the text names a built-in agent; imports nothing.

    Agents that drive engines are built in: the engine has its own process in any case.
    """
    name = _split(text)[0]
    if name in BUILT_IN:
        return True
    points = _entry_points().get(_key(name), [])
    return bool(points) and all(point.value.startswith(OURS) for point in points)


def agent_name(text: str) -> str:
    """Return the name in an agent's text, without its settings; imports nothing."""
    return _split(text)[0]


def check_name(text: str) -> None:
    """Raise `AgentError` unless the text names a registered agent or looks like `module:Class`.

    Nothing is imported, so the class may still turn out to be missing.
    """
    name = _split(text)[0]
    if name in BUILT_IN or _key(name) in _entry_points() or _OWN_AGENT.fullmatch(name):
        return
    raise _unknown(name)


def _unknown(name: str) -> AgentError:
    names, short = agent_names(), short_texts()
    if name.isdecimal() and f"level:{name}" in short:
        near = f" (did you mean 'level:{name}'?)"
    else:
        near = did_you_mean(name, [*names, *short])
    listed = ", ".join(names) + (f" ({short[0]} to {short[-1]})" if short else "")
    return AgentError(f"unknown agent {shown(name)}{near}; the agents are {listed}")


def short_texts() -> list[str]:
    """Return the built-in texts with a bare value: `level:1` to `level:9`."""
    return [
        f"{name}:{number}"
        for name, each in BUILT_IN.items()
        for option in each.SETTINGS
        if each.BARE and option.name == each.BARE and option.kind == "integer"
        for number in range(int(option.low), int(option.high) + 1)
    ]


def agent_names() -> list[str]:
    """Return the names of all agents: built-in ones, then those of installed packages.

    >>> from parlour.agents import agent_names
    >>> agent_names()[:4]
    ['random', 'greedy', 'mcts', 'search']
    """
    return [*BUILT_IN, *sorted(set(_entry_points()) - set(BUILT_IN))]


def agent_settings(name: str) -> tuple[Option, ...]:
    """Return the settings that an agent takes.

    >>> from parlour.agents import agent_settings
    >>> [setting.name for setting in agent_settings("search")]
    ['depth', 'nodes', 'time', 'lines', 'seed', 'blunder']
    """
    return agent_class(name).SETTINGS


def agent(text: str, /, **settings: object) -> Agent:
    """Create the agent with this name or text and these settings.

    Raises `AgentError` for an unknown name and `OptionError` for a wrong setting.

    >>> from parlour.agents import agent
    >>> agent("search:depth=3", seed=1)
    parlour.agent('search:depth=3,seed=1')
    """
    name, rest = _split(text)
    found = agent_class(name)
    given = {**_given(name, found, rest), **settings}
    values = check_options(name, found.SETTINGS, given)
    make: Any = found
    try:
        made: Agent = make(**values)
    except ParlourError:
        raise
    except (Exception, SystemExit) as error:
        raise AgentError(f"cannot create {name}: {in_one_line(error)}") from error
    made.made_from = agent_text(name, {key: values[key] for key in given})
    return made


def seeded(text: str, seed: int) -> str:
    """Return the agent's text, with this seed if it takes one and the text has none.

    The seed is folded into the range of the agent's setting. The text of an agent with
    `TAKES_REST` stays as it is.

    >>> from parlour.agents import seeded
    >>> seeded("mcts:sims=100", 7)
    'mcts:sims=100,seed=7'
    """
    name, rest = _split(text)
    found = agent_class(name)
    given = _given(name, found, rest)
    if found.TAKES_REST:
        return f"{name}:{rest}" if rest else name
    words = [word for part in rest.split(",") if (word := part.strip())]
    for option in found.SETTINGS:
        if option.name == "seed" and option.kind == "integer" and "seed" not in given:
            low, high = int(option.low), int(option.high)
            inside = seed if low <= seed <= high else low + seed % (high - low + 1)
            words.append(f"seed={inside}")
    return ":".join(part for part in (name, ",".join(words)) if part)


def agent_text(name: str, settings: Mapping[str, Value]) -> str:
    """Return the text from which `agent` creates this agent."""
    found = agent_class(name)
    declared = found.SETTINGS
    if found.TAKES_REST:
        words = [str(settings[each.name]) for each in declared[:1] if each.name in settings]
    else:
        words = [
            f"{key}={find_option(name, declared, key).to_text(value)}"
            for key, value in settings.items()
        ]
    return ":".join(part for part in (name, ",".join(words)) if part)


def settings_of(text: str) -> tuple[str, dict[str, Value]]:
    """Return the name in an agent's text and its settings, checked."""
    name, rest = _split(text)
    return name, _given(name, agent_class(name), rest)


def is_installed(text: str) -> bool:
    """Whether a text from a file may create an agent: built in or from an installed package.

    Texts with `module:Class`, which import code, and those with a command need the user's consent.

    >>> from parlour.agents import is_installed
    >>> is_installed("mcts:sims=100"), is_installed("my_module:MyAgent")
    (True, False)
    """
    name = _split(text)[0]
    if name in BUILT_IN:
        return True
    return _key(name) in _entry_points() and not agent_class(name).TAKES_REST


def agent_class(name: str) -> type[Agent]:
    """Return the class behind a name or `module:Class`; raises `AgentError` if there is none."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    points = _entry_points().get(_key(name))
    if points is not None:
        return _loaded(name, points)
    if not _OWN_AGENT.fullmatch(name):
        raise _unknown(name)
    return _checked(name, _own(name))


# Module path, colon, class; settings may follow.
_OWN_AGENT = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*(?=:|$)")


def _split(text: object) -> tuple[str, str]:
    """Split a text into the name and the rest, which is not checked yet."""
    if not isinstance(text, str):
        raise AgentError(f"an agent's name must be a str, not {type(text).__name__}")
    text = text.strip()
    name, _, rest = text.partition(":")
    name = name.strip()
    if name not in BUILT_IN and _key(name) not in _entry_points():
        own = _OWN_AGENT.match(text)
        if own is not None:
            name, rest = own[0], text[own.end() + 1 :]
    return name, rest.strip()


def _given(name: str, found: type[Agent], rest: str) -> dict[str, Value]:
    """Return the settings in the text after the name."""
    if found.TAKES_REST:
        return {found.SETTINGS[0].name: found.SETTINGS[0].check(rest)} if rest else {}
    word = rest.partition(",")[0].strip()
    if found.BARE and word and "=" not in word:
        option = find_option(name, found.SETTINGS, found.BARE)
        try:
            option.from_text(word)
        except OptionError:
            example = f"{name}:{option.to_text(option.default)}"
            raise OptionError(
                f"{name} takes {option.expectation()}, as in {example}, not {shown(word)}"
            ) from None
        rest = f"{found.BARE}={rest}"
    return settings_from_text(name, found.SETTINGS, rest)


def _own(name: str) -> object:
    """Import the object at `module:Class`."""
    path = name.partition(":")[0]
    try:
        return imported(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{path}.".startswith(f"{error.name}."):
            # The module exists, but one of its imports fails.
            raise AgentError(f"{name} does not load: {in_one_line(error)}") from error
        names = agent_names()
        raise AgentError(
            f"unknown agent {path!r}{did_you_mean(path, names)}, and {name} cannot be "
            f"imported: {error}; the agents are {', '.join(names)}"
        ) from error
    except (Exception, SystemExit) as error:
        raise AgentError(f"{name} does not load: {in_one_line(error)}") from error


def _loaded(name: str, points: list[Any]) -> type[Agent]:
    """Load the entry point; raises `AgentError` if several packages use the name."""
    if len(points) > 1:
        raise AgentError(
            f"{len(points)} packages offer an agent {name!r}: "
            + ", ".join(sorted(point.value for point in points))
        )
    try:
        found = points[0].load()
    except (Exception, SystemExit) as error:
        raise AgentError(
            f"{name!r} ({points[0].value} of the package {package_of(points[0])}) does not load: "
            f"{in_one_line(error)}"
        ) from error
    return _checked(points[0].value, found)


def _checked(name: str, found: object) -> type[Agent]:
    """Return the class if it is a valid agent class."""
    if not (isinstance(found, type) and issubclass(found, Agent)) or found is Agent:
        raise AgentError(f"{name} is not a subclass of parlour.agents.Agent")
    declared = found.SETTINGS
    if not (isinstance(declared, tuple) and all(isinstance(each, Option) for each in declared)):
        raise AgentError(
            f"{name}: SETTINGS must be a tuple of options such as parlour.options.integer"
        )
    if found.TAKES_REST and not (declared and declared[0].kind == "text"):
        raise AgentError(f"{name}: TAKES_REST needs options.text as the first of SETTINGS")
    return found


def _key(name: str) -> str:
    """Normalise a name for lookup: `-` and `_` are equal."""
    return name.replace("-", "_")


@cache
def _entry_points() -> dict[str, list[Any]]:
    """Return the installed entry points by agent name, without duplicates."""
    return offers_in(GROUP)
