"""Lobby, invitations, spectators, review, rematches, and games of other packages."""

import re

import pytest
from browser import PHONE
from connect_four import ConnectFour
from hex import Hex
from kuhn import Kuhn
from players import by_mouse, by_names, customise, play

import parlour

NAME = '<img src=x onerror="alert(1)">'


def make(person, game, opponent=None):
    """Create a table on the front page; `opponent` is a choice for the second seat."""
    page = person.page
    customise(person, game)
    if opponent:
        page.get_by_label("player 2").select_option(label=opponent)
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".message")


class TestLobby:
    def test_a_game_is_customised_before_it_starts(self, server, visit):
        person = visit(server)
        page = person.page
        customise(person, "Octa")
        assert page.locator(".game .shot svg").count() == 4
        page.get_by_label("Board size").fill("2")
        page.get_by_label("Your name").fill("Ada")
        page.get_by_label("Clock").select_option("5m+3")
        assert person.axe() == []
        page.get_by_role("button", name="Start").click()
        page.wait_for_selector("[role=gridcell]")
        assert page.locator("[role=gridcell]").count() == 25
        assert page.locator(".seat").first.text_content().startswith("Ada (you)")
        page.wait_for_function("() => document.querySelector('.clock').textContent.trim() !== ''")
        assert re.match(r"5:00|4:\d\d", page.locator(".clock").first.text_content())

    def test_the_rules_can_be_read(self, server, visit):
        person = visit(server)
        person.page.goto(server.url)
        person.page.get_by_role("button", name="Rules: Octa").click()
        assert "Every cell holds an arrow" in person.page.get_by_role("dialog").text_content()
        assert person.page.locator(".rules figure svg").count() == 4
        assert person.axe() == []

    def test_the_pictures_of_the_rules_stand_still_with_reduced_motion(self, server, visit):
        person = visit(server)
        person.page.goto(server.url)
        person.page.get_by_role("button", name="Rules: Octa").click()
        chain = person.page.locator(".rules figure").nth(1)
        chain.wait_for()
        assert chain.locator("polygon.trail:not(.back)").count() > 2
        assert person.page.locator(".rules").get_by_role("button").count() == 0

    def test_a_picture_of_the_rules_plays_once_and_again_on_request(self, server, visit):
        person = visit(server, reduced_motion="no-preference")
        page = person.page
        page.goto(server.url)
        page.get_by_role("button", name="Rules: Octa").click()
        chain = page.locator(".rules figure").nth(1)
        owned = chain.locator(".tile.c-blue")
        chain.wait_for()
        assert owned.count() == 2
        again = chain.locator("button.ready")
        again.wait_for()
        most = owned.count()
        assert most > 2
        again.click()
        again.wait_for(state="detached")
        assert owned.count() < most

    def test_the_rules_of_a_game_without_pictures_show_its_board(self, server, visit):
        parlour.register("connect_four", ConnectFour)
        person = visit(server)
        person.page.goto(server.url)
        person.page.get_by_role("button", name="Rules: Connect Four").click()
        person.page.locator(".rules > figure svg").wait_for()
        assert person.page.locator(".rules figure").count() == 1

    def test_an_invalid_option_is_refused_in_one_sentence(self, server, visit):
        person = visit(server, expected=("status of 4",))
        page = person.page
        dialog = customise(person, "Octa")
        page.evaluate("() => { document.querySelector('form').reportValidity = () => true; }")
        page.evaluate("() => { document.querySelector('form').noValidate = true; }")
        page.get_by_label("Turns").fill("0")
        page.get_by_role("button", name="Start").click()
        wrong = dialog.locator("[role=alert]")
        wrong.get_by_text("turn_limit").wait_for()
        page.get_by_label("Turns").fill("7")
        assert wrong.text_content() == ""

    def test_open_tables_and_own_games_are_listed(self, server, visit):
        server.table("octa", ["me", "open"], visibility="listed", name=NAME)
        person = visit(server)
        make(person, "Banqi")
        person.page.goto(server.url)
        person.page.wait_for_selector(".tables li")
        lists = person.page.locator(".tables")
        assert "Banqi" in lists.first.text_content()
        assert NAME in lists.last.text_content()
        person.page.get_by_role("region", name="Open tables").get_by_role("link").click()
        person.page.get_by_role("button", name="Take seat 2").click()
        person.page.wait_for_selector("[role=gridcell]")
        assert NAME in person.page.locator(".seats").text_content()

    def test_a_record_is_opened(self, server, visit, tmp_path):
        game = parlour.game("octa", size=1)
        state, actions = game.start(8), []
        while state.result() is None:
            actions.append(state.legal_actions()[0])
            state = state.apply(actions[-1])
        file = tmp_path / "game.parlour"
        file.write_text(parlour.Record(game, seed=8, actions=actions).to_text(), "utf-8")
        person = visit(server)
        person.page.goto(server.url)
        person.page.get_by_label("Open a record").set_input_files(file)
        person.page.wait_for_selector(".history li")
        assert person.page.locator(".history li").count() == len(actions)


