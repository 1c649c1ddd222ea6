"""The analysis board: variations, the computer's judgement, links, and where an analysis begins."""

from urllib.parse import parse_qs, urlsplit

import pytest
from browser import DESK, PHONE
from hex import Hex
from kuhn import Kuhn
from live_server import GENEROUS, LiveServer

import parlour

PLAYED = ["1,1", "-1,1", "-1,-1", "1,-1"]
MOVES = ".tree button"
HERE = ".tree [aria-current=step]"


@pytest.fixture
def server(tmp_path):
    running = LiveServer(tmp_path / "games.sqlite", agent_budget=GENEROUS)
    yield running
    running.stop()


def finished(game="octa", seed=8, **options):
    """Return the record of a whole game of first legal actions."""
    played = parlour.game(game, **options)
    state, actions, rng = played.start(seed), [], parlour.Rng(1)
    while state.result() is None:
        actions.append(state.sample(rng))
        state = state.apply(actions[-1])
    return parlour.Record(played, seed, actions)


def at_table(server, record):
    """Open a record at a table and return the table's id."""
    seats = [{"kind": "me"}] + [{"kind": "agent", "level": 1}] * (record.game.seats - 1)
    made = server.post("/tables", {"record": record.to_text(), "seats": seats})
    assert made.status_code == 201, made.text
    return made.json()["table"]


def opened(server, visit, record=None, ply=0, **options):
    record = record or finished(size=1)
    person = visit(server, **options)
    person.page.goto(f"{server.url}/analysis?table={at_table(server, record)}&ply={ply}")
    person.page.wait_for_selector(HERE if ply else MOVES)
    wait_shown(person, ply)
    return person


def wait_shown(person, number):
    """Wait until the position after some moves is on the board and in the address."""
    person.page.wait_for_function(
        "(number) => document.querySelector('.analysis [type=range]').ariaValueText.includes("
        "`Move ${number} of`) && document.querySelector('parlour-board').scene.cells.length",
        arg=number,
    )
    person.page.wait_for_function("() => location.hash.length > 1")


def key(person, name, number):
    person.page.keyboard.press(name)
    wait_shown(person, number)


def branch(person):
    """Play a move that was not played here."""
    page = person.page
    played = page.evaluate("() => document.querySelectorAll('.tree button').length")
    text = page.locator(HERE).text_content() if page.locator(HERE).count() else ""
    known = page.evaluate("() => document.querySelector('parlour-board').scene.actions.length")
    for at in range(known):
        page.evaluate(
            "(at) => { const board = document.querySelector('parlour-board');"
            "board.choose(board.scene.actions[at]); }",
            at,
        )
        page.wait_for_function(
            "(text) => document.querySelector('.tree [aria-current=step]')?.textContent !== text",
            arg=text,
        )
        if page.locator(MOVES).count() > played:
            return
        page.keyboard.press("ArrowLeft")
        page.wait_for_function(
            "(text) => (document.querySelector('.tree [aria-current=step]')?.textContent || '')"
            " === text",
            arg=text,
        )
    raise AssertionError("every move was played here")


