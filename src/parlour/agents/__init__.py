"""Agents: programs that choose an action for a state, by name and settings.

parlour.agent("mcts", sims=2000, seed=1).choose(state)
parlour.agent("mcts:sims=2000,seed=1").choose(state)
"""

from parlour.agents.base import AT_MOST, EXACT, Agent, Analysis, Choice, Limit
from parlour.agents.guard import AgentFault, analysis_of, choice_of, crashed
from parlour.agents.registry import agent, agent_names, agent_settings, seeded
from parlour.agents.seated import SeatedAgent, seat_view

__all__ = [
    "AT_MOST",
    "EXACT",
    "Agent",
    "AgentFault",
    "Analysis",
    "Choice",
    "Limit",
    "SeatedAgent",
    "agent",
    "agent_names",
    "agent_settings",
    "analysis_of",
    "choice_of",
    "crashed",
    "seat_view",
    "seeded",
]