class TestTogether:
    def test_two_people_play_by_link_and_a_third_watches(self, server, visit):
        ann, bob, eve = visit(server), visit(server, **PHONE), visit(server)
        make(ann, "Octa", "A friend (by link)")
        page = ann.page
        link = page.get_by_label("Link for seat 2").input_value()
        assert page.get_by_role("img", name="QR code of the link").count() == 1
        assert ann.axe() == []
        bob.page.goto(link)
        bob.page.get_by_label("Your name").fill(NAME)
        assert bob.axe() == []
        bob.page.get_by_role("button", name="Join").click()
        bob.page.wait_for_selector("[role=gridcell]")
        assert bob.page.url == page.url
        eve.watch(page.url.rsplit("/", 1)[1])
        assert "You are watching" in eve.page.locator(".message").text_content()
        page.wait_for_selector("[role=gridcell]")
        assert NAME in page.locator(".seats").text_content()
        for person in (ann, bob, ann):
            assert person.wait_turn()
            by_mouse(person, person.scene(), person.scene()["actions"][0])
        eve.page.wait_for_function("() => document.querySelectorAll('.history li').length === 3")
        eve_cells = eve.scene()["cells"]
        assert len(eve_cells) == 81
        assert eve.page.get_by_role("button", name="Resign").count() == 0
        bob.page.on("dialog", lambda dialog: dialog.accept())
        bob.page.get_by_role("button", name="Resign").click()
        ann.page.get_by_role("button", name="Rematch").wait_for()

    def test_an_invitation_works_once(self, server, visit):
        made = server.table("octa", ["me", "open"])
        server.claim(made)
        late = visit(server, expected=("status of 4",))
        late.page.goto(made["invitations"][0]["url"])
        late.page.get_by_role("button", name="Join").click()
        late.page.wait_for_selector("text=this invitation was already used")
        late.page.get_by_role("button", name="Watch").click()
        late.page.wait_for_selector("[role=gridcell]")

    def test_blokus_is_played_by_two_people_and_two_agents(self, server, visit):
        made = server.table("blokus", ["me", 1, "open", 1])
        ann, bob = visit(server).sit(made), visit(server, **PHONE)
        bob.page.goto(made["invitations"][0]["url"])
        bob.page.get_by_role("button", name="Join").click()
        for person in (ann, bob, ann, bob):
            assert person.wait_turn()
            scene = person.scene()
            by_mouse(person, scene, scene["actions"][-1])
        ann.page.wait_for_function("() => document.querySelectorAll('.history li').length >= 8")

    def test_chat_messages_never_become_markup(self, server, visit):
        made = server.table("octa", ["me", "open"], name="Ann")
        token = server.claim(made)
        ann = visit(server).sit(made)
        with server.socket(made["table"], token) as bob:
            bob.ask("say", 1, text=NAME)
        ann.page.wait_for_selector(".said li")
        assert NAME in ann.page.locator(".said").text_content()
        assert ann.axe() == []


