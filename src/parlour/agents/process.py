"""Agents in a separate process.

The user interface stays responsive while they think, and third-party code gets only the data
that is sent to it. A thread would not do, because compiled searches hold the interpreter lock.
The process reads questions from a private pipe, answers in plain data, and ends with its owner.
It starts with the safe path, so no file in the current folder can shadow a module of the
standard library.
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
"""Variables with this prefix are removed: they say where games are stored."""

HANDED_ON = ("PARLOUR_ENGINES", "PARLOUR_ENGINE_LOGS")
"""Exceptions: variables of engines, which a built-in agent may have to start."""


class Interrupted(ParlourError):
    """The agent was stopped while it was thinking."""

    code: ClassVar[str] = "interrupted"


class ProcessEnded(AgentFault):
    """The process of an agent ended or had to be killed."""


class AgentProcess:
    """A process that runs agents until `stop` is called from another thread."""

    def __init__(self, memory: int = 0, nice: int = 0) -> None:
        """Set the memory limit in MiB (0: none) and the niceness, where the system has one.

        The first question starts the process.
        """
        self.seconds: float | None = None
        """Seconds allowed per question before the process is killed; `None` means no limit."""
        self._memory = memory
        self._nice = nice
        self._child: Child | None = None
        self._starts = 0
        self._is_stopped = False
        self._agents = 0
        self._starting = threading.Lock()
        self._asking = threading.Lock()

    def agent(self, text: str, alone: bool = False) -> "RemoteAgent":
        """Return a new agent in the process; agents with equal texts share nothing.

        The first question creates it and raises `AgentError` if it is unknown. If the agent is
        `alone`, closing it stops the process.
        """
        self._agents += 1
        return RemoteAgent(self, self._agents, text, alone)

    def seeded(self, text: str, seed: int) -> str:
        """Return the result of `parlour.agents.seeded`, computed in the process.

        Raises `ProcessEnded` if the result names a different agent.
        """
        question = wire.Question(0, text, wire.SEEDED, (seed,))
        found = str(self.ask(None, question, wire.text)[1])
        if agent_name(found) != agent_name(text):
            raise ProcessEnded("crashed: the process returned a different agent name")
        return found

    def stop(self) -> None:
        """Kill the process and its current question; later questions raise `Interrupted`."""
        with self._starting:
            self._is_stopped = True
        child = self._child
        if child is None:
            return
        child.kill()
        with self._asking:  # wait until an interrupted question has released it
            child.close()

    @property
    def is_asked(self) -> bool:
        """Whether a question is waiting for an answer."""
        return self._asking.locked()

    def ask(
        self, home: int | None, question: wire.Question, read: Callable[[object], Any]
    ) -> tuple[int, Any]:
        """Send a question; return the number of the process and its answer, decoded by `read`.

        `home` is the number of the process that holds the agent, or `None` before the first
        question. Raises `Interrupted` after a stop, `ProcessEnded` if that process ended or sent an
        invalid answer, and the agent's own errors.
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
                # After any error, questions and answers may be out of step.
                child.kill()
                child.close()
                if self._is_stopped:
                    raise Interrupted("the agent was stopped") from None
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
        """Return a running process and its number: the agent's, or any if it has none yet."""
        with self._starting:
            if self._is_stopped:
                raise Interrupted("the agent was stopped")
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
                if self._nice and hasattr(os, "setpriority"):
                    os.setpriority(os.PRIO_PROCESS, child.process.pid, self._nice)
            except OSError as error:
                raise AgentError(f"cannot start a process: {error.strerror}") from error
            self._starts += 1
            return child, self._starts


ERRORS: dict[str, type[ParlourError]] = {
    AgentFault.code: AgentFault,
    OptionError.code: OptionError,
}


