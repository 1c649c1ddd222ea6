"""One line on a terminal while something long goes on."""

import io

import pytest

from parlour.drawing.status_line import SECONDS_BETWEEN, StatusLine, progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def now():
    return [0.0]


def test_a_terminal_sees_the_line_again_and_again_and_an_empty_one_in_the_end(now):
    terminal = Terminal()
    line = StatusLine(terminal, lambda: now[0])
    for done in (1, 2):
        now[0] += SECONDS_BETWEEN
        line.show(lambda done=done: f"{done} done")
    line.close()
    line.close()
    assert terminal.getvalue() == "\r1 done\r2 done\r      \r"


def test_it_is_drawn_no_more_often_than_one_can_read_but_the_last_one_always(now):
    terminal = Terminal()
    line = StatusLine(terminal, lambda: now[0])
    texts = []
    for done in range(10):
        line.show(lambda done=done: texts.append(done) or str(done))
    assert texts == [0]
    line.show(lambda: "end", is_last=True)
    assert terminal.getvalue() == "\r0\rend"


def test_a_shorter_text_wipes_a_longer_one_and_a_long_one_is_cut(now, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    terminal = Terminal()
    line = StatusLine(terminal, lambda: now[0])
    line.show(lambda: "x" * 99)
    line.show(lambda: "short", is_last=True)
    first, second = terminal.getvalue().split("\r")[1:]
    assert first == "x" * 29
    assert second == "short".ljust(29)


def test_anything_else_sees_nothing_and_makes_no_text():
    stream = io.StringIO()
    line = StatusLine(stream)
    line.show(lambda: pytest.fail("nobody reads it"), is_last=True)
    line.close()
    assert stream.getvalue() == ""


def test_nothing_that_steers_the_terminal_is_written(now):
    terminal = Terminal()
    StatusLine(terminal, lambda: now[0]).show(lambda: "a\x1b[2Jb")
    assert "\x1b" not in terminal.getvalue()


def test_a_bar_fills_from_left_to_right():
    assert progress_bar(0, 4) == "[....................] 0/4"
    assert progress_bar(1, 4) == "[#####...............] 1/4"
    assert progress_bar(4, 4) == "[####################] 4/4"
    assert progress_bar(0, 0) == "[....................] 0/0"
