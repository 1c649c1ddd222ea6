"""The specification's API of Octa, sentence by sentence, and our readings of open points."""

import copy
import io
import pickle

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import parlour
from parlour.games.octa import (
    AgentMoveProvider,
    CellState,
    CLIView,
    Coordinate,
    Direction,
    GameCell,
    GameConfig,
    GameEngine,
    GameLogic,
    GameMap,
    GameResult,
    GraphGameMap,
    InvalidMoveError,
    MoveProvider,
    OctaGameLogic,
    Player,
    ScriptedMoveProvider,
    WinCondition,
    rotate_clockwise,
)
from parlour.games.octa.spec.engine import board_text

P1, P2 = Player.PLAYER_1, Player.PLAYER_2
ONE, TWO, BLOCKED, NEUTRAL = (
    CellState.PLAYER_1,
    CellState.PLAYER_2,
    CellState.BLOCKED,
    CellState.NEUTRAL,
)
ONGOING = GameResult(None, "ongoing")


def config(condition=WinCondition.ELIMINATION, limit=100, stop=False):
    return GameConfig(condition, limit, stop)


def majority(limit):
    return config(WinCondition.TURN_LIMIT_MAJORITY, limit)


def setup(size=2, conf=None, **cells):
    """Return a map and its logic; cells are `x_y=(state, direction)` with m for minus."""
    game_map = GraphGameMap(size)
    for where, (state, direction) in cells.items():
        x, y = (int(part.replace("m", "-")) for part in where.lstrip("c").split("_"))
        cell = game_map.get_cell(Coordinate(x, y))
        cell.state, cell.direction = state, direction
    return game_map, OctaGameLogic(game_map, conf or config())


def snapshot(game_map):
    return [(cell.state, cell.direction) for cell in game_map.get_all_cells()]


# 3.1, 3.2: the map


def test_the_map_interface_has_four_methods_and_cannot_be_instantiated():
    assert GameMap.__abstractmethods__ == {
        "get_cell",
        "get_all_cells",
        "get_size",
        "get_total_cell_count",
    }
    with pytest.raises(TypeError):
        GameMap()


@pytest.mark.parametrize(("size", "count"), [(1, 9), (2, 25), (3, 49), (5, 121)])
def test_a_map_of_size_n_has_2n_plus_1_squared_cells(size, count):
    game_map = GraphGameMap(size)
    assert game_map.get_size() == size
    assert game_map.get_total_cell_count() == count
    assert len(game_map.get_all_cells()) == count
    assert {cell.coordinate for cell in game_map.get_all_cells()} == {
        (x, y) for x in range(-size, size + 1) for y in range(-size, size + 1)
    }


def test_get_cell_finds_by_coordinate_and_is_none_off_the_map():
    game_map = GraphGameMap(2)
    cell = game_map.get_cell(Coordinate(-2, 1))
    assert cell.coordinate == Coordinate(-2, 1)
    assert game_map.get_cell(Coordinate(-2, 1)) is cell
    assert game_map.get_cell(Coordinate(3, 0)) is None


def test_north_is_y_plus_1_and_every_cell_is_linked_to_its_8_neighbours():
    steps = {
        "N": (0, 1),
        "NE": (1, 1),
        "E": (1, 0),
        "SE": (1, -1),
        "S": (0, -1),
        "SW": (-1, -1),
        "W": (-1, 0),
        "NW": (-1, 1),
    }
    game_map = GraphGameMap(2)
    for cell in game_map.get_all_cells():
        assert list(cell.neighbors) == list(Direction)
        for name, (east, north) in steps.items():
            x, y = cell.coordinate
            expected = game_map.get_cell(Coordinate(x + east, y + north))
            assert cell.neighbors[Direction[name]] is expected


def test_links_are_mutual_and_missing_neighbours_are_none():
    game_map = GraphGameMap(3)
    for cell in game_map.get_all_cells():
        for direction, other in cell.neighbors.items():
            if other is not None:
                assert other.neighbors[direction.opposite] is cell
    corner = game_map.get_cell(Coordinate(3, 3))
    assert [d.name for d, n in corner.neighbors.items() if n is None] == [
        "N",
        "NE",
        "E",
        "SE",
        "NW",
    ]


@pytest.mark.parametrize("size", [0, -1, 1.0, "2", None, True])
def test_a_size_below_1_or_of_another_type_is_a_value_error(size):
    with pytest.raises(ValueError, match="size must be an int of at least 1"):
        GraphGameMap(size)


# 3.3: the data models


def test_a_coordinate_holds_x_and_y_and_is_hashable():
    assert (Coordinate(1, -2).x, Coordinate(1, -2).y) == (1, -2)
    assert len({Coordinate(1, 2), Coordinate(1, 2), Coordinate(2, 1)}) == 2


def test_a_cell_has_coordinate_state_direction_and_eight_empty_neighbours():
    cell = GameCell(Coordinate(0, 0))
    assert (cell.state, cell.direction) == (NEUTRAL, Direction.N)
    assert cell.neighbors == dict.fromkeys(Direction)
    cell = GameCell(Coordinate(0, 0), ONE, Direction.S)
    cell.state, cell.direction = BLOCKED, Direction.W
    assert (cell.state, cell.direction) == (BLOCKED, Direction.W)
    assert "GameCell(Coordinate(x=0, y=0)" in repr(cell)


