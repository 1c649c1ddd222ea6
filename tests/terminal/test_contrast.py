"""Whole screens, as they are drawn: what is written can be read, lines and shapes are seen."""

import asyncio

import pytest
from screens import SCREENS, STARTS, shoot, start_app
from textual.containers import VerticalScroll

from parlour.core.colours import contrast
from parlour.terminal.help import HelpScreen

TEXT, EDGE = 4.5, 3.0

SHAPES = frozenset("▏▕─│┌┐└┘╭╮╰╯▴▾◂▸‹›•!+×[]▛▜▌▐▙▟▗▖▝▘■█░▁▂▃▅▆▇")
HALVES = frozenset("▀▄")
"""Two cells or a cell and a disc in one character: their contrast is the board's business."""


def unreadable(app):
    """The texts and shapes on the screen that are hardly seen, with their colours."""
    found = set()
    # What lies behind the help is dimmed on purpose.
    area = (
        app.screen.query_one(VerticalScroll) if isinstance(app.screen, HelpScreen) else app.screen
    )
    left, top, wide, high = area.region
    for strip in app.screen._compositor.render_strips()[top : top + high]:
        for text, style, _ in strip.crop(left, left + wide):
            signs = frozenset(text) - {" "} - HALVES
            if not signs or style is None or style.color is None or style.bgcolor is None:
                continue
            ink, fill = (part.get_truecolor().hex for part in (style.color, style.bgcolor))
            least = EDGE if signs <= SHAPES else TEXT
            if contrast(ink, fill) < least or style.dim:
                found.add((text.strip(), ink, fill))
    return found


GAMES = [name for name in SCREENS if name not in STARTS]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_and_its_help_can_be_read(name):
    found = []
    asyncio.run(shoot(name, lambda app: found.append(unreadable(app))))
    assert found == [set()]


@pytest.mark.parametrize("name", STARTS)
def test_the_start_screen_can_be_read(name):
    keys, size, theme = STARTS[name]

    async def script():
        app = start_app("resume" in name, theme)
        async with app.run_test(size=size) as pilot:
            await pilot.press(*keys)
            await pilot.pause()
            return unreadable(app)

    assert asyncio.run(script()) == set()
