"""Driver of UCI and UGI engines: send a position, then `go`."""

from collections.abc import Sequence
from typing import ClassVar

from parlour.agents.base import Limit
from parlour.agents.guard import AgentFault
from parlour.core.game import State
from parlour.core.options import Option
from parlour.engines.drivers.driver import Driver, quoted
from parlour.interchange import PositionDialect

NOTHING = ("(none)", "0000", "none")


class UciDriver(Driver):
    """Sends the position with every question, so the engine need not remember the game."""

    dialect: PositionDialect
    word: ClassVar[str] = "uci"
    clocks: ClassVar[tuple[str, str]] = ("w", "b")

    def handshake(self) -> None:
        """Wait for the engine's acknowledgement, and collect its options."""
        self.options: set[str] = set()
        self.process.send(self.word, self.limits.start)
        until = self.until(self.limits.start)
        while (line := self.process.receive(until, self.word).strip()) != f"{self.word}ok":
            words = line.split()
            if words[:2] == ["option", "name"]:
                stop = words.index("type") if "type" in words else len(words)
                self.options.add(" ".join(words[2:stop]).lower())
        for first in self.settings.first:
            self.process.send(first, self.limits.ping)
        self.ping()

    def ping(self) -> None:
        """Wait until the engine has processed all commands."""
        self.process.send("isready", self.limits.ping)
        self._wait("readyok", self.limits.ping)

    def _wait(self, word: str, seconds: float) -> list[str]:
        """Return the words after `word` in the first line that begins with it."""
        until = self.until(seconds)
        while True:
            first, *rest = self.process.receive(until, word).split() or [""]
            if first == word:
                return rest

    def begin(self, start: State, seed: int | None) -> None:
        """Start a new game."""
        self.process.send(f"{self.word}newgame", self.limits.ping)
        self.ping()

    def choose(self, states: Sequence[State], actions: Sequence[int], limit: Limit | None) -> int:
        """Send `position` and `go`; return the move."""
        place = self.dialect.position_to_text(states, actions)
        self.process.send(f"position {place}", self.limits.ping)
        seat = int(states[-1].actor)
        self.process.send(f"go {self._budget(seat, limit)}".strip(), self.limits.ping)
        words = self._wait("bestmove", self.seconds_for(limit))
        if not words or words[0].lower() in NOTHING:
            raise AgentFault("no action: the engine returned no move")
        if words[0].lower() == "resign":
            raise AgentFault("resigned: the engine gave up")
        return self.action_of(states[-1], words[0])

    def _budget(self, seat: int, limit: Limit | None) -> str:
        if limit is None:
            return self.settings.go
        left = [*limit.others[:seat], limit.left, *limit.others[seat:]]
        texts = []
        for name, seconds in zip(self.clocks, left, strict=False):
            texts.append(f"{name}time {max(1, round(seconds * 1000))}")
        for name in self.clocks:
            texts.append(f"{name}inc {round(limit.increment * 1000)}")
        return " ".join(texts)

    def accepts_positions(self) -> bool:
        """Whether the dialect can encode any position."""
        return type(self.dialect).position_to_text is not PositionDialect.position_to_text


class UgiDriver(UciDriver):
    """Drives an engine for any game of two: the start is set by its seed, the rules by options."""

    word: ClassVar[str] = "ugi"
    clocks: ClassVar[tuple[str, str]] = ("p1", "p2")

    def begin(self, start: State, seed: int | None) -> None:
        """Send the game's options and the seed, then check that the engine has the same start."""
        game = self.dialect.game
        known = 0 if seed is None else seed
        if start != game.start(known):
            raise AgentFault("crashed: ugi sets a start by its seed, which is unknown here")
        options: tuple[Option, ...] = type(game).OPTIONS
        for option in options:
            if option.name.lower() in self.options:
                self._set(option.name, option.to_text(game.options[option.name]))
        if "seed" in self.options:
            self._set("Seed", str(known))
        elif start != game.start(known + 1):
            raise AgentFault("crashed: the engine has no option Seed, and the start depends on it")
        super().begin(start, seed)
        self.process.send(
            f"position {self.dialect.position_to_text([start], [])}", self.limits.ping
        )
        self._check("p1turn", "true" if start.actor == 0 else "false")
        self._check("gameover", "false")

    def _set(self, name: str, value: str) -> None:
        self.process.send(f"setoption name {name} value {value}", self.limits.ping)

    def _check(self, question: str, right: str) -> None:
        self.process.send(f"query {question}", self.limits.ping)
        answer = self._wait("response", self.limits.ping)
        if answer[:1] != [right]:
            said = quoted(" ".join(answer))
            raise AgentFault(
                f"crashed: the engine answers {question} {said} at the start, not {right}"
            )

    def accepts_positions(self) -> bool:
        """Return false: UGI only sends moves from the start."""
        return False
