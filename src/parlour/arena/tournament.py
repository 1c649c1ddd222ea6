"""Run a tournament of any number of agents, in a game of any number of seats."""

import math
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from parlour.arena.competition import Competition
from parlour.arena.conditions import RULES_ALONE, Conditions
from parlour.arena.design import gauntlet, round_robin
from parlour.arena.errors import MatchError
from parlour.arena.match import checked_game, extra_identity
from parlour.arena.openings import Opening
from parlour.arena.plan import Plan, check_count, teams_text
from parlour.arena.runner import Runner, Setup, runner_of
from parlour.arena.storage import TOURNAMENT, GameFolder, Kind, folder_name
from parlour.arena.swiss import count_meetings, next_round
from parlour.arena.tally import Tally
from parlour.core.checks import shown
from parlour.core.game import Game
from parlour.core.options import did_you_mean
from parlour.core.result import GENERAL

ROUND_ROBIN, GAUNTLET, SWISS = STYLES = ("round-robin", "gauntlet", "swiss")

MOST_SAMPLES = 4


@dataclass(frozen=True)
class TournamentResult:
    """The state and the results of a tournament."""

    game: Game
    agents: tuple[str, ...]
    style: str
    seed: int
    planned: int
    tally: Tally
    """The running totals, updated while the tournament runs."""
    kept: int = 0
    """Games that the folder held at the start."""

    @property
    def done(self) -> int:
        """The number of games played."""
        return self.tally.games


