"""Puzzles line by line: solve, try again, go on; with the streak of puzzles solved at once."""

import sys
from collections.abc import Sequence
from typing import TextIO

from parlour.core.checks import counted, printable
from parlour.core.errors import ParlourError
from parlour.drawing.puzzles import Puzzle
from parlour.drawing.text import draw

HELP = "Type an action, or: solution, next, quit."


class PuzzleSession:
    """A person who solves puzzles at a terminal."""

    def __init__(
        self,
        puzzles: Sequence[Puzzle],
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
    ) -> None:
        """Set the puzzles; the streams default to those of the process."""
        self._puzzles = puzzles
        self._stdin = stdin or sys.stdin
        self._stdout = stdout or sys.stdout
        self.streak = 0
        self.solved = 0

    def run(self) -> int:
        """Show one puzzle after another until the person leaves; return the exit status."""
        for number, puzzle in enumerate(self._puzzles, 1):
            self._say(f"Puzzle {number} of {len(self._puzzles)}")
            self._say(draw(puzzle.state.scene(None)))
            self._say("Find the best action. " + HELP)
            if not self._solve(puzzle):
                break
        self._say(f"{counted(self.solved, 'puzzle')} solved, streak {self.streak}.")
        return 0

    def _solve(self, puzzle: Puzzle) -> bool:
        """Return whether to go on with the next puzzle."""
        state, is_first = puzzle.state, True
        while True:
            text = self._stdin.readline()
            word = text.strip()
            if not text or word == "quit":
                return False
            if word in ("next", "solution"):
                self.streak = 0
                if word == "solution":
                    self._say(f"The best action is {self._words(puzzle, puzzle.best)}.")
                return True
            if not word:
                continue
            try:
                action = state.game.action_from_text(state, word)
                state.play(action)
            except ParlourError as error:
                self._say(str(error))
                continue
            if action == puzzle.best:
                self.streak = self.streak + 1 if is_first else 0
                self.solved += 1
                self._say(f"Right: {self._words(puzzle, action)}. Streak {self.streak}.")
                return True
            is_first = False
            self._say("There is a better action. Try again.")

    def _words(self, puzzle: Puzzle, action: int) -> str:
        words: str = puzzle.state.game.action_words(puzzle.state, action, int(puzzle.state.actor))
        return words

    def _say(self, text: str) -> None:
        self._stdout.write(printable(text) + "\n")
        self._stdout.flush()