class TestPast:
    @pytest.fixture
    def over(self, server, visit):
        made = server.table("octa", ["me", 1], options={"size": 1}, seed=8)
        person = visit(server).sit(made)
        play(person, by_mouse)
        return person, made

    def test_a_finished_game_is_replayed_by_slider_keys_and_list(self, over):
        person, _ = over
        page = person.page
        slider = page.get_by_role("slider")
        last = person.scene()["cells"]
        slider.focus()
        page.keyboard.press("Home")
        page.wait_for_function(
            "() => document.querySelector('.past-note').textContent.includes('Move 0')"
        )
        page.wait_for_function(
            "(last) => String(document.querySelector('parlour-board').scene.cells) !== last",
            arg=",".join(map(str, last)),
        )
        page.get_by_role("button", name="Next move").click()
        assert page.locator("[aria-current=step]").count() == 1
        page.locator(".history button").nth(3).click()
        page.wait_for_selector(".past-note >> text=Move 4")
        assert person.axe() == []

    def test_a_position_can_be_shared_by_its_address(self, over, visit, server):
        person, made = over
        other = visit(server).watch(made["table"], "?ply=2")
        other.page.wait_for_selector(".past-note >> text=Move 2")
        person.page.get_by_role("button", name="More").click()
        link = person.page.get_by_label("Link to this position").input_value()
        assert link.startswith(f"{server.url}/t/{made['table']}?ply=")
        assert person.axe() == []

    def test_the_whole_game_is_analysed_as_a_graph(self, over):
        person, _ = over
        person.page.get_by_role("button", name="Analyse").click()
        person.page.wait_for_selector(".graph .line")
        person.page.wait_for_function("() => !document.querySelector('.past-note [role=status]')")
        assert person.page.get_by_role("img", name="Evaluation after each move").count() == 1
        lines = person.page.get_by_role("list", name="Lines of play")
        for ply in (1, 2):
            person.page.locator(".history button").nth(ply - 1).click()
            person.page.wait_for_selector(f".past-note >> text=Move {ply}")
            lines.get_by_role("button").first.wait_for()
        assert person.axe() == []
        person.page.get_by_role("button", name="Last").click()
        lines.wait_for(state="hidden")

    def test_record_picture_and_film_are_saved(self, over):
        person, _ = over
        person.page.get_by_role("button", name="More").click()
        for name, begin in (
            ("Save record", "parlour record 1"),
            ("Save picture", "<svg"),
            ("Save film", "GIF89a"),
        ):
            with person.page.expect_download() as download:
                person.page.get_by_role("link", name=name).click()
            assert download.value.path().read_bytes().startswith(begin.encode())

    def test_reviewing_a_running_game_leads_back_to_it(self, server, visit):
        made = server.table("octa", ["me", 1], seed=1)
        person = visit(server).sit(made)
        by_mouse(person, person.scene(), person.scene()["actions"][0])
        person.page.wait_for_function("() => document.querySelectorAll('.history li').length === 2")
        person.page.locator(".history button").first.click()
        person.page.get_by_role("button", name="Back to the game").click()
        assert person.wait_turn()
        assert person.scene()["actions"]

    def test_a_hint_points_at_cells(self, server, visit):
        made = server.table("octa", ["me", 1], options={"size": 2}, seed=1)
        person = visit(server).sit(made)
        person.page.get_by_role("button", name="Hint").click()
        person.page.wait_for_selector(".hinted")
        assert "Hint:" in person.page.get_by_role("alert").text_content()

    def test_lines_below_a_hint_disappear_with_the_position(self, server, visit):
        made = server.table("octa", ["me", 1], options={"size": 2}, seed=1)
        person = visit(server).sit(made)
        person.page.get_by_role("button", name="Hint").click()
        lines = person.page.get_by_role("list", name="Lines of play")
        lines.get_by_role("button").first.wait_for()
        assert "You are" in lines.get_by_role("button").first.text_content()
        assert lines.get_by_role("button").count() == len(person.scene()["actions"])
        lines.get_by_role("button").last.click()
        assert person.page.locator(".hinted").count() == 1
        assert person.axe() == []
        by_mouse(person, person.scene(), person.scene()["actions"][0])
        lines.wait_for(state="hidden")


class TestOthersGames:
    """Games of third-party packages work without changes."""

    def test_a_hex_board_is_played(self, server, visit):
        parlour.register("hex", Hex)
        made = server.table("hex", ["me", 1], options={"size": 3})
        person = visit(server).sit(made)
        assert person.page.locator(".hex").count() == 9
        play(person, by_names)
        assert person.axe() == []

    def test_any_cell_of_a_column_chooses_the_column(self, server, visit):
        parlour.register("connect_four", ConnectFour)
        made = server.table("connect_four", ["me", 1], options={"rows": 4, "cols": 4})
        person = visit(server).sit(made)
        play(person, by_mouse)
        status = person.page.locator(".status-words").text_content()
        assert "wins." in status or "A draw." in status

    def test_a_game_with_secrets_is_played(self, server, visit):
        parlour.register("kuhn", Kuhn)
        made = server.table("kuhn", ["me", 1])
        person = visit(server).sit(made)
        play(person, by_mouse)
        assert person.page.locator(".status-words").text_content()

    def test_a_secret_is_not_on_the_page(self, server, visit):
        parlour.register("kuhn", Kuhn)
        made = server.table("kuhn", ["me", 1])
        person = visit(server).sit(made)
        person.wait_turn()
        labels = [cell["label"] for cell in person.scene()["palette"]]
        assert sum(word in " ".join(labels) for word in ("jack", "queen", "king")) == 1
