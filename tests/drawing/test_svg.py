"""Scenes as pictures."""

import re
import xml.etree.ElementTree as ET

import pytest
from boardless import TwentyOne
from connect_four import ConnectFour
from hex import Hex
from hex_holes import Yavalath
from nim import Nim

import parlour
from parlour.core.colours import COLOURS, contrast
from parlour.core.scene import Board, Cell, Scene
from parlour.drawing.artwork import has_artwork
from parlour.drawing.svg import cells_to_svg, picture_size, scene_to_svg, shape_to_svg
from parlour.drawing.svg_cells import ARROWS, BLANK, CELL, LAST, MARKED, PLAIN, QUIET, outline_of
from parlour.grids import neighbours, real_cells

SVG = "{http://www.w3.org/2000/svg}"
GAMES = [
    Hex(),
    Yavalath(),
    TwentyOne(),
    ConnectFour(),
    parlour.game("blokus", variant="duo"),
    *map(parlour.game, parlour.game_names()),
]


def drawn(scene, last=(), title=""):
    return ET.fromstring(scene_to_svg(scene, last, title))


def cells(picture):
    return picture.findall(f"{SVG}g")


def words(element):
    return [text.text for text in element.iter(f"{SVG}text")]


def fills(picture):
    return [group[1].get("fill") for group in cells(picture)]


def corners(group):
    """Return the corners of a hexagon."""
    points = group.find(f"{SVG}polygon").get("points")
    return {tuple(round(float(x)) for x in point.split(",")) for point in points.split()}


def one(cell, board=None):
    return Scene((cell,), board=board or Board(1, 1, ("1",), ("a",)), status="Now.")


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_a_picture_shows_every_cell_but_the_holes_with_its_label_in_reading_order(game):
    scene = game.start(8).scene()
    picture = drawn(scene)
    shown = [scene.cells[cell] for cell in real_cells(scene.board)]
    assert [group.find(f"{SVG}title").text for group in cells(picture)] == [c.label for c in shown]
    for group, cell in zip(cells(picture), shown, strict=True):
        drawn_as_shape = set(ARROWS) | set(BLANK) | {"#", "█"}
        glyph = "" if has_artwork(cell.face) else cell.glyph
        assert "".join(words(group)) == "".join(g for g in glyph if g not in drawn_as_shape)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_a_picture_has_names_seats_and_status_and_all_of_it_is_inside(game):
    scene = game.start(8).scene()
    picture = drawn(scene)
    width, height = picture_size(scene)
    assert (picture.get("width"), picture.get("height")) == (str(width), str(height))
    texts = words(picture)
    assert {name for name in (*scene.board.row_names, *scene.board.col_names) if name} <= set(texts)
    assert all(any(name in text for text in texts) for name in scene.names)
    assert scene.status in " ".join(texts)
    for text in picture.iter(f"{SVG}text"):
        assert 0 < float(text.get("x")) < width
        assert 0 < float(text.get("y")) < height


def test_an_owned_cell_has_its_owners_colour():
    scene = parlour.game("octa", size=1).start(8).scene()
    assert scene.cells[2].owner == 0
    assert fills(drawn(scene))[2] == COLOURS["blue"].fill


def test_a_cells_own_colour_comes_first():
    assert fills(drawn(one(Cell("x", "x", 0, "pink")))) == [COLOURS["pink"].fill]


def test_purple_and_orange_are_purple_and_orange():
    state = parlour.game("blokus", variant="duo").start()
    state = state.apply(state.legal_actions()[0])
    state = state.apply(state.legal_actions()[0])
    painted = set(fills(drawn(state.scene()))) - {PLAIN.fill, MARKED["start"].fill}
    assert painted == {COLOURS["purple"].fill, COLOURS["orange"].fill}


def test_unknown_colours_and_marks_are_ignored():
    assert fills(drawn(one(Cell("x", "x", -1, "ultraviolet", marks=("x-odd",))))) == [PLAIN.fill]


def test_a_wall_is_filled_and_has_no_glyph():
    picture = drawn(one(Cell("#", "a wall", marks=("wall",))))
    assert fills(picture) == [MARKED["wall"].fill]
    assert words(cells(picture)[0]) == []


