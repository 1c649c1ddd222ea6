"""The board widget: what it draws, and what a click means."""

import asyncio
from collections import Counter
from functools import cache
from itertools import product

import pytest
from boardless import TwentyOne
from connect_four import ConnectFour
from hex import Hex
from hex_holes import Yavalath
from textual.app import App
from textual.geometry import Size

import parlour
from parlour.core.colours import COLOURS, contrast
from parlour.core.rng import Rng
from parlour.core.scene import NO_BOARD, Board, Cell, Scene, display_width
from parlour.terminal import board as widgets
from parlour.terminal import palette
from parlour.terminal.marks import Marks
from parlour.terminal.tiles import ARROWS


class Frame(App):
    """An app with only the widget."""

    def __init__(self, scene, marks):
        super().__init__()
        self.widget = widgets.BoardWidget(scene)
        self.scene, self.marks = scene, marks
        self.touched = []

    def compose(self):
        yield self.widget

    def on_mount(self):
        self.widget.show(self.scene, self.marks)

    def on_board_widget_touched(self, message):
        self.touched.append(message.cell)


def drive(script, scene, size=(30, 8), **marks):
    """Run the widget alone while `script(app, pilot)` uses it."""

    async def session():
        app = Frame(scene, Marks(**{"shows_cursor": False, **marks}))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(session())


class Drawing(widgets.BoardWidget):
    """The widget with a fixed size and without an app, to test its drawing."""

    def __init__(self, scene, size, **marks):
        super().__init__(scene)
        self._drawn_size = Size(*size)
        self.show(scene, Marks(**{"shows_cursor": False, **marks}))

    @property
    def size(self):
        return self._drawn_size

    def refresh(self, *_, **__):
        return self


def lines(scene, size=(30, 8), **marks):
    """Return the lines of the widget as text, without trailing blanks."""
    widget = Drawing(scene, size, **marks)
    found = [widget.render_line(y).text.rstrip() for y in range(size[1])]
    while found and not found[-1]:
        found.pop()
    return found


def backgrounds(scene, size=(30, 8), **marks):
    """Return the background of each column of each line."""
    widget = Drawing(scene, size, **marks)
    return [
        [part.style.bgcolor.name for part in widget.render_line(y) for _ in range(part.cell_length)]
        for y in range(size[1])
    ]


def grids(scene, size, variants):
    """Return what one widget draws in each variant: (theme, signs, marks)."""
    widget = Drawing(scene, size)
    found = []
    for theme, signs, marks in variants:
        widget.palette = theme
        widget.shows_signs = signs
        widget.show(scene, Marks(**{"shows_cursor": False, **marks}))
        found.append((characters(widget, size), widget.view))
    return found


def characters(widget, size):
    """Return the characters and styles of each column of each line."""
    drawn = []
    for y in range(size[1]):
        line = []
        for segment in widget.render_line(y):
            line += [(sign, segment.style) for sign in columns(segment.text)]
        assert len(line) == size[0]
        drawn.append(line)
    return drawn


@cache
def columns(text):
    """Return the character in each column; the second column of a wide one is empty."""
    return [part for sign in text for part in (sign, "")[: display_width(sign)]]


def grid(scene, size=(54, 21), theme=palette.DARK, signs=True, **marks):
    """Return the characters and styles of each column of each line, and the viewport."""
    return grids(scene, size, [(theme, signs, marks)])[0]


