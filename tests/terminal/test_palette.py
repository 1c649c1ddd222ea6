"""Contrast: text, edges and marks are visible in every theme, with every number of colours."""

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
    """Return the contrast of two colours as the terminal shows them."""
    if theme[1] == "256":
        one, other = nearest(one), nearest(other)
    return contrast(one, other)


def paints(chosen):
    own = {name: value for name, value in chosen._asdict().items() if isinstance(value, tuple)}
    return {**own, **chosen.colours}


def test_contrast_follows_the_wcag_formula():
    assert contrast("#000000", "#ffffff") == 21
    assert contrast("#777777", "#777777") == 1
    assert round(contrast("#ffffff", "#767676"), 2) == 4.54


@EACH
def test_text_on_a_cell_is_readable(theme):
    for name, paint in paints(THEMES[theme]).items():
        assert shown(theme, paint.fill, paint.ink) >= TEXT, name


@EACH
def test_names_are_readable_and_the_frame_is_visible(theme):
    chosen = THEMES[theme]
    assert shown(theme, chosen.ground, chosen.name) >= TEXT
    assert shown(theme, chosen.ground, chosen.frame) >= EDGE


@EACH
def test_edges_signs_and_the_cursor_are_visible_on_every_fill(theme):
    chosen = THEMES[theme]
    for name, paint in paints(chosen).items():
        for wanted in (chosen.edge, chosen.sign, chosen.target):
            assert shown(theme, line_on(paint.fill, wanted), paint.fill) >= EDGE, name
        assert shown(theme, cursor_on(paint.fill), paint.fill) >= TEXT, name
    assert line_on(chosen.plain.fill, chosen.edge) == chosen.edge


@EACH
def test_a_cursor_cell_is_visible_and_readable(theme):
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
def test_discs_of_every_colour_and_their_signs_are_visible(theme):
    chosen = THEMES[theme]
    for colour in COLOURS:
        cell = Cell("K", "a king", 0, colour, sign="帥")
        scene = Scene((cell,), board=Board(1, 1, ("1",), ("a",)))
        for cells in ((), (0,)):
            look = Looks(scene, Marks(last=cells), chosen, True).look(0)
            assert look.disc is not None
            assert shown(theme, look.disc.fill, look.disc.ink) >= TEXT
            assert shown(theme, look.rim or look.disc.fill, chosen.plain.fill) >= EDGE, colour


@pytest.mark.parametrize("name", ["dark", "light"])
def test_the_sixteen_colours_are_not_changed_by_rich(name):
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
def test_every_published_colour_has_a_different_fill(theme):
    assert len({paint.fill for paint in THEMES[theme].colours.values()}) == len(COLOURS)


def test_without_colours_nothing_is_coloured():
    assert palette("dark", None) is palette("light", None) is COLOURLESS
    assert not COLOURLESS.has_colours
    for field in COLOURLESS:
        parts = field.values() if isinstance(field, dict) else [field]
        assert all(not any(part) for part in parts)