class Tournament:
    """The plan of a tournament; a Swiss one grows with each round."""

    def __init__(
        self,
        game: Game | str,
        agents: Sequence[str],
        *,
        style: str = ROUND_ROBIN,
        games: int = 2,
        rounds: int | None = None,
        seed: int = 0,
        conditions: Conditions = RULES_ALONE,
        openings: Sequence[Opening] = (),
    ) -> None:
        """Plan `games` games per pairing, rounded up so that every start is played from all seats.

        `rounds` is how many times all agents meet; in a Swiss tournament, the number of rounds (by
        default enough to find a winner). Raises `MatchError` for invalid settings.
        """
        self.game = checked_game(game)
        self.conditions = conditions.checked(self.game)
        self.style = style
        self.plan = Plan(self.game, agents, seed, openings)
        self._check(games, rounds)
        count, seats = len(self.plan.agents), self.game.num_teams
        self.games = games
        self.rounds = rounds or (max(1, math.ceil(math.log2(count))) if style == SWISS else 1)
        self.laps = -(-games // (1 if seats == 1 else seats))
        if style == SWISS:
            self.planned = self.rounds * self.laps * (count // seats) * seats
        else:
            make = round_robin if style == ROUND_ROBIN else gauntlet
            self.plan.add(*make(count, seats, self.laps * self.rounds))
            self.planned = self.plan.games
        self._met: Counter[tuple[int, int]] = Counter()
        self._byes = [0] * count
        self._played_rounds = 0

    def _check(self, games: int, rounds: int | None) -> None:
        seats, agents = self.game.num_teams, self.plan.agents
        if self.style not in STYLES:
            raise MatchError(
                f"unknown format {shown(self.style)}{did_you_mean(self.style, STYLES)}; "
                f"the formats are {', '.join(STYLES)}"
            )
        least = max(2, seats)
        if len(agents) < least:
            raise MatchError(
                f"{self.game.name} has {teams_text(self.game)}: a tournament needs "
                f"at least {least} agents, not {len(agents)}"
                + ("; 'parlour match' lets one agent take several seats" if seats > 2 else "")
            )
        twice = [text for text, count in Counter(agents).items() if count > 1]
        if twice:
            raise MatchError(
                f"{twice[0]} is named twice, and results could not be told apart: give one of "
                "them another setting, such as a seed"
            )
        check_count("a pairing has", games, "game")
        if rounds is not None:
            check_count("a tournament has", rounds, "round")
        if self.style == SWISS and seats == 1:
            raise MatchError(
                f"{self.game.name} has one team, so there are no pairs: use round-robin"
            )
        if self.game.utility == GENERAL:
            raise MatchError(
                f"a tournament ranks agents by who beat whom; {self.game.name} is a general-sum "
                "game: use 'parlour match', which compares mean returns"
            )

    @property
    def group_size(self) -> int:
        """The number of games in a group."""
        return self.plan.group_size

    def stages(self, tally: Tally) -> Iterator[range]:
        """Yield the game numbers of each round; request the next after they are played."""
        if self.style != SWISS:
            yield range(self.plan.games)
            return
        for number in range(self.rounds):
            bye = float(self.laps * self.game.num_teams)
            points = [
                points + bye * byes for points, byes in zip(tally.points, self._byes, strict=True)
            ]
            sets, out = next_round(points, self.game.num_teams, self._met, self._byes)
            self.plan.add(sets, self.laps)
            count_meetings(sets, self._met)
            for agent in out:
                self._byes[agent] += 1
            yield self.plan.stage_games()[number]

    def identity(self) -> dict[str, object]:
        """Return the identity of a tournament apart from its length; it is stored in the folder."""
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "agents": list(self.plan.agents),
            "seed": self.plan.seed,
            "style": self.style,
            **extra_identity(self.plan, self.conditions),
        }

    def folder_name(self) -> str:
        """Return a folder name that is unique to this tournament."""
        words = [self.game.name, self.style, *self.plan.agents]
        fixed = {"games": self.games} if self.style == SWISS else {}
        return folder_name(words, {**self.identity(), **fixed})

    def open_folder(self, folder: str | os.PathLike[str]) -> GameFolder:
        """Open its folder; raises `MatchError` if it holds something else or is in use."""
        header = {
            **self.identity(),
            "games": self.games,
            "rounds": self.rounds,
            "seats": self.game.num_teams,
        }
        kind: Kind = TOURNAMENT
        if self.style == SWISS:
            # More games per pairing would renumber the games already played.
            kind = TOURNAMENT._replace(grows=("rounds",))
        return GameFolder(folder, kind, header)


def run_tournament(
    tournament: Tournament,
    *,
    runner: Runner | None = None,
    folder: str | os.PathLike[str] | None = None,
    on_progress: Callable[[TournamentResult], None] | None = None,
) -> TournamentResult:
    """Play the games that the folder lacks; return the results of all games.

    Games are not kept in memory. Interruptions, runners, dying workers and errors before the first
    game are as in `run_match`.
    """
    plan = tournament.plan
    tally = Tally(plan)
    setup = Setup(tournament.game, tournament.conditions)
    if runner is None:
        runner = runner_of()
    Competition(plan, setup, runner, None, tally.take).check_players()
    store = tournament.open_folder(folder) if folder is not None else None
    competition = Competition(plan, setup, runner, store, tally.take)

    def result() -> TournamentResult:
        return TournamentResult(
            tournament.game,
            plan.agents,
            tournament.style,
            plan.seed,
            tournament.planned,
            tally,
            competition.kept,
        )

    try:
        for numbers in tournament.stages(tally):
            competition.read(numbers)
            with closing(competition.play(numbers)) as games:
                for _ in games:
                    if on_progress:
                        on_progress(result())
    finally:
        competition.close()
    return result()


class Forecast(NamedTuple):
    """The estimated cost of a tournament."""

    games: int
    sampled: int
    seconds_per_game: float
    seconds: float
    """Estimated from the sampled games, on the runner."""


def forecast(
    tournament: Tournament, runner: Runner, now: Callable[[], float] = time.perf_counter
) -> Forecast:
    """Estimate the cost by playing a few first games, of different sets if possible."""
    from parlour.arena.workers import LocalRunner

    tally = Tally(tournament.plan)
    numbers = next(tournament.stages(tally))
    setup = Setup(tournament.game, tournament.conditions)
    Competition(tournament.plan, setup, runner, None, tally.take).check_players()
    chosen = list(islice(numbers[:: tournament.group_size], MOST_SAMPLES))
    with LocalRunner(0).crew(setup) as crew:
        started = now()
        for _ in crew.play(tournament.plan.task(number) for number in chosen):
            pass
        each = (now() - started) / len(chosen)
    whole = each * tournament.planned / min(runner.parallel, tournament.planned)
    return Forecast(tournament.planned, len(chosen), each, whole)