def inside(view, cell):
    """Return the places of a cell on the screen."""
    x, y, wide, high = view.rectangle(cell)
    return {(a, b) for a in range(x, x + wide) for b in range(y // 2, (y + high) // 2)}


@cache
def played(name, plies, **options):
    """Return a position after that many random actions."""
    state = parlour.game(name, **options).start(8)
    agent = parlour.agent("random:seed=4")
    rng = Rng(4)
    for _ in range(plies):
        state = state.play(agent.choose(state) if state.actor >= 0 else state.sample(rng))
    return state.scene()


def test_a_board_of_squares_has_its_names_in_the_frame_and_at_the_left():
    state = ConnectFour(rows=4, cols=5).state_from_text("...../...../R..../Y..Y.")
    assert lines(state.scene(), (14, 6)) == [
        " ┌─a─b─c─d─e┐",
        "4│  ▏ ▏ ▏ ▏ │",
        "3│  ▏ ▏ ▏ ▏ │",
        "2│ R▏ ▏ ▏ ▏ │",
        "1│ Y▏ ▏ ▏Y▏ │",
        " └──────────┘",
    ]


def test_a_board_of_hexagons_is_shifted_by_half_a_cell_in_each_row():
    state = Hex(size=4).state_from_text("...R/.RB./BB.B/R.RR")
    drawn = [
        line.replace("▏", " ").replace("▕", " ").rstrip() for line in lines(state.scene(), (20, 7))
    ]
    assert drawn == [
        "",
        "  1        R",
        "   2    R B",
        "    3  B B   B",
        "     4  R   R R",
        "         a b c d",
    ]


def test_holes_are_background_and_names_stand_beside_the_cells():
    scene = Yavalath().start().scene()
    drawn, view = grid(scene, (16, 8))
    ground, plain = palette.DARK.ground, palette.DARK.plain.fill
    cells = {place for cell in view.cells.values() for one in cell for place in inside(view, one)}
    for y, line in enumerate(drawn):
        for x, (_, style) in enumerate(line):
            assert style.bgcolor.name == (plain if (x, y) in cells else ground)
    text = "".join(sign for line in drawn for sign, _ in line)
    assert all(name in text for name in "12345abcde")


def test_holes_in_a_board_of_squares_are_background_too():
    ring = Board(3, 3, tuple("123"), tuple("abc"), holes=(4,))
    scene = Scene(tuple(Cell(sign, sign) for sign in "ABCD EFGH"), board=ring)
    drawn, view = grid(scene, (30, 5))
    hole = inside(view, 4)
    assert all(drawn[y][x][1].bgcolor.name == palette.DARK.ground for x, y in hole)
    assert all(drawn[y][x][0] == " " for x, y in hole)


EVERY = {
    "octa": lambda: played("octa", 12),
    "banqi": lambda: played("banqi", 30),
    "blokus": lambda: played("blokus", 20),
    "duo": lambda: played("blokus", 9, variant="duo"),
    "hex": lambda: Hex(size=5).start().scene(),
    "holes": lambda: Yavalath().start().scene(),
}
SIZES = [(54, 21), (94, 37), (40, 12)]
PALETTES = [
    palette.DARK,
    palette.LIGHT,
    palette.DARK_SIXTEEN,
    palette.LIGHT_SIXTEEN,
    palette.COLOURLESS,
]
IDS = ["dark", "light", "dark 16", "light 16", "colourless"]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", EVERY)
def test_the_cursor_changes_its_own_cell_and_no_other(name, size):
    scene = EVERY[name]()
    cursors = {0 if name != "holes" else 2, scene.board.size // 2, scene.board.size // 3}
    cases = list(product(PALETTES, cursors))
    off = grids(scene, size, [(theme, True, {"cursor": at}) for theme, at in cases])
    on = grids(
        scene, size, [(theme, True, {"cursor": at, "shows_cursor": True}) for theme, at in cases]
    )
    for (_, cursor), (without, view), (drawn, same) in zip(cases, off, on, strict=True):
        assert view == same
        changed = {
            (x, y)
            for y, line in enumerate(drawn)
            for x, place in enumerate(line)
            if place != without[y][x]
        }
        own = inside(view, cursor)
        assert changed <= own
        x, y, wide, high = view.rectangle(cursor)
        ring = {
            (a, b) for a, b in own if a in (x, x + wide - 1) or b in (y // 2, (y + high) // 2 - 1)
        }
        assert ring <= changed


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", EVERY)
def test_only_names_and_frame_are_outside_the_cells(name, size):
    scene = EVERY[name]()
    marks = {"targets": range(5), "last": (3,), "hint": (7,)}
    variants = [(theme, signs, marks) for theme, signs in product(PALETTES, (True, False))]
    for drawn, view in grids(scene, size, variants):
        cells = {at for row in view.cells.values() for cell in row for at in inside(view, cell)}
        allowed = set(" ┌─┐│└┘▴▾◂▸").union(*scene.board.row_names, *scene.board.col_names)
        for y, line in enumerate(drawn):
            for x, (sign, _) in enumerate(line):
                assert (x, y) in cells or sign in allowed


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("options", [{}, {"variant": "duo"}], ids=str)
def test_every_boundary_between_pieces_is_drawn_and_none_within_one(options, size):
    scene = played("blokus", 24, **options)
    for drawn, view in grids(scene, size, [(theme, True, {}) for theme in PALETTES]):
        check_boundaries(scene, drawn, view)


def check_boundaries(scene, drawn, view):
    cols = scene.board.cols
    pairs = 0
    for cells in view.cells.values():
        for cell in cells:
            x, y, wide, high = view.rectangle(cell)
            here = scene.cells[cell].piece
            column = [drawn[line][x] for line in range(y // 2, (y + high) // 2)]
            below = drawn[(y + high) // 2 - 1][x : x + wide]
            if cell % cols and view.sees(cell // cols, cell % cols - 1):
                is_line = [sign == "▏" for sign, _ in column]
                is_boundary = not here or here != scene.cells[cell - 1].piece
                assert all(is_line) if is_boundary else not any(is_line)
                pairs += is_boundary and here > 0
            if cell + cols < scene.board.size:
                is_line = [bool(style.underline) for _, style in below]
                is_boundary = not here or here != scene.cells[cell + cols].piece
                assert all(is_line) if is_boundary else not any(is_line)
    assert pairs > 5


def test_pieces_cover_the_cells_of_the_scene():
    scene = played("blokus", 24)
    pieces = {}
    for number, cell in enumerate(scene.cells):
        if cell.piece:
            pieces.setdefault(cell.piece, []).append(number)
    assert len(pieces) == 24
    assert all(1 <= len(cells) <= 5 for cells in pieces.values())
    assert all(len({scene.cells[cell] for cell in cells}) == 1 for cells in pieces.values())


def test_a_piece_in_hand_is_one_shape():
    scene = parlour.game("blokus").start().scene()
    ghost = (0, 1, 21)
    for fits, paint in ((True, palette.DARK.fits), (False, palette.DARK.fits_not)):
        drawn, view = grid(scene, ghost=ghost, ghost_fits=fits)
        for cell in ghost:
            assert {drawn[y][x][1].bgcolor.name for x, y in inside(view, cell)} == {paint.fill}
        assert drawn[view.rectangle(1).y // 2][view.rectangle(1).x][0] != "▏"
        assert drawn[view.rectangle(2).y // 2][view.rectangle(2).x][0] == "▏"


def test_arrows_are_large_if_there_is_room_and_small_otherwise():
    scene = parlour.game("octa").start(8).scene()
    for size in SIZES:
        drawn, view = grid(scene, size)
        for cell in (cell for row in view.cells.values() for cell in row):
            if "wall" in scene.cells[cell].marks:
                continue
            *_, head, shaft = ARROWS[scene.cells[cell].glyph[-1]]
            signs = [drawn[y][x][0] for x, y in inside(view, cell)]
            if view.lines <= 2:
                assert scene.cells[cell].glyph[-1] in signs
            else:
                assert signs.count(head) == 1
                assert signs.count(shaft) == min(view.lines - 1, 3) - 1


def test_discs_are_whole_and_show_their_sign_or_a_letter():
    scene = played("banqi", 40)
    for size in SIZES:
        drawn, view = grid(scene, size)
        for number, cell in enumerate(scene.cells):
            signs = [drawn[y][x][0] for x, y in inside(view, number)]
            assert signs.count(cell.sign or "?") == (1 if cell.sign else 0)
            assert cell.glyph not in signs or cell.sign == ""


EDGES = frozenset("▏▕─│┌┐└┘▴▾◂▸›•!+×[]▛▀▜▌▐▙▄▟▗▖▝▘■")
"""Lines, shapes and signs of marks; everything else is text."""

contrast_of = cache(contrast)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", EVERY)
def test_everything_drawn_has_enough_contrast(name, size):
    scene = EVERY[name]()
    owned = [number for number, cell in enumerate(scene.cells) if cell.owner >= 0]
    marks = {
        "targets": range(0, scene.board.size, 3),
        "last": range(1, scene.board.size, 7),
        "preview": range(2, scene.board.size, 5),
        "hint": range(3, scene.board.size, 11),
        "touched": owned[6:8],
        "shows_cursor": True,
    }
    cases = list(product(palette.THEMES, (scene.board.size // 2, *owned[:2])))
    variants = [(palette.THEMES[theme], True, {**marks, "cursor": at}) for theme, at in cases]
    counts = Counter()
    for (theme, _), (drawn, view) in zip(cases, grids(scene, size, variants), strict=True):
        if view.is_half:
            continue
        shades = palette.nearest if theme[1] == palette.EIGHT_BIT else str
        for line in drawn:
            for sign, style in line:
                if sign in ("", " ") and not style.underline:
                    continue
                ink, fill = shades(style.color.name), shades(style.bgcolor.name)
                least = 3.0 if sign in EDGES or sign == " " else 4.5
                assert contrast_of(ink, fill) >= least, (theme, sign, ink, fill)
                counts[theme] += 1
    assert all(counts[theme] > 100 for theme in palette.THEMES)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("theme", PALETTES, ids=IDS)
def test_letters_are_in_their_cells_and_not_wide(theme, size):
    scene = played("banqi", 40)
    with_signs, signed = grid(scene, size, theme, True)
    drawn, view = grid(scene, size, theme, False)
    assert not any(display_width(sign) > 1 for line in drawn for sign, _ in line)
    assert any(display_width(sign) > 1 for line in with_signs for sign, _ in line)
    shown = 0
    for number, cell in enumerate(scene.cells):
        if not view.sees(*divmod(number, scene.board.cols)):
            continue
        signs = [drawn[y][x][0] for x, y in sorted(inside(view, number))]
        if cell.sign:
            assert signs.count(cell.glyph) == 1
            shown += 1
        assert not set("".join(signs)) & set("ABCDEFGHIJKLMNOPQRSTUVWXYZ") - set(cell.glyph)
    assert shown > 5
    if view.pitch == signed.pitch:
        assert view.rectangle(0) == signed.rectangle(0)


@pytest.mark.parametrize(("space", "lines"), [(2, 2), (3, 3), (6, 5)])
@pytest.mark.parametrize("theme", PALETTES, ids=IDS)
def test_a_turning_disc_is_drawn_from_its_edge(theme, space, lines):
    down = Cell("?", "face-down", marks=("face-down", "flipping"))
    board = Board(1, 2, ("1",), ("a", "b"))
    scene = Scene((down, Cell("?", "face-down", marks=("face-down",))), board=board)
    drawn, view = grid(scene, (40, space), theme)
    assert view.lines == lines
    turning = {drawn[y][x][0] for x, y in inside(view, 0)}
    flat = {drawn[y][x][0] for x, y in inside(view, 1)}
    assert turning != flat
    if theme.has_colours:
        assert turning <= {" ", "▐", "▌", "▏"}
        for y in range(view.origin[1], view.origin[1] + lines):
            columns = [x for x, line_y in inside(view, 0) if line_y == y]
            thin = [x for x in sorted(columns) if drawn[y][x][0] in ("▐", "▌")]
            assert len(thin) == 2
            assert abs((thin[0] + thin[1] + 1) / 2 - (min(columns) + max(columns) + 1) / 2) <= 1


def test_lines_below_discs_are_drawn_where_the_disc_leaves_room():
    scene = played("banqi", 40)
    drawn, view = grid(scene)
    for number in range(scene.board.size - scene.board.cols):
        x, y, wide, high = view.rectangle(number)
        last = drawn[(y + high) // 2 - 1]
        assert last[x][1].underline
        assert last[x + wide - 1][1].underline
        assert all(
            style.underline or style.color.name != palette.DARK.edge
            for _, style in last[x : x + wide]
        )


@pytest.mark.parametrize("theme", [palette.DARK, palette.LIGHT], ids=["dark", "light"])
def test_a_cursor_of_one_line_is_seen_among_plain_cells(theme):
    scene = played("octa", 30)
    plain = theme.plain.fill
    for number, cell in list(enumerate(scene.cells))[::6]:
        drawn, view = grid(scene, (40, 12), theme, cursor=number, shows_cursor=True)
        assert view.lines == 1
        x, y, _, _ = view.rectangle(number)
        _, style = drawn[y // 2][x + 1]
        assert contrast(style.bgcolor.name, plain) >= 3
        assert contrast(style.bgcolor.name, style.color.name) >= 4.5
        assert cell.glyph[-1] in {drawn[b][a][0] for a, b in inside(view, number)}


def test_half_blocks_show_the_whole_board_and_point_to_what_moves():
    scene = parlour.game("cat_mouse").start(8).scene()
    drawn, view = grid(scene)
    assert view.is_half
    assert view.is_whole
    for number, cell in enumerate(scene.cells):
        x, y, _, _ = view.rectangle(number)
        sign, style = drawn[y // 2][x]
        colour = style.bgcolor if y % 2 else style.color
        assert sign == "▀"
        paint = widgets.paint_of(cell, palette.DARK)
        assert colour.name == paint.fill
        if cell.face:
            left = [sign for sign, _ in drawn[y // 2][: view.origin[0]]]
            above = drawn[view.origin[1] - 1][x][0]
            assert cell.glyph in left
            assert cell.glyph == above


def test_without_colours_signs_show_every_content():
    for name in ("octa", "blokus", "duo", "banqi"):
        scene = EVERY[name]()
        drawn, view = grid(scene, (60, 24), palette.COLOURLESS)
        assert all(style.color is style.bgcolor is None for line in drawn for _, style in line)
        for row in view.cells.values():
            for cell in row:
                here = scene.cells[cell]
                text = "".join(drawn[y][x][0] for x, y in sorted(inside(view, cell)))
                assert here.glyph[-1] in text or (here.sign and here.sign in text)


@pytest.mark.parametrize("shape", parlour.core.scene.SHAPES)
def test_wide_glyphs_take_two_columns_and_keep_the_rest_in_line(shape):
    board = Board(2, 3, ("1", "2"), ("a", "b", "車"), shape)
    glyphs = ("帥", "·", "x", "·", "兵", "·")
    scene = Scene(tuple(Cell(glyph, glyph) for glyph in glyphs), board=board)
    drawn = {}

    async def script(app, pilot):
        for cell, glyph in enumerate(glyphs):
            x, y = app.widget.point_of(cell)
            assert app.widget.render_line(y).cell_length == 30
            drawn[cell] = app.widget.render_line(y).crop(x - 2, x + 3).text
            assert glyph in drawn[cell] or glyph == "·"

    drive(script, scene, (30, 4))
    assert len(drawn) == 6


def test_colours_are_the_published_ones():
    for name, paint in COLOURS.items():
        assert palette.DARK.colours[name] == palette.LIGHT.colours[name] == paint
    state = parlour.game("blokus", variant="duo").start()
    state = state.apply(state.legal_actions()[0])
    state = state.apply(state.legal_actions()[0])
    painted = {name for line in backgrounds(state.scene(), (40, 20)) for name in line}
    assert {COLOURS["purple"].fill, COLOURS["orange"].fill} <= painted


def test_unknown_colours_and_marks_are_ignored():
    board = Board(1, 1, ("1",), ("a",))
    odd = Scene((Cell("x", "x", -1, "ultraviolet", marks=("x-odd",)),), board=board)
    plain = Scene((Cell("x", "x"),), board=board)
    assert lines(odd) == lines(plain)
    assert backgrounds(odd) == backgrounds(plain)


def test_a_game_without_a_board_is_an_empty_area():
    scene = TwentyOne().start().scene()
    assert scene.board == NO_BOARD
    for cursor in (-1, 0, 5):
        assert lines(scene, cursor=cursor, shows_cursor=True) == []
        quiet = palette.DARK.ground
        assert {name for line in backgrounds(scene, cursor=cursor) for name in line} == {quiet}


def test_a_click_chooses_the_cell_under_it():
    async def script(app, pilot):
        for cell in (2, 12, 22):
            await pilot.click(widgets.BoardWidget, offset=app.widget.point_of(cell))
        assert app.touched == [2, 12, 22]

    drive(script, Yavalath().start().scene())


def test_a_click_on_a_hole_or_beside_the_board_does_nothing():
    async def script(app, pilot):
        for hole in Yavalath().board.holes:
            await pilot.click(widgets.BoardWidget, offset=app.widget.point_of(hole))
        await pilot.click(widgets.BoardWidget, offset=(28, 2))
        await pilot.click(widgets.BoardWidget, offset=(9, 0))
        assert app.touched == []

    drive(script, Yavalath().start().scene())


def test_a_click_without_a_board_does_nothing():
    async def script(app, pilot):
        await pilot.click(widgets.BoardWidget, offset=(5, 3))
        app.widget.on_mouse_scroll_down(None)
        app.widget.on_mouse_scroll_up(None)
        assert app.touched == []

    drive(script, TwentyOne().start().scene())


def test_a_large_board_of_hexagons_scrolls_with_the_cursor():
    scene = Hex().start().scene()
    drawn = lines(scene, (20, 6), cursor=120, shows_cursor=True)
    assert drawn[0].strip() == "▴◂"
    assert [line.split()[0][:2].rstrip("▏") for line in drawn[1:5]] == ["8", "9", "10", "11"]
    assert drawn[5].split() == list("efghijk")


def test_a_board_is_fitted_again_after_a_resize():
    async def script(app, pilot):
        seen = []
        for size in ((54, 21), (30, 10), (94, 37), (54, 21)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            board = app.widget
            seen.append(board.view.pitch)
            assert (board.view.width, board.view.height) == size
            assert board.view.sees(*divmod(40, 9))
            assert board.cell_at(*board.point_of(40)) == 40
        assert seen == [(4, 4), (2, 2), (8, 8), (4, 4)]

    drive(script, parlour.game("octa").start(8).scene(), (54, 21), cursor=40, shows_cursor=True)


class TestArrows:
    """Large arrows: readable under the cursor, and apart from their neighbours."""

    SIZES = ((54, 21), (64, 29), (90, 37), (120, 56))

    @pytest.mark.parametrize("size", SIZES, ids=str)
    def test_the_cursor_covers_no_part_of_an_arrow(self, size):
        scene = parlour.game("octa").start(8).scene()
        cells = range(scene.board.size)
        shown = [(palette.DARK, True, {"cursor": at, "shows_cursor": True}) for at in cells]
        (plain, view), *drawn = grids(scene, size, [(palette.DARK, True, {}), *shown])
        assert view.lines > 1
        arrows = set(ARROWS).union(*(arrow[2:] for arrow in ARROWS.values()))
        for cell, (signs, _) in zip(cells, drawn, strict=True):
            own = inside(view, cell)
            before = {(x, y): plain[y][x][0] for x, y in own if plain[y][x][0] in arrows}
            assert before
            assert {(x, y): signs[y][x][0] for x, y in before} == before

    @pytest.mark.parametrize("size", SIZES, ids=str)
    def test_arrows_in_a_column_do_not_touch(self, size):
        drawn, view = grid(parlour.game("octa").start(8).scene(), size)
        shafts = set("┃╱╲")
        for cells in view.cells.values():
            for cell in cells:
                x, y, wide, high = view.rectangle(cell)
                last = (y + high) // 2 - 1
                ends = {drawn[line][col][0] for line in (last,) for col in range(x, x + wide)}
                assert not ends & (shafts | {arrow[2] for arrow in ARROWS.values()})

    def test_a_board_without_a_line_for_its_lower_frame_is_underlined(self):
        scene = parlour.game("octa").start(8).scene()
        drawn, view = grid(scene, (93, 37))
        assert not view.has_lower_frame
        start = view.origin[0]
        assert all(style.underline for _, style in drawn[-1][start : start + view.body[0]])
