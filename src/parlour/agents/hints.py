"""Hints: what a strong agent thinks of a position, or its solution where the game has one."""

from parlour.agents.base import Analysis, Choice
from parlour.agents.guard import AgentFault, analysis_of
from parlour.agents.registry import agent
from parlour.core.game import State

ADVISER = "best:time=0.5"


def advise(state: State, adviser: str = ADVISER) -> Choice:
    """The choice to make: the solution's where the game is solved from here, else the agent's."""
    return analyse(state, adviser).choices[0]


def analyse(state: State, adviser: str = ADVISER) -> Analysis:
    """The choices, best first; exact where the game has a solution from here."""
    if state.actor >= 0 and adviser == ADVISER and state.solution():
        return agent("exact").analyse(state)
    try:
        return analysis_of(agent(adviser), state)
    except AgentFault as fault:
        raise fault.of(adviser) from fault
