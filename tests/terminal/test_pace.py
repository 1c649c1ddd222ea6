"""The speed of a watched game, with a simulated clock."""

import pytest

from parlour.terminal.pace import FASTEST, SLOWEST, Pace


@pytest.fixture
def now():
    return [100.0]


@pytest.fixture
def pace(now):
    return Pace(2.0, now=lambda: now[0])


def test_the_next_action_is_due_after_the_delay(pace, now):
    assert not pace.take()
    now[0] += 1.9
    assert not pace.take()
    now[0] += 0.2
    assert pace.take()
    pace.shown()
    assert not pace.take()


def test_a_pause_restarts_the_full_delay(pace, now):
    pace.toggle()
    now[0] += 1000
    assert not pace.take()
    assert pace.words() == "paused"
    pace.toggle()
    assert not pace.take()
    now[0] += 2
    assert pace.take()


def test_a_step_lets_one_action_through_and_pauses(pace, now):
    pace.step()
    assert pace.take()
    pace.shown()
    now[0] += 1000
    assert not pace.take()
    pace.step()
    assert pace.take()
    assert not pace.take()


def test_an_early_step_is_kept(pace):
    pace.step()
    pace.shown()
    assert pace.take()


def test_a_shorter_delay_applies_immediately(pace, now):
    now[0] += 1.5
    assert not pace.take()
    pace.faster()
    assert pace.delay == 1.0
    assert pace.take()
    pace.slower()
    assert not pace.take()
    assert pace.words() == "every 2 s"


def test_the_speed_has_limits(pace):
    for _ in range(20):
        pace.slower()
    assert pace.delay == SLOWEST
    for _ in range(20):
        pace.faster()
    assert pace.delay == FASTEST
    still = Pace(0.0)
    still.slower()
    assert still.delay == 2 * FASTEST
