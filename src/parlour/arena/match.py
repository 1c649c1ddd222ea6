"""Run a match: play the games that the folder lacks, and stop when it is decided."""

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import NamedTuple

from parlour.arena.competition import Competition
from parlour.arena.conditions import RULES_ALONE, Conditions
from parlour.arena.contest import Played
from parlour.arena.errors import MatchError
from parlour.arena.openings import Opening
from parlour.arena.plan import Plan, check_duel
from parlour.arena.results import MatchResult, numbered, points_of_first
from parlour.arena.runner import Runner, Setup, runner_of
from parlour.arena.sprt import Sprt, SprtState
from parlour.arena.storage import MATCH, GameFolder, folder_name
from parlour.arena.tally import Tally
from parlour.core.checks import shown
from parlour.core.game import Game
from parlour.core.registry import game as game_of_name


class Progress(NamedTuple):
    """The state of a running match."""

    done: int
    planned: int
    kept: int
    """Games that the folder held at the start."""
    names: tuple[str, ...]
    """The agents, numbered if two are equal."""
    tally: Tally
    """The running totals; their cost does not depend on the number of games."""
    sprt_state: SprtState | None
    """The state of the sequential test, if there is one."""
    result: Callable[[], MatchResult]
    """Compute all figures from all games."""


def run_match(
    game: Game | str,
    agents: Sequence[str],
    games: int,
    *,
    seed: int = 0,
    processes: int | None = None,
    runner: Runner | None = None,
    folder: str | os.PathLike[str] | None = None,
    sprt: Sprt | str | None = None,
    conditions: Conditions = RULES_ALONE,
    openings: Sequence[Opening] = (),
    on_progress: Callable[[Progress], None] | None = None,
) -> MatchResult:
    """Play a match of `games` games, rounded up to whole groups, between agents given as texts.

    The same arguments give the same games on any runner, if the agents' budgets do not depend on
    time.

    - `processes`: by default one per processor; 0 plays in this process.
    - `runner`: plays elsewhere, for example `runner_of("ray")`.
    - `folder`: stores every game and does not replay stored ones. An interruption
      (`KeyboardInterrupt` passes through) loses only unfinished games.
    - `sprt`: ends the match at the first pair that decides the test.

    Raises `AgentError`, `OptionError` or `MatchError` before the first game if something cannot be
    played or the folder is in use. A worker process that dies is replaced and its game replayed,
    at most twice. After that the agent that was running has lost the game, or `MatchError` ends the
    match if none was.
    """
    game = checked_game(game)
    plan = Plan.of_match(game, agents, games, seed, openings)
    setup = Setup(game, conditions.checked(game))
    if runner is None:
        runner = runner_of(processes=processes)
    rule = _checked_sprt(sprt, plan)
    match = _Match(plan, rule)
    competition = Competition(plan, setup, runner, None, match.take)
    competition.check_players()
    header = {
        **match_identity(plan, rule, conditions),
        "games": plan.games,
        "seats": game.num_teams,
    }
    if folder is not None:
        store = GameFolder(folder, MATCH, header)
        competition = Competition(plan, setup, runner, store, match.take)
    try:
        match.run(competition, on_progress)
    finally:
        competition.close()
    return match.result()


def checked_game(game: Game | str) -> Game:
    """Return the game, created from its name if necessary; raises `MatchError` otherwise."""
    if isinstance(game, str):
        return game_of_name(game)
    if not isinstance(game, Game):
        raise MatchError(f"the game must be a Game or its name, not {shown(game)}")
    return game


def match_identity(
    plan: Plan, sprt: Sprt | None, conditions: Conditions = RULES_ALONE
) -> dict[str, object]:
    """Return the identity of a match; matches may share a folder iff it is equal."""
    return {
        "game": plan.game.name,
        "options": dict(plan.game.options),
        "agents": list(plan.agents),
        "seed": plan.seed,
        "sprt": sprt.to_text() if sprt else None,
        **extra_identity(plan, conditions),
    }


def extra_identity(plan: Plan, conditions: Conditions) -> dict[str, object]:
    """Return the part of an identity that is not fixed by the rules."""
    found: dict[str, object] = {}
    if conditions.to_json():
        found["conditions"] = conditions.to_json()
    if plan.openings:
        found["openings"] = [[opening.seed, list(opening.actions)] for opening in plan.openings]
    return found


def match_folder_name(plan: Plan, sprt: Sprt | None, conditions: Conditions = RULES_ALONE) -> str:
    """Return a folder name that is unique to this match."""
    return folder_name([plan.game.name, *plan.agents], match_identity(plan, sprt, conditions))


def _checked_sprt(sprt: Sprt | str | None, plan: Plan) -> Sprt | None:
    if sprt is None:
        return None
    check_duel("sprt", plan.game)
    if not isinstance(sprt, str | Sprt):
        raise MatchError(f"sprt must be a text like {Sprt().to_text()}, not {shown(sprt)}")
    return Sprt.from_text(sprt) if isinstance(sprt, str) else sprt.checked()


class _Match:
    """The games played so far, and whether more are needed."""

    def __init__(self, plan: Plan, sprt: Sprt | None) -> None:
        self.plan = plan
        self.sprt = sprt
        self.played: dict[int, Played] = {}
        self.tally = Tally(plan)
        # The groups before this one are complete and included in the test.
        self.looked_at = 0
        self.counts = [0] * 5
        self.is_decided = False

    def take(self, played: Played) -> None:
        self.played[played.number] = played
        self.tally.take(played)
        self._look()

    def run(self, competition: Competition, on_progress: Callable[[Progress], None] | None) -> None:
        numbers = range(self.plan.games)
        competition.read(numbers)
        if self.is_decided:
            return
        names = numbered(self.plan.agents)
        with closing(competition.play(numbers)) as games:
            for _ in games:
                if on_progress:
                    on_progress(
                        Progress(
                            competition.done,
                            self.plan.games,
                            competition.kept,
                            names,
                            self.tally,
                            self.sprt.state(self.counts) if self.sprt else None,
                            self.result,
                        )
                    )
                if self.is_decided:
                    break

    def _look(self) -> None:
        """Update the sequential test with complete pairs, in the order of the plan.

        In the order of completion short games would come first, and the end of the match would
        depend
        on the number of processes.
        """
        size = self.plan.group_size
        while self.sprt and not self.is_decided:
            numbers = range(self.looked_at * size, (self.looked_at + 1) * size)
            if not all(number in self.played for number in numbers):
                return
            self.looked_at += 1
            points = sum(points_of_first(self.played[number]) for number in numbers)
            self.counts[round(2 * points)] += 1
            self.is_decided = self.sprt.state(self.counts).verdict is not None

    def result(self) -> MatchResult:
        """Return the games so far; after a decision, those that led to it."""
        plan = self.plan
        last = self.looked_at * plan.group_size if self.is_decided else plan.games
        return MatchResult(
            plan.game,
            plan.agents,
            plan.seed,
            plan.group_size,
            plan.games,
            tuple(self.played[number] for number in sorted(self.played) if number < last),
            self.sprt,
        )