def test_a_cell_rejects_values_that_are_not_states_or_directions():
    cell = GameCell(Coordinate(0, 0))
    with pytest.raises(ValueError, match="state must be a CellState"):
        cell.state = Player.PLAYER_1
    with pytest.raises(ValueError, match="direction must be a Direction"):
        cell.direction = 3
    assert (cell.state, cell.direction) == (NEUTRAL, Direction.N)


def test_player_and_cell_state_are_distinct():
    assert Player.PLAYER_1 != CellState.PLAYER_1
    assert [player.name for player in Player] == ["PLAYER_1", "PLAYER_2"]
    assert [state.name for state in CellState] == ["NEUTRAL", "PLAYER_1", "PLAYER_2", "BLOCKED"]
    assert [player.cell_state for player in Player] == [ONE, TWO]
    assert [player.opponent for player in Player] == [P2, P1]


def test_rotate_clockwise_turns_by_45_degrees():
    names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    assert [d.name for d in Direction] == names
    assert [rotate_clockwise(Direction[n]).name for n in names] == [*names[1:], "N"]
    with pytest.raises(ValueError, match="direction must be a Direction"):
        rotate_clockwise(Player.PLAYER_1)


# 4.1 to 4.3: the logic and its state


def test_the_logic_implements_the_interface():
    assert {
        "is_valid_move",
        "make_move",
        "is_game_over",
        "get_current_player",
        "switch_player",
        "get_turn_count",
    } == GameLogic.__abstractmethods__
    assert issubclass(OctaGameLogic, GameLogic)


class SixMethods(GameLogic):
    """A logic with only the specification's methods: the third mover wins."""

    def __init__(self):
        self.player, self.turns = P1, 0

    def is_valid_move(self, cell, player):
        return True

    def make_move(self, cell, player):
        self.turns += 1
        return GameResult(player, "third") if self.turns == 3 else GameResult(None, "ongoing")

    def is_game_over(self):
        return self.turns == 3

    def get_current_player(self):
        return self.player

    def switch_player(self):
        self.player = self.player.opponent

    def get_turn_count(self):
        return self.turns


def test_a_logic_needs_only_the_six_methods():
    logic = SixMethods()
    assert logic.get_result() == GameResult(None, "ongoing")
    moves = ScriptedMoveProvider([Coordinate(0, 0)] * 3)
    engine = GameEngine(GraphGameMap(1), logic, moves, stdout=io.StringIO())
    assert engine.run() == GameResult(P1, "third")
    unfinished = SixMethods()
    few = ScriptedMoveProvider([Coordinate(0, 0)])
    result = GameEngine(GraphGameMap(1), unfinished, few, stdout=io.StringIO()).run()
    assert result == GameResult(None, "ongoing")


def test_it_manages_the_current_player_and_the_turn_count():
    _, logic = setup()
    assert logic.get_current_player() is P1
    assert logic.get_turn_count() == 0
    logic.switch_player()
    assert logic.get_current_player() is P2
    logic.switch_player()
    assert logic.get_current_player() is P1


def test_a_move_is_valid_if_the_cell_is_owned_by_the_current_player():
    game_map, logic = setup(
        c0_0=(ONE, Direction.N), c1_1=(TWO, Direction.N), c2_2=(BLOCKED, Direction.N)
    )
    valid = [c.coordinate for c in game_map.get_all_cells() if logic.is_valid_move(c, P1)]
    assert valid == [(0, 0)]


def test_is_valid_move_is_false_out_of_turn():
    game_map, logic = setup(c0_0=(ONE, Direction.N), c1_1=(TWO, Direction.N))
    assert not logic.is_valid_move(game_map.get_cell(Coordinate(1, 1)), P2)
    logic.switch_player()
    assert logic.is_valid_move(game_map.get_cell(Coordinate(1, 1)), P2)
    assert not logic.is_valid_move(game_map.get_cell(Coordinate(0, 0)), P1)


def test_is_valid_move_is_false_for_a_cell_of_another_map():
    _, logic = setup(c0_0=(ONE, Direction.N))
    other, _ = setup(c0_0=(ONE, Direction.N))
    assert not logic.is_valid_move(other.get_cell(Coordinate(0, 0)), P1)


def test_is_valid_move_is_false_once_the_game_is_over():
    game_map, logic = setup(1, c0_0=(ONE, Direction.NW), c0_1=(TWO, Direction.N))
    centre = game_map.get_cell(Coordinate(0, 0))
    assert logic.make_move(centre, P1) == GameResult(P1, "elimination")
    logic.switch_player()
    logic.switch_player()
    assert not logic.is_valid_move(centre, P1)


class Evil:
    @property
    def __class__(self):
        raise RuntimeError

    def __eq__(self, other):
        raise RuntimeError

    __hash__ = None


def test_is_valid_move_never_raises_for_any_type():
    game_map, logic = setup(c0_0=(ONE, Direction.N))
    cell = game_map.get_cell(Coordinate(0, 0))
    for junk in (None, 0, "0,0", Coordinate(0, 0), object(), Evil(), ONE, [], GameCell):
        assert logic.is_valid_move(junk, P1) is False
        assert logic.is_valid_move(cell, junk) is False
        assert logic.is_valid_move(junk, junk) is False
    assert logic.is_valid_move(cell, P1) is True


