"""Shared by the tests of the terminal: helper modules, and how to wait for an app."""

import asyncio
import sys
from pathlib import Path

import pytest
import textual.app
import textual.screen
from textual.pilot import Pilot

sys.path.insert(0, str(Path(__file__).parent))


async def nothing_is_ready(*_):
    """Wait until no task of the event loop can run without a timer, a thread or a process."""
    ready = asyncio.get_running_loop()._ready
    await asyncio.sleep(0)
    while ready:
        await asyncio.sleep(0)


async def everything_is_drawn(pilot):
    """Wait until every message is handled and its result is drawn."""
    app = pilot.app
    await pilot._wait_for_screen()
    await nothing_is_ready()
    while app.is_running and not app._exit:
        # Textual does both a few milliseconds later.
        if app._resize_timer is not None:
            app._check_resize()
        elif has_something_to_draw(app.screen):
            app.screen._on_timer_update()
        else:
            return
        await nothing_is_ready()


def has_something_to_draw(screen):
    return bool(
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._dirty_widgets
        or screen._callbacks
    )


async def pause(pilot, delay=None):
    """Wait until everything is drawn, after `delay` seconds for timers and processes."""
    if delay:
        await asyncio.sleep(delay)
    await everything_is_drawn(pilot)


async def press(pilot, *keys):
    """Press keys quickly: the screen is drawn after the last one."""
    await pilot.app._press_keys(keys)
    await everything_is_drawn(pilot)


@pytest.fixture(autouse=True)
def _waits(monkeypatch):
    """Wait for events, instead of Textual's polling of the processor time.

    Screens are drawn when a test waits, not many times a second.
    """
    monkeypatch.setattr(textual.screen, "UPDATE_PERIOD", 3600.0)
    monkeypatch.setattr(textual.app, "wait_for_idle", nothing_is_ready)
    monkeypatch.setattr(Pilot, "pause", pause)
    monkeypatch.setattr(Pilot, "press", press)