class TestVariations:
    def test_a_finished_game_leads_to_its_analysis(self, server, visit):
        person = visit(server).watch(at_table(server, finished(size=1)))
        person.page.get_by_role("link", name="Analysis board").click()
        person.page.wait_for_selector(MOVES)
        wait_shown(person, 0)

    def test_keys_step_through_the_game(self, server, visit):
        record = finished(size=1)
        person = opened(server, visit, record)
        last = len(record.actions)
        for name, number in (("ArrowRight", 1), ("End", last), ("ArrowLeft", last - 1)):
            key(person, name, number)
        key(person, "Home", 0)

    def test_a_move_on_the_board_branches_off(self, server, visit):
        person = opened(server, visit, ply=1)
        page = person.page
        moves = page.locator(MOVES).count()
        branch(person)
        assert page.locator(MOVES).count() == moves + 1
        assert page.locator(".variation [aria-current=step]").count() == 1
        assert person.axe() == []

    def test_a_variation_is_promoted_commented_and_deleted(self, server, visit):
        person = opened(server, visit, ply=1)
        page = person.page
        moves = page.locator(MOVES).count()
        branch(person)
        own = page.locator(HERE).text_content()
        page.get_by_role("button", name="Make this the main line").click()
        page.wait_for_function("() => !document.querySelector('.variation [aria-current=step]')")
        assert page.locator(MOVES).nth(1).text_content() == own
        page.get_by_role("textbox", name="Comment").fill("<b>Better</b>")
        page.wait_for_selector(".tree .comment")
        assert page.locator(".tree .comment").text_content() == "<b>Better</b>"
        page.get_by_role("button", name="Delete from here").click()
        page.wait_for_function(
            "(moves) => document.querySelectorAll('.tree button').length === moves", arg=moves
        )
        wait_shown(person, 1)

    def test_up_and_down_go_to_the_alternatives_of_a_move(self, server, visit):
        person = opened(server, visit, ply=1)
        branch(person)
        person.page.locator("h1").click()
        person.page.keyboard.press("ArrowUp")
        person.page.wait_for_function(
            "() => !document.querySelector('.variation [aria-current=step]')"
        )
        person.page.keyboard.press("ArrowDown")
        person.page.wait_for_selector(".variation [aria-current=step]")

    def test_the_game_plays_by_itself_to_the_end(self, server, visit):
        record = finished(size=1)
        person = opened(server, visit, record, ply=len(record.actions) - 2)
        person.page.get_by_role("button", name="Play through").click()
        wait_shown(person, len(record.actions))
        person.page.get_by_role("button", name="Play through").wait_for()

    def test_chance_is_chosen_in_a_variation(self, server, visit):
        person = opened(server, visit, finished("banqi"), ply=0)
        page = person.page
        branch(person)
        page.locator(".named").get_by_role("button", name="red cannon", exact=True).click()
        page.wait_for_selector(".tree .chance[aria-current=step]")
        shown = page.locator(HERE).text_content()
        assert shown == "red cannon"
        key(person, "ArrowLeft", 0)

    def test_the_work_survives_a_reload(self, server, visit):
        person = opened(server, visit, ply=1)
        branch(person)
        person.page.get_by_role("textbox", name="Comment").fill("Better")
        text = person.page.locator(".tree").text_content()
        before = person.page.url
        person.page.wait_for_function("(before) => location.href !== before", arg=before)
        person.page.reload()
        person.page.wait_for_selector(HERE)
        assert person.page.locator(".tree").text_content() == text


class TestJudgement:
    def test_the_played_move_is_among_the_lines_and_another_one_can_be_tried(self, server, visit):
        person = opened(server, visit, ply=2)
        page = person.page
        page.locator(".lines .played").wait_for()
        page.wait_for_selector(".engine small >> text=/Done|Step [2-4]/")
        other = page.locator(".lines button:not(.played)").first
        other.click()
        page.wait_for_selector(".variation [aria-current=step]")

    def test_the_computer_can_be_switched_off(self, server, visit):
        person = opened(server, visit, ply=2)
        page = person.page
        page.locator(".lines button").first.wait_for()
        page.get_by_role("switch", name="Computer analysis").click()
        page.locator(".lines button").first.wait_for(state="detached")
        assert person.axe() == []

    @pytest.mark.parametrize(
        ("scheme", "size", "locale"), [("light", DESK, "en-GB"), ("dark", PHONE, "de-DE")]
    )
    def test_the_worst_move_is_found_and_shown_in_graph_and_list(
        self, server, visit, scheme, size, locale
    ):
        record = finished(size=1, seed=3)
        person = visit(server, color_scheme=scheme, locale=locale, **size)
        page = person.page
        page.goto(f"{server.url}/analysis?table={at_table(server, record)}&ply=0")
        page.wait_for_selector(MOVES)
        page.locator(".mistakes .button").first.click()
        worst = page.locator(".mistakes .button:visible").first
        page.wait_for_selector(".tree b")
        worst.click()
        page.wait_for_selector(f"{HERE} b")
        assert page.locator(".graph .blunder, .graph .mistake").count() > 0
        assert person.axe() == []
        wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0