# 4.4: moves and chains


def test_the_selected_cell_turns_and_its_new_arrow_starts_the_chain():
    game_map, logic = setup(c0_0=(ONE, Direction.NW), cm2_0=(TWO, Direction.N))
    assert logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1) == ONGOING
    north = game_map.get_cell(Coordinate(0, 1))
    assert game_map.get_cell(Coordinate(0, 0)).direction is Direction.N
    assert (north.state, north.direction) == (ONE, Direction.NE)


def test_stopping_condition_a_off_the_grid():
    game_map, logic = setup(1, c1_1=(ONE, Direction.N), c0_0=(TWO, Direction.N))
    before = snapshot(game_map)
    logic.make_move(game_map.get_cell(Coordinate(1, 1)), P1)
    changed = [i for i, cell in enumerate(snapshot(game_map)) if cell != before[i]]
    assert changed == [2]


def test_stopping_condition_b_own_cell_which_is_not_rotated():
    game_map, logic = setup(
        c0_0=(ONE, Direction.NW), c0_1=(ONE, Direction.S), cm2_2=(TWO, Direction.N)
    )
    logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1)
    assert game_map.get_cell(Coordinate(0, 1)).direction is Direction.S


def test_stopping_condition_c_a_cyclic_chain_ends():
    # (0,0) fires east; (1,0) turns to point back west.
    game_map, logic = setup(
        c0_0=(ONE, Direction.NE), c1_0=(NEUTRAL, Direction.SW), cm2_2=(TWO, Direction.N)
    )
    assert logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1) == ONGOING
    assert game_map.get_cell(Coordinate(0, 0)).direction is Direction.E
    assert game_map.get_cell(Coordinate(1, 0)).state is ONE
    assert logic.get_turn_count() == 1


@pytest.mark.parametrize("stop", [False, True])
def test_stopping_condition_d_stop_on_enemy(stop):
    game_map, logic = setup(
        conf=config(stop=stop),
        c0_0=(ONE, Direction.NW),
        c0_1=(TWO, Direction.N),
        cm2_2=(TWO, Direction.N),
    )
    logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1)
    enemy = game_map.get_cell(Coordinate(0, 1))
    assert (enemy.state, enemy.direction) == ((TWO, Direction.N) if stop else (ONE, Direction.NE))


def test_a_blocked_cell_stops_a_chain_like_the_edge():
    game_map, logic = setup(
        c0_0=(ONE, Direction.NW), c0_1=(BLOCKED, Direction.E), cm2_2=(TWO, Direction.N)
    )
    logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1)
    blocked = game_map.get_cell(Coordinate(0, 1))
    assert (blocked.state, blocked.direction) == (BLOCKED, Direction.E)


def test_a_move_increments_the_turn_count_and_never_switches_players():
    game_map, logic = setup(c0_0=(ONE, Direction.N), cm2_2=(TWO, Direction.N))
    logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1)
    assert logic.get_turn_count() == 1
    assert logic.get_current_player() is P1


def test_an_invalid_move_raises_and_nothing_changes():
    game_map, logic = setup(c0_0=(ONE, Direction.N), cm2_2=(TWO, Direction.N))
    before = snapshot(game_map)
    for cell, player in (
        (game_map.get_cell(Coordinate(-2, 2)), P1),
        (game_map.get_cell(Coordinate(-2, 2)), P2),
        (game_map.get_cell(Coordinate(1, 1)), P1),
        (GameCell(Coordinate(0, 0), ONE), P1),
        (None, P1),
        (game_map.get_cell(Coordinate(0, 0)), None),
    ):
        with pytest.raises(InvalidMoveError) as caught:
            logic.make_move(cell, player)
        assert isinstance(caught.value, ValueError)
        assert str(caught.value)
    assert snapshot(game_map) == before
    assert logic.get_turn_count() == 0


def test_a_chain_of_100_000_cells_needs_no_stack():
    ring = Ring(100_000)
    ring.cells[0].state = ONE
    ring.cells[-1].state = TWO
    logic = OctaGameLogic(ring, config())
    assert logic.make_move(ring.cells[0], P1) == GameResult(P1, "elimination")
    assert all(cell.state is ONE and cell.direction is Direction.E for cell in ring.cells)


class Watched(GraphGameMap):
    """A map that lists the coordinates it is asked for, and counts how often it is read."""

    def __init__(self, size):
        self.asked, self.read = [], 0
        super().__init__(size)

    def get_cell(self, coordinate):
        self.asked.append(coordinate)
        return super().get_cell(coordinate)

    def get_all_cells(self):
        self.read += 1
        return super().get_all_cells()


@pytest.mark.parametrize("size", [4, 60])
def test_a_move_looks_only_at_the_cells_it_changes_and_the_one_that_stops_it(size):
    game_map = Watched(size)
    cell, stop = (GraphGameMap.get_cell(game_map, Coordinate(x, 0)) for x in (0, 1))
    cell.state, cell.direction, stop.state = ONE, Direction.NE, BLOCKED
    GraphGameMap.get_cell(game_map, Coordinate(size, size)).state = TWO
    logic = OctaGameLogic(game_map, config())
    game_map.asked, game_map.read = [], 0
    assert logic.make_move(cell, P1) == ONGOING
    assert game_map.read == 0
    assert set(game_map.asked) == {(0, 0), (1, 0)}
    assert len(game_map.asked) <= 3


