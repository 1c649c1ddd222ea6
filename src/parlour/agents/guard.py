"""Ask an agent, and hold it to account: whatever it does, an answer or an `AgentFault`."""

from collections.abc import Callable
from typing import TypeVar

from parlour.agents.base import Agent, Analysis
from parlour.core.checks import as_int, type_name
from parlour.core.errors import AgentError, ParlourError, in_one_line
from parlour.core.game import State

LONGEST_REASON = 200

Answer = TypeVar("Answer")


class AgentFault(AgentError):
    """An agent crashed, or chose what is no legal action; the text says which."""

    def of(self, text: str) -> "AgentFault":
        """The same, for whoever has to be told which agent it was."""
        return AgentFault(f"the agent {text} cannot go on: {self}")


def choice_of(player: Agent, state: State) -> int:
    """What the agent chooses, checked against the rules. It gets a copy, to do with as it likes.

    Raises `AgentFault`; an error of the library's own passes through.
    """

    def choose() -> tuple[object, int | None]:
        chosen: object = player.choose(state.scratch())
        return chosen, as_int(chosen)  # once: a number could change its mind

    chosen, number = _held_to_account(choose)
    if number is None:
        raise AgentFault(f"no action: an action is an int, not {type_name(chosen)}")
    refusal = state.refusal(number)
    if refusal is not None:
        raise AgentFault(_cut(f"illegal action: {refusal}"))
    return number


def analysis_of(player: Agent, state: State) -> Analysis:
    """What the agent thinks, with a choice at least; raises like `choice_of`."""
    analysis = _held_to_account(lambda: player.analyse(state.scratch()))
    if not (isinstance(analysis, Analysis) and analysis.choices):
        raise AgentFault("no analysis: there is no choice in it")
    return analysis


def crashed(error: BaseException) -> str:
    """What to say of an agent that raised this."""
    return _cut(f"crashed: {in_one_line(error)}")


def _held_to_account(ask: Callable[[], Answer]) -> Answer:
    try:
        return ask()
    except (ParlourError, KeyboardInterrupt):
        raise
    except BaseException as error:  # an agent may try to end the process, or cancel a task
        raise AgentFault(crashed(error)) from error


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_REASON else text[: LONGEST_REASON - 3] + "..."
