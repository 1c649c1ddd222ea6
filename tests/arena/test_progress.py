"""The progress bar: a line with the running score on a terminal, nothing elsewhere."""

import io

import pytest
from climb import Climb
from nim import Nim

import parlour
from parlour.arena import run_match
from parlour.arena.progress import ProgressBar, progress_line

FIRST, LAST = "odd_agents:First", "odd_agents:Last"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def lines_of(game, agents, games, **settings):
    lines = []

    def on_progress(progress):
        lines.append(progress_line(progress._replace(result=lambda: pytest.fail("counted anew"))))

    run_match(game, agents, games, processes=0, on_progress=on_progress, **settings)
    return lines


def test_the_line_shows_how_far_the_match_is_and_the_score():
    first, second, *_, last = lines_of(Nim(heap=3), [LAST, FIRST], 8)
    assert first == "[##..................] 1/8"
    assert second.startswith("[#####...............] 2/8  odd_agents:Last 2 : 0 ")
    assert last.endswith("8/8  odd_agents:Last 8 : 0 odd_agents:First, Elo +inf")


@pytest.mark.parametrize(
    ("game", "agents", "games", "settings", "score"),
    [
        (Nim(), [FIRST, FIRST], 2, {"sprt": ""}, f"{FIRST} (1) 1 : 1 {FIRST} (2), Elo +0, LLR -0"),
        (Climb(), [LAST, FIRST], 4, {}, f"4/4  {LAST} place 1.00, {FIRST} place 3.00"),
        (parlour.game("cat_mouse", ply_cap=1), ["random", FIRST], 2, {}, f"random 0%, {FIRST} 0%"),
    ],
)
def test_the_score_fits_the_number_of_seats(game, agents, games, settings, score):
    assert score in lines_of(game, agents, games, **settings)[-1]


def test_a_terminal_shows_one_line_that_is_erased_at_the_end(monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    terminal = Terminal()
    bar = ProgressBar(terminal)
    run_match(Nim(), [FIRST, LAST], 4, processes=0, on_progress=bar)
    bar.close()
    bar.close()
    text = terminal.getvalue()
    assert "\n" not in text
    assert "[####################] 4/4" in text
    *lines, empty = text.split("\r")
    assert all(len(line) <= 29 for line in lines)
    assert lines[-1].strip() == empty == ""


def test_other_streams_get_no_output():
    stream = io.StringIO()
    bar = ProgressBar(stream)
    run_match(Nim(), [FIRST, LAST], 2, processes=0, on_progress=bar)
    bar.close()
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("game", "agents"), [(Nim(heap=7), ["random", LAST]), (Climb(), ["random", LAST])]
)
def test_running_totals_equal_the_final_result(game, agents):
    def on_progress(progress):
        standings = progress.result().standings
        for number, standing in enumerate(standings):
            row = progress.tally.row(number)
            place = game.seats - (game.seats - 1) * row.share.mean
            assert (row.games > 0, place) == (True, pytest.approx(standing.place.mean))
        if game.seats == 2 and standings:
            assert progress.tally.row(0).share == pytest.approx(standings[0].first)

    run_match(game, agents, 24, processes=0, on_progress=on_progress)