def test_a_chain_looks_at_most_twice_as_far_as_it_goes():
    ring = Ring(1000)
    ring.cells[0].state = ring.cells[-1].state = ONE
    ring.cells[11].state = TWO
    asked = []
    ring.get_cell = lambda coordinate: asked.append(coordinate) or ring.cells[coordinate.x]
    OctaGameLogic(ring, config(stop=True)).make_move(ring.cells[0], P1)
    assert sum(cell.state is ONE for cell in ring.cells) == 12
    assert len(asked) < 30


def test_cells_that_a_map_gains_or_loses_later_count():
    ring = Ring(4)
    ring.cells[0].state, ring.cells[2].state = ONE, TWO
    logic = OctaGameLogic(ring, majority(5))
    assert logic.make_move(ring.cells[0], P1).reason == "elimination"
    late = GameCell(Coordinate(4, 0), TWO)
    ring.cells.append(late)
    assert logic.get_result() == ONGOING
    assert not logic.is_game_over()
    ring.cells.pop()
    assert logic.get_result() == GameResult(P1, "elimination")


def test_a_cell_that_replaces_another_counts_once_a_move_reaches_it():
    ring = Ring(4)
    ring.cells[0].state, ring.cells[3].state = ONE, TWO
    logic = OctaGameLogic(ring, config(stop=True))
    assert not logic.is_valid_move(GameCell(Coordinate(1, 0), ONE), P1)
    new = GameCell(Coordinate(1, 0), NEUTRAL, Direction.SE)
    ring.cells[0].neighbors[Direction.E] = new
    ring.cells[1] = new
    logic.make_move(ring.cells[0], P1)
    assert new.state is ONE
    ring.cells[0].state = NEUTRAL
    assert logic.get_result() == ONGOING
    new.state = NEUTRAL
    assert logic.get_result() == GameResult(P2, "elimination")


def test_a_neighbour_that_is_not_on_the_map_is_the_edge():
    game_map, logic = setup(c0_0=(ONE, Direction.NE), cm2_2=(TWO, Direction.N))
    stray = GameCell(Coordinate(1, 0))
    game_map.get_cell(Coordinate(0, 0)).neighbors[Direction.E] = stray
    logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1)
    assert (stray.state, stray.direction) == (NEUTRAL, Direction.N)


def test_a_custom_cell_may_lack_a_direction():
    game_map, logic = setup(c0_0=(ONE, Direction.NE), cm2_2=(TWO, Direction.N))
    cell = game_map.get_cell(Coordinate(0, 0))
    del cell.neighbors[Direction.E]
    assert logic.make_move(cell, P1) == ONGOING
    assert cell.direction is Direction.E


def test_several_logics_count_the_cells_of_one_map():
    game_map, logic = setup(1, c0_0=(ONE, Direction.N), c1_1=(TWO, Direction.N))
    other = OctaGameLogic(game_map, majority(3))
    for each in (logic, other):
        each._turns = 1
    game_map.get_cell(Coordinate(1, 1)).state = NEUTRAL
    assert logic.get_result() == other.get_result() == GameResult(P1, "elimination")


def test_a_cell_forgets_the_counts_of_lost_games():
    game_map = GraphGameMap(1)
    for _ in range(5):
        OctaGameLogic(game_map, config())
    OctaGameLogic(game_map, config())
    assert len(game_map.get_cell(Coordinate(0, 0))._counts) == 1


# any GameMap


class Ring(GameMap):
    """Cells in a circle, linked east and west only."""

    def __init__(self, count):
        self.cells = [GameCell(Coordinate(i, 0), direction=Direction.NE) for i in range(count)]
        for i, cell in enumerate(self.cells):
            cell.neighbors[Direction.E] = self.cells[(i + 1) % count]
            cell.neighbors[Direction.W] = self.cells[i - 1]

    def get_cell(self, coordinate):
        return self.cells[coordinate.x] if 0 <= coordinate.x < len(self.cells) else None

    def get_all_cells(self):
        return list(self.cells)

    def get_size(self):
        return len(self.cells)

    def get_total_cell_count(self):
        return len(self.cells)


def test_the_logic_works_on_a_ring():
    ring = Ring(6)
    ring.cells[0].state, ring.cells[5].state = ONE, TWO
    logic = OctaGameLogic(ring, config())
    assert logic.make_move(ring.cells[0], P1) == GameResult(P1, "elimination")
    assert [cell.direction for cell in ring.cells] == [Direction.E] * 6


def test_a_ring_is_drawn_and_played_by_the_engine():
    ring = Ring(4)
    ring.cells[0].state, ring.cells[2].state = ONE, TWO
    out = io.StringIO()
    logic = OctaGameLogic(ring, config(stop=True))
    engine = GameEngine(ring, logic, ScriptedMoveProvider([Coordinate(0, 0)]), out)
    assert engine.run() == ONGOING
    assert "1→" in out.getvalue()


