"""Agents: programs that choose an action for a state, by name and settings.

parlour.agent("mcts", sims=2000, seed=1).choose(state)
parlour.agent("mcts:sims=2000,seed=1").choose(state)
"""

from parlour.agents.base import Agent, Analysis, Choice
from parlour.agents.guard import AgentFault, analysis_of, choice_of, crashed
from parlour.agents.registry import agent, agent_names, agent_settings, seeded

__all__ = [
    "Agent",
    "AgentFault",
    "Analysis",
    "Choice",
    "agent",
    "agent_names",
    "agent_settings",
    "analysis_of",
    "choice_of",
    "crashed",
    "seeded",
]
