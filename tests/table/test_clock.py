"""Clocks: as text, on leaving and on resuming."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nim import Nim

import parlour
from parlour import ParlourError
from parlour.table import Table, TimeControl, load
from parlour.table.clock import MOST, ClockError, clock_face
from parlour.table.events import Resign
from parlour.table.opening import resume_file


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("300", (300, 0)),
        ("5m", (300, 0)),
        ("5m+3", (300, 3)),
        ("90s+0.5s", (90, 0.5)),
        ("1h", (3600, 0)),
        ("300h", (1_080_000, 0)),
        ("1000000", (1_000_000, 0)),
        ("5m+0.00001", (300, 0.00001)),
    ],
)
def test_time_controls_are_parsed(text, control):
    assert TimeControl.from_text(text) == control
    assert TimeControl.from_text(TimeControl.from_text(text).to_text()) == control


@pytest.mark.parametrize("text", ["", "five", "5x", "-5", "5m+", "+3", "1e3", "inf", "٣"])
def test_an_invalid_time_control_raises_with_an_example(text):
    with pytest.raises(ParlourError, match=r"5m\+3"):
        TimeControl.from_text(text)


@pytest.mark.parametrize("text", ["0", "0.0001", "9" * 7 + "h", "5m+9999999", "2592001"])
def test_times_out_of_range_are_refused(text):
    with pytest.raises(ClockError, match=r"a clock must have 0\.001 seconds to 30 days"):
        TimeControl.from_text(text)


def test_a_text_of_thousands_of_digits_gets_a_short_error():
    with pytest.raises(ClockError) as caught:
        TimeControl.from_text("9" * 5000)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("inf"), float("nan"), 10.0**300])
def test_a_table_refuses_an_invalid_clock(seconds):
    with pytest.raises(ClockError):
        Table(Nim(), seed=1, control=TimeControl(seconds))
    with pytest.raises(ClockError):
        Table(Nim(), seed=1, control=TimeControl(60, seconds or -1.0))


@given(
    st.decimals("0.001", MOST, places=6).map(float),
    st.decimals(0, MOST, places=6).map(float),
    st.floats(0, MOST),
)
def test_every_clock_survives_resuming(seconds, increment, spent):
    now = [0.0]
    control = TimeControl(seconds, increment)
    assert TimeControl.from_text(control.to_text()) == control
    at = Table(Nim(), seed=1, control=control, now=lambda: now[0])
    now[0] = min(spent, seconds * 0.999)
    at.play(0)
    parlour.register("nim", Nim)
    text = at.snapshot().to_text()
    again = Table.resume(parlour.Record.from_text(text), now=lambda: 77.0)
    assert again.clocks.control == control
    for one, other in zip(at.clocks.all_left(), again.clocks.all_left(), strict=True):
        assert abs(one - other) <= 0.0006


def test_clock_faces_show_minutes_or_tenths():
    assert [clock_face(s) for s in (305, 60, 10, 9.94, -1)] == [
        "5:05",
        "1:00",
        "0:10",
        "0:09.9",
        "0:00.0",
    ]
    assert clock_face(10.9) == "0:10"


class TestLeaving:
    @pytest.fixture
    def now(self):
        return [100.0]

    @pytest.fixture
    def at(self, tmp_path, now):
        parlour.register("nim", Nim)
        path = tmp_path / "game.parlour"
        at = Table(Nim(), seed=1, control=TimeControl(60), path=path, now=lambda: now[0])
        now[0] += 5
        at.play(0)
        now[0] += 7
        return at

    def test_closing_charges_the_running_clock(self, at, now):
        at.close()
        assert Table.resume(load(at.path), now=lambda: now[0]).clocks.all_left() == (55.0, 53.0)

    def test_after_a_kill_time_is_charged_up_to_the_last_save(self, at, now):
        assert Table.resume(load(at.path), now=lambda: now[0]).clocks.all_left() == (55.0, 60.0)

    def test_time_between_closing_and_resuming_is_not_charged(self, at, now):
        at.close()
        now[0] += 10_000
        again = resume_file(at.path)
        again.close()
        assert again.clocks.left(0) == 55.0
        assert abs(again.clocks.left(1) - 53.0) < 50.0

    def test_a_seat_without_time_has_none_after_resuming(self, at, now):
        now[0] += 1000
        at.close()
        again = Table.resume(load(at.path), now=lambda: now[0])
        assert again.check_clocks()
        assert again.ending.returns == (1.0, -1.0)

    def test_closing_a_finished_game_does_not_change_it(self, at, now):
        at.request(1, Resign())
        before = at.path.read_text()
        now[0] += 10
        at.close()
        assert at.path.read_text() == before

    def test_wall_clock_jumps_are_ignored(self, monkeypatch):
        at = Table(Nim(), seed=1, control=TimeControl(60))
        monkeypatch.setattr(time, "time", lambda: 0.0)
        assert 59 < at.clocks.left(0) <= 60
        assert at.check_clocks() == []
