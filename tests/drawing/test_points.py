"""Boards of points and lines: the description, its errors, and every display."""

import re

import pytest
from msgspec import UNSET, structs
from nim import Nim

import parlour
from parlour import Board, Cell, ContractError, Scene, grids
from parlour.core.scene import fault_of_points
from parlour.drawing.cursor import step
from parlour.drawing.svg import scene_to_svg
from parlour.drawing.text import board_lines
from parlour.drawing.words import cell_words, find_cell
from parlour.protocol.scenes import BadScene, SceneReceiver, SceneSender
from parlour.terminal.marks import Marks
from parlour.terminal.palette import COLOURLESS, DARK
from parlour.terminal.points import point_line
from parlour.terminal.tiles import Looks, sizes_for
from parlour.terminal.viewport import fitted

CROSS = Board.points(
    [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)],
    [(0, 2), (1, 2), (2, 3), (2, 4)],
    ["n", "w", "m", "e", "s"],
)
EMPTY = Cell("·", "empty")
STACK = Cell("o", "120 seeds", number=120)
SCENE = Scene((EMPTY, EMPTY, STACK, EMPTY, EMPTY), board=CROSS)
GAME = parlour.game("examples.nine_mens_morris")


def test_positions_in_any_unit_are_scaled_to_the_longer_side():
    board = Board.points([(-10, 5), (10, 5), (0, 15)])
    assert board.positions == ((0.0, 0.0), (1.0, 0.0), (0.5, 0.5))
    assert board.col_names == ("1", "2", "3")


@pytest.mark.parametrize(
    ("positions", "links", "said"),
    [
        ([], [], "one row of 1 to 400 cells"),
        ([(n, 0) for n in range(401)], [], "one row of 1 to 400 cells"),
        ([(0, 0), (1, 0), (1, 0.001)], [], "points 1 and 2 are too close"),
        ([(0, 0), (float("nan"), 0)], [], "must lie within 0 and 1"),
        ([(0, 0), (1, 0)], [(0, 2)], "a link must be two points from 0 to 1, not (0, 2)"),
        ([(0, 0), (1, 0)], [(1, 1)], "a link must be two points"),
    ],
)
def test_a_board_that_cannot_be_drawn_is_refused(positions, links, said):
    with pytest.raises(ContractError, match=re.escape(said)):
        Board.points(positions, links)


def test_neighbours_are_the_linked_points_and_points_have_no_rows():
    assert grids.neighbours(CROSS, 2) == (0, 1, 3, 4)
    assert grids.neighbours(CROSS, 0) == (2,)
    with pytest.raises(ContractError, match="no rows and columns"):
        grids.step(CROSS, 0, 0, 1)
    with pytest.raises(ContractError, match="no straight lines"):
        grids.lines(CROSS, 3)


def test_clients_refuse_a_board_of_points_without_positions():
    wire = SceneSender().full(SCENE)
    assert SceneReceiver().take(wire, UNSET) == SCENE
    board = structs.replace(wire.board, points=())
    with pytest.raises(BadScene, match="a position for each of its 5 cells"):
        SceneReceiver().take(structs.replace(wire, board=board), UNSET)
    assert fault_of_points(CROSS._replace(holes=(1,))) != ""


def test_arrow_keys_prefer_the_point_straight_ahead():
    board = GAME.board
    names = board.col_names

    def way(start, *directions):
        cell = names.index(start)
        for direction in directions:
            cell = step(board, cell, direction)
        return names[cell]

    assert way("a7", "right", "down", "left") == "b6"
    assert way("a7", "left") == "a7"
    assert way("a4", "right", "right", "right") == "e4"
    seen = {0}
    for _ in names:
        seen |= {step(board, cell, way) for cell in seen for way in ("up", "down", "left", "right")}
    assert len(seen) == board.size


def test_the_text_of_a_board_of_points_is_pinned():
    assert board_lines(SCENE) == [
        "         · n",
        "         │",
        "· w ─────o120 m ──· e",
        "         │",
        "         · s",
    ]


def test_the_picture_has_the_lines_the_names_and_the_number():
    drawn = scene_to_svg(SCENE)
    assert drawn.count("M") >= len(CROSS.links)
    for words in (">120<", ">n<", "<title>120 seeds</title>"):
        assert words in drawn


def test_words_name_a_point():
    assert cell_words(SCENE, 2) == "point m: 120 seeds"
    assert find_cell(SCENE, "point m") == find_cell(SCENE, "m") == 2


@pytest.mark.parametrize("palette", [DARK, COLOURLESS])
@pytest.mark.parametrize("area", [(60, 20), (24, 8), (9, 3)])
def test_the_terminal_draws_every_visible_point_where_it_reports_it(palette, area):
    sizes = sizes_for(SCENE, palette, True)
    looks = Looks(SCENE, Marks(cursor=2, shows_cursor=False), palette, True)
    for cell, sign in enumerate("○○o○○"):
        view = fitted(CROSS, sizes, area, (cell,), None)
        x, y = view.point_of(cell)
        assert view.cell_at(x, y) == cell
        line = point_line(view, looks, y - view.origin[1])
        assert sign in "".join(part.text for part in line)
        assert sum(len(part.text) for part in line) == view.body[0] <= area[0]


def test_the_default_observer_writes_the_number_of_a_cell():
    class Pits(Nim):
        def scene(self, state, seat):
            drawn = super().scene(state, seat)
            return drawn._replace(cells=tuple(cell._replace(number=7) for cell in drawn.cells))

    observer = Pits().observer()
    planes, _ = observer.observe(Pits().start(), 0)
    size, plane = Pits().board.size, observer.planes.index("number")
    assert set(planes[plane * size : (plane + 1) * size]) == {7}