class Hexagonal(GameMap):
    """A hexagonal map in axial coordinates, linked in six of the eight directions."""

    STEPS = {"N": (0, 1), "NE": (1, 0), "SE": (1, -1), "S": (0, -1), "SW": (-1, 0), "NW": (-1, 1)}

    def __init__(self, size):
        self.size = size
        span = range(-size, size + 1)
        self.cells = {
            Coordinate(q, r): GameCell(Coordinate(q, r))
            for q in span
            for r in span
            if abs(q + r) <= size
        }
        for (q, r), cell in self.cells.items():
            for name, (dq, dr) in self.STEPS.items():
                cell.neighbors[Direction[name]] = self.cells.get(Coordinate(q + dq, r + dr))

    def get_cell(self, coordinate):
        return self.cells.get(coordinate)

    def get_all_cells(self):
        return list(self.cells.values())

    def get_size(self):
        return self.size

    def get_total_cell_count(self):
        return len(self.cells)


def test_the_logic_works_on_a_hexagonal_map():
    hexagons = Hexagonal(2)
    assert hexagons.get_total_cell_count() == 19
    centre, south = hexagons.get_cell(Coordinate(0, 0)), hexagons.get_cell(Coordinate(0, -2))
    centre.state, centre.direction, south.state = ONE, Direction.N, TWO
    logic = OctaGameLogic(hexagons, config())
    logic.make_move(centre, P1)
    assert hexagons.get_cell(Coordinate(1, 0)).state is ONE


def test_a_neighbour_off_the_map_counts_as_missing():
    ring = Ring(3)
    ring.cells[0].state, ring.cells[2].state = ONE, TWO
    stray = GameCell(Coordinate(9, 9))
    ring.cells[0].neighbors[Direction.E] = stray
    OctaGameLogic(ring, config()).make_move(ring.cells[0], P1)
    assert stray.state is NEUTRAL


def test_cells_changed_by_the_caller_between_moves_count():
    game_map, logic = setup(1, c0_0=(ONE, Direction.N), cm1_1=(TWO, Direction.N))
    logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1)
    assert not logic.is_game_over()
    game_map.get_cell(Coordinate(-1, 1)).state = NEUTRAL
    assert logic.is_game_over()
    assert logic.get_result() == GameResult(P1, "elimination")
    game_map.get_cell(Coordinate(-1, -1)).state = TWO
    assert logic.get_result() == ONGOING


# 6: configuration and win conditions


@pytest.mark.parametrize("limit", [0, -1, 1.5, "3", None, True])
def test_a_turn_limit_below_1_is_a_value_error_with_majority(limit):
    with pytest.raises(ValueError, match="turn_limit must be an int of at least 1"):
        majority(limit)


def test_elimination_accepts_any_int_as_turn_limit_and_nothing_else():
    assert config(WinCondition.ELIMINATION, -1).turn_limit == -1
    for limit in (1.5, "3", None, True):
        with pytest.raises(ValueError, match="turn_limit must be an int, not"):
            config(WinCondition.ELIMINATION, limit)


def test_there_are_exactly_two_win_conditions():
    assert [each.name for each in WinCondition] == ["ELIMINATION", "TURN_LIMIT_MAJORITY"]


def test_a_config_rejects_values_of_other_types():
    with pytest.raises(ValueError, match="win_condition must be a WinCondition"):
        GameConfig("elimination", 5, False)
    with pytest.raises(ValueError, match="stop_on_enemy must be True or False"):
        GameConfig(WinCondition.ELIMINATION, 5, 1)


def test_elimination_ends_when_one_player_has_no_cells():
    game_map, logic = setup(1, c0_0=(ONE, Direction.NW), c0_1=(TWO, Direction.N))
    assert logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1) == GameResult(P1, "elimination")
    assert logic.is_game_over()


@pytest.mark.parametrize("conf", [config(), majority(5)])
def test_elimination_applies_only_after_the_first_turn(conf):
    _, logic = setup(1, conf, c0_0=(ONE, Direction.N))
    assert not logic.is_game_over()
    assert logic.get_result() == ONGOING


def test_elimination_ignores_the_turn_limit():
    game_map, logic = setup(
        conf=config(WinCondition.ELIMINATION, 1), c0_0=(ONE, Direction.N), cm2_2=(TWO, Direction.N)
    )
    logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1)
    assert not logic.is_game_over()


def test_majority_ends_at_the_turn_limit_and_most_cells_win():
    game_map, logic = setup(conf=majority(1), c0_0=(ONE, Direction.NW), cm2_2=(TWO, Direction.N))
    result = logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1)
    assert result == GameResult(P1, "majority")
    assert logic.is_game_over()


def test_majority_does_not_count_neutral_and_blocked_cells():
    game_map, logic = setup(
        conf=majority(1),
        c0_0=(ONE, Direction.NE),
        c1_0=(BLOCKED, Direction.N),
        cm2_2=(TWO, Direction.N),
        c2_1=(TWO, Direction.N),
        cm2_0=(BLOCKED, Direction.N),
    )
    result = logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1)
    assert result == GameResult(P2, "majority")


def test_equal_counts_are_a_tie():
    game_map, logic = setup(
        conf=majority(1),
        c0_0=(ONE, Direction.NE),
        c1_0=(BLOCKED, Direction.N),
        cm2_2=(TWO, Direction.N),
    )
    assert logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1) == GameResult(None, "tie")


