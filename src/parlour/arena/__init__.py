"""Matches between agents: many games, fairly seated, on processes, with honest figures.

from parlour.arena import match_report, run_match
print(match_report(run_match("octa", ["mcts:sims=50", "greedy"], 20, seed=1)))
"""

from parlour.arena.contest import Fault, Played
from parlour.arena.errors import MatchError
from parlour.arena.match import Progress, run_match
from parlour.arena.report import match_report
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
    "match_report",
    "run_match",
]
