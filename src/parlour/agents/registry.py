"""Agents by name, with settings that are checked like a game's options.

An agent's text is its name and its settings: `mcts:sims=2000,seed=1`. `level:5` is short
for `level:n=5`. Somebody's own agent is named by where it stands, `my_module:MyAgent`, with
settings after a second colon: `my_module:MyAgent:depth=3`; or by the name that its package
gives it in the entry-point group `parlour.agents`:

    [project.entry-points."parlour.agents"]
    my-agent = "my_package:MyAgent"

The text of an agent with `TAKES_REST` ends with a value of its own, whatever is in it:
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
"""Ours, by name; `parlour.agents` fills it, because `best` and `level` ask this registry."""


OURS = "parlour."


def is_built_in(text: str) -> bool:
    """Whether the agent of that text is one of ours; nothing is loaded to find out.

    Those that drive engines are: the engine has a process of its own in any case.
    """
    name = _split(text)[0]
    if name in BUILT_IN:
        return True
    points = _entry_points().get(_key(name), [])
    return bool(points) and all(point.value.startswith(OURS) for point in points)


def agent_name(text: str) -> str:
    """The name in an agent's text, without its settings; nothing is loaded to find out."""
    return _split(text)[0]


def check_name(text: str) -> None:
    """`AgentError` for a text that names no agent: neither ours nor another's, nor a class.

    Nothing is loaded to find out, so it may still turn out not to be there.
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
    return AgentError(f"there is no agent {shown(name)}{near}; the agents are {listed}")


def short_texts() -> list[str]:
    """The texts of ours that give a value without its setting's name: `level:1` to `level:9`."""
    return [
        f"{name}:{number}"
        for name, each in BUILT_IN.items()
        for option in each.SETTINGS
        if each.BARE and option.name == each.BARE and option.kind == "integer"
        for number in range(int(option.low), int(option.high) + 1)
    ]


def agent_names() -> list[str]:
    """The names of the agents: ours, then those of installed packages."""
    return [*BUILT_IN, *sorted(set(_entry_points()) - set(BUILT_IN))]


def agent_settings(name: str) -> tuple[Option, ...]:
    """The settings that an agent takes."""
    return agent_class(name).SETTINGS


def agent(text: str, /, **settings: object) -> Agent:
    """The agent of that name or text, with these settings.

    Raises `AgentError` for an unknown name and `OptionError` for a wrong setting.
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
        raise AgentError(f"{name} was not made: {in_one_line(error)}") from error
    made.made_from = agent_text(name, {key: values[key] for key in given})
    return made


def seeded(text: str, seed: int) -> str:
    """The agent's text, with a seed if it takes one and the text gives none.

    It is this seed, folded into the range that the agent's own `seed` may have. The text of
    an agent that takes the rest stays as it is.
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
    """The text that `agent` reads."""
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
    """The name in an agent's text, and the settings that the text gives, checked."""
    name, rest = _split(text)
    return name, _given(name, agent_class(name), rest)


def is_installed(text: str) -> bool:
    """Whether a text from a file may be made an agent: ours, or one of an installed package.

    Not `module:Class`, which would import what the file says, nor an agent whose text holds
    a command: those need the user's own word.
    """
    name = _split(text)[0]
    if name in BUILT_IN:
        return True
    return _key(name) in _entry_points() and not agent_class(name).TAKES_REST


def agent_class(name: str) -> type[Agent]:
    """The class behind a name, registered or `module:Class`; `AgentError` if there is none."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    points = _entry_points().get(_key(name))
    if points is not None:
        return _loaded(name, points)
    if not _OWN_AGENT.fullmatch(name):
        raise _unknown(name)
    return _checked(name, _own(name))


# A module's path, a colon and a class; what may follow it are settings.
_OWN_AGENT = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*(?=:|$)")


def _split(text: object) -> tuple[str, str]:
    """The name and what stands after it, not yet looked at."""
    if not isinstance(text, str):
        raise AgentError(f"an agent's name is a str, not {type(text).__name__}")
    text = text.strip()
    name, _, rest = text.partition(":")
    name = name.strip()
    if name not in BUILT_IN and _key(name) not in _entry_points():
        own = _OWN_AGENT.match(text)
        if own is not None:
            name, rest = own[0], text[own.end() + 1 :]
    return name, rest.strip()


def _given(name: str, found: type[Agent], rest: str) -> dict[str, Value]:
    """The settings in what stands after the name."""
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
    """What stands at `module:Class`."""
    path = name.partition(":")[0]
    try:
        return imported(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{path}.".startswith(f"{error.name}."):
            # It is there, but something that it needs is not.
            raise AgentError(f"{name} does not load: {in_one_line(error)}") from error
        names = agent_names()
        raise AgentError(
            f"there is no agent {path!r}{did_you_mean(path, names)}, and {name} is none of "
            f"your own: {error}; the agents are {', '.join(names)}"
        ) from error
    except (Exception, SystemExit) as error:
        raise AgentError(f"{name} does not load: {in_one_line(error)}") from error


def _loaded(name: str, points: list[Any]) -> type[Agent]:
    """What the one package that offers an agent of that name offers."""
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
    """The class, if it is one that can be made by its settings."""
    if not (isinstance(found, type) and issubclass(found, Agent)) or found is Agent:
        raise AgentError(f"{name} is not a subclass of parlour.agents.Agent")
    declared = found.SETTINGS
    if not (isinstance(declared, tuple) and all(isinstance(each, Option) for each in declared)):
        raise AgentError(f"{name}: SETTINGS is a tuple of options, like parlour.options.integer")
    if found.TAKES_REST and not (declared and declared[0].kind == "text"):
        raise AgentError(f"{name}: the first of SETTINGS is an options.text, for TAKES_REST")
    return found


def _key(name: str) -> str:
    """A name as it is looked up: `-` and `_` mean the same."""
    return name.replace("-", "_")


@cache
def _entry_points() -> dict[str, list[Any]]:
    """The installed entry points by agent name; equal ones count once."""
    return offers_in(GROUP)
