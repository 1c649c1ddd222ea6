"""The published colours: readable, true to their names, and distinguishable by everyone."""

import colorsys
import itertools

import pytest

from parlour.core.colours import COLOURS, SEAT_COLOURS, cell_colour
from parlour.drawing import svg_cells

READABLE = 4.5  # WCAG 2, level AA, for text of normal size

HUES = {
    "red": (340, 375),
    "orange": (25, 45),
    "brown": (20, 40),
    "yellow": (50, 65),
    "green": (90, 165),
    "cyan": (175, 205),
    "blue": (200, 250),
    "purple": (265, 295),
    "pink": (310, 345),
}
"""From where to where on the circle of hues, in degrees, a colour deserves its name."""

SIGHT = {
    "every colour": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
}
"""What reaches eyes that see so: Machado, Oliveira and Fernandes, 2009."""


def channels(colour):
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def linear(colour):
    return [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in channels(colour)]


def luminance(colour):
    return sum(w * x for w, x in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))


def contrast(one, two):
    dark, light = sorted((luminance(one), luminance(two)))
    return (light + 0.05) / (dark + 0.05)


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def perceived(colour, sight):
    """The colour in Oklab, where distances are about as large as they look."""
    light = [min(max(x, 0), 1) for x in times(SIGHT[sight], linear(colour))]
    cones = times(
        (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        ),
        light,
    )
    return times(
        (
            (0.2104542553, 0.7936177850, -0.0040720468),
            (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660),
        ),
        [cone ** (1 / 3) for cone in cones],
    )


@pytest.mark.parametrize("name", COLOURS)
def test_text_on_a_colour_is_readable(name):
    assert contrast(*COLOURS[name]) >= READABLE


def test_text_on_a_cell_without_colour_is_readable():
    for paint in (svg_cells.PLAIN, *svg_cells.MARKED.values()):
        assert contrast(*paint) >= READABLE


@pytest.mark.parametrize("name", HUES)
def test_a_colour_has_the_hue_of_its_name(name):
    hue, _, saturation = colorsys.rgb_to_hls(*channels(COLOURS[name].fill))
    first, last = HUES[name]
    assert any(first <= hue * 360 + turn <= last for turn in (0, 360))
    assert saturation > 0.4


def test_black_white_and_grey_have_no_hue():
    assert set(COLOURS) - set(HUES) == {"black", "white", "grey"}
    for name in ("black", "white", "grey"):
        fill = channels(COLOURS[name].fill)
        assert max(fill) - min(fill) < 0.02


@pytest.mark.parametrize("sight", SIGHT)
def test_no_two_colours_look_alike_to_most_colour_blind_people(sight):
    seen = {name: perceived(paint.fill, sight) for name, paint in COLOURS.items()}
    for one, two in itertools.combinations(seen, 2):
        distance = sum((a - b) ** 2 for a, b in zip(seen[one], seen[two], strict=True)) ** 0.5
        assert distance > 0.06, (one, two)


def test_a_cell_is_painted_in_its_own_colour_or_its_owners():
    assert cell_colour("purple", 0) == "purple"
    assert cell_colour("", 1) == SEAT_COLOURS[1]
    assert cell_colour("", len(SEAT_COLOURS)) == SEAT_COLOURS[0]
    assert cell_colour("", -1) == ""


def test_an_unknown_colour_counts_as_none():
    assert cell_colour("ultraviolet", -1) == ""
    assert cell_colour("ultraviolet", 0) == SEAT_COLOURS[0]


def test_seats_have_different_published_colours():
    assert len(set(SEAT_COLOURS)) == len(SEAT_COLOURS)
    assert set(SEAT_COLOURS) <= set(COLOURS)
