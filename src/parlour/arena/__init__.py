"""Matches between agents: many games, fairly seated, on processes, with honest figures.

from parlour.arena import run_match
print(run_match("octa", ["mcts:sims=50", "greedy"], 20, seed=1).table())
"""

from parlour.arena.errors import MatchError
from parlour.arena.match import Progress, run_match
from parlour.arena.playing import Fault, Played
from parlour.arena.results import Duel, MatchResult, Standing
from parlour.arena.sprt import Sprt, SprtState
from parlour.arena.statistics import Estimate

__all__ = [
    "Duel",
    "Estimate",
    "Fault",
    "MatchError",
    "MatchResult",
    "Played",
    "Progress",
    "Sprt",
    "SprtState",
    "Standing",
    "run_match",
]
