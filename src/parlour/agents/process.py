"""Agents in a process of their own, so that the screen stays alive while they think.

Compiled searches hold the interpreter's lock: a thread would not do. The process reads
pickled questions and writes pickled answers; it ends when its input does.
"""

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO, Any, ClassVar, NamedTuple

from parlour.agents.base import Agent, Analysis, Limit
from parlour.agents.guard import AgentFault, analysis_of, choice_of, held_to_account
from parlour.agents.hints import ADVISER, solution_of
from parlour.agents.registry import agent
from parlour.core.errors import AgentError, ParlourError
from parlour.core.game import Game, State

LENGTH_BYTES = 8

BEGIN = "begin"
WATCH = "watch"
CHOOSE = "choose"
ANALYSE = "analyse"
CHECK = "check"
CLOSE = "close"


class Interrupted(ParlourError):
    """The thinking was stopped."""

    code: ClassVar[str] = "interrupted"


class Question(NamedTuple):
    """What crosses the pipe to the process, as a plain tuple."""

    number: int
    """Which agent is asked."""
    text: str
    """The agent's text, from which it is made at the first question."""
    verb: str
    arguments: tuple[object, ...]


class Answer(NamedTuple):
    """What comes back, as a plain tuple: a value, or what went wrong."""

    value: object
    error: str = ""
    is_fault: bool = False


class AgentProcess:
    """A process in which agents live, until `stop` from another thread ends it for good."""

    def __init__(self) -> None:
        """The process is started by the first question."""
        self._process: subprocess.Popen[bytes] | None = None
        self._starts = 0
        self._is_stopped = False
        self._agents = 0
        self._starting = threading.Lock()
        self._asking = threading.Lock()

    def agent(self, text: str) -> "RemoteAgent":
        """An agent of its own in the process: two with the same text share nothing.

        It is made at the first question, which raises `AgentError` if there is no such agent.
        """
        self._agents += 1
        return RemoteAgent(self, self._agents, text)

    def stop(self) -> None:
        """End the process and the question that it works on; later questions are `Interrupted`."""
        with self._starting:
            self._is_stopped = True
        process = self._process
        if process is None:
            return
        process.kill()
        process.wait()
        with self._asking:  # the question that was interrupted, if any, lets go of it now
            _close(process)

    @property
    def is_asked(self) -> bool:
        """Whether somebody waits for an answer."""
        return self._asking.locked()

    def ask(self, home: int | None, question: Question) -> tuple[int, Any]:
        """The number of the process that answered, and its answer.

        `home` is the number of the process where the agent lives, `None` if it lives in none
        yet. Raises `Interrupted` after a stop, and `AgentError` if that process has ended.
        """
        with self._asking:
            process, home = self._started(home, question.text)
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                _write(process.stdin, tuple(question))
                answer = Answer(*_read(process.stdout))
            except (OSError, EOFError, ValueError):
                process.kill()
                process.wait()
                _close(process)
                if self._is_stopped:
                    raise Interrupted("the thinking was stopped") from None
                raise _ended(process, question.text) from None
        if answer.error:
            raise (AgentFault if answer.is_fault else AgentError)(answer.error)
        return home, answer.value

    def _started(self, home: int | None, text: str) -> "tuple[subprocess.Popen[bytes], int]":
        """The process to ask and its number: that of the agent, or one that runs."""
        with self._starting:
            if self._is_stopped:
                raise Interrupted("the thinking was stopped")
            process = self._process
            if process is not None and home in (None, self._starts) and process.poll() is None:
                return process, self._starts
            if home is not None:
                assert process is not None
                raise _ended(process, text)
            if process is not None:
                _close(process)
            path = os.pathsep.join(filter(None, sys.path))
            process = subprocess.Popen(
                [sys.executable, "-m", "parlour.agents.process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path},
                start_new_session=True,  # Ctrl-C is for the player, not for the agent
            )
            self._process = process
            self._starts += 1
            return process, self._starts


class RemoteAgent(Agent):
    """An agent in another process; whatever it is asked or told crosses the pipe.

    If its process ends, the next question raises `AgentError`, once; after that it is made
    anew, in a new process, and knows nothing of the game so far.
    """

    def __init__(self, process: AgentProcess, number: int, text: str) -> None:
        """Made by `AgentProcess.agent`."""
        super().__init__()
        self.made_from = text
        self._owner = process
        self._number = number
        self._home: int | None = None

    def _ask(self, verb: str, *arguments: object) -> Any:
        question = Question(self._number, self.made_from, verb, arguments)
        try:
            self._home, value = self._owner.ask(self._home, question)
        except ProcessEnded:
            self._home = None
            raise
        return value

    def begin(self, start: State, seat: int) -> None:
        """Tell it."""
        self._ask(BEGIN, start, seat)

    def watch(self, action: int | None, after: State) -> None:
        """Tell it."""
        self._ask(WATCH, action, after)

    def close(self) -> None:
        """Tell it, if it is there, and let the process forget it."""
        if self._home is None:
            return
        try:
            with contextlib.suppress(ProcessEnded, Interrupted):
                self._ask(CLOSE)
        finally:
            self._home = None

    def choose(self, state: State, limit: Limit | None = None) -> int:
        """What it plays; `Interrupted` if it was stopped."""
        chosen, self.opinion = self._ask(CHOOSE, state, limit)
        return int(chosen)

    def analyse(self, state: State) -> Analysis:
        """What it thinks; `Interrupted` if it was stopped."""
        found = self._ask(ANALYSE, state)
        assert isinstance(found, Analysis)
        return found

    def check_game(self, game: Game) -> None:
        """`AgentError` if it cannot play that game."""
        self._ask(CHECK, game)


class ProcessEnded(AgentError):
    """The process where an agent lived has ended by itself."""


def _ended(process: "subprocess.Popen[bytes]", text: str) -> ProcessEnded:
    return ProcessEnded(
        f"the agent {text} cannot go on: its process ended with status {process.returncode}"
    )


def _close(process: "subprocess.Popen[bytes]") -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def _write(pipe: IO[bytes], message: object) -> None:
    data = pickle.dumps(message)
    pipe.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)
    pipe.flush()


