"""Matches and tournaments of agents: fair seating, any machine or cluster, confidence intervals.

from parlour.arena import match_report, run_match
print(match_report(run_match("octa", ["mcts:sims=50", "greedy"], 20, seed=1)))
"""

from parlour.arena.conditions import Conditions, Streak
from parlour.arena.contest import Fault, Played
from parlour.arena.errors import MatchError
from parlour.arena.intervals import Estimate
from parlour.arena.match import Progress, run_match
from parlour.arena.openings import Opening, read_openings
from parlour.arena.report import match_report
from parlour.arena.results import Duel, MatchResult, RankedPlayer
from parlour.arena.runner import Crew, Runner, Setup, runner_of
from parlour.arena.sprt import Sprt, SprtState
from parlour.arena.tournament import Tournament, TournamentResult, run_tournament

__all__ = [
    "Conditions",
    "Crew",
    "Duel",
    "Estimate",
    "Fault",
    "MatchError",
    "MatchResult",
    "Opening",
    "Played",
    "Progress",
    "RankedPlayer",
    "Runner",
    "Setup",
    "Sprt",
    "SprtState",
    "Streak",
    "Tournament",
    "TournamentResult",
    "match_report",
    "read_openings",
    "run_match",
    "run_tournament",
    "runner_of",
]
