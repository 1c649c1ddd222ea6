"""Ask an agent, and hold it to account: whatever it does, an answer or an `AgentFault`."""

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from parlour.agents.base import Agent, Analysis, Limit
from parlour.core.checks import as_int, type_name
from parlour.core.errors import AgentError, ParlourError, in_one_line
from parlour.core.game import State

LONGEST_REASON = 200

Answer = TypeVar("Answer")


class AgentFault(AgentError):
    """An agent crashed, or chose what is not a legal action; the text says which."""

    code: ClassVar[str] = "agent_fault"

    def of(self, text: str) -> "AgentFault":
        """The same, for whoever has to be told which agent it was."""
        return AgentFault(f"the agent {text} cannot go on: {self}")


def choice_of(player: Agent, state: State, limit: Limit | None = None) -> int:
    """What the agent chooses, checked against the rules. It gets a copy, to do with as it likes.

    An agent deals in ids: a text is a fault. Raises `AgentFault`; an error of the library's
    own passes through.
    """
    asked: Any = player

    def choose() -> tuple[object, int | None]:
        copy = state.scratch()
        # Without clocks, so that an agent may do without the parameter.
        chosen: object = asked.choose(copy) if limit is None else asked.choose(copy, limit)
        return chosen, as_int(chosen)  # once: a number could change its mind

    chosen, number = held_to_account(choose)
    if number is None:
        raise AgentFault(f"no action: an action is an int, not {type_name(chosen)}")
    check_legal(state, number)
    return number


def check_legal(state: State, chosen: int) -> None:
    """`AgentFault` for an action that the rules do not allow."""
    refusal = state.refusal(chosen)
    if refusal is not None:
        raise AgentFault(_cut(f"illegal action: {refusal}"))


def analysis_of(player: Agent, state: State) -> Analysis:
    """What the agent thinks, with a choice at least; raises like `choice_of`."""
    analysis = held_to_account(lambda: player.analyse(state.scratch()))
    if not (isinstance(analysis, Analysis) and analysis.choices):
        raise AgentFault("no analysis: there is no choice in it")
    return analysis


def crashed(error: BaseException) -> str:
    """What to say of an agent that raised this."""
    return _cut(f"crashed: {in_one_line(error)}")


def held_to_account(ask: Callable[[], Answer]) -> Answer:
    """What an agent's method gives; whatever it raises is an `AgentFault`.

    An error of the library's own passes through, and so does Ctrl-C.
    """
    try:
        return ask()
    except (ParlourError, KeyboardInterrupt):
        raise
    except BaseException as error:  # an agent may try to end the process, or cancel a task
        raise AgentFault(crashed(error)) from error


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_REASON else text[: LONGEST_REASON - 3] + "..."
