"""Agents that would run in another process, in the process of the tests.

Questions and answers still cross the wire format and the service. Agents that end, fork or
write to their process, or are interrupted while they think, need a real one.
"""

from types import SimpleNamespace

from parlour.agents.process import Child
from parlour.agents.service import HostedAgent, _answer


class ChildHere(Child):
    """Answers like a process that runs `parlour.agents.service`."""

    def __init__(self, memory: int = 0) -> None:
        """Start without agents; `memory` bounds nothing."""
        self.process = SimpleNamespace(returncode=None)
        self._questions, self._answers = -1, -1
        self._hosted: dict[int, HostedAgent] = {}
        self._asked: list[bytes] = []

    def is_alive(self) -> bool:
        """Whether it was not ended."""
        return self.process.returncode is None

    def put(self, question: bytes) -> None:
        """Keep the question."""
        self._asked.append(question)

    def take(self, seconds: float | None) -> bytes:
        """Answer the oldest question, however long it takes."""
        return _answer(self._hosted, self._asked.pop(0))

    def kill(self) -> None:
        """End it."""
        self.process.returncode = -9
