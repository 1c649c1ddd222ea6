"""Evaluate a policy or an agent against opponents, with confidence intervals."""

from collections.abc import Sequence
from hashlib import blake2b
from statistics import fmean
from typing import Any, NamedTuple

from parlour.arena.intervals import PERCENT, Estimate, mean_estimate, share_estimate
from parlour.core.rng import fold_seed
from parlour.envs import settings
from parlour.envs.episode import MOST_STARTS, Episode, no_decision
from parlour.envs.observation import ObservationEncoder
from parlour.envs.players import (
    Seeds,
    Source,
    check_players,
    check_source,
    close_all,
    player,
    sources,
)


class Evaluation(NamedTuple):
    """Result of an evaluation, with confidence intervals.

    >>> from parlour.envs import evaluate
    >>> print(evaluate("exact", "cat_mouse", games=2))
    2 games: 2 won, 0 drawn, 0 lost; mean return +1.000 (95 % interval +1.000 to +1.000)
    """

    games: int
    wins: int
    """Games with a higher return than every other seat; with one seat, a positive return."""
    draws: int
    losses: int
    """Games with a lower return than another seat; with one seat, a negative return."""
    truncated: int
    """Games truncated at `max_plies`; they count as draws."""
    mean_return: Estimate
    score: Estimate
    """The mean score per game: 1 for a win, a half for a draw."""
    by_seat: tuple[float, ...]
    """The mean return in each seat."""

    def __str__(self) -> str:
        """Return a summary in one line."""
        mean, low, high = self.mean_return
        return (
            f"{self.games} games: {self.wins} won, {self.draws} drawn, {self.losses} lost; "
            f"mean return {mean:+z.3f} ({PERCENT} interval {low:+z.3f} to {high:+z.3f})"
        )


def evaluate(
    policy: object,
    game: object,
    *,
    opponents: object = "level:3",
    games: object = 200,
    seed: int = 0,
    flat: object = False,
    max_plies: object = None,
    **options: Any,
) -> Evaluation:
    """Let a policy play against opponents and return its results.

    `policy` is a function `policy(observation, action_mask)` that returns an action id, or an
    agent's text. Games come in groups with the same start and chance seed, in which the policy
    takes every seat once. `games` is rounded up to whole groups, which are the samples of the
    intervals. Several opponents take turns by group. The same seed gives the same games if the
    players depend only on their seeds.

    >>> import parlour.envs
    >>> found = parlour.envs.evaluate("greedy", "octa:size=1", opponents="random", games=20)
    >>> found.games, found.wins + found.draws + found.losses
    (20, 20)
    """
    played = settings.game_of(game, options)
    check_source("a policy", policy)
    known: Source = policy  # type: ignore[assignment]
    others = sources(opponents)
    check_players(played, (known, *(others if played.seats > 1 else ())))
    wanted = settings.count("games", games, 1)
    contest = _EvaluationGame(
        ObservationEncoder(played, settings.flag("flat", flat)),
        known,
        others,
        fold_seed(seed),
        settings.optional_count("max_plies", max_plies),
    )
    groups = [contest.group(number) for number in range(-(-wanted // played.seats))]
    return _summary(groups)


class _Outcome(NamedTuple):
    own: float
    points: float
    is_truncated: bool


class _EvaluationGame:
    def __init__(
        self,
        encoder: ObservationEncoder,
        policy: Source,
        opponents: Sequence[Source],
        seed: int,
        max_plies: int | None,
    ) -> None:
        self._encoder = encoder
        self._game = encoder.game
        self._policy = policy
        self._opponents = opponents
        self._seed = seed
        self._max_plies = max_plies

    def group(self, number: int) -> list[_Outcome]:
        """Play the same start and chance seed with the policy in each seat in turn."""
        opponent = self._opponents[number % len(self._opponents)]
        for attempt in range(MOST_STARTS):
            seeds = (
                self._drawn("start", number, attempt),
                self._drawn("chance", number, attempt),
            )
            outcomes = [
                self._played(number, own, opponent, seeds) for own in range(self._game.seats)
            ]
            played = [outcome for outcome in outcomes if outcome is not None]
            if len(played) == len(outcomes):
                return played
        raise no_decision(self._game)

    def _played(
        self, number: int, own: int, opponent: Source, seeds: tuple[int, int]
    ) -> _Outcome | None:
        """Play one game; return `None` if it had no decision."""
        players = {
            seat: player(
                self._policy if seat == own else opponent,
                self._encoder,
                seat,
                Seeds(
                    self._drawn("player", number, own, seat),
                    self._drawn("secret", number, own, seat),
                ),
            )
            for seat in range(self._game.seats)
        }
        listeners = tuple(players.values())
        try:
            episode = Episode(self._game, seeds[0], seeds[1], self._max_plies)
            episode.begin(listeners)
            while not episode.is_over:
                episode.play(players[episode.actor].choose(episode.state), listeners)
        finally:
            close_all(players)
        if episode.plies == 0:
            return None
        if episode.returns is None:
            return _Outcome(0.0, 0.5, True)
        return _Outcome(episode.returns[own], _points(episode.returns, own), False)

    def _drawn(self, *purpose: object) -> int:
        """Derive an independent seed for each purpose."""
        words = "/".join(str(word) for word in (self._seed, *purpose))
        return int.from_bytes(blake2b(words.encode(), digest_size=7).digest(), "big")


def _points(returns: tuple[float, ...], own: int) -> float:
    """Return 1 for a win, 0 for a loss and a half otherwise."""
    others = [value for seat, value in enumerate(returns) if seat != own] or [0.0]
    best = max(others)
    if returns[own] == best:
        return 0.5
    return 1.0 if returns[own] > best else 0.0


def _summary(groups: list[list[_Outcome]]) -> Evaluation:
    outcomes = [outcome for group in groups for outcome in group]
    points = [outcome.points for outcome in outcomes]
    return Evaluation(
        len(outcomes),
        points.count(1.0),
        points.count(0.5),
        points.count(0.0),
        sum(outcome.is_truncated for outcome in outcomes),
        mean_estimate([fmean(each.own for each in group) for group in groups], -1.0, 1.0),
        share_estimate([fmean(each.points for each in group) for group in groups]),
        tuple(fmean(each.own for each in turn) for turn in zip(*groups, strict=True)),
    )
