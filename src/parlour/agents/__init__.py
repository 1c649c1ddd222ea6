"""Agents: programs that choose an action for a state, created by name and settings.

>>> import parlour
>>> player = parlour.agent("mcts", sims=50, seed=1)
>>> player
parlour.agent('mcts:sims=50,seed=1')
>>> state = parlour.game("octa").start()
>>> player.choose(state) in state.legal_actions()
True
"""

from parlour.agents.base import AT_MOST, EXACT, Agent, Analysis, Choice, Limit, Occasion
from parlour.agents.guard import AgentFault, analysis_of, choice_of, crashed
from parlour.agents.levels import TUNED, BestAgent, LevelAgent, TunedAgent
from parlour.agents.mcts import MctsAgent
from parlour.agents.registry import (
    BUILT_IN,
    agent,
    agent_names,
    agent_settings,
    is_installed,
    seeded,
)
from parlour.agents.search import SearchAgent
from parlour.agents.seated import SeatedAgent, seat_view
from parlour.agents.simple import ExactAgent, GreedyAgent, RandomAgent

BUILT_IN.update(
    random=RandomAgent,
    greedy=GreedyAgent,
    mcts=MctsAgent,
    search=SearchAgent,
    exact=ExactAgent,
    best=BestAgent,
    level=LevelAgent,
    **{TUNED: TunedAgent},
)

__all__ = [
    "AT_MOST",
    "EXACT",
    "TUNED",
    "Agent",
    "AgentFault",
    "Analysis",
    "Choice",
    "Limit",
    "Occasion",
    "SeatedAgent",
    "agent",
    "agent_names",
    "agent_settings",
    "analysis_of",
    "choice_of",
    "crashed",
    "is_installed",
    "seat_view",
    "seeded",
]
