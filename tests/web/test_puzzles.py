"""Puzzles on the page: solve, try again, see the solution; the streak stays in the browser."""

import pytest
from browser import DESK, PHONE

CHOOSE = (
    "(right) => fetch('/api/v1/games/octa/puzzles').then((answer) => answer.json()).then("
    "({puzzles}) => { const board = document.querySelector('parlour-board');"
    "const {best} = puzzles[Number(localStorage.getItem('parlour:puzzle:octa') || 0)];"
    "board.choose(board.scene.actions.find(({id}) => (id === best) === right)); })"
)


@pytest.fixture
def person(server, visit):
    person = visit(server)
    person.page.goto(f"{server.url}/puzzles?game=octa")
    shown(person)
    return person


def shown(person):
    person.page.wait_for_function(
        "() => document.querySelector('parlour-board')?.scene.actions.length > 1"
    )


def verdict(person, text):
    person.page.wait_for_selector(f".verdict >> text={text}")


def test_a_solved_puzzle_counts_and_the_next_one_follows(person):
    page = person.page
    page.evaluate(CHOOSE, True)
    verdict(person, "Right!")
    assert "streak 1" in page.locator(".side").text_content()
    assert person.axe() == []
    page.get_by_role("button", name="Next puzzle").click()
    page.wait_for_selector("text=Puzzle 2 of")
    shown(person)
    page.reload()
    page.wait_for_selector("text=Puzzle 2 of")
    assert "streak 1" in page.locator(".side").text_content()


def test_a_wrong_move_ends_the_streak_and_can_be_corrected(person):
    page = person.page
    page.evaluate(CHOOSE, False)
    verdict(person, "There is a better move")
    shown(person)
    page.evaluate(CHOOSE, True)
    verdict(person, "Right!")
    assert "streak 0" in page.locator(".side").text_content()


def test_the_solution_is_shown_and_can_be_analysed(person):
    page = person.page
    page.get_by_role("button", name="Show the solution").click()
    verdict(person, "This is the best move")
    page.get_by_role("link", name="Analysis board").click()
    page.wait_for_selector(".tree .none")


@pytest.mark.parametrize(
    ("scheme", "size", "locale"), [("light", DESK, "en-GB"), ("dark", PHONE, "de-DE")]
)
def test_every_games_puzzles_fit_the_screen_and_are_accessible(server, visit, scheme, size, locale):
    person = visit(server, color_scheme=scheme, locale=locale, **size)
    person.page.goto(f"{server.url}/puzzles")
    shown(person)
    for name in person.page.locator("select option").evaluate_all(
        "(all) => all.map((each) => each.value)"
    ):
        person.page.locator("select").select_option(name)
        shown(person)
        assert person.axe() == []
        wide = person.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0


def test_the_front_page_leads_to_the_puzzles(server, visit):
    person = visit(server)
    person.page.goto(server.url)
    person.page.get_by_role("link", name="Puzzles").click()
    shown(person)


def test_unknown_games_have_no_puzzles(server):
    assert server.get("/games/nothing/puzzles").status_code == 404
    assert server.get("/games/cat_mouse/puzzles").json() == {"puzzles": []}
