"""A short game between agents, for the moving pictures of a list of games.

    python -P -m parlour.server.sample_game GAME > JSON

plays it in a separate process, which the server ends if it takes too long.
"""

import sys
import time

from parlour.agents.base import Agent
from parlour.agents.levels import levels_of
from parlour.agents.registry import agent, seeded
from parlour.core.game import CHANCE, Game, State, start_of
from parlour.core.registry import game
from parlour.core.rng import Rng
from parlour.protocol.json import encode
from parlour.protocol.requests import GamePreview
from parlour.protocol.scenes import SceneSender

SEED = 5
LEVEL = 3
MOST_FRAMES = 80
MOST_BYTES = 65_536
CPU_SECONDS = 3.0
"""The game stops after this time; the pictures until then are shown."""


def preview(played: Game) -> GamePreview:
    """Return the boards of a game between agents of a low level, as a spectator sees them."""
    state = start_of(played, SEED)
    sender, rng = SceneSender(), Rng(SEED)
    first = sender.full(state.scene(None))
    changes: list[list[tuple[int, int]]] = []
    text = levels_of(played)[:LEVEL][-1]
    players = [agent(seeded(text, SEED + seat)) for seat in range(played.seats)]
    until = time.process_time() + CPU_SECONDS
    while state.result() is None and len(changes) < MOST_FRAMES and time.process_time() < until:
        state = state.apply(_choice(state, players, rng))
        if state.actor == CHANCE:
            continue  # the outcome is a part of the same move
        diff = sender.diff(state.scene(None))
        if diff is None:
            break
        if diff.cells:
            changes.append(list(diff.cells))
    return GamePreview(sender.palette(), first.cells, changes, first.board)


def _choice(state: State, players: list[Agent], rng: Rng) -> int:
    if state.actor == CHANCE:
        return int(state.sample(rng))
    seat = int(state.actor)
    known = state.determinize(seat, rng) if state.game.has_secrets else state
    return int(players[seat].choose(known))


def encoded(found: GamePreview) -> bytes:
    """Return the JSON, with as many changes as fit."""
    data = encode(found)
    while len(data) > MOST_BYTES and found.changes:
        del found.changes[len(found.changes) // 2 :]
        data = encode(found)
    return data


if __name__ == "__main__":
    sys.stdout.buffer.write(encoded(preview(game(sys.argv[1]))))
