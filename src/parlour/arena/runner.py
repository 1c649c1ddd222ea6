"""Where games are played: this machine or a cluster, behind one small interface.

    with runner.crew(Setup(game, conditions)) as crew:
        for played, record in crew.play(tasks):
            ...

`tasks` is read as it is needed, so it may be endless, or wait for what was played before.
Games come as they end. A game is a pure function of its task: every runner gives the same
games, as long as budgets do not depend on the clock, and playing one again is harmless.
Only the caller writes files.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable
from typing import NamedTuple

from parlour.agents import agent
from parlour.agents.apart import runs_apart, vetted
from parlour.arena.conditions import RULES_ALONE, Conditions
from parlour.arena.contest import Played
from parlour.arena.errors import MatchError
from parlour.arena.plan import Task
from parlour.core.checks import shown
from parlour.core.game import Game
from parlour.core.options import did_you_mean

PLACES = ("local", "ray", "dask")

Finished = tuple[Played, str]
"""A game and the text of its record."""


class Setup(NamedTuple):
    """What all games have in common; it is sent to whoever plays them."""

    game: Game
    conditions: Conditions = RULES_ALONE
    logs: str | None = None
    """Where engines' logs are kept: on this machine, so a cluster does not look at it."""


class Crew(ABC):
    """Who plays, from the first game to the last; close it to let them go."""

    @abstractmethod
    def play(self, tasks: Iterable[Task]) -> Generator[Finished, None, None]:
        """Play the tasks; games come as they end. It may be called again for further ones.

        `MatchError` if a game cannot be played at all; finished ones have been given before.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop whatever is played, and let everybody go."""

    def __enter__(self) -> "Crew":
        """To be closed by `with`."""
        return self

    def __exit__(self, *failure: object) -> None:
        """Close."""
        self.close()


class Runner(ABC):
    """A place where games can be played."""

    @abstractmethod
    def crew(self, setup: Setup) -> Crew:
        """Those who play games of that setup; `MatchError` if the place cannot be reached."""

    @property
    @abstractmethod
    def parallel(self) -> int:
        """How many games are played at the same time."""


def runner_of(place: str | None = None, processes: int | None = None) -> Runner:
    """The runner of a text: `local`, `ray`, `ray:ADDRESS`, `dask` or `dask:ADDRESS`.

    `processes` is for this machine. `MatchError` for another text, `MissingExtra` if the
    cluster's library is not installed.
    """
    name, colon, address = (place or "local").partition(":")
    if name not in PLACES or (colon and not address) or (name == "local" and colon):
        raise MatchError(
            f"--on takes local, ray, ray:ADDRESS, dask or dask:ADDRESS, not {shown(place)}"
            f"{did_you_mean(name, PLACES)}"
        )
    if name == "local":
        from parlour.arena.workers import LocalRunner

        return LocalRunner(processes)
    if processes is not None:
        raise MatchError(f"--processes is for this machine; on {name} the cluster's size counts")
    if name == "ray":
        from parlour.arena.ray_cluster import RayRunner

        return RayRunner(address)
    from parlour.arena.dask_cluster import DaskRunner

    return DaskRunner(address)


def check_player(text: str, game: Game) -> None:
    """`AgentError` or `OptionError` unless that agent is here and can play that game."""
    if runs_apart(text, game):
        vetted(text, game)
    else:
        agent(text).check_game(game)
