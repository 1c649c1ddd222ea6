"""Play one game of a match, and hold an agent to account for what it does in it."""

import zlib
from collections.abc import Sequence
from typing import NamedTuple

from parlour.agents import Agent, AgentFault, agent, choice_of, crashed, seeded
from parlour.arena.plan import Task
from parlour.core.errors import ContractError, ParlourError
from parlour.core.game import CHANCE, OVER, Game
from parlour.core.record import Record
from parlour.core.rng import Rng


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
    moves: int
    """A checksum of the actions: games that are move for move the same have the same."""


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
                action = choice_of(players[seat], state)
            except ParlourError as error:
                reason = str(error) if isinstance(error, AgentFault) else crashed(error)
                record = Record(game, task.start_seed, actions)
                return lost_by(Fault(seat, reason), task, plies, record), record
            plies += 1
        actions.append(action)
        state = state.apply(action)
    result = state.result()
    if result is None:
        raise ContractError(f"{game.name} is over but has no result")
    played = Played(
        task.number,
        task.seating,
        result.returns,
        result.scores,
        result.reason,
        plies,
        None,
        checksum(actions),
    )
    return played, Record(game, task.start_seed, actions)


def checksum(actions: Sequence[int]) -> int:
    """The checksum of a game's actions."""
    return zlib.crc32(repr(list(actions)).encode())


def lost_by(fault: Fault, task: Task, plies: int, record: Record) -> Played:
    """A game that ended with a fault."""
    seats = record.game.seats
    others = seats - 1
    returns = [1.0 / others if others else 0.0] * seats
    returns[fault.seat] = -1.0
    reason = fault.reason.partition(":")[0]
    moves = checksum(record.actions)
    return Played(task.number, task.seating, tuple(returns), None, reason, plies, fault, moves)
