"""Play one game of a match, and hold an agent to account for what it does in it."""

import traceback
from collections.abc import Sequence
from typing import NamedTuple

from parlour.agents import Agent, agent, seeded
from parlour.arena.pairing import Task
from parlour.core.checking import as_int
from parlour.core.errors import ContractError
from parlour.core.game import CHANCE, OVER, Game, State
from parlour.core.record import Record
from parlour.core.rng import Rng

LONGEST_REASON = 200


class Fault(NamedTuple):
    """Why a game was lost without being played to its end."""

    seat: int
    reason: str
    """`crashed: ...`, `illegal action: ...` or `no action: ...`."""


class Played(NamedTuple):
    """A game of a match and how it ended."""

    number: int
    seating: tuple[int, ...]
    """The number of the agent in each seat."""
    returns: tuple[float, ...]
    scores: tuple[float, ...] | None
    """The game's own points, where it has them; none after a fault."""
    reason: str
    plies: int
    """Decisions of seats; the outcomes of chance do not count."""
    fault: Fault | None


def play_game(game: Game, agents: Sequence[str], task: Task) -> tuple[Played, Record]:
    """Play the game of a task; the record stops before the action of a fault.

    An agent that raises, returns an illegal action or returns no action has lost: -1 for it,
    and the others share what it lost. `ContractError` if the game itself is at fault.
    """
    players: dict[int, Agent] = {}
    chance = Rng(task.chance_seed)
    state = game.start(task.start_seed)
    actions: list[int] = []
    plies = 0
    while (actor := state.actor) != OVER:
        if actor == CHANCE:
            action = int(state.sample(chance))
        else:
            seat = int(actor)
            if plies == game.max_plies:
                raise ContractError(f"a game of {game.name} goes on after its max_plies, {plies}")
            try:
                if seat not in players:
                    text = agents[task.seating[seat]]
                    players[seat] = agent(seeded(text, task.agent_seeds[seat]))
                chosen: object = players[seat].choose(state)
                reason = fault_of(state, chosen)
            except (Exception, SystemExit) as error:
                reason = _cut(f"crashed: {_in_one_line(error)}")
            if reason is not None:
                record = Record(game, task.start_seed, actions)
                return _lost(game, task, Fault(seat, reason), plies), record
            number = as_int(chosen)
            assert number is not None  # else `fault_of` had found a reason
            action = number
            plies += 1
        actions.append(action)
        state = state.apply(action)
    result = state.result()
    if result is None:
        raise ContractError(f"{game.name} is over but has no result")
    played = Played(
        task.number, task.seating, result.returns, result.scores, result.reason, plies, None
    )
    return played, Record(game, task.start_seed, actions)


def fault_of(state: State, chosen: object) -> str | None:
    """What is wrong with a choice, or `None`."""
    refusal = state.refusal(chosen)
    if refusal is None:
        return None
    is_number = hasattr(type(chosen), "__index__") and not isinstance(chosen, bool)
    return _cut(f"{'illegal action' if is_number else 'no action'}: {refusal}")


def _lost(game: Game, task: Task, fault: Fault, plies: int) -> Played:
    others = game.seats - 1
    returns = [1.0 / others if others else 0.0] * game.seats
    returns[fault.seat] = -1.0
    reason = fault.reason.partition(":")[0]
    return Played(task.number, task.seating, tuple(returns), None, reason, plies, fault)


def _in_one_line(error: BaseException) -> str:
    # Not str(error): that may raise too.
    return " ".join("".join(traceback.format_exception_only(error)).split())


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_REASON else text[: LONGEST_REASON - 3] + "..."
