"""Contrast: text, edges and marks can be seen in every theme, with every number of colours."""

import pytest
from rich.color import Color, ColorSystem

from parlour.core.colours import COLOURS, contrast
from parlour.core.scene import Board, Cell, Scene
from parlour.terminal import palette as palettes
from parlour.terminal.marks import Marks
from parlour.terminal.palette import (
    COLOURLESS,
    THEMES,
    block_on,
    cursor_on,
    line_on,
    nearest,
    palette,
    written_on,
)
from parlour.terminal.tiles import Looks

TEXT, EDGE = 4.5, 3.0

EACH = pytest.mark.parametrize("theme", THEMES, ids="-".join)


def shown(theme, one, other):
    """The contrast of two colours as the terminal shows them."""
    if theme[1] == "256":
        one, other = nearest(one), nearest(other)
    return contrast(one, other)


def paints(chosen):
    own = {name: value for name, value in chosen._asdict().items() if isinstance(value, tuple)}
    return {**own, **chosen.colours}


def test_contrast_is_that_of_the_guidelines():
    assert contrast("#000000", "#ffffff") == 21
    assert contrast("#777777", "#777777") == 1
    assert round(contrast("#ffffff", "#767676"), 2) == 4.54


@EACH
def test_what_is_written_on_a_cell_can_be_read(theme):
    for name, paint in paints(THEMES[theme]).items():
        assert shown(theme, paint.fill, paint.ink) >= TEXT, name


@EACH
def test_names_can_be_read_and_the_frame_be_seen(theme):
    chosen = THEMES[theme]
    assert shown(theme, chosen.ground, chosen.name) >= TEXT
    assert shown(theme, chosen.ground, chosen.frame) >= EDGE


@EACH
def test_the_edges_of_cells_signs_and_the_cursor_are_seen_on_every_fill(theme):
    chosen = THEMES[theme]
    for name, paint in paints(chosen).items():
        for wanted in (chosen.edge, chosen.sign, chosen.target):
            assert shown(theme, line_on(paint.fill, wanted), paint.fill) >= EDGE, name
        assert shown(theme, cursor_on(paint.fill), paint.fill) >= TEXT, name
    assert line_on(chosen.plain.fill, chosen.edge) == chosen.edge


@EACH
def test_a_cursor_that_is_a_whole_cell_is_seen_and_what_is_on_it_read(theme):
    chosen = THEMES[theme]
    for name, paint in paints(chosen).items():
        block = block_on(paint.fill, chosen.plain.fill)
        assert block != paint.fill, name
        assert shown(theme, block, written_on(block, paint.fill)) >= TEXT, name
        if paint.fill not in ("#ffffff", "#000000"):
            assert shown(theme, block, chosen.plain.fill) >= EDGE, name


@EACH
def test_walls_and_the_piece_in_hand_stand_out_from_the_plain_board(theme):
    chosen = THEMES[theme]
    for name in ("wall", "goal", "back", "touched", "fits", "fits_not"):
        assert shown(theme, getattr(chosen, name).fill, chosen.plain.fill) >= EDGE, name


@EACH
def test_a_disc_of_any_colour_is_seen_on_the_board_and_its_sign_on_it(theme):
    chosen = THEMES[theme]
    for colour in COLOURS:
        cell = Cell("K", "a king", 0, colour, sign="帥")
        scene = Scene((cell,), board=Board(1, 1, ("1",), ("a",)))
        for cells in ((), (0,)):
            look = Looks(scene, Marks(last=cells), chosen, True).look(0)
            assert look.disc is not None
            assert shown(theme, look.disc.fill, look.disc.ink) >= TEXT
            assert shown(theme, look.disc.fill, chosen.plain.fill) >= EDGE, colour


@pytest.mark.parametrize("name", ["dark", "light"])
def test_sixteen_colours_are_those_that_the_terminal_shows_unchanged(name):
    chosen = palette(name, "standard")
    used = {chosen.ground, chosen.name, chosen.edge, chosen.sign, chosen.target}
    used |= {part for paint in paints(chosen).values() for part in paint}
    for colour in used:
        assert Color.parse(colour).downgrade(ColorSystem.STANDARD).number == SIXTEEN.index(colour)


SIXTEEN = (
    *(palettes.BLACK, palettes.MAROON, palettes.FOREST, palettes.BROWN),
    *(palettes.NAVY, palettes.VIOLET, palettes.TEAL, palettes.SILVER),
    *(palettes.GREY, palettes.SALMON, palettes.LIME, palettes.YELLOW),
    *(palettes.INDIGO, palettes.PINK, palettes.CYAN, palettes.WHITE),
)


@EACH
def test_every_published_colour_is_another_fill(theme):
    assert len({paint.fill for paint in THEMES[theme].colours.values()}) == len(COLOURS)


def test_without_colours_nothing_is_coloured():
    assert palette("dark", None) is palette("light", None) is COLOURLESS
    assert not COLOURLESS.has_colours
    for field in COLOURLESS:
        parts = field.values() if isinstance(field, dict) else [field]
        assert all(not any(part) for part in parts)
