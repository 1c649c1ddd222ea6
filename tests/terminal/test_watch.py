"""Watching agents in the full screen: pause, step, slower and faster.

The clock is simulated, so nothing happens unless the test advances it.
"""

import pytest
from nim import Nim
from test_app import drive, table, text, until

import parlour
from parlour.terminal import app as app_module
from parlour.terminal.pace import Pace

SEATS = ("odd_agents:First", "odd_agents:First")


class CountedPace(Pace):
    """Counts the shown actions, so that a test can wait for them."""

    count = 0

    def shown(self):
        super().shown()
        self.count += 1


async def shown(app, pilot, count):
    """Wait until this many actions have been shown and the next delay has begun."""
    await until(pilot, lambda: app.pace.count == count)
    assert len(table(app).log) == count


@pytest.fixture
def watch(watch_processes, agents_here):
    """Watch agents that need no process."""
    return watch_processes


@pytest.fixture
def watch_processes(monkeypatch):
    """Watch a game whose first action is shown; the others wait for the clock `now`."""
    now = [0.0]
    monkeypatch.setattr(app_module, "Pace", lambda delay: CountedPace(delay, now=lambda: now[0]))

    def run(script, heap=40):
        async def begun(app, pilot):
            await shown(app, pilot, 1)
            await script(app, pilot, now)

        drive(begun, Nim(heap=heap), SEATS, delay=1.0)

    return run


async def still(pilot):
    """Wait long enough for an action that does not respect the pause."""
    for _ in range(10):
        await pilot.pause(0.02)


def test_the_next_action_waits_for_the_clock(watch):
    async def script(app, pilot, now):
        await still(pilot)
        assert len(table(app).log) == 1
        now[0] += 1.0
        await shown(app, pilot, 2)
        await still(pilot)
        assert len(table(app).log) == 2

    watch(script)


def test_space_pauses_during_an_animation(agents_here):
    async def script(app, pilot):
        await until(pilot, lambda: app.session.frames)
        await pilot.press("space")
        assert not app.session.frames
        assert "PAUSED" in text(app, "title")

    drive(script, parlour.game("octa"), ("level:1", "level:1"), delay=0.0, frames=60)


def test_space_pauses_and_resumes(watch):
    async def script(app, pilot, now):
        await pilot.press("space")
        assert text(app, "watching") == "paused"
        assert "PAUSED" in text(app, "title")
        assert "space resume" in text(app, "keys")
        now[0] += 50.0
        await still(pilot)
        assert len(table(app).log) == 1
        await pilot.press("space")
        assert text(app, "watching") == "every 1 s"
        assert "PAUSED" not in text(app, "title")
        now[0] += 1.0
        await shown(app, pilot, 2)

    watch(script)


def test_an_arrow_shows_one_more_action_and_pauses(watch):
    async def script(app, pilot, now):
        for count, key in enumerate(("right", "full_stop", "right"), 2):
            await pilot.press(key)
            await shown(app, pilot, count)
            now[0] += 50.0
            await still(pilot)
            assert len(table(app).log) == count
        assert app.pace.is_paused

    watch(script)


def test_plus_and_minus_and_the_arrows_change_the_speed(watch):
    async def script(app, pilot, now):
        await pilot.press("plus", "up")
        assert app.pace.delay == 0.25
        now[0] += 0.25
        await shown(app, pilot, 2)
        await pilot.press("minus", "down", "minus")
        assert app.pace.delay == 2.0
        now[0] += 1.9
        await still(pilot)
        assert len(table(app).log) == 2
        now[0] += 0.2
        await shown(app, pilot, 3)

    watch(script)


def test_the_keys_are_listed_and_the_end_offers_a_replay(watch):
    async def script(app, pilot, now):
        assert "space pause  → step  - slower  + faster" in text(app, "keys")
        while not table(app).is_over:
            now[0] += 1.0
            await pilot.pause(0.02)
        await until(pilot, lambda: "v replay" in text(app, "keys"))
        assert "u undo" not in text(app, "keys")
        assert not app.static("watching").display

    watch(script, heap=4)


def test_a_new_game_is_watched_at_the_same_pace(watch):
    async def script(app, pilot, now):
        await pilot.press("space")
        first = table(app)
        await pilot.press("n", "n")
        assert table(app) is not first
        await until(pilot, lambda: app.pace.count == 2)
        now[0] += 50.0
        await still(pilot)
        assert len(table(app).log) == 1

    watch(script)


def test_a_paused_screen_can_be_closed(watch_processes):
    async def script(app, pilot, now):
        await pilot.press("space", "q")
        assert app.return_value == 0

    watch_processes(script)