def test_majority_counts_plies_not_rounds():
    game_map, logic = setup(conf=majority(2), c0_0=(ONE, Direction.N), cm2_2=(TWO, Direction.N))
    logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1)
    assert not logic.is_game_over()
    logic.switch_player()
    logic.make_move(game_map.get_cell(Coordinate(-2, 2)), P2)
    assert logic.is_game_over()


@pytest.mark.parametrize("limit", [1, 50])
def test_with_majority_a_player_without_cells_also_loses_at_once(limit):
    game_map, logic = setup(1, majority(limit), c0_0=(ONE, Direction.NW), c0_1=(TWO, Direction.N))
    assert logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1) == GameResult(P1, "elimination")
    assert logic.is_game_over()


@pytest.mark.parametrize("conf", [config(), majority(50)])
def test_both_without_cells_is_a_tie(conf):
    game_map, logic = setup(1, conf, c0_0=(ONE, Direction.N), c1_1=(TWO, Direction.N))
    logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1)
    for cell in game_map.get_all_cells():
        cell.state = NEUTRAL
    assert logic.get_result() == GameResult(None, "tie")
    assert logic.is_game_over()


# 5: engine, providers and the console


def test_the_provider_interface_is_get_next_move():
    assert MoveProvider.__abstractmethods__ == {"get_next_move"}
    script = ScriptedMoveProvider([Coordinate(0, 1), (2, 3)])
    moves = [script.get_next_move() for _ in range(3)]
    assert moves == [Coordinate(0, 1), Coordinate(2, 3), None]


def test_the_engine_shows_the_board_gets_a_move_makes_it_and_switches():
    events = []

    class Watching(OctaGameLogic):
        def make_move(self, cell, player):
            events.append(("move", cell.coordinate, player))
            return super().make_move(cell, player)

        def switch_player(self):
            events.append("switch")
            super().switch_player()

    class Asking(ScriptedMoveProvider):
        def get_next_move(self):
            events.append(("ask", out.getvalue().count("Turn")))
            return super().get_next_move()

    out = io.StringIO()
    game_map, _ = setup(c0_0=(ONE, Direction.N), cm2_2=(TWO, Direction.N))
    logic = Watching(game_map, majority(2))
    result = GameEngine(game_map, logic, Asking([(0, 0), (-2, 2)]), out).run()
    assert events == [
        ("ask", 1),
        ("move", (0, 0), P1),
        "switch",
        ("ask", 2),
        ("move", (-2, 2), P2),
        "switch",
    ]
    assert result == logic.get_result()
    assert result.reason != "ongoing"


def test_the_session_stops_unfinished_when_the_provider_returns_none():
    game_map, logic = setup(c0_0=(ONE, Direction.N), cm2_2=(TWO, Direction.N))
    result = GameEngine(game_map, logic, ScriptedMoveProvider([(0, 0)]), io.StringIO()).run()
    assert result == ONGOING
    assert logic.get_turn_count() == 1


def test_after_an_illegal_coordinate_the_same_player_is_asked_again():
    out = io.StringIO()
    game_map, logic = setup(c0_0=(ONE, Direction.N), cm2_2=(TWO, Direction.N))
    script = ScriptedMoveProvider([(9, 9), (-2, 2), (1, 1), (0, 0)])
    GameEngine(game_map, logic, script, out).run()
    assert logic.get_turn_count() == 1
    assert "9,9 is not on the map." in out.getvalue()
    assert "-2,2 is not valid: that cell is player 2's" in out.getvalue()
    assert "1,1 is not valid: that cell is neutral" in out.getvalue()
    assert out.getvalue().count("Turn 1: PLAYER_1") == 1


def test_a_finished_game_asks_for_no_moves():
    game_map, logic = setup(1, c0_0=(ONE, Direction.NW), c0_1=(TWO, Direction.N))
    logic.make_move(game_map.get_cell(Coordinate(0, 0)), P1)
    out = io.StringIO()
    assert GameEngine(game_map, logic, Asked([]), out).run().winner is P1
    assert "Winner: PLAYER_1 (elimination)" in out.getvalue()


def test_the_engine_does_not_ask_after_the_last_move():
    game_map, logic = setup(conf=majority(2), c0_0=(ONE, Direction.N), cm2_2=(TWO, Direction.N))
    moves = [(0, 0), (-2, 2)]

    class TwoMoves(MoveProvider):
        def get_next_move(self):
            return Coordinate(*moves.pop(0))  # fails the third time

    assert GameEngine(game_map, logic, TwoMoves(), io.StringIO()).run().reason == "majority"
    assert moves == []


def test_the_console_asks_again_after_invalid_input():
    out = io.StringIO()
    view = CLIView(io.StringIO("hello\n\n1\n 1, -2 \n"), out)
    assert view.get_next_move() == Coordinate(1, -2)
    assert out.getvalue().count("Your move (x,y): ") == 4
    assert "'hello' is not a cell: write x,y, such as 0,-1." in out.getvalue()


