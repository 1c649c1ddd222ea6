"""Agents in a process of their own: a screen stays alive while they think, and somebody else's
code gets nothing but what it is handed.

Compiled searches hold the interpreter's lock: a thread would not do. The process gets
questions through a pipe that only the two of them have, answers in plain data, and ends when
its owner does. It starts with the safe path, so that no file in the current folder stands in
for a module of the standard library.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from parlour.agents import wire
from parlour.agents.base import Agent, Analysis, Limit
from parlour.agents.guard import AgentFault
from parlour.agents.registry import agent_name
from parlour.core.errors import AgentError, OptionError, ParlourError
from parlour.core.game import Game, State

CLOSE_SECONDS = 5.0

SAFE_PATH = "PYTHONSAFEPATH"

HIDDEN = "PARLOUR_"
"""Variables that begin so are not handed on: they say where games are kept."""

HANDED_ON = ("PARLOUR_ENGINES", "PARLOUR_ENGINE_LOGS")
"""But for those of engines, which an agent of ours may have to start."""


class Interrupted(ParlourError):
    """The thinking was stopped."""

    code: ClassVar[str] = "interrupted"


class ProcessEnded(AgentFault):
    """The process where an agent lived has ended, or had to be ended."""


class AgentProcess:
    """A process in which agents live, until `stop` from another thread ends it for good."""

    def __init__(self, memory: int = 0) -> None:
        """The process is started by the first question; it may take `memory` MiB, 0: any."""
        self.seconds: float | None = None
        """How long it may take over a question before it is ended; `None`: for ever."""
        self._memory = memory
        self._child: Child | None = None
        self._starts = 0
        self._is_stopped = False
        self._agents = 0
        self._starting = threading.Lock()
        self._asking = threading.Lock()

    def agent(self, text: str, alone: bool = False) -> "RemoteAgent":
        """An agent of its own in the process: two with the same text share nothing.

        It is made at the first question, which raises `AgentError` if there is no such agent.
        The process of an agent that is alone in it is stopped when the agent is closed.
        """
        self._agents += 1
        return RemoteAgent(self, self._agents, text, alone)

    def seeded(self, text: str, seed: int) -> str:
        """What `parlour.agents.seeded` gives, found out in the process.

        `ProcessEnded` if that names another agent.
        """
        question = wire.Question(0, text, wire.SEEDED, (seed,))
        found = str(self.ask(None, question, wire.text)[1])
        if agent_name(found) != agent_name(text):
            raise ProcessEnded("crashed: it wants to be somebody else")
        return found

    def stop(self) -> None:
        """End the process and the question that it works on; later questions are `Interrupted`."""
        with self._starting:
            self._is_stopped = True
        child = self._child
        if child is None:
            return
        child.kill()
        with self._asking:  # the question that was interrupted, if any, lets go of it now
            child.close()

    @property
    def is_asked(self) -> bool:
        """Whether somebody waits for an answer."""
        return self._asking.locked()

    def ask(
        self, home: int | None, question: wire.Question, read: Callable[[object], Any]
    ) -> tuple[int, Any]:
        """The number of the process that answered, and its answer as `read` takes it.

        `home` is the number of the process where the agent lives, `None` if it lives in none
        yet. Raises `Interrupted` after a stop, `ProcessEnded` if that process has ended or
        answers with anything but an answer, and what the agent raised.
        """
        try:
            data = wire.question_to_bytes(question)
        except wire.BadFrame as error:
            raise AgentError(str(error)) from error
        with self._asking:
            child, home = self._started(home)
            try:
                answer = wire.answer_from_bytes(child.ask(data, self.seconds), read)
            except BaseException as error:
                # Whatever it was, question and answer may not belong together any more.
                child.kill()
                child.close()
                if self._is_stopped:
                    raise Interrupted("the thinking was stopped") from None
                if isinstance(error, wire.BadFrame):
                    raise ProcessEnded(f"crashed: {error}") from error
                if isinstance(error, TimeoutError):
                    raise ProcessEnded(f"crashed: no answer in {self.seconds} seconds") from None
                if isinstance(error, OSError | EOFError):
                    raise child.ended() from None
                raise
        if isinstance(answer, wire.Failure):
            raise ERRORS.get(answer.code, AgentError)(answer.message)
        return home, answer

    def _started(self, home: int | None) -> "tuple[Child, int]":
        """The process to ask and its number: that of the agent, or one that runs."""
        with self._starting:
            if self._is_stopped:
                raise Interrupted("the thinking was stopped")
            child = self._child
            if child is not None and home in (None, self._starts) and child.is_alive():
                return child, self._starts
            if home is not None:
                assert child is not None
                raise child.ended()
            if child is not None:
                child.close()
            try:
                self._child = child = Child(self._memory)
            except OSError as error:
                raise AgentError(f"a process cannot be started: {error.strerror}") from error
            self._starts += 1
            return child, self._starts


ERRORS: dict[str, type[ParlourError]] = {
    AgentFault.code: AgentFault,
    OptionError.code: OptionError,
}


class RemoteAgent(Agent):
    """An agent in another process; whatever it is asked or told crosses the pipe.

    If its process ends, the next question raises `ProcessEnded`, once; after that it is made
    anew, in a new process, and knows nothing of the game so far.
    """

    def __init__(self, process: AgentProcess, number: int, text: str, alone: bool = False) -> None:
        """Made by `AgentProcess.agent`."""
        super().__init__()
        self.made_from = text
        self._owner = process
        self._number = number
        self._alone = alone
        self._home: int | None = None

    def _ask(self, verb: str, read: Callable[[object], Any], *arguments: object) -> Any:
        question = wire.Question(self._number, self.made_from, verb, arguments)
        try:
            self._home, value = self._owner.ask(self._home, question, read)
        except ProcessEnded:
            self._home = None
            raise
        return value

    def begin(self, start: State, seat: int) -> None:
        """Tell it."""
        # Not where logs are kept: somebody else's agent need not know where the games are.
        told = (self.occasion.seed, self.occasion.label)
        self._ask(wire.BEGIN, wire.nothing, start, seat, told)

    def watch(self, action: int | None, after: State) -> None:
        """Tell it."""
        self._ask(wire.WATCH, wire.nothing, action, after)

    def close(self) -> None:
        """Tell it, if it is there, and let the process forget it; it has a while for that."""
        try:
            if self._home is not None:
                self._owner.seconds, before = CLOSE_SECONDS, self._owner.seconds
                with contextlib.suppress(ProcessEnded, Interrupted):
                    self._ask(wire.CLOSE, wire.nothing)
                self._owner.seconds = before
        finally:
            self._home = None
            if self._alone:
                self._owner.stop()

    def choose(self, state: State, limit: Limit | None = None) -> int:
        """What it plays; `Interrupted` if it was stopped."""
        chosen, self.opinion = self._ask(wire.CHOOSE, wire.choice_from_data, state, limit)
        return int(chosen)

    def analyse(self, state: State) -> Analysis:
        """What it thinks; `Interrupted` if it was stopped."""
        found = self._ask(wire.ANALYSE, wire.analysis_from_data, state)
        assert isinstance(found, Analysis)
        return found

    def check_game(self, game: Game) -> None:
        """`AgentError` if it cannot play that game."""
        self._ask(wire.CHECK, wire.nothing, game)


class Child:
    """One process of the operating system, and the two ends of its pipes that are ours."""

    def __init__(self, memory: int = 0) -> None:
        """Start it; `OSError` if that cannot be done."""
        command = [sys.executable, "-P", "-m", "parlour.agents.service"]
        environment = child_environment()
        self._questions, self._answers = -1, -1
        if os.name == "nt":  # where a child gets no other descriptors
            self.process = subprocess.Popen(
                [*command, str(memory)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
            )
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self._questions = os.dup(self.process.stdin.fileno())
            self._answers = os.dup(self.process.stdout.fileno())
            self.process.stdin.close()
            self.process.stdout.close()
            return
        theirs_in, self._questions = os.pipe()
        self._answers, theirs_out = os.pipe()
        try:
            os.set_blocking(self._questions, False)
            self.process = subprocess.Popen(
                [*command, str(theirs_in), str(theirs_out), str(memory)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs_in, theirs_out),
                env=environment,
                start_new_session=True,  # Ctrl-C is for the player, not for the agent
            )
        except BaseException:
            self.close()
            raise
        finally:
            os.close(theirs_in)
            os.close(theirs_out)

    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    def ask(self, question: bytes, seconds: float | None) -> bytes:
        """Its answer; `EOFError`, `OSError`, `TimeoutError` or `BadFrame` if there is none."""
        self.put(question)
        return self.take(seconds)

    def put(self, question: bytes) -> None:
        """Ask, and leave the answer for later; `EOFError` or `OSError` if nobody listens."""
        wire.write_frame(self._questions, question, self.is_alive)

    def take(self, seconds: float | None) -> bytes:
        """The next answer, in the order of the questions; raises like `ask`."""
        return wire.read_frame(self._answers, wire.LARGEST_ANSWER, self.is_alive, seconds)

    def kill(self) -> None:
        """End it, and what it has started."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):  # nobody of its group is left
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """Let go of the pipes."""
        for pipe in (self._questions, self._answers):
            if pipe >= 0:
                with contextlib.suppress(OSError):
                    os.close(pipe)
        self._questions, self._answers = -1, -1

    def __del__(self) -> None:
        """An abandoned process is ended."""
        if hasattr(self, "process") and self.process.returncode is None:
            self.kill()
        self.close()

    def ended(self) -> ProcessEnded:
        """What to say of it once it is gone."""
        return ProcessEnded(f"crashed: its process ended with status {self.process.returncode}")


def child_environment() -> dict[str, str]:
    """The variables for a process of ours: the same modules, and the safe path.

    The current folder is not among its places, unless the library itself stands there: then
    it is the last of them.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(HIDDEN) or name in HANDED_ON
    }
    return {**kept, "PYTHONPATH": os.pathsep.join(module_folders()), SAFE_PATH: "1"}


@contextlib.contextmanager
def safe_path() -> Iterator[None]:
    """Let interpreters that are started meanwhile not look into the current folder first."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before


def module_folders() -> list[str]:
    """Where this process finds its modules, without the current folder."""
    folders = [folder for folder in sys.path if os.path.isabs(folder) and not _is_here(folder)]
    home = str(Path(__file__).resolve().parents[2])
    return folders if home in map(os.path.realpath, folders) else [*folders, home]


def _is_here(folder: str) -> bool:
    try:
        return os.path.samefile(folder, os.curdir)
    except OSError:
        return False
