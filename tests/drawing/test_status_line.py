"""A status line on a terminal."""

import io

import pytest

from parlour.drawing.status_line import SECONDS_BETWEEN, StatusLine, progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def now():
    return [0.0]


def test_a_terminal_shows_updates_and_an_erased_line_at_the_end(now):
    terminal = Terminal()
    line = StatusLine(terminal, lambda: now[0])
    for done in (1, 2):
        now[0] += SECONDS_BETWEEN
        line.show(lambda done=done: f"{done} done")
    line.close()
    line.close()
    assert terminal.getvalue() == "\r1 done\r2 done\r      \r"


def test_updates_are_throttled_except_the_last(now):
    terminal = Terminal()
    line = StatusLine(terminal, lambda: now[0])
    texts = []
    for done in range(10):
        line.show(lambda done=done: texts.append(done) or str(done))
    assert texts == [0]
    line.show(lambda: "end", is_last=True)
    assert terminal.getvalue() == "\r0\rend"


def test_a_shorter_text_erases_a_longer_one_and_long_ones_are_truncated(now, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    terminal = Terminal()
    line = StatusLine(terminal, lambda: now[0])
    line.show(lambda: "x" * 99)
    line.show(lambda: "short", is_last=True)
    first, second = terminal.getvalue().split("\r")[1:]
    assert first == "x" * 29
    assert second == "short".ljust(29)


def test_a_short_operation_prints_nothing_on_other_streams():
    stream = io.StringIO()
    line = StatusLine(stream, lambda: 0.0)
    line.show(lambda: pytest.fail("nobody reads it"), is_last=True)
    line.close()
    assert stream.getvalue() == ""


def test_other_streams_get_lines_at_growing_intervals():
    stream, now = io.StringIO(), [0.0]
    line = StatusLine(stream, lambda: now[0])
    for second in range(1, 1001):
        now[0] = float(second)
        line.show(lambda second=second: f"after {second} s")
    line.close()
    assert stream.getvalue().splitlines()[:5] == [
        f"after {second} s" for second in (10, 20, 40, 80, 160)
    ]
    assert len(stream.getvalue().splitlines()) == 8


def test_control_characters_are_not_written(now):
    terminal = Terminal()
    StatusLine(terminal, lambda: now[0]).show(lambda: "a\x1b[2Jb")
    assert "\x1b" not in terminal.getvalue()


def test_a_bar_fills_from_left_to_right():
    assert progress_bar(0, 4) == "[....................] 0/4"
    assert progress_bar(1, 4) == "[#####...............] 1/4"
    assert progress_bar(4, 4) == "[####################] 4/4"
    assert progress_bar(0, 0) == "[....................] 0/0"
