"""No memory leaks: objects that are made and dropped repeatedly are freed.

A compiled function keeps the vecs that interpreted code hands to it (mypyc 2.4), which no result
shows; a server that makes games for months would.
"""

import gc
import tracemalloc

import pytest

import parlour
from parlour import CHANCE, OVER, Rng
from parlour.games.octa.spec.logic import GameConfig, OctaGameLogic, WinCondition
from parlour.games.octa.spec.map import CellState, GraphGameMap

ROUNDS = 40
WARM_UP = 10
MOST = 200
"""Bytes that a round may leave: dictionaries and caches grow in steps."""


def left_by(work):
    """The bytes that stay after each of many rounds, once caches are full."""
    tracemalloc.start()
    try:
        for number in range(WARM_UP):
            work(number)
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        for number in range(ROUNDS):
            work(number % WARM_UP)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (after - before) / ROUNDS


def played(name, number):
    """Make a game, play some plies, and read everything about it."""
    game = parlour.game(name)
    state, rng, agent = game.start(number), Rng(number), parlour.agent("level:3")
    agent.begin(state, 0)
    for _ in range(6):
        if state.actor == OVER:
            break
        action = state.sample(rng) if state.actor == CHANCE else agent.choose(state)
        text = game.action_to_text(state, action)
        state = state.apply(game.action_from_text(state, text))
    agent.close()
    game.state_from_text(game.state_to_text(state))
    state.scene(0)
    parlour.observer(game).observe(state, 0)
    if state.actor >= 0:
        parlour.agent("mcts:sims=5").analyse(state)


@pytest.mark.parametrize("name", ["banqi", "blokus", "cat_mouse", "octa"])
def test_a_finished_game_leaks_nothing(name):
    assert left_by(lambda number: played(name, number)) < MOST


def test_a_map_of_the_specification_leaks_nothing():
    def work(number):
        game_map = GraphGameMap(3)
        cells = list(game_map.get_all_cells())
        cells[0].state, cells[-1].state = CellState.PLAYER_1, CellState.PLAYER_2
        config = GameConfig(WinCondition.TURN_LIMIT_MAJORITY, 30, False)
        logic = OctaGameLogic(game_map, config)
        for _ in range(2):
            player = logic.get_current_player()
            cell = next(each for each in cells if logic.is_valid_move(each, player))
            logic.make_move(cell, player)
            logic.switch_player()

    assert left_by(work) < MOST
