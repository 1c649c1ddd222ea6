"""Heuristics for Blokus: lead and reach, learned priors, and playouts with large pieces."""

import math
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from parlour.core.game import State
from parlour.core.heuristics import Heuristics
from parlour.core.rng import Rng
from parlour.games.blokus.evaluation import values_of, weight_after
from parlour.games.blokus.movegen import sample_largest
from parlour.games.blokus.priors import Priors
from parlour.games.blokus.rules import BlokusState
from parlour.games.blokus.ruleset import NOBODY, SHARED, BlokusRuleset

# Used for all variants. All levels but the last count simulations, so they are reproducible.
BEST: Final = "mcts:width=100"
LEVELS: Final = (
    "greedy:blunder=0.8",
    "greedy:blunder=0.45",
    "greedy:blunder=0.2",
    f"{BEST},sims=4,blunder=0.06",
    f"{BEST},sims=12",
    f"{BEST},sims=300",
    f"{BEST},sims=1500",
    f"{BEST},sims=6000",
    f"{BEST},time=3",
)


class BlokusHeuristics(Heuristics):
    """Lead and reach, learned priors, playouts with large pieces."""

    def __init__(self, game: BlokusRuleset, priors: Priors) -> None:
        """Take priors that fit the board of the game."""
        super().__init__(game, best_agent=BEST, levels=LEVELS)
        self._priors: Final = priors

    def evaluate(self, state: State, seat: i64) -> float:
        """Return the value by place and lead at the end, and by lead and reach before."""
        return self.evaluate_seats(state)[seat]

    def evaluate_seats(self, state: State) -> vec[float]:
        """Return the values of all seats, computing the reach of each colour once."""
        assert isinstance(state, BlokusState)
        seats: i64 = state._rules.seats
        scores = vec[i64]([0] * seats)
        reaches = vec[float]([0.0] * seats)
        players = state._rules._players
        is_over = state._mover == NOBODY
        colour: i64 = 0
        while colour < len(players):
            seat = players[colour]
            if seat != SHARED:
                scores[seat] += state.score(colour)
                if not is_over:
                    reaches[seat] += math.sqrt(float(state.reach(colour)))
            colour += 1
        return values_of(scores, reaches, is_over)

    def evaluation_weight(self, state: State) -> float:
        """Return a weight that falls with every piece, as playouts become more reliable."""
        assert isinstance(state, BlokusState)
        mover = state._mover
        return 0.0 if mover == NOBODY else weight_after(state.pieces_laid(mover))

    def rollout_policy(self, state: State, rng: Rng) -> i64:
        """Return a random placement of the largest pieces that fit."""
        assert isinstance(state, BlokusState)
        table = state._tables
        code = sample_largest(
            table, state._board, state._corners, state._numbers, state._mover, rng
        )
        return i64(table.ids[code])

    def priors(self, state: State, actions: vec[i64]) -> vec[float]:
        """Return the logarithms of the learned odds."""
        assert isinstance(state, BlokusState)
        mover = state._mover
        return self._priors.logs(
            state._tables,
            state._board,
            actions,
            mover,
            state._rules.colours,
            state.pieces_laid(mover),
        )
