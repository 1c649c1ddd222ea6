"""Engines as agents: `gtp:COMMAND`, `cdc:COMMAND`, `uci:COMMAND`, `ugi:COMMAND`, `engine:NAME`.

The text of such an agent contains or names a command. It is accepted only from the user, never
from a file (`TAKES_REST`).
"""

import contextlib
from collections.abc import Iterator
from typing import ClassVar

from parlour.agents.base import Agent, Analysis, Choice, Limit, check_decision
from parlour.agents.guard import AgentFault
from parlour.core.errors import AgentError, ParlourError
from parlour.core.game import Game, State
from parlour.core.options import Option, text
from parlour.engines.drivers import DRIVERS
from parlour.engines.drivers.driver import Driver
from parlour.engines.log import EngineLog
from parlour.engines.process import EngineProcess
from parlour.engines.protocols import CDC, GTP, UCI, UGI, dialect_of
from parlour.engines.settings import (
    EngineError,
    EngineSettings,
    engine_named,
    engine_of_command,
)

_idle: dict[EngineSettings, list[Driver]] = {}


class EngineAgent(Agent):
    """An engine in its own process, started with the first game and stopped on close.

    With `restart = false` in its settings a healthy engine is kept for the next game, and stopped
    with this process.
    """

    TAKES_REST: ClassVar[bool] = True

    def __init__(self, settings: EngineSettings | None) -> None:
        """Set the settings; nothing is started yet. Without settings every question raises."""
        super().__init__()
        self._settings = settings
        self._driver: Driver | None = None
        self._states: list[State] = []
        self._actions: list[int] = []

    @property
    def settings(self) -> EngineSettings:
        """The engine's settings; raises `EngineError` if there are none."""
        if self._settings is None:
            option = type(self).SETTINGS[0]
            raise EngineError(f"name an engine after the colon: {option.help}")
        return self._settings

    def check_game(self, game: Game) -> None:
        """Raise `AgentError` if the protocol does not support the game or the program is absent."""
        dialect_of(game, self.settings.protocol)
        self.settings.program()

    def begin(self, start: State, seat: int) -> None:
        """Start the engine if necessary, and start a game."""
        with self._blamed():
            driver = self._running(start.game)
            self._states, self._actions = [start], []
            driver.process.log.note("#", f"{start.game!r}, seat {seat + 1}")
            driver.begin(start, self.occasion.seed)

    def watch(self, action: int | None, after: State) -> None:
        """Send the action to the engine."""
        if action is None:
            raise AgentError("engines need to see every action; this game has secrets")
        if self._driver is None:
            return
        self._states.append(after)
        self._actions.append(action)
        with self._blamed():
            self._driver.observe(self._states, self._actions)

    def best(self, state: State, limit: Limit | None = None) -> int:
        """Return the engine's move; raises `AgentError` if it cannot be sent the position."""
        check_decision(state)
        with self._blamed():
            driver = self._running(state.game)
            if not self._states or self._states[-1] != state:
                if not driver.accepts_positions():
                    raise AgentError(
                        f"{self.settings.name} can only play whole games: {self.settings.protocol} "
                        "cannot set up a position"
                    )
                self._states, self._actions = [state], []
            return driver.choose(self._states, self._actions, limit)

    def analyse(self, state: State) -> Analysis:
        """Return the engine's move as the only choice."""
        began = self.now()
        action = self.best(state)
        words = state.game.action_to_text(state, action)
        choice = Choice(action, words, 0.0, 0, 0, (words,))
        return Analysis((choice,), 0, self.now() - began)

    def close(self) -> None:
        """Stop the engine, or keep it for the next game."""
        driver, self._driver = self._driver, None
        self._states, self._actions = [], []
        if driver is None:
            return
        if not self.settings.restart and driver.process.is_alive():
            driver.process.log.close()
            _idle.setdefault(self.settings, []).append(driver)
            return
        with contextlib.suppress(ParlourError):
            driver.quit()
        driver.process.close()

    def _running(self, game: Game) -> Driver:
        if self._driver is not None and self._driver.dialect.game == game:
            return self._driver
        self.close()
        dialect = dialect_of(game, self.settings.protocol)
        log = EngineLog(self.settings.name, self.occasion.label, self.occasion.logs)
        for kept in _idle.pop(self.settings, []):
            if self._driver is None and kept.process.is_alive():
                kept.process.log, kept.dialect = log, dialect
                self._driver = kept
            else:
                _idle.setdefault(self.settings, []).append(kept)
        if self._driver is None:
            process = EngineProcess(self.settings, log)
            self._driver = DRIVERS[self.settings.protocol](process, dialect)
            self._driver.handshake()
        return self._driver

    @contextlib.contextmanager
    def _blamed(self) -> Iterator[None]:
        """Close a failing engine, because its later output would be out of step.

        It is killed at once, unless it only refused a request.
        """
        try:
            yield
        except BaseException as error:
            driver, self._driver = self._driver, None
            self._states, self._actions = [], []
            if driver is not None:
                is_mild = isinstance(error, ParlourError) and not isinstance(error, AgentFault)
                driver.process.log.note("#", str(error))
                driver.process.close(at_once=not is_mild)
            raise


class CommandEngine(EngineAgent):
    """An agent that runs a command and speaks the PROTOCOL of its class."""

    PROTOCOL: ClassVar[str]

    def __init_subclass__(cls) -> None:
        """Describe the setting `command` in words of the protocol."""
        name = cls.PROTOCOL
        about = f"the command that starts the engine, as in {name}:/path/to/engine --option"
        cls.SETTINGS = (text("command", None, about),)

    def __init__(self, command: str | None = None) -> None:
        """Set the command; raises `EngineError` if it cannot be parsed."""
        super().__init__(engine_of_command(self.PROTOCOL, command))


class GtpAgent(CommandEngine):
    """The agent `gtp:COMMAND`."""

    PROTOCOL = GTP


class CdcAgent(CommandEngine):
    """The agent `cdc:COMMAND`."""

    PROTOCOL = CDC


class UciAgent(CommandEngine):
    """The agent `uci:COMMAND`."""

    PROTOCOL = UCI


class UgiAgent(CommandEngine):
    """The agent `ugi:COMMAND`."""

    PROTOCOL = UGI


class NamedEngine(EngineAgent):
    """The agent `engine:NAME`, from the user's `engines.toml`."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (
        text("name", None, "a name in engines.toml, as in engine:pentobi"),
    )

    def __init__(self, name: str | None = None) -> None:
        """Look up the engine; raises `EngineError` if it is unknown."""
        super().__init__(None if name is None else engine_named(name.strip()))
