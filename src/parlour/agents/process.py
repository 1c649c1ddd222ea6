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
from typing import IO, Any

from parlour.agents.base import Agent, Analysis
from parlour.agents.guard import AgentFault, choice_of
from parlour.agents.hints import analyse
from parlour.agents.registry import agent
from parlour.core.errors import AgentError, ParlourError
from parlour.core.game import State

LENGTH_BYTES = 8


class Interrupted(ParlourError):
    """The thinking was stopped, or its process has gone."""

    code = "interrupted"


class Thinker:
    """Asks agents for their choices, until `stop` from another thread ends it for good."""

    def __init__(self) -> None:
        """The process is started by the first question."""
        self._process: subprocess.Popen[bytes] | None = None
        self._is_stopped = False
        self._starting = threading.Lock()
        self._asking = threading.Lock()

    def choose(self, text: str, state: State) -> int:
        """What that agent plays; `Interrupted` if it was stopped."""
        return int(self._ask("choose", text, state))

    def analyse(self, text: str, state: State) -> Analysis:
        """What that agent thinks; `Interrupted` if it was stopped."""
        found = self._ask("analyse", text, state)
        assert isinstance(found, Analysis)
        return found

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

    def _ask(self, kind: str, text: str, state: State) -> Any:
        with self._asking:
            process = self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                _write(process.stdin, (kind, text, state))
                is_error, answer = _read(process.stdout)
            except (OSError, EOFError, ValueError):
                process.kill()
                process.wait()
                _close(process)
                raise Interrupted("the thinking was stopped") from None
            if is_error:
                raise AgentError(str(answer))
            return answer

    def _started(self) -> "subprocess.Popen[bytes]":
        with self._starting:
            if self._is_stopped:
                raise Interrupted("the thinking was stopped")
            if self._process is None or self._process.poll() is not None:
                path = os.pathsep.join(filter(None, sys.path))
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "parlour.agents.process"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env={**os.environ, "PYTHONPATH": path},
                    start_new_session=True,  # Ctrl-C is for the player, not for the agent
                )
            return self._process


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


def serve(questions: IO[bytes], answers: IO[bytes]) -> None:
    """Answer until the questions end."""
    agents: dict[str, Agent] = {}
    while True:
        try:
            kind, text, state = _read(questions)
        except EOFError:
            return
        try:
            if kind == "choose":
                if text not in agents:
                    agents[text] = agent(text)
                answer: object = choice_of(agents[text], state)
            else:
                answer = analyse(state, text)
        except ParlourError as error:
            if kind == "choose" and isinstance(error, AgentFault):
                error = error.of(text)
            _write(answers, (True, str(error)))
        else:
            _write(answers, (False, answer))


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
