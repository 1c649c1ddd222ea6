"""Hints: what a strong agent thinks of a position, or its solution where the game has one."""

from parlour.agents.base import Analysis, Choice
from parlour.agents.guard import AgentFault, analysis_of
from parlour.agents.registry import agent
from parlour.agents.seated import seat_view
from parlour.core.game import State

ADVISER = "best:time=0.5"

MOST_DEEPER = 3
"""How often an analysis may be made again, each time with twice the seconds."""


def adviser(deeper: int) -> str:
    """Who is asked for a look that is so many times deeper; 0 is ADVISER."""
    return f"best:time={0.5 * 2**deeper}"


def advise(
    state: State, seat: int | None = None, secret: bytes = b"", adviser: str = ADVISER
) -> Choice:
    """The choice to make: the first that `analyse` gives."""
    return analyse(state, seat, secret, adviser).choices[0]


def analyse(
    state: State, seat: int | None = None, secret: bytes = b"", adviser: str = ADVISER
) -> Analysis:
    """The choices, best first; exact where the game has a solution from here.

    As far as that seat knows the position; without one it is the seat to act. `secret` is as
    in `SeatedAgent`.
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
    """The way to win, where the game knows it from here; `None` otherwise."""
    if state.actor < 0 or state.game.has_secrets or not state.game.guide().solution(state):
        return None
    return agent("exact").analyse(state)
