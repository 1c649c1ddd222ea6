"""`parlour.grids`: texts and scenes of grid games, and symmetric starts."""

import copy
import pickle
from pathlib import Path

import connect_four
import pytest
from connect_four import ConnectFour
from hex import Hex
from hex_holes import Yavalath
from hypothesis import given
from hypothesis import strategies as st

import parlour
from parlour import Cell, grids
from parlour.core.scene import HOLE, SeatView
from parlour.grids import real_cells

BOARDS = [
    grids.board(1, 1),
    grids.board(3, 4),
    grids.board(6, 7, first_row="bottom"),
    grids.board(2, 30),
    grids.board(12, 2, first_row="bottom"),
    grids.board(3, 3, holes=(0, 4)),
    grids.board(4, 3, shape="hex"),
    Yavalath().board,
    parlour.game("octa", size=2).board,
]


@st.composite
def boards(draw):
    rows, cols = draw(st.integers(1, 7)), draw(st.integers(1, 30))
    return grids.board(
        rows,
        cols,
        first_row=draw(st.sampled_from(["top", "bottom"])),
        shape=draw(st.sampled_from(["square", "hex"])),
        holes=draw(st.sets(st.integers(0, rows * cols - 1), max_size=rows * cols - 1)),
    )


@st.composite
def boards_with_signs(draw):
    board = draw(boards())
    signs = draw(st.text("./#xo★", min_size=board.size, max_size=board.size))
    return board, grids.placed(signs.replace("/", "x"), dict.fromkeys(board.holes, "#"))


class TestNames:
    def test_columns_are_letters_and_rows_are_numbered_from_first_row(self):
        board = grids.board(3, 2)
        assert board == parlour.Board(3, 2, ("1", "2", "3"), ("a", "b"))
        assert grids.board(3, 2, first_row="bottom").row_names == ("3", "2", "1")

    def test_after_z_come_two_letters(self):
        names = grids.board(1, 28 + 26 * 25).col_names
        assert names[25:29] == ("z", "aa", "ab", "ac")
        assert names[26 * 2 - 1 : 26 * 2 + 1] == ("az", "ba")
        assert len(set(names)) == len(names)

    @pytest.mark.parametrize(
        ("board", "cell", "name"),
        [
            (grids.board(6, 7), 0, "a1"),
            (grids.board(6, 7, first_row="bottom"), 35, "a1"),
            (grids.board(6, 7, first_row="bottom"), 41, "g1"),
            (parlour.game("octa", size=1).board, 2, "1,1"),
            (parlour.Board(1, 3, ("",), ("1", "2", "3")), 2, "3"),
        ],
    )
    def test_a_cell_is_its_column_and_its_row(self, board, cell, name):
        assert grids.cell_to_text(board, cell) == name
        assert grids.cell_from_text(board, f" {name}\n") == cell

    @given(boards())
    def test_every_cell_has_a_unique_name_that_leads_back(self, board):
        cells = real_cells(board)
        names = [grids.cell_to_text(board, cell) for cell in cells]
        assert [grids.cell_from_text(board, name) for name in names] == cells
        assert [grids.cell_from_text(board, name.upper()) for name in names] == cells

    @pytest.mark.parametrize("text", ["", "a", "1a", "h1", "a7", "a0", "a01", "a1 b2", "☃"])
    def test_an_unknown_cell_name_lists_the_range(self, text):
        with pytest.raises(parlour.ActionTextError, match=r"is not a cell; use a1 to g6$"):
            grids.cell_from_text(grids.board(6, 7), text)

    def test_a_hole_is_not_a_cell(self):
        with pytest.raises(parlour.ActionTextError, match=r"'a1' is not a cell; use a3 to e3"):
            grids.cell_from_text(Yavalath().board, "a1")

    @pytest.mark.parametrize("read", [grids.cell_from_text, grids.column_from_text])
    def test_a_cell_name_must_be_a_str(self, read):
        with pytest.raises(parlour.ActionTextError, match="must be a str, not int: 5"):
            read(grids.board(2, 2), 5)

    def test_a_column_is_found_by_its_name(self):
        board = grids.board(2, 28)
        assert [grids.column_from_text(board, name) for name in board.col_names] == [*range(28)]
        assert grids.column_from_text(board, " AB ") == 27
        with pytest.raises(parlour.ActionTextError, match="'ac' is not a column; use a to ab"):
            grids.column_from_text(board, "ac")