def _read(pipe: IO[bytes]) -> Any:
    head = pipe.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        raise EOFError
    data = pipe.read(int.from_bytes(head, "big"))
    return pickle.loads(data)


# What happens in the process.


class Lodger:
    """An agent that lives in this process, and what it can be asked."""

    def __init__(self, text: str) -> None:
        """Made from its text."""
        self.text = text
        self.player = agent(text)
        self.verbs: dict[str, Callable[..., object]] = {
            BEGIN: self.player.begin,
            WATCH: self.player.watch,
            CHOOSE: self.choose,
            ANALYSE: self.analyse,
            CHECK: self.player.check_game,
            CLOSE: self.player.close,
        }

    def choose(self, state: State, limit: Limit | None) -> tuple[int, float | None]:
        """The action and the opinion."""
        return choice_of(self.player, state, limit), self.player.opinion

    def analyse(self, state: State) -> Analysis:
        """Its analysis, or the solution where the adviser is asked and there is one."""
        solved = solution_of(state) if self.text == ADVISER else None
        return analysis_of(self.player, state) if solved is None else solved


def serve(questions: IO[bytes], answers: IO[bytes]) -> None:
    """Answer until the questions end."""
    lodgers: dict[int, Lodger] = {}
    while True:
        try:
            question = Question(*_read(questions))
        except EOFError:
            return
        _write(answers, tuple(_answer(lodgers, question)))


def _answer(lodgers: dict[int, Lodger], question: Question) -> Answer:
    try:
        if question.number not in lodgers:
            lodgers[question.number] = Lodger(question.text)
        ask = lodgers[question.number].verbs[question.verb]
        if question.verb == CLOSE:
            del lodgers[question.number]
        return Answer(held_to_account(lambda: ask(*question.arguments)))
    except ParlourError as error:
        return Answer(None, str(error) or type(error).__name__, isinstance(error, AgentFault))


def main() -> None:
    """Serve the standard streams; what an agent prints goes nowhere."""
    with os.fdopen(os.dup(0), "rb") as questions, os.fdopen(os.dup(1), "wb") as answers:
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 0)
        os.dup2(nowhere, 1)
        serve(questions, answers)


if __name__ == "__main__":
    main()