def test_the_console_returns_none_at_the_end_of_input():
    assert CLIView(io.StringIO(""), io.StringIO()).get_next_move() is None
    assert CLIView(io.StringIO("nonsense"), io.StringIO()).get_next_move() is None


def test_the_board_is_printed_to_the_console_with_north_on_top():
    game_map, logic = setup(
        1, c0_1=(ONE, Direction.E), c1_m1=(TWO, Direction.SW), c0_0=(BLOCKED, Direction.N)
    )
    board = "   1  .↑  1→  .↑\n   0  .↑  #↑  .↑\n  -1  .↑  .↑  2↙\n      -1   0   1"
    assert board_text(game_map) == board
    out = io.StringIO()
    GameEngine(game_map, logic, CLIView(io.StringIO(), out)).run()
    assert out.getvalue().startswith(board + "\nTurn 1: PLAYER_1\nYour move (x,y): ")
    given = io.StringIO()
    GameEngine(game_map, logic, CLIView(io.StringIO(), io.StringIO()), stdout=given).run()
    assert given.getvalue().startswith(board)


def test_after_an_invalid_move_the_provider_is_asked_again():
    out = io.StringIO()
    game_map, logic = setup(c0_0=(ONE, Direction.N), cm2_2=(TWO, Direction.N))
    moves = iter(["1,1", [0, 0], 7, (0, 0, 0), (0, 0), None])

    class Odd(MoveProvider):
        def get_next_move(self):
            return next(moves)

    GameEngine(game_map, logic, Odd(), out).run()
    assert out.getvalue().count("is not on the map.") == 4
    assert logic.get_turn_count() == 1


def test_maps_of_any_size_can_be_copied_and_pickled():
    game_map = GraphGameMap(12)
    game_map.get_cell(Coordinate(3, 4)).state = ONE
    game_map.get_cell(Coordinate(0, 0)).state = TWO
    logic = OctaGameLogic(game_map, config())
    logic.make_move(game_map.get_cell(Coordinate(3, 4)), P1)
    for again in (copy.deepcopy(logic), pickle.loads(pickle.dumps(logic)), copy.copy(logic)):
        assert snapshot(again.game_map) == snapshot(game_map)
        again.game_map.get_cell(Coordinate(0, 0)).state = NEUTRAL
        assert again.get_result() == GameResult(P1, "elimination")
        again.game_map.get_cell(Coordinate(0, 0)).state = TWO
        assert again.get_result() == ONGOING
    ring = pickle.loads(pickle.dumps(OctaGameLogic(Ring(5), config()))).game_map
    assert ring.cells[0].neighbors[Direction.E] is ring.cells[1]
    again = pickle.loads(pickle.dumps(game_map))
    assert again.get_cell(Coordinate(3, 4)).neighbors[Direction.N].coordinate == (3, 5)


def test_a_map_may_repeat_cells_or_return_an_iterator():
    class Odd(Ring):
        def get_all_cells(self):
            return iter(self.cells + self.cells)

    ring = Odd(6)
    ring.cells[0].state, ring.cells[3].state = ONE, TWO
    logic = OctaGameLogic(ring, config(stop=True))
    assert logic.make_move(ring.cells[0], P1) == ONGOING
    assert [cell.state for cell in ring.cells[:4]] == [ONE, ONE, ONE, TWO]


def test_a_turn_limit_beyond_64_bits_is_accepted():
    game_map, logic = setup(conf=majority(10**5000), c0_0=(ONE, Direction.N))
    assert logic.is_valid_move(game_map.get_cell(Coordinate(0, 0)), P1)


@pytest.mark.parametrize(
    ("game_map", "conf"), [(None, config()), (GraphGameMap(1), None), ([], config())]
)
def test_a_logic_needs_a_map_and_a_config(game_map, conf):
    with pytest.raises(ValueError, match="must be a Game"):
        OctaGameLogic(game_map, conf)


def test_the_text_of_an_empty_map_is_empty():
    assert board_text(Ring(0)) == ""


def test_the_text_of_cells_far_apart_lists_them():
    ring = Ring(3)
    ring.cells[1].coordinate = Coordinate(10**30, -(10**30))
    ring.cells[1].state = ONE
    assert board_text(ring) == f"0,0 .↗\n2,0 .↗\n{10**30},{-(10**30)} 1↗"


@pytest.mark.parametrize("out_of_place", [0, 1, 2, 3])
def test_an_engine_needs_a_map_a_logic_a_provider_and_a_stream(out_of_place):
    game_map, logic = setup()
    parts = [game_map, logic, ScriptedMoveProvider([]), io.StringIO()]
    GameEngine(*parts)
    parts[out_of_place] = object()
    with pytest.raises(ValueError, match=r"^(game_map|logic|provider|stdout) must be a"):
        GameEngine(*parts)


@pytest.mark.parametrize("moves", [None, 3, [None], [(1,)], [(1, 2, 3)], ["11"], [(1.0, 2)], [1]])
def test_a_script_that_is_not_a_list_of_coordinates_is_a_value_error(moves):
    with pytest.raises(ValueError, match="must be a"):
        ScriptedMoveProvider(moves)


class Asked(ScriptedMoveProvider):
    """A provider that fails when it is asked."""

    def get_next_move(self):
        raise AssertionError("the provider was asked")


