"""A tournament report in a browser: it loads nothing, runs nothing, and fits a phone."""

import pytest

import parlour
from parlour.arena import runner_of
from parlour.arena.html_report import html_report
from parlour.arena.tournament import Tournament, run_tournament
from parlour.arena.tournament_report import ratings_of

LONG = "mcts:sims=1,seed=7,exploration=1.2500000000000000000000000000000000001"


@pytest.fixture
def report(tmp_path):
    game = parlour.game("octa", size=1)
    tournament = Tournament(game, ["random", "greedy", LONG], games=2)
    result = run_tournament(tournament, runner=runner_of(processes=0))
    page = html_report(result, ratings_of(result))
    file = tmp_path / "report.html"
    file.write_text(page, "utf-8")
    return file


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_report_loads_nothing_and_fits_long_names(chromium, report, width, scheme):
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(report.as_uri())
    assert (asked, said) == ([report.as_uri()], [])
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0
    for box in page.locator("tbody tr td:nth-child(3)").all()[:3]:
        assert box.bounding_box()["x"] + box.bounding_box()["width"] <= width
    context.close()
