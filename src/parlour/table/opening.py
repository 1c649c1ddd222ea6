"""Set up a table: a new game with its seats, seed, clock and file, or one to resume."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from parlour.agents.isolation import vetted
from parlour.core.errors import ParlourError, RecordError
from parlour.core.game import Game
from parlour.table.chance import ChanceSource
from parlour.table.clock import TimeControl
from parlour.table.local import LocalGame
from parlour.table.locations import new_path
from parlour.table.notes import PERSON
from parlour.table.storage import TableFile, load
from parlour.table.table import Table


@dataclass
class GameSetup:
    """How to start a game, and the games after it."""

    game: Game
    seats: tuple[str, ...] = ()
    """PERSON or an agent's text for each seat; missing seats are people's."""
    seed: int | None = None
    """The seed of the first game; later games, and `None`, get random seeds."""
    control: TimeControl | None = None
    folder: Path | None = None
    """The folder for records; `None` to save nothing."""
    nonces: tuple[str, ...] = ()
    """The players' nonces, by seat."""
    given: Mapping[int, str] = field(default_factory=dict)
    """Holders of seats that override those in a resumed file."""
    resumed: Path | None = field(default=None)
    """The file of a game to resume first."""
    is_scripted: bool = False
    """Whether a program plays the seats of people; `parlour play --resume` skips its games."""

    def live(self, isolated: bool = False) -> LocalGame:
        """Return the next game for displays. With `isolated`, agents run in other processes."""
        resumed = "" if self.resumed is None else self.resumed.name
        return LocalGame(self.sit_down(), isolated, resumed)

    def sit_down(self) -> Table:
        """Return a table with a new game, or with the one to resume."""
        if self.resumed is not None:
            path, self.resumed = self.resumed, None
            return resume_file(path, self.given)
        seed, self.seed = self.seed, None
        number = secrets.randbits(32) if seed is None else seed
        if seed is None:
            chance = ChanceSource.secret(self.nonces)
        else:
            chance = ChanceSource.from_seed(seed, self.nonces)
        kept = None if self.folder is None else new_path(self.folder, self.game.name)
        return Table(
            self.game,
            [
                who if who == PERSON else vetted(who, self.game, _agent_seed(seed, seat))
                for seat, who in enumerate(self.seats)
            ],
            seed=number,
            chance=chance,
            control=self.control,
            path=kept,
            is_scripted=self.is_scripted,
        )


def _agent_seed(seed: int | None, seat: int) -> int:
    """Return an agent's seed. It follows from the game's seed only if the user gave that."""
    return secrets.randbits(32) if seed is None else (seed + seat) % 2**32


def resume_file(path: Path, given: Mapping[int, str] | None = None) -> Table:
    """Load a game to resume it, and lock its file against other processes.

    `given` overrides the holders of some seats. Raise `RecordError` if the file has no such game,
    and `GameInUse` if another process is playing it.
    """
    load(path)  # before locking, so that other files get no lock file
    file = TableFile(path)
    try:
        file.hold()
        return Table.resume(load(path), file=file, given=given)
    except OSError as error:
        raise RecordError(f"{path} cannot be played: {error.strerror or error}") from None
    except ParlourError:
        file.release()
        raise
