"""Clocks in text."""

import pytest

from parlour import ParlourError
from parlour.table import TimeControl
from parlour.table.clock import clock_face


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("300", (300, 0)),
        ("5m", (300, 0)),
        ("5m+3", (300, 3)),
        ("90s+0.5s", (90, 0.5)),
        ("1h", (3600, 0)),
    ],
)
def test_a_time_control_reads_like_this(text, control):
    assert TimeControl.from_text(text) == control
    assert TimeControl.from_text(TimeControl.from_text(text).to_text()) == control


@pytest.mark.parametrize("text", ["", "five", "5x", "-5", "0", "5m+", "+3"])
def test_anything_else_says_what_would_be_right(text):
    with pytest.raises(ParlourError, match=r"5m\+3"):
        TimeControl.from_text(text)


def test_faces():
    assert [clock_face(s) for s in (305, 60, 9.94, -1)] == ["5:05", "1:00", "0:09.9", "0:00.0"]