class RemoteAgent(Agent):
    """Proxy of an agent in another process.

    If the process ends, the next question raises `ProcessEnded`, once. The question after that
    creates the agent again in a new process, without the history of the game.
    """

    def __init__(self, process: AgentProcess, number: int, text: str, alone: bool = False) -> None:
        """Create the proxy; call `AgentProcess.agent` instead."""
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
        """Forward to the process."""
        # Omit the log folder: third-party agents need not learn where games are stored.
        occasion = (self.occasion.seed, self.occasion.label)
        self._ask(wire.BEGIN, wire.nothing, start, seat, occasion)

    def watch(self, action: int | None, after: State) -> None:
        """Forward to the process."""
        self._ask(wire.WATCH, wire.nothing, action, after)

    def close(self) -> None:
        """Close the agent if it was created, within CLOSE_SECONDS."""
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
        """Return the agent's choice; raises `Interrupted` if it was stopped."""
        chosen, self.opinion = self._ask(wire.CHOOSE, wire.choice_from_data, state, limit)
        return int(chosen)

    def analyse(self, state: State) -> Analysis:
        """Return the agent's analysis; raises `Interrupted` if it was stopped."""
        found = self._ask(wire.ANALYSE, wire.analysis_from_data, state)
        assert isinstance(found, Analysis)
        return found

    def check_game(self, game: Game) -> None:
        """Raise `AgentError` if the agent cannot play this game."""
        self._ask(wire.CHECK, wire.nothing, game)


class Child:
    """One child process and our ends of its pipes."""

    def __init__(self, memory: int = 0) -> None:
        """Start the process; raises `OSError` if that fails."""
        command = [sys.executable, "-P", "-m", "parlour.agents.service"]
        environment = child_environment()
        self._questions, self._answers = -1, -1
        if os.name == "nt":  # children inherit no other descriptors there
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
                start_new_session=True,  # Ctrl-C is meant for the program, not for the agent
            )
        except BaseException:
            self.close()
            raise
        finally:
            os.close(theirs_in)
            os.close(theirs_out)

    def is_alive(self) -> bool:
        """Whether the process is running."""
        return self.process.poll() is None

    def ask(self, question: bytes, seconds: float | None) -> bytes:
        """Send a question and return the answer.

        Raises `EOFError`, `OSError`, `TimeoutError` or `BadFrame` if there is none.
        """
        self.put(question)
        return self.take(seconds)

    def put(self, question: bytes) -> None:
        """Send a question without waiting.

        Raises `EOFError` or `OSError` if the process is gone.
        """
        wire.write_frame(self._questions, question, self.is_alive)

    def take(self, seconds: float | None) -> bytes:
        """Return the next answer, in the order of the questions; raises like `ask`."""
        return wire.read_frame(self._answers, wire.LARGEST_ANSWER, self.is_alive, seconds)

    def kill(self) -> None:
        """Kill the process and its children."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):  # the process group is empty
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """Close the pipes."""
        for pipe in (self._questions, self._answers):
            if pipe >= 0:
                with contextlib.suppress(OSError):
                    os.close(pipe)
        self._questions, self._answers = -1, -1

    def __del__(self) -> None:
        """Kill an abandoned process."""
        if hasattr(self, "process") and self.process.returncode is None:
            self.kill()
        self.close()

    def ended(self) -> ProcessEnded:
        """Return the error for a process that has ended."""
        return ProcessEnded(f"crashed: its process ended with status {self.process.returncode}")


def child_environment() -> dict[str, str]:
    """Return the environment of a child process: same modules, safe path.

    Modules are not searched in the current folder, unless this library itself is there; it is then
    searched last.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(HIDDEN) or name in HANDED_ON
    }
    return {**kept, "PYTHONPATH": os.pathsep.join(module_folders()), SAFE_PATH: "1"}


@contextlib.contextmanager
def safe_path() -> Iterator[None]:
    """Set the safe path for interpreters that are started inside the `with` block."""
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
    """Return the folders where this process finds modules, without the current folder."""
    folders = [folder for folder in sys.path if os.path.isabs(folder) and not _is_here(folder)]
    home = str(Path(__file__).resolve().parents[2])
    return folders if home in map(os.path.realpath, folders) else [*folders, home]


def _is_here(folder: str) -> bool:
    try:
        return os.path.samefile(folder, os.curdir)
    except OSError:
        return False
