"""Call an agent and check its answer: every failure becomes an `AgentFault`."""

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from parlour.agents.base import Agent, Analysis, Limit
from parlour.core.checks import as_int, type_name
from parlour.core.errors import AgentError, ParlourError, in_one_line
from parlour.core.game import State

LONGEST_REASON = 200

Answer = TypeVar("Answer")


class AgentFault(AgentError):
    """An agent crashed or chose an illegal action; the message says which.

    >>> from parlour.agents import AgentFault
    >>> str(AgentFault("crashed: KeyError: 3").of("my_agent"))
    'the agent my_agent failed: crashed: KeyError: 3'
    """

    code: ClassVar[str] = "agent_fault"

    def of(self, text: str) -> "AgentFault":
        """Return the same fault with the agent's name in the message."""
        return AgentFault(f"the agent {text} failed: {self}")


def choice_of(player: Agent, state: State, limit: Limit | None = None) -> int:
    """Return the agent's choice, checked against the rules. The agent gets a copy of the state.

    Raises `AgentFault`, also for a text instead of an action id. Errors of this library pass
    through.

    >>> import parlour
    >>> from parlour.agents import choice_of
    >>> choice_of(parlour.agent("exact"), parlour.game("cat_mouse").start(seed=1)) >= 0
    True
    """
    asked: Any = player

    def choose() -> tuple[object, int | None]:
        copy = state.scratch()
        # Omit the limit if there is none: the agent's method may lack the parameter.
        chosen: object = asked.choose(copy) if limit is None else asked.choose(copy, limit)
        return chosen, as_int(chosen)  # convert once: the result may vary

    chosen, number = guarded(choose)
    if number is None:
        raise AgentFault(f"no action: an action is an int, not {type_name(chosen)}")
    check_legal(state, number)
    return number


def check_legal(state: State, chosen: int) -> None:
    """Raise `AgentFault` for an illegal action."""
    refusal = state.refusal(chosen)
    if refusal is not None:
        raise AgentFault(_cut(f"illegal action: {refusal}"))


def analysis_of(player: Agent, state: State) -> Analysis:
    """Return the agent's analysis, with at least one choice; raises like `choice_of`.

    >>> import parlour
    >>> from parlour.agents import analysis_of
    >>> state = parlour.game("octa").start()
    >>> len(analysis_of(parlour.agent("greedy"), state).choices) == len(state.legal_actions())
    True
    """
    analysis = guarded(lambda: player.analyse(state.scratch()))
    if not (isinstance(analysis, Analysis) and analysis.choices):
        raise AgentFault("invalid analysis: it has no choices")
    return analysis


def crashed(error: BaseException) -> str:
    """Return the message for an agent that raised `error`.

    >>> from parlour.agents import crashed
    >>> crashed(KeyError("e4"))
    "crashed: KeyError: 'e4'"
    """
    return _cut(f"crashed: {in_one_line(error)}")


def guarded(ask: Callable[[], Answer]) -> Answer:
    """Call an agent's method and convert every exception to an `AgentFault`.

    Errors of this library and Ctrl-C pass through.
    """
    try:
        return ask()
    except (ParlourError, KeyboardInterrupt):
        raise
    except BaseException as error:  # an agent may raise SystemExit or CancelledError
        raise AgentFault(crashed(error)) from error


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_REASON else text[: LONGEST_REASON - 3] + "..."
