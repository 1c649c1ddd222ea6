"""Banqi against OpenSpiel's `banqi`, in one run and per CPU second.

    python bench/peers/banqi.py

(a) Random games inside the engine: `parlour.playouts` and `pyspiel.evaluate_bots` with two uniform
    random bots. (b) The same loop driven from Python: list the legal actions, draw one, apply it,
    and sample chance by its probabilities. Best of 5 each.
"""

import random
import time
from collections.abc import Callable

import pyspiel

import parlour

PEER = "OpenSpiel"

GAMES_INSIDE = 5_000
PEER_GAMES_INSIDE = 500
GAMES_DRIVEN = 150
ROUNDS = 5

Row = tuple[str, float, float, str]
"""The measured quantity, Parlour's figure, the peer's, and their unit."""
Played = tuple[int, int, float]
"""Games, plies (a flip with its outcome is one) and seconds."""
Loop = Callable[[int], Played]


def parlour_inside(seed: int) -> Played:
    start = parlour.game("banqi", rules="taiwan").start()
    before = time.process_time()
    done = parlour.playouts(start, GAMES_INSIDE, seed)
    return done.games, done.plies, time.process_time() - before


def peer_inside(seed: int) -> Played:
    game = pyspiel.load_game("banqi")
    bots = [pyspiel.make_uniform_random_bot(player, seed + player) for player in range(2)]
    before = time.process_time()
    states = [game.new_initial_state() for _ in range(PEER_GAMES_INSIDE)]
    for number, state in enumerate(states):
        pyspiel.evaluate_bots(state, bots, seed + number)
    seconds = time.process_time() - before
    plies = sum(entry.player >= 0 for state in states for entry in state.full_history())
    return PEER_GAMES_INSIDE, plies, seconds


def draw(outcomes: list[tuple[int, float]], point: float) -> int:
    for outcome, probability in outcomes:
        point -= probability
        if point < 0.0:
            return outcome
    return outcomes[-1][0]


def parlour_driven(seed: int) -> Played:
    uniform = random.Random(seed).random
    start = parlour.game("banqi", rules="taiwan").start()
    plies = 0
    before = time.process_time()
    for _ in range(GAMES_DRIVEN):
        state = start
        while (actor := state.actor) != parlour.OVER:
            if actor == parlour.CHANCE:
                state = state.apply(draw(state.chance_outcomes(), uniform()))
            else:
                actions = state.legal_actions()
                state = state.apply(actions[int(uniform() * len(actions))])
                plies += 1
    return GAMES_DRIVEN, plies, time.process_time() - before


def peer_driven(seed: int) -> Played:
    uniform = random.Random(seed).random
    game = pyspiel.load_game("banqi")
    plies = 0
    before = time.process_time()
    for _ in range(GAMES_DRIVEN):
        state = game.new_initial_state()
        while (actor := state.current_player()) != pyspiel.PlayerId.TERMINAL:
            if actor == pyspiel.PlayerId.CHANCE:
                state.apply_action(draw(state.chance_outcomes(), uniform()))
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(uniform() * len(actions))])
                plies += 1
    return GAMES_DRIVEN, plies, time.process_time() - before


def best(*loops: Loop) -> list[tuple[float, float]]:
    """Return games and plies per CPU second of each loop's best round; the loops take turns."""
    figures = [(0.0, 0.0)] * len(loops)
    for seed in range(ROUNDS):
        for number, loop in enumerate(loops):
            games, plies, seconds = loop(seed)
            figures[number] = max(figures[number], (games / seconds, plies / seconds))
    return figures


def rows() -> list[Row]:
    """Return the rows for this script and for `run.py`."""
    ours, theirs = best(parlour_inside, peer_inside)
    driven, peer = best(parlour_driven, peer_driven)
    return [
        ("Banqi, random games inside the engine", ours[0], theirs[0], "games/s"),
        ("Banqi, random plies inside the engine", ours[1], theirs[1], "plies/s"),
        ("Banqi, random plies driven from Python", driven[1], peer[1], "plies/s"),
    ]


def main() -> None:
    print(f"{parlour.build_info()}, and OpenSpiel; best of {ROUNDS}, per CPU second")
    for what, ours, theirs, unit in rows():
        ratio = ours / theirs
        print(f"{what:40} {ours:12,.0f} {theirs:12,.0f} {unit:8} {ratio:6.2f} times")


if __name__ == "__main__":
    main()
