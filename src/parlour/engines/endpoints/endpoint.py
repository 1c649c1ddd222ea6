"""What every endpoint does: read lines, answer them, and survive whatever they say."""

from collections.abc import Iterator
from typing import IO

from parlour.core.errors import ParlourError, in_one_line
from parlour.engines.endpoints.session import EngineSession

LONGEST_COMMAND = 2**18
"""A position with all its moves has fewer characters."""


class Endpoint:
    """Answers one host."""

    def __init__(self, session: EngineSession, answers: IO[str]) -> None:
        """Play that session, and write there."""
        self.session = session
        self._answers = answers
        self.is_over = False
        """Whether the host has asked us to end."""

    def serve(self, asked: IO[str]) -> None:
        """Answer line by line until the host quits, or says no more."""
        for line in commands(asked):
            self.answer(line)
            if self.is_over:
                break
        self.leave()

    def answer(self, line: str) -> None:
        """Do what the line says."""
        raise NotImplementedError

    def leave(self) -> None:
        """Nobody asks any more."""
        return

    def say(self, text: str) -> None:
        """Write, at once."""
        self._answers.write(text)
        self._answers.flush()


def commands(stream: IO[str]) -> Iterator[str]:
    """The lines of a stream without what a terminal would obey; too long ones are cut."""
    while line := stream.readline(LONGEST_COMMAND):
        rest = line
        while rest and not rest.endswith("\n"):
            rest = stream.readline(LONGEST_COMMAND)
        yield "".join(sign if sign.isprintable() else " " for sign in line).strip()


def reason(error: Exception) -> str:
    """Why something is refused, in one line."""
    if isinstance(error, ParlourError):
        return " ".join(str(error).split())
    return f"this went wrong inside: {in_one_line(error)}"