def test_a_face_down_piece_is_a_disc():
    (group,) = cells(drawn(one(Cell("?", "face-down", marks=("face-down",)))))
    assert group.find(f"{SVG}circle").get("fill") == MARKED["face-down"].fill
    assert words(group) == ["?"]
    (group,) = cells(drawn(one(Cell("?", "face-down", marks=("face-down", "flipping")))))
    assert group.find(f"{SVG}circle").get("stroke") == LAST


def test_a_cell_with_a_face_is_a_disc():
    (group,) = cells(drawn(one(Cell("K", "the red king", 0, "red", "red-king", "帥"))))
    assert group[1].get("fill") == PLAIN.fill
    assert group.find(f"{SVG}circle").get("fill") == COLOURS["red"].fill
    assert words(group) == ["帥", "K"]


def test_an_arrow_is_drawn_in_its_direction_and_the_rest_of_the_glyph_beside_it():
    (group,) = cells(drawn(one(Cell("1↘", "player 1, arrow south-east", 0, face="arrow"))))
    assert "rotate(135)" in group.find(f"{SVG}path").get("transform")
    assert words(group) == ["1"]
    assert group[1].get("fill") == COLOURS["blue"].fill


def sides(path):
    """Return the number of lines in a path."""
    return path.get("d").count("M")


def test_cells_of_a_piece_are_one_solid_shape_with_an_outline_and_one_glyph():
    piece, other, empty = (Cell("B", "blue", 0, piece=n) if n else Cell("·", "") for n in (1, 2, 0))
    board = Board(2, 3, ("1", "2"), ("a", "b", "c"))
    picture = drawn(Scene((piece, piece, other, empty, piece, empty), board=board))
    assert [words(group) for group in cells(picture)] == [["B"], [], ["B"], [], [], []]
    assert all(group[1].get("stroke") is None for group in cells(picture)[:3])
    inner, outer, alone = picture.findall(f"{SVG}path")
    assert (sides(inner), sides(outer), sides(alone)) == (2, 8, 4)
    assert outer.get("stroke") == outline_of(COLOURS["blue"].fill)


def test_a_piece_of_hexagons_has_an_outline_too():
    board = Board(2, 2, ("1", "2"), ("a", "b"), "hex")
    piece = Cell("B", "blue", 0, piece=1)
    picture = drawn(Scene((piece, piece, piece, Cell("·", "")), board=board))
    inner, outer = picture.findall(f"{SVG}path")
    assert (sides(inner), sides(outer)) == (3, 12)


def test_outlines_contrast_with_every_colour():
    for paint in COLOURS.values():
        assert contrast(outline_of(paint.fill), paint.fill) >= 2


def test_a_neutral_arrow_contrasts_with_its_cell():
    assert contrast(QUIET, PLAIN.fill) >= 3


def test_the_last_piece_is_framed_as_a_whole():
    state = parlour.game("blokus").start()
    action = state.legal_actions()[-1]
    picture = scene_to_svg(state.apply(action).scene(), state.game.action_view(state, action).cells)
    assert picture.count(f'stroke="{LAST}"') == 1


def test_a_shape_is_drawn_without_the_cells_around_it():
    picture = ET.fromstring(shape_to_svg(((0, 1), (1, 0), (1, 1)), "grey", "V3"))
    assert len(cells(picture)) == 3
    assert picture.find(f"{SVG}title").text == "V3"
    assert words(picture) == []


def test_one_cell_fills_its_picture():
    board = Board(1, 1, ("",), ("",))
    picture = ET.fromstring(cells_to_svg(board, (Cell("x", "a stone"),), "a stone"))
    left, top, width, height = map(float, picture.get("viewBox").split())
    square = cells(picture)[0].find(f"{SVG}rect")
    assert width == height == CELL + 6
    assert (float(square.get("x")), float(square.get("y"))) == (left + 3, top + 3)


