"""Runners play games on this machine or a cluster, behind one small interface.

    with runner.crew(Setup(game, conditions)) as crew:
        for played, record in crew.play(tasks):
            ...

`tasks` is consumed lazily, so it may be endless or depend on earlier results. Games are yielded
as they end. A game is a pure function of its task: every runner gives the same games if budgets
do not depend on time, and playing one again is harmless. Only the caller writes files.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable
from typing import NamedTuple

from parlour.agents import agent
from parlour.agents.isolation import needs_isolation, vetted
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
    """Data that all games share; it is sent to the workers."""

    game: Game
    conditions: Conditions = RULES_ALONE
    logs: str | None = None
    """The folder for engine logs, on this machine only."""


class Crew(ABC):
    """The workers of one run; close it to stop them."""

    @abstractmethod
    def play(self, tasks: Iterable[Task]) -> Generator[Finished, None, None]:
        """Play the tasks and yield games as they end. It can be called again with more tasks.

        Raises `MatchError` if a game cannot be played at all; finished ones are yielded first.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop all games and workers."""

    def __enter__(self) -> "Crew":
        """Return itself, to be closed by `with`."""
        return self

    def __exit__(self, *failure: object) -> None:
        """Close the crew."""
        self.close()


class Runner(ABC):
    """A place where games can be played."""

    @abstractmethod
    def crew(self, setup: Setup) -> Crew:
        """Return workers for games of this setup; raises `MatchError` if there are none."""

    @property
    @abstractmethod
    def parallel(self) -> int:
        """The number of games that run at the same time."""


def runner_of(place: str | None = None, processes: int | None = None) -> Runner:
    """Return a runner by its text: `local`, `ray`, `ray:ADDRESS`, `dask` or `dask:ADDRESS`.

    `processes` applies to this machine. Raises `MatchError` for another text, and `MissingExtra` if
    the cluster's library is not installed.
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
        raise MatchError(f"--processes applies to this machine only; {name} uses the whole cluster")
    if name == "ray":
        from parlour.arena.ray_cluster import RayRunner

        return RayRunner(address)
    from parlour.arena.dask_cluster import DaskRunner

    return DaskRunner(address)


def check_player(text: str, game: Game) -> None:
    """Raise `AgentError` or `OptionError` unless the agent exists and can play the game."""
    if needs_isolation(text, game):
        vetted(text, game)
    else:
        agent(text).check_game(game)
