"""The specification's testing requirements for Octa: map, stopping conditions, play-throughs."""

import io

import pytest

from parlour.games.octa import (
    CellState,
    Coordinate,
    Direction,
    GameConfig,
    GameEngine,
    GraphGameMap,
    OctaGameLogic,
    Player,
    ScriptedMoveProvider,
    WinCondition,
)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_map_generation_cell_counts(size):
    assert GraphGameMap(size).get_total_cell_count() == (2 * size + 1) ** 2


def test_map_generation_neighbour_linking():
    game_map = GraphGameMap(2)
    links = [
        other for cell in game_map.get_all_cells() for other in cell.neighbors.values() if other
    ]
    # 16 pairs along each of 5 rows and columns make 2 * 20 straight links, and 2 * 16
    # diagonal ones; each counts from both ends.
    assert len(links) == 2 * (2 * 20 + 2 * 16)


def chain(second_state, second_direction, stop_on_enemy=False):
    """Fire (0, 0) at (0, 1), which has this state and direction. Return all cells."""
    game_map = GraphGameMap(2)
    cells = {c.coordinate: c for c in game_map.get_all_cells()}
    first, second = cells[0, 0], cells[0, 1]
    first.state, first.direction = CellState.PLAYER_1, Direction.NW
    second.state, second.direction = second_state, second_direction
    cells[-2, -2].state = CellState.PLAYER_2
    config = GameConfig(WinCondition.ELIMINATION, 0, stop_on_enemy)
    OctaGameLogic(game_map, config).make_move(first, Player.PLAYER_1)
    return cells


def test_stopping_condition_off_the_grid():
    cells = chain(CellState.NEUTRAL, Direction.NW)
    assert cells[0, 1].state is cells[0, 2].state is CellState.PLAYER_1
    assert sum(cell.state is CellState.PLAYER_1 for cell in cells.values()) == 3


def test_stopping_condition_own_cell():
    assert chain(CellState.PLAYER_1, Direction.S)[0, 1].direction is Direction.S


def test_stopping_condition_captured_this_turn():
    cells = chain(CellState.NEUTRAL, Direction.SE)
    assert cells[0, 1].direction is Direction.S
    assert cells[0, 0].direction is Direction.N


def test_stopping_condition_stop_on_enemy():
    assert chain(CellState.PLAYER_2, Direction.S)[0, 1].state is CellState.PLAYER_1
    assert chain(CellState.PLAYER_2, Direction.S, True)[0, 1].state is CellState.PLAYER_2


def session(condition, limit, moves):
    game_map = GraphGameMap(1)
    one, two = (game_map.get_cell(Coordinate(x, 0)) for x in (-1, 1))
    one.state, one.direction = CellState.PLAYER_1, Direction.NW
    two.state, two.direction = CellState.PLAYER_2, Direction.SE
    game_map.get_cell(Coordinate(-1, 1)).direction = Direction.NE
    game_map.get_cell(Coordinate(0, 1)).direction = Direction.E
    logic = OctaGameLogic(game_map, GameConfig(condition, limit, False))
    engine = GameEngine(game_map, logic, ScriptedMoveProvider(moves), io.StringIO())
    return engine.run(), logic


def test_a_scripted_play_through_by_elimination():
    # (-1,0) fires north; (-1,1) turns east; (0,1) turns south-east and captures (1,0).
    result, logic = session(WinCondition.ELIMINATION, 0, [Coordinate(-1, 0)])
    assert (result.winner, result.reason) == (Player.PLAYER_1, "elimination")
    assert logic.get_turn_count() == 1


def test_a_scripted_play_through_by_turn_limit_majority():
    moves = [Coordinate(-1, 0)]
    result, logic = session(WinCondition.TURN_LIMIT_MAJORITY, 3, moves)
    assert (result.winner, result.reason) == (Player.PLAYER_1, "elimination")
    game_map = GraphGameMap(2)
    game_map.get_cell(Coordinate(-2, 0)).state = CellState.PLAYER_1
    game_map.get_cell(Coordinate(2, -2)).state = CellState.PLAYER_2
    logic = OctaGameLogic(game_map, GameConfig(WinCondition.TURN_LIMIT_MAJORITY, 3, False))
    script = ScriptedMoveProvider([(-2, 0), (2, -2), (-2, 0)])
    result = GameEngine(game_map, logic, script, io.StringIO()).run()
    assert (result.winner, result.reason) == (Player.PLAYER_1, "majority")
    assert logic.get_turn_count() == 3