def test_a_sign_is_larger_than_a_glyph_and_keeps_it_beside():
    (group,) = cells(drawn(one(Cell("K", "the red general", 0, "red", sign="帥"))))
    sign, glyph = group.findall(f"{SVG}text")
    assert (sign.text, glyph.text) == ("帥", "K")
    (plain,) = cells(drawn(one(Cell("K", "the red general", 0, "red"))))
    (alone,) = plain.findall(f"{SVG}text")
    assert int(sign.get("font-size")) > int(alone.get("font-size")) > int(glyph.get("font-size"))


def test_the_last_cells_are_framed():
    assert scene_to_svg(ConnectFour().start().scene(), (3, 4)).count('stroke-width="3"') == 2
    assert scene_to_svg(Hex().start().scene(), (3,)).count('stroke-width="3"') == 1


def test_hexagons_share_two_corners_with_each_neighbour_and_with_nothing_else():
    for game in (Hex(size=4), Yavalath()):
        shown = real_cells(game.board)
        places = dict(zip(shown, map(corners, cells(drawn(game.start().scene()))), strict=True))
        for cell in shown:
            assert len(places[cell]) == 6
            near = [other for other in shown if other != cell and places[cell] & places[other]]
            assert near == list(neighbours(game.board, cell))


def test_each_row_of_hexagons_is_half_a_cell_to_the_right():
    picture = drawn(Hex(size=3).start().scene())
    left = [min(x for x, _ in corners(group)) for group in cells(picture)[::3]]
    assert left == [left[0], left[0] + CELL // 2, left[0] + CELL]


def test_squares_are_squares():
    (group, *_) = cells(drawn(ConnectFour().start().scene()))
    assert group.find(f"{SVG}rect").get("width") == group.find(f"{SVG}rect").get("height")


def test_a_game_without_a_board_is_its_seats_and_its_status():
    picture = drawn(TwentyOne().state_from_text("said 3 1").scene())
    assert cells(picture) == []
    assert words(picture) == [
        "player 1: 3",
        "player 2: 1",
        "The sum is 4: player 1 adds to it.",
    ]


def test_the_seat_to_act_is_bold_and_has_the_colours_of_its_cells():
    state = parlour.game("blokus", variant="two-player").start()
    for _ in range(4):
        state = state.apply(state.legal_actions()[0])
    picture = drawn(state.scene())
    squares = [rect.get("fill") for rect in picture.findall(f"{SVG}rect")[1:]]
    assert squares == [COLOURS[name].fill for name in ("blue", "red", "yellow", "green")]
    bold = [text.text for text in picture.findall(f"{SVG}text") if text.get("font-weight")]
    assert bold[0].startswith("player 1")


def test_a_seat_without_cells_has_no_colour_yet():
    assert len(drawn(parlour.game("blokus").start().scene()).findall(f"{SVG}rect")) == 1


def test_a_long_status_is_wrapped():
    scene = Nim(heap=3).start().scene()
    for status in ("so long a status " * 20, "將" * 200):
        picture = drawn(scene._replace(status=status))
        assert int(picture.get("width")) < 600
        assert re.sub(r"\s", "", status) in re.sub(r"\s", "", "".join(words(picture)))


def test_text_is_escaped_in_a_picture():
    scene = Nim(heap=3).start().scene()._replace(status="<b>&</b>\x00\x1b\ud800")
    assert "<b>" not in scene_to_svg(scene)
    assert words(drawn(scene))[-1] == "<b>&</b>"


def test_the_title_is_the_given_one_or_the_status():
    scene = Nim().start().scene()
    assert drawn(scene, title="Nim").find(f"{SVG}title").text == "Nim"
    assert drawn(scene).find(f"{SVG}title").text == scene.status


def test_a_face_with_artwork_is_drawn_as_on_the_page_over_its_neighbours():
    picture = drawn(parlour.game("cat_mouse").start(1).scene())
    children = [child.tag for child in picture]
    art = [at for at, tag in enumerate(children) if tag == f"{SVG}svg"]
    assert len(art) == 2
    assert min(art) > max(at for at, tag in enumerate(children) if tag == f"{SVG}g")
    fills = {part.get("fill") for at in art for part in picture[at]}
    assert {COLOURS["orange"].fill, COLOURS["cyan"].fill} <= fills
    assert not any("class" in part.attrib for at in art for part in picture[at])
