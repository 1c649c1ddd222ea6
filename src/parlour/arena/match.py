"""Run a match: play what the folder does not hold yet, and stop when it is decided."""

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import NamedTuple

from parlour.agents import agent
from parlour.agents.apart import runs_apart, vetted
from parlour.arena.contest import Played
from parlour.arena.errors import MatchError
from parlour.arena.plan import Plan
from parlour.arena.results import MatchResult, points_of_first
from parlour.arena.sprt import Sprt
from parlour.arena.storage import MatchFolder
from parlour.arena.workers import (
    Finished,
    available_processors,
    interrupts_held_back,
    play_here,
    play_in_workers,
)
from parlour.core.checks import shown
from parlour.core.game import Game
from parlour.core.registry import game as game_of_name


class Progress(NamedTuple):
    """How far a match has come; `result()` gives the figures of the moment when it is called."""

    done: int
    planned: int
    kept: int
    """Games that the folder held at the start."""
    result: Callable[[], MatchResult]


def run_match(
    game: Game | str,
    agents: Sequence[str],
    games: int,
    *,
    seed: int = 0,
    processes: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    sprt: Sprt | str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> MatchResult:
    """Play `games` games, rounded up to whole groups, between agents given as texts.

    Same arguments, same games, however many processes there are, as long as the agents'
    budgets do not depend on time. `processes` is by default one per processor; 0 plays in
    this process. With a `folder` every game is kept, and the games in it are not played
    again; an interruption (`KeyboardInterrupt` passes through) loses only unfinished games.
    With `sprt` the match ends at the first pair that decides the test.

    Raises `AgentError`, `OptionError` or `MatchError` before the first game if something
    cannot be played or its folder is in use. A worker process that dies is replaced and its
    game played again, twice at most: then the agent that was asked last has lost it, or, if
    none was, `MatchError` ends the match.
    """
    if isinstance(game, str):
        game = game_of_name(game)
    if not isinstance(game, Game):
        raise MatchError(f"a match is of a game or its name, not of {shown(game)}")
    plan = Plan(game, agents, games, seed)
    for text in plan.agents:
        if runs_apart(text, game):
            vetted(text, game)
        else:
            agent(text).check_game(game)
    rule = _checked_sprt(sprt, plan)
    if processes is None:
        processes = available_processors()
    if isinstance(processes, bool) or not isinstance(processes, int) or processes < 0:
        raise MatchError(f"processes is a number from 0 on, not {processes!r}")
    store = MatchFolder(folder, plan, rule) if folder is not None else None
    try:
        match = _Match(plan, rule, store)
        match.run(processes, on_progress)
    finally:
        if store:
            store.release()
    return match.result()


def _checked_sprt(sprt: Sprt | str | None, plan: Plan) -> Sprt | None:
    if sprt is None:
        return None
    if plan.game.seats != 2:
        raise MatchError(f"sprt is for two seats; {plan.game.name} has {plan.game.seats}")
    if not isinstance(sprt, str | Sprt):
        raise MatchError(f"sprt is a text like {Sprt().to_text()}, not {shown(sprt)}")
    return Sprt.from_text(sprt) if isinstance(sprt, str) else sprt.checked()


class _Match:
    """The games that have been played, and whether more are needed."""

    def __init__(self, plan: Plan, sprt: Sprt | None, store: MatchFolder | None) -> None:
        self.plan = plan
        self.sprt = sprt
        self.store = store
        self.played: dict[int, Played] = store.load() if store else {}
        self.kept = len(self.played)
        # The groups before this one are complete, and the test has looked at them.
        self.looked_at = 0
        self.counts = [0] * 5
        self.is_decided = False

    def run(self, processes: int, on_progress: Callable[[Progress], None] | None) -> None:
        self._look()
        if self.is_decided:
            return
        if self.store and self._left:
            self.store.check_writable()
        try:
            with closing(self._finished_games(processes)) as finished:
                for played, record in finished:
                    if self.store:
                        # Else a record might stay without its line, and be played again.
                        with interrupts_held_back():
                            self.store.save(played, record)
                    self.played[played.number] = played
                    self._look()
                    if on_progress:
                        done = len(self.played)
                        on_progress(Progress(done, self.plan.games, self.kept, self.result))
                    if self.is_decided:
                        break
        finally:
            if self.store:
                self.store.close()

    def _finished_games(self, processes: int) -> Generator[Finished, None, None]:
        plan = self.plan
        # One after another, as they are needed: a match may have a million games.
        kept = frozenset(self.played)
        tasks = (plan.task(number) for number in range(plan.games) if number not in kept)
        if processes == 0:
            return play_here(plan.game, plan.agents, tasks)
        return play_in_workers(plan.game, plan.agents, tasks, min(processes, self._left))

    @property
    def _left(self) -> int:
        return self.plan.games - len(self.played)

    def _look(self) -> None:
        """Let the sequential test see the next pairs, in the order of the plan.

        Not in the order in which they end: short games would come first, and the end of a
        match would depend on the number of processes.
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
        """The games so far; after a decision, those that led to it."""
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
