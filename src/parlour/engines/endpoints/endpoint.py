"""Base class of endpoints: read lines, answer them, survive invalid input."""

from collections.abc import Iterator
from typing import IO

from parlour.core.errors import ParlourError, in_one_line
from parlour.engines.endpoints.session import EngineSession

LONGEST_COMMAND = 2**18
"""Longer than any position with all its moves."""


class Endpoint:
    """Answers one host."""

    def __init__(self, session: EngineSession, answers: IO[str]) -> None:
        """Play this session, and write answers to this stream."""
        self.session = session
        self._answers = answers
        self.is_over = False
        """Whether the host has sent `quit`."""

    def serve(self, asked: IO[str]) -> None:
        """Answer line by line until the host quits or closes the stream."""
        for line in commands(asked):
            self.answer(line)
            if self.is_over:
                break
        self.finish()

    def answer(self, line: str) -> None:
        """Execute a line."""
        raise NotImplementedError

    def finish(self) -> None:
        """Finish pending answers when the host is gone."""
        return

    def write(self, text: str) -> None:
        """Write and flush."""
        self._answers.write(text)
        self._answers.flush()


def commands(stream: IO[str]) -> Iterator[str]:
    """Yield the lines of a stream without control characters, truncated if too long."""
    while line := stream.readline(LONGEST_COMMAND):
        rest = line
        while rest and not rest.endswith("\n"):
            rest = stream.readline(LONGEST_COMMAND)
        yield "".join(sign if sign.isprintable() else " " for sign in line).strip()


def reason(error: Exception) -> str:
    """Return the reason of an error in one line."""
    if isinstance(error, ParlourError):
        return " ".join(str(error).split())
    return f"internal error: {in_one_line(error)}"