class TestWays:
    def test_a_step_leads_to_a_cell_or_nowhere(self):
        board = grids.board(3, 3, holes=[5])
        assert grids.step(board, 4, -1, 1) == 2
        assert grids.step(board, 4, 0, 0) == 4
        assert grids.step(board, 4, 0, 1) is None
        assert [grids.step(board, 2, *way) for way in ((-1, 0), (0, 1), (3, 0))] == [None] * 3
        assert grids.step(board, 0, 0, -1) is None

    def test_neighbours_share_a_side(self):
        assert grids.neighbours(grids.board(3, 3), 4) == (1, 3, 5, 7)
        assert grids.neighbours(grids.board(3, 3), 0) == (1, 3)
        hexagons = grids.board(3, 3, shape="hex")
        assert grids.neighbours(hexagons, 4) == (1, 2, 3, 5, 6, 7)
        assert grids.neighbours(hexagons, 0) == (1, 3)
        holed = grids.board(3, 3, shape="hex", holes=(1, 6))
        assert grids.neighbours(holed, 4) == (2, 3, 5, 7)

    @given(boards())
    def test_neighbours_are_mutual(self, board):
        for cell in real_cells(board):
            for other in grids.neighbours(board, cell):
                assert cell in grids.neighbours(board, other)

    def test_lines_on_squares_go_in_four_directions(self):
        lines = grids.lines(grids.board(3, 3), 3)
        rows, cols = [(0, 1, 2), (3, 4, 5), (6, 7, 8)], [(0, 3, 6), (1, 4, 7), (2, 5, 8)]
        assert sorted(lines) == sorted([*rows, *cols, (0, 4, 8), (2, 4, 6)])
        assert len(grids.lines(ConnectFour().board, 4)) == 69

    def test_lines_on_hexagons_go_in_three_directions_and_never_through_holes(self):
        assert sorted(grids.lines(grids.board(2, 2, shape="hex"), 2)) == [
            (0, 1),
            (0, 2),
            (1, 2),
            (1, 3),
            (2, 3),
        ]
        assert len(grids.lines(Yavalath().board, 5)) == 3
        assert (0, 1) not in grids.lines(grids.board(1, 3, holes=[1]), 2)

    @given(boards(), st.integers(1, 4), st.randoms(use_true_random=False))
    def test_has_finds_the_full_lines_of_one_sign(self, board, length, random):
        lines = grids.lines(board, length)
        holes = set(board.holes)
        signs = "".join(
            grids.HOLE_SIGN if cell in holes else random.choice("xo☃.")
            for cell in range(board.size)
        )
        for sign in "xo☃":
            is_full = any(all(signs[cell] == sign for cell in line) for line in lines)
            assert lines.has(signs, sign) == is_full

    def test_lines_can_be_copied_and_pickled(self):
        lines = grids.lines(grids.board(3, 3), 3)
        for again in (copy.deepcopy(lines), pickle.loads(pickle.dumps(lines))):
            assert again == lines
            assert again.has("xxx......", "x")

    @given(boards(), st.integers(1, 4))
    def test_each_line_is_listed_once_in_one_direction(self, board, length):
        lines = [frozenset(line) for line in grids.lines(board, length)]
        assert length == 1 or len(set(lines)) == len(lines)
        assert all(len(line) == length for line in lines)
        assert all(line.isdisjoint(board.holes) for line in lines)


