"""Hints: the analysis of a strong agent, or the game's solution if it has a solver."""

from parlour.agents.base import Analysis
from parlour.agents.guard import AgentFault, analysis_of
from parlour.agents.registry import agent
from parlour.agents.seated import seat_view
from parlour.core.game import State

SECONDS = 0.5
ADVISER = f"best:time={SECONDS}"

MOST_DEEPER = 3
"""How many times an analysis can be deepened; each time doubles the seconds."""


def adviser(deeper: int) -> str:
    """Return the text of the agent for a deeper analysis; 0 gives ADVISER."""
    return f"best:time={SECONDS * 2**deeper}"


def analyse(
    state: State, seat: int | None = None, secret: bytes = b"", adviser: str = ADVISER
) -> Analysis:
    """Return the choices, best first; exact if the game has a solution from here.

    The analysis uses only what `seat` may know, by default the seat to act. `secret` is as in
    `SeatedAgent`.
    """
    if state.actor >= 0:
        state = seat_view(state, int(state.actor) if seat is None else seat, secret, 0)
    solved = solution_of(state) if adviser == ADVISER else None
    if solved is not None:
        return solved
    try:
        return analysis_of(agent(adviser), state)
    except AgentFault as fault:
        raise fault.of(adviser) from fault


def solution_of(state: State) -> Analysis | None:
    """Return the game's solution from this state, or `None` if it has none."""
    if state.actor < 0 or state.game.has_secrets or not state.game.guide().solution(state):
        return None
    return agent("exact").analyse(state)
