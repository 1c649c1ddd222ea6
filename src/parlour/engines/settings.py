"""How an engine is started and how long it may take: from a command, or from `engines.toml`.

    [pentobi]
    protocol = "gtp"
    command = ["pentobi-gtp", "--level", "5", "--quiet"]
    folder = "/srv/engines"                # where it runs; the current folder if missing
    environment = { OMP_NUM_THREADS = "1" }
    first = ["param use_book 0"]           # commands before the first game
    go = "movetime 1000"                   # uci and ugi: what follows `go` where no clock runs
    restart = true                         # false: keep its process from game to game
    limits = { start = 20, move = 300, ping = 5 }   # seconds

The file is the user's own: the one that the variable PARLOUR_ENGINES names, or `engines.toml`
in the platform's folder for a user's settings. None is ever looked for where the program was
started, nor beside a record or a match: a file that somebody else wrote starts nothing.
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
    """An engine's settings are wrong, or its program is not there; nothing was started."""

    code: ClassVar[str] = "bad_engine"


class Limits(NamedTuple):
    """How many seconds an engine may take before it has lost."""

    start: float = 20.0
    """Until it has answered the first command."""
    move: float = 300.0
    """For a move; where a clock runs, at most what is left on it."""
    ping: float = 10.0
    """For anything else."""


class EngineSettings(NamedTuple):
    """One engine."""

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
        """Where the program is; `EngineError` if it cannot be found or run."""
        if self.folder is not None and not os.path.isdir(self.folder):
            raise EngineError(f"{self.name} is to run in {shown(self.folder)}, which is no folder")
        word = self.command[0]
        places = dict(self.environment).get("PATH", os.environ.get("PATH", os.defpath))
        # As the system looks for it: a name with a slash is seen from the folder where it runs.
        near = os.path.join(self.folder or os.curdir, word) if os.path.dirname(word) else word
        found = shutil.which(near, path=places)
        if found is None:
            raise EngineError(
                f"there is no program {shown(word)} to run: give its path, or put it on the PATH"
            )
        return os.path.abspath(found) if os.path.dirname(word) else found


def engine_of_command(protocol: str, command: str | None) -> EngineSettings | None:
    """The engine of a command line, whose words are split as a shell does; `None` if it has none.

    No shell ever runs it. `EngineError` if it cannot be split.
    """
    if not (command and command.strip()):
        return None
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise EngineError(f"{protocol}:{command[:60]} is not a command: {error}") from None
    return EngineSettings(os.path.basename(words[0]), protocol, tuple(words))


def engines_file() -> Path:
    """Where the user's engines stand."""
    given = os.environ.get(VARIABLE)
    if given:
        return Path(given)
    from platformdirs import user_config_path  # here: few programs need it

    return user_config_path("parlour", appauthor=False) / FILE


def engine_named(name: str) -> EngineSettings:
    """The engine of that name in the user's file; `EngineError` if it has none such."""
    path = engines_file()
    known = all_engines(path)
    if name not in known:
        listed = f"it has {', '.join(known)}" if known else "it has none"
        raise EngineError(
            f"there is no engine {shown(name)} in {path}{did_you_mean(name, known)}; {listed}"
        )
    return known[name]


def engine_names() -> list[str]:
    """The names in the user's file; none if it is missing or wrong."""
    try:
        return list(all_engines(engines_file()))
    except EngineError:
        return []


def all_engines(path: Path) -> dict[str, EngineSettings]:
    """The engines of a file; `EngineError` says what is wrong with it."""
    try:
        tables = tomllib.loads(read_text(path, LARGEST_SETTINGS))
    except FileNotFoundError:
        raise EngineError(
            f"engines with a name stand in {path}, which is not there; {VARIABLE} names another"
        ) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise EngineError(f"{path} cannot be read: {error}") from None
    return {name: _engine(path, name, table) for name, table in tables.items()}


_KEYS = ("protocol", "command", "folder", "environment", "first", "go", "restart", "limits")


def _engine(path: Path, name: str, table: object) -> EngineSettings:
    where = f"{path}: [{name}]"
    if not isinstance(table, dict):
        raise EngineError(f"{where} is a table with protocol and command, not {shown(table)}")
    for key in table:
        if key not in _KEYS:
            near = did_you_mean(key, _KEYS)
            raise EngineError(f"{where} has no {shown(key)}{near}; it takes {', '.join(_KEYS)}")
    command = _lines(where, "command", table.get("command"))
    if not command:
        raise EngineError(f"{where}: command is a list of words, as in ['engine', '--quiet']")
    protocol = table.get("protocol")
    if not isinstance(protocol, str):
        raise EngineError(f"{where}: protocol is a text, as in protocol = 'gtp'")
    restart = table.get("restart", True)
    if not isinstance(restart, bool):
        raise EngineError(f"{where}: restart is true or false, not {shown(restart)}")
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
        raise EngineError(f"{where}: {key} holds one line of text, not {shown(value)}")
    return value


def _lines(where: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise EngineError(f"{where}: {key} is a list of texts, not {shown(value)}")
    return tuple(_line(where, key, each) for each in value)


def _folder(where: str, path: Path, value: object) -> str | None:
    """Seen from where the file stands."""
    return None if value is None else str(path.parent / _line(where, "folder", value))


def _environment(where: str, value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        raise EngineError(f"{where}: environment is a table of texts, not {shown(value)}")
    for key in value:
        if not key or "=" in key or "\0" in key:
            raise EngineError(f"{where}: environment has a variable {shown(key)}: no such name")
    return tuple((key, _line(where, f"environment.{key}", each)) for key, each in value.items())


def _limits(where: str, value: Any) -> Limits:
    if not isinstance(value, dict) or not set(value) <= set(Limits._fields):
        raise EngineError(f"{where}: limits has {', '.join(Limits._fields)}, not {shown(value)}")
    for key, each in value.items():
        is_number = isinstance(each, int | float) and not isinstance(each, bool)
        if not is_number or not 0 < each <= LONGEST_LIMIT:
            raise EngineError(f"{where}: limits.{key} is a number of seconds, not {shown(each)}")
    return Limits(**{key: float(each) for key, each in value.items()})