class TestText:
    def test_a_position_is_a_line_for_each_row(self):
        assert grids.board_to_text(grids.board(2, 3), "x.o..x") == "x.o\n..x"

    def test_a_list_of_signs_is_written_as_well_and_holes_are_marked(self):
        assert grids.board_to_text(grids.board(2, 2, holes=[1]), ["x", "o", ".", "."]) == "x#\n.."

    @given(boards_with_signs())
    def test_a_written_board_is_read_back_exactly(self, pair):
        board, signs = pair
        text = grids.board_to_text(board, signs)
        assert grids.board_from_text(board, text, ".#xo★") == signs
        assert grids.board_from_text(board, text.replace("\n", "/"), ".#xo★") == signs
        assert grids.board_to_text(board, grids.board_from_text(board, text, ".#xo★")) == text

    @given(boards(), st.text("./#xo\n "))
    def test_any_text_is_read_as_signs_or_raises_a_one_line_error(self, board, text):
        try:
            signs = grids.board_from_text(board, text, ".xo")
        except parlour.StateTextError as error:
            assert len(str(error).splitlines()) == 1
        else:
            assert len(signs) == board.size
            assert {cell for cell, sign in enumerate(signs) if sign == "#"} == set(board.holes)

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("", "the board must have 2 lines, not 1"),
            ("...", "the board must have 2 lines, not 1"),
            (".../.../...", "the board must have 2 lines, not 3"),
            ("...\n..", "line 2 must have 3 cells, not 2"),
            ("...\n.x?", "line 2: '?' is not a cell; use . x o"),
            ("...\n. x", "line 2: ' ' is not a cell; use . x o"),
            (5, "a position's text must be a str, not int: 5"),
        ],
    )
    def test_a_wrong_text_names_the_line_and_what_is_expected(self, text, words):
        with pytest.raises(parlour.StateTextError) as caught:
            grids.board_from_text(grids.board(2, 3), text, ".xo")
        assert str(caught.value) == words

    def test_a_hole_stays_a_hole(self):
        board = grids.board(1, 3, holes=[1])
        assert grids.board_from_text(board, "x#o", ".xo") == "x#o"
        with pytest.raises(
            parlour.StateTextError, match=r"line 1: character 2 is a hole and must be #, not '\.'"
        ):
            grids.board_from_text(board, "x.o", ".xo")

    @pytest.mark.parametrize("signs", ["...", ".....", ["..", ".", ".", "."], [".", ".", ".", " "]])
    def test_signs_that_do_not_fit_the_board_are_a_contract_error(self, signs):
        with pytest.raises(parlour.ContractError, match="this board needs 4 signs, not"):
            grids.board_to_text(grids.board(2, 2), signs)

    @pytest.mark.parametrize("board", BOARDS, ids=repr)
    def test_an_empty_board_has_the_sign_in_every_cell(self, board):
        signs = grids.empty(board, "_")
        assert len(signs) == board.size
        assert [cell for cell, sign in enumerate(signs) if sign == "_"] == real_cells(board)

    def test_signs_are_placed_on_a_copy(self):
        assert grids.placed("....", {1: "x", 3: "o"}) == ".x.o"
        assert grids.placed("....", {}) == "...."


