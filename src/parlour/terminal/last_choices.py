"""The choices of earlier games, kept for the next start screen."""

import contextlib
import json
from pathlib import Path

from parlour.files import read_text, write_atomically
from parlour.table.locations import data_folder
from parlour.terminal.draft import GameChoice

LARGEST = 100_000


class LastChoices:
    """The last options, seats and clock of each game, in a file of the user's data folder."""

    def __init__(self, path: Path | None = None) -> None:
        """Read the file; a missing or damaged one counts as empty."""
        self._path = data_folder() / "choices.json" if path is None else path
        self.by_game: dict[str, GameChoice] = {}
        """The choices in the order in which they were made."""
        try:
            found = json.loads(read_text(self._path, LARGEST))
            for name, (settings, seats, clock) in found.items():
                texts = [*settings, *seats, clock or ""]
                if all(isinstance(text, str) for text in (name, *texts)):
                    self.by_game[name] = GameChoice(name, tuple(settings), tuple(seats), clock)
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            pass

    def keep(self, choice: GameChoice) -> None:
        """Save a choice; errors are ignored because the game works without it."""
        self.by_game.pop(choice.game, None)
        self.by_game[choice.game] = choice
        data = {
            name: (made.settings, made.seats, made.clock) for name, made in self.by_game.items()
        }
        with contextlib.suppress(OSError):
            write_atomically(self._path, json.dumps(data))
