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
    """How to start a game, and the next one after it."""

    game: Game
    seats: tuple[str, ...] = ()
    """PERSON or an agent's text, by seat; missing seats are persons'."""
    seed: int | None = None
    """The first game's; the later ones, and this one if `None`, have a seed of their own."""
    control: TimeControl | None = None
    folder: Path | None = None
    """Where the records go; `None`: they are not kept."""
    nonces: tuple[str, ...] = ()
    """What the players add to chance, by seat."""
    given: Mapping[int, str] = field(default_factory=dict)
    """Who holds some of the seats of a game to resume, whatever its file says."""
    resumed: Path | None = field(default=None)
    """The file of a game to resume first."""

    def live(self, apart: bool = False) -> LocalGame:
        """The same as displays know it; with `apart` agents think in other processes."""
        resumed = "" if self.resumed is None else self.resumed.name
        return LocalGame(self.sit_down(), apart, resumed)

    def sit_down(self) -> Table:
        """A table with a new game, or with the one to resume."""
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
        )


def _agent_seed(seed: int | None, seat: int) -> int:
    """The seed of an agent: it follows from the game's only where the user gave that one."""
    return secrets.randbits(32) if seed is None else (seed + seat) % 2**32


def resume_file(path: Path, given: Mapping[int, str] | None = None) -> Table:
    """The game in a file, to go on with; other processes are kept out from now on.

    `given` names who holds some of the seats, whatever the file says. Raises `RecordError` if
    there is no such game, `GameInUse` if another process plays it.
    """
    load(path)  # what is not a record gets no lock beside it
    file = TableFile(path)
    try:
        file.hold()
        return Table.resume(load(path), file=file, given=given)
    except OSError as error:
        raise RecordError(f"{path} cannot be played: {error.strerror or error}") from None
    except ParlourError:
        file.release()
        raise