class TestStarts:
    @pytest.mark.parametrize("image", [grids.opposite, grids.mirrored])
    @given(board=boards())
    def test_an_image_is_its_own_inverse(self, board, image):
        cells = range(board.size)
        assert sorted(image(board, cell) for cell in cells) == [*cells]
        assert all(image(board, image(board, cell)) == cell for cell in cells)

    def test_opposite_and_mirrored_give_the_right_cells(self):
        board = grids.board(3, 4)
        assert [grids.opposite(board, cell) for cell in (0, 5, 11)] == [11, 6, 0]
        assert [grids.mirrored(board, cell) for cell in (0, 5, 11)] == [8, 5, 3]

    def test_half_of_the_cells_has_one_of_each_pair(self):
        assert grids.half(grids.board(3, 3)) == (0, 1, 2, 3)
        assert grids.half(grids.board(3, 3), grids.mirrored) == (0, 1, 2)
        side = Yavalath().board
        assert len(grids.half(side)) == 9
        assert not set(grids.half(side)) & set(side.holes)

    def test_the_other_side_has_the_image_with_its_own_signs(self):
        board = grids.board(4, 3)
        first = {0: "k", 1: "p", 2: "p"}
        assert grids.symmetric(board, first, {"k": "K", "p": "P"}) == "kpp......PPK"
        mirrored = grids.symmetric(board, first, {"k": "K", "p": "P"}, image=grids.mirrored)
        assert mirrored == "kpp......KPP"

    def test_a_sign_that_is_not_swapped_stays_the_same(self):
        assert grids.symmetric(grids.board(3, 3), {1: "#", 4: "*"}, sign="_") == "_#__*__#_"

    @given(st.data())
    def test_a_start_is_its_own_image(self, data):
        board = data.draw(boards())
        board = board._replace(
            holes=tuple({grids.opposite(board, h) for h in board.holes} & set(board.holes))
        )
        pairs = grids.half(board)
        cells = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
        swap = {"x": "o", "o": "x"}
        signs = grids.symmetric(board, dict.fromkeys(cells, "x"), swap)
        assert signs == "".join(swap.get(sign, sign) for sign in reversed(signs))
        assert signs.count("x") == signs.count("o") == len(cells)

    def test_two_signs_in_one_cell_are_a_contract_error(self):
        with pytest.raises(parlour.ContractError, match="both 'x' and 'o' are on b2"):
            grids.symmetric(grids.board(3, 3), {4: "x"}, {"x": "o"})

    @pytest.mark.parametrize("cell", [0, 9])
    def test_a_sign_at_a_hole_is_a_contract_error(self, cell):
        with pytest.raises(parlour.ContractError, match="has signs off the board or at holes"):
            grids.symmetric(grids.board(3, 3, holes=[0, 8]), {cell: "x"})


class TestScene:
    def test_each_cell_is_drawn_by_its_number_and_holes_are_not_drawn(self):
        state = Yavalath().start()
        asked = []

        def draw(cell):
            asked.append(cell)
            return Cell(str(cell), f"cell {cell}")

        scene = grids.scene(state, draw, "Go.")
        assert asked == real_cells(state.game.board)
        assert scene.cells[2] == Cell("2", "cell 2")
        assert {scene.cells[hole] for hole in state.game.board.holes} == {HOLE}
        assert scene.status == "Go."

    def test_seats_have_only_names_by_default(self):
        state = Hex(size=2).start()
        assert grids.scene(state, lambda cell: HOLE, "").seats == (SeatView(), SeatView())
        views = [SeatView(score="1"), SeatView(score="2")]
        assert grids.scene(state, lambda cell: HOLE, "", views).seats == tuple(views)


class TestParts:
    def test_a_part_keeps_the_names_the_holes_and_the_shape(self):
        whole = Hex(size=4).start().scene(None)
        part = grids.cut(whole, 1, 1, 2, 3)
        assert part.board.row_names == whole.board.row_names[1:3]
        assert part.board.col_names == whole.board.col_names[1:4]
        assert part.board.shape == whole.board.shape
        assert part.cells[:3] == whole.cells[5:8]

    def test_a_part_at_the_edge_is_moved_inside(self):
        whole = ConnectFour().start().scene(None)
        part = grids.cut(whole, -3, 99, 3, 99)
        assert part.board.row_names == whole.board.row_names[:3]
        assert part.board.col_names == whole.board.col_names


def test_connect_four_is_written_in_a_hundred_lines():
    assert len(Path(connect_four.__file__).read_text("utf-8").splitlines()) <= 100


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Y....../......./......./......./......./.......", "a disc drops to the lowest"),
        (
            "......./......./......./......./......./R......",
            "yellow must have as many discs as red",
        ),
        ("......./......./......./......./RRR..../YYYY..R", "yellow has won and cannot be to move"),
    ],
)
def test_connect_four_refuses_impossible_positions(text, words):
    with pytest.raises(parlour.InvalidState, match=words):
        ConnectFour().state_from_text(text)