class TestBeginnings:
    def test_the_front_page_leads_to_a_start_position(self, server, visit):
        person = visit(server)
        page = person.page
        page.goto(server.url)
        page.get_by_role("link", name="Analysis board").click()
        page.get_by_label("Game").select_option("octa")
        assert person.axe() == []
        page.get_by_role("button", name="Start position").click()
        page.wait_for_selector(".tree .none")
        branch(person)
        assert page.locator(MOVES).count() == 1

    def test_a_record_file_is_opened_without_a_table(self, server, visit, tmp_path):
        record = finished("cat_mouse")
        file = tmp_path / "game.parlour"
        file.write_text(record.to_text())
        person = visit(server)
        person.page.goto(f"{server.url}/analysis")
        person.page.get_by_label("Open a record").set_input_files(file)
        person.page.wait_for_selector(MOVES)
        assert person.page.locator(MOVES).count() == len(record.actions)

    def test_a_damaged_record_is_refused_with_the_reason(self, server, visit, tmp_path):
        file = tmp_path / "game.parlour"
        file.write_text("parlour record 1\ngame octa\nseed x\n")
        person = visit(server, expected=["409"])
        person.page.goto(f"{server.url}/analysis")
        person.page.get_by_label("Open a record").set_input_files(file)
        person.page.wait_for_selector(".wrong >> text=line 3: a seed must be an integer")

    def test_a_position_is_set_up_and_an_impossible_one_refused_with_the_rule(self, server, visit):
        person = opened(server, visit, expected=["409", "400"])
        page = person.page
        page.get_by_role("button", name="Set up a position").click()
        box = page.get_by_role("textbox", name="Position as text")
        assert person.axe() == []
        right = box.input_value()
        box.fill("nonsense")
        page.get_by_role("button", name="Show").click()
        page.wait_for_selector("dialog .wrong:not(:empty)")
        text = page.locator("dialog .wrong").text_content()
        with pytest.raises(parlour.ParlourError) as error:
            parlour.game("octa", size=1).state_from_text("nonsense")
        assert text == str(error.value)
        box.fill(right.replace("turn 0, player 1", "turn 1, player 2"))
        page.get_by_role("button", name="Show").click()
        page.wait_for_selector(".tree .none")
        assert "player 2 to move" in page.locator(".message").text_content()

    def test_a_damaged_link_leads_to_the_form(self, server, visit):
        person = visit(server)
        person.page.goto(f"{server.url}/analysis#nonsense")
        person.page.wait_for_selector(".source .wrong >> text=This link is damaged")


class TestSharing:
    def test_links_lead_to_tree_picture_and_film(self, server, visit):
        person = opened(server, visit, ply=1)
        page = person.page
        branch(person)
        tree = page.locator(".tree").text_content()
        page.get_by_role("button", name="Share").click()
        page.wait_for_selector("dialog .link")
        links = [each.input_value() for each in page.locator("dialog .link").all()]
        assert person.axe() == []
        other = visit(server)
        other.page.goto(links[0])
        other.page.wait_for_selector(HERE)
        assert other.page.locator(".tree").text_content() == tree
        assert urlsplit(links[0]).query == ""
        picture = server.http.get(links[1])
        assert picture.headers["content-type"].startswith("image/svg+xml")
        film = server.http.get(links[2])
        assert film.content[:4] == b"GIF8"
        assert len(parse_qs(urlsplit(links[2]).query)["moves"][0].split(",")) == 2


class TestOtherGames:
    """Games of other packages need no code of their own."""

    @pytest.mark.parametrize("kind", [Hex, Kuhn])
    def test_their_games_are_analysed(self, server, visit, tmp_path, kind):
        parlour.register(kind().name, kind)
        state, actions, rng = kind().start(1), [], parlour.Rng(1)
        while state.result() is None:
            actions.append(state.sample(rng))
            state = state.apply(actions[-1])
        file = tmp_path / "game.parlour"
        file.write_text(parlour.Record(kind(), 1, actions).to_text())
        person = visit(server)
        page = person.page
        page.goto(f"{server.url}/analysis")
        page.get_by_label("Open a record").set_input_files(file)
        page.wait_for_selector(MOVES)
        assert page.locator(MOVES).count() == len(actions)
        page.get_by_role("button", name="Last position").click()
        page.wait_for_selector(HERE)
        can_set_up = page.get_by_role("button", name="Set up a position").is_visible()
        assert can_set_up is not kind().has_secrets
        assert person.axe() == []
