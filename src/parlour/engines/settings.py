"""Settings of engines, from a command or from `engines.toml`.

    [pentobi]
    protocol = "gtp"
    command = ["pentobi-gtp", "--level", "5", "--quiet"]
    folder = "/srv/engines"                # where it runs; by default the current folder
    environment = { OMP_NUM_THREADS = "1" }
    first = ["param use_book 0"]           # commands before the first game
    go = "movetime 1000"                   # uci and ugi: arguments of `go` without a clock
    restart = true                         # false: keep its process from game to game
    limits = { start = 20, move = 300, ping = 5 }   # seconds

The file is named by the variable PARLOUR_ENGINES, or is `engines.toml` in the platform's folder
for user settings. It is never searched for in the current folder or beside a record or match, so
files of other people cannot start programs.
"""

import os
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from parlour.core.checks import shown
from parlour.core.errors import AgentError
from parlour.core.options import did_you_mean
from parlour.engines.protocols import check_protocol
from parlour.files import read_text

VARIABLE = "PARLOUR_ENGINES"
FILE = "engines.toml"
LARGEST_SETTINGS = 2**20
LONGEST_LIMIT = 86_400.0
DEFAULT_GO = "movetime 1000"


class EngineError(AgentError):
    """An engine's settings are wrong or its program is missing; nothing was started."""

    code: ClassVar[str] = "bad_engine"


class Limits(NamedTuple):
    """The seconds that an engine may take before it loses."""

    start: float = 20.0
    """For the answer to the first command."""
    move: float = 300.0
    """For a move; with a clock, at most the time left."""
    ping: float = 10.0
    """For other commands."""


class EngineSettings(NamedTuple):
    """The settings of one engine."""

    name: str
    protocol: str
    command: tuple[str, ...]
    folder: str | None = None
    environment: tuple[tuple[str, str], ...] = ()
    first: tuple[str, ...] = ()
    go: str = DEFAULT_GO
    restart: bool = True
    limits: Limits = Limits()

    def program(self) -> str:
        """Return the path of the program; raises `EngineError` if it cannot be found or run."""
        if self.folder is not None and not os.path.isdir(self.folder):
            raise EngineError(
                f"{self.name} should run in {shown(self.folder)}, which is not a folder"
            )
        word = self.command[0]
        places = dict(self.environment).get("PATH", os.environ.get("PATH", os.defpath))
        # Like the system: a name with a slash is relative to the engine's folder.
        near = os.path.join(self.folder or os.curdir, word) if os.path.dirname(word) else word
        found = shutil.which(near, path=places)
        if found is None:
            raise EngineError(
                f"cannot find the program {shown(word)}: give its path, or put it on the PATH"
            )
        return os.path.abspath(found) if os.path.dirname(word) else found


def engine_of_command(protocol: str, command: str | None) -> EngineSettings | None:
    """Return the engine of a command line, which is split like a shell does; `None` if empty.

    No shell is run. Raises `EngineError` if the command cannot be split.
    """
    if not (command and command.strip()):
        return None
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise EngineError(f"{protocol}:{command[:60]} is not a command: {error}") from None
    return EngineSettings(os.path.basename(words[0]), protocol, tuple(words))


def engines_file() -> Path:
    """Return the path of the user's engine file."""
    given = os.environ.get(VARIABLE)
    if given:
        return Path(given)
    from platformdirs import user_config_path  # imported here because few programs need it

    return user_config_path("parlour", appauthor=False) / FILE


def engine_named(name: str) -> EngineSettings:
    """Return the engine of this name in the user's file; raises `EngineError` if unknown."""
    path = engines_file()
    known = all_engines(path)
    if name not in known:
        listed = f"it has {', '.join(known)}" if known else "it has none"
        raise EngineError(
            f"unknown engine {shown(name)} in {path}{did_you_mean(name, known)}; {listed}"
        )
    return known[name]


def engine_names() -> list[str]:
    """Return the names in the user's file; empty if it is missing or wrong."""
    try:
        return list(all_engines(engines_file()))
    except EngineError:
        return []


def all_engines(path: Path) -> dict[str, EngineSettings]:
    """Return the engines of a file; raises `EngineError` if it is wrong."""
    try:
        tables = tomllib.loads(read_text(path, LARGEST_SETTINGS))
    except FileNotFoundError:
        raise EngineError(
            f"cannot find {path}, where engines have their names; {VARIABLE} can name another file"
        ) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise EngineError(f"cannot read {path}: {error}") from None
    return {name: _engine(path, name, table) for name, table in tables.items()}


_KEYS = ("protocol", "command", "folder", "environment", "first", "go", "restart", "limits")


def _engine(path: Path, name: str, table: object) -> EngineSettings:
    where = f"{path}: [{name}]"
    if not isinstance(table, dict):
        raise EngineError(f"{where} must be a table with protocol and command, not {shown(table)}")
    for key in table:
        if key not in _KEYS:
            near = did_you_mean(key, _KEYS)
            raise EngineError(f"{where} has no {shown(key)}{near}; it takes {', '.join(_KEYS)}")
    command = _lines(where, "command", table.get("command"))
    if not command:
        raise EngineError(f"{where}: command must be a list of words, as in ['engine', '--quiet']")
    protocol = table.get("protocol")
    if not isinstance(protocol, str):
        raise EngineError(f"{where}: protocol must be a text, as in protocol = 'gtp'")
    restart = table.get("restart", True)
    if not isinstance(restart, bool):
        raise EngineError(f"{where}: restart must be true or false, not {shown(restart)}")
    try:
        check_protocol(protocol)
    except AgentError as error:
        raise EngineError(f"{where}: {error}") from None
    return EngineSettings(
        name,
        protocol,
        command,
        _folder(where, path, table.get("folder")),
        _environment(where, table.get("environment", {})),
        _lines(where, "first", table.get("first", [])),
        _line(where, "go", table.get("go", DEFAULT_GO)),
        restart,
        _limits(where, table.get("limits", {})),
    )


def _line(where: str, key: str, value: object) -> str:
    if not isinstance(value, str) or "\0" in value or len(value.splitlines()) > 1:
        raise EngineError(f"{where}: {key} must be one line of text, not {shown(value)}")
    return value


def _lines(where: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise EngineError(f"{where}: {key} must be a list of texts, not {shown(value)}")
    return tuple(_line(where, key, each) for each in value)


def _folder(where: str, path: Path, value: object) -> str | None:
    """Return the folder, relative to the file."""
    return None if value is None else str(path.parent / _line(where, "folder", value))


def _environment(where: str, value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        raise EngineError(f"{where}: environment must be a table of texts, not {shown(value)}")
    for key in value:
        if not key or "=" in key or "\0" in key:
            raise EngineError(f"{where}: {shown(key)} is not a valid name in environment")
    return tuple((key, _line(where, f"environment.{key}", each)) for key, each in value.items())


def _limits(where: str, value: Any) -> Limits:
    if not isinstance(value, dict) or not set(value) <= set(Limits._fields):
        raise EngineError(f"{where}: limits takes {', '.join(Limits._fields)}, not {shown(value)}")
    for key, each in value.items():
        is_number = isinstance(each, int | float) and not isinstance(each, bool)
        if not is_number or not 0 < each <= LONGEST_LIMIT:
            raise EngineError(
                f"{where}: limits.{key} must be a number of seconds, not {shown(each)}"
            )
    return Limits(**{key: float(each) for key, each in value.items()})