@pytest.mark.parametrize("conf", [config(), majority(5)])
def test_an_engine_does_not_ask_a_player_without_a_cell(conf):
    game_map, logic = setup(1, conf, c0_0=(TWO, Direction.N))
    out = io.StringIO()
    assert GameEngine(game_map, logic, Asked([]), out).run() == ONGOING
    assert "Winner: nobody (ongoing)" in out.getvalue()
    assert GameEngine(Ring(0), OctaGameLogic(Ring(0), conf), Asked([]), out).run() == ONGOING


def test_integers_of_numpy_are_accepted():
    one = numpy.int64(1)
    assert GraphGameMap(one).get_total_cell_count() == 9
    assert GraphGameMap(numpy.int8(60)).get_total_cell_count() == 121 * 121
    conf = GameConfig(WinCondition.TURN_LIMIT_MAJORITY, one, False)
    assert conf == GameConfig(WinCondition.TURN_LIMIT_MAJORITY, 1, False)
    assert type(conf.turn_limit) is int
    assert ScriptedMoveProvider([(one, one)]).get_next_move() == Coordinate(1, 1)
    assert GraphGameMap(1).get_cell(Coordinate(one, one)).coordinate == (1, 1)


def test_the_console_plays_a_whole_session_through_the_engine(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("0,0\n-2,2\n"))
    game_map, logic = setup(conf=majority(2), c0_0=(ONE, Direction.N), cm2_2=(TWO, Direction.N))
    result = GameEngine(game_map, logic, CLIView()).run()
    assert result.reason == "majority"
    assert "Your move (x,y): " in capsys.readouterr().out


# bridges to the playable game


@pytest.mark.parametrize("condition", ["turn-limit-majority", "elimination"])
@pytest.mark.parametrize("stop", [False, True])
@pytest.mark.parametrize("limit", [None, 30])
def test_a_session_continues_as_a_playable_game_and_back(condition, stop, limit):
    game = parlour.game(
        "octa", size=2, win_condition=condition, turn_limit=limit, stop_on_enemy=stop
    )
    state, rng = game.start(3), parlour.Rng(3)
    while state.actor != parlour.OVER:
        logic = OctaGameLogic.from_state(state)
        assert logic.to_state() == state
        assert logic.get_turn_count() == state.turns
        assert logic.get_current_player() is Player(state.mover)
        action = state.sample(rng)
        cell = logic.game_map.get_all_cells()[action]
        logic.make_move(cell, logic.get_current_player())
        logic.switch_player()
        state = state.apply(action)
        assert logic.to_state() == state
    assert logic.get_result().reason in (state.result().reason, "ongoing")


def test_only_a_square_map_has_a_playable_game():
    ring = Ring(4)
    with pytest.raises(ValueError, match="only a GraphGameMap"):
        OctaGameLogic(ring, config()).to_state()
    game_map, logic = setup(c0_0=(ONE, Direction.N), c1_1=(TWO, Direction.N))
    logic.to_state()
    game_map.get_cell(Coordinate(2, 0)).neighbors[Direction.E] = game_map.get_cell((-2, 0))
    with pytest.raises(ValueError, match="only a GraphGameMap with its own links"):
        logic.to_state()
    with pytest.raises(ValueError, match="state must be a state of the playable Octa"):
        OctaGameLogic.from_state(parlour.game("banqi").start())


def test_an_agent_provides_the_moves_of_a_session():
    logic = OctaGameLogic.from_state(parlour.game("octa", size=1).start(1))
    provider = AgentMoveProvider(logic, parlour.agent("greedy"))
    result = GameEngine(logic.game_map, logic, provider, io.StringIO()).run()
    assert result.reason in ("majority", "elimination", "tie")
    assert provider.get_next_move() is None
    for wrong in ((None, parlour.agent("random")), (logic, "random")):
        with pytest.raises(ValueError, match="must"):
            AgentMoveProvider(*wrong)


# one set of rules


@given(st.integers(1, 3), st.integers(), st.booleans())
def test_the_logic_and_the_engine_play_the_same_game(size, seed, stop):
    game = parlour.game("octa", size=size, stop_on_enemy=stop)
    state, rng = game.start(seed), parlour.Rng(seed)
    game_map = GraphGameMap(size)
    cells = game_map.get_all_cells()
    for cell, number in zip(cells, range(game.num_actions), strict=True):
        owner, arrow = state.cell(number)
        cell.state, cell.direction = CellState(owner), Direction(arrow)
    logic = OctaGameLogic(
        game_map, GameConfig(WinCondition.TURN_LIMIT_MAJORITY, game.max_plies, stop)
    )
    while state.actor != parlour.OVER:
        assert not logic.is_game_over()
        valid = [i for i, c in enumerate(cells) if logic.is_valid_move(c, Player(state.mover))]
        assert valid == list(state.legal_actions())
        action = state.sample(rng)
        logic.make_move(cells[action], Player(state.mover))
        logic.switch_player()
        state = state.apply(action)
        assert snapshot(game_map) == [
            (CellState(owner), Direction(arrow))
            for owner, arrow in map(state.cell, range(game.num_actions))
        ]
    result = state.result()
    assert logic.get_result().reason == result.reason
    winner = None if result.winner is None else Player(result.winner + 1)
    assert logic.get_result().winner is winner
