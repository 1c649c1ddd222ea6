"""The front page: one click to a board, friends, opponents, one device for several people."""

import json

import pytest
from browser import PHONE
from connect_four import ConnectFour
from kuhn import Kuhn
from players import by_mouse, customise, wait_moves

import parlour

MOVING = {"reduced_motion": "no-preference"}


def press(person, way, game):
    person.page.get_by_role("button", name=f"{way}: {game}", exact=True).click()


def at_table(person):
    person.page.wait_for_url("**/t/*")
    person.page.wait_for_selector(".table.ready")
    return person.page.url.rsplit("/", 1)[1]


def open_front(server, visit, **options):
    person = visit(server, **options)
    person.page.goto(server.url)
    person.page.wait_for_selector(".lists:not([hidden])")
    return person


def play_first(person):
    assert person.wait_turn()
    scene = person.scene()
    by_mouse(person, scene, scene["actions"][0])


class TestCards:
    def test_play_now_reaches_a_board_in_one_click(self, server, visit):
        person = open_front(server, visit)
        press(person, "Play now", "Octa")
        at_table(person)
        assert person.wait_turn()
        assert "level 2" in person.page.locator(".seats").text_content()

    def test_a_card_says_what_the_game_is(self, server, visit):
        person = open_front(server, visit)
        card = person.page.get_by_role("article", name="Blokus")
        for text in ("2 to 4 players", "25 min", "corner to corner"):
            assert text in card.text_content()
        alone = person.page.get_by_role("article", name="Cat and Mouse")
        assert "1 player" in alone.text_content()
        assert alone.get_by_role("button", name="Find an opponent").count() == 0

    def test_options_are_labelled_in_plain_words(self, server, visit):
        person = visit(server)
        form = customise(person, "Banqi")
        labels = form.locator("label, legend, option").all_inner_texts()
        assert "First flip passes" in labels
        assert "House rules" in labels
        assert "Level 3 of 9" in labels
        assert not [label for label in labels if "_" in label or label[:1].islower()]

    def test_pictures_play_a_real_game_slowly(self, server, visit):
        person = visit(server, **MOVING)
        person.page.goto(server.url)
        person.page.wait_for_selector("[data-game=octa] .shot .fresh")

    def test_pictures_stand_still_with_reduced_motion(self, server, visit):
        person = visit(server)
        asked = []
        person.page.on("request", lambda request: asked.append(request.url))
        person.page.goto(server.url)
        person.page.wait_for_selector(".lists:not([hidden])")
        person.page.mouse.wheel(0, 900)
        person.page.wait_for_load_state("networkidle")
        assert person.page.locator(".shot svg").count() >= 4
        assert not [url for url in asked if "preview" in url]

    def test_a_game_of_another_package_gets_a_card_from_its_data(self, server, visit):
        parlour.register("connect_four", ConnectFour)
        person = open_front(server, visit, **MOVING)
        card = person.page.get_by_role("article", name="Connect Four")
        assert card.locator(".shot svg path").count()
        press(person, "Play now", "Connect Four")
        at_table(person)
        assert person.wait_turn()

    @pytest.mark.parametrize("size", [{}, PHONE], ids=["desk", "phone"])
    def test_loading_shifts_nothing_and_asks_for_little(self, server, visit, size):
        server.table("octa", ["me", "open"], visibility="listed")
        person = visit(server, **size, **MOVING)
        asked = []
        person.page.on("request", lambda request: asked.append(request.url))
        person.page.add_init_script(
            "window.shifts = []; new PerformanceObserver((list) => shifts.push("
            "...list.getEntries().map(({value}) => value)))"
            ".observe({type: 'layout-shift', buffered: true});"
        )
        person.page.goto(server.url)
        person.page.wait_for_selector("[data-game=banqi] .shot .fresh")
        assert sum(person.page.evaluate("() => window.shifts")) == 0
        assert len([url for url in asked if "preview" not in url]) <= 20

    @pytest.mark.parametrize(("locale", "scheme"), [("en-GB", "light"), ("de-DE", "dark")])
    def test_the_page_is_accessible_and_easy_to_touch(self, server, visit, locale, scheme):
        server.table("octa", ["me", "open"], visibility="listed", clock="3m+2")
        person = open_front(server, visit, locale=locale, color_scheme=scheme, **PHONE)
        assert person.axe() == []
        small = person.page.evaluate(
            "() => [...document.querySelectorAll('button, a, select, .drop')]"
            ".map((each) => [each.textContent, each.getBoundingClientRect()])"
            ".filter(([, box]) => box.width < 44 || box.height < 44).map(([text]) => text)"
        )
        assert small == []
        wide = person.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0

    def test_everything_works_by_keyboard(self, server, visit):
        person = open_front(server, visit)
        page = person.page
        for _ in range(12):
            page.keyboard.press("Tab")
            name = page.evaluate("() => document.activeElement.ariaLabel")
            if name == "Customise: Banqi":
                break
        page.keyboard.press("Enter")
        page.get_by_role("dialog").wait_for()
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
        assert page.evaluate("() => document.activeElement.ariaLabel") == "Customise: Banqi"
        for _ in range(4):
            page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
        at_table(person)

    def test_a_link_names_a_game(self, server, visit):
        person = visit(server)
        person.page.goto(f"{server.url}/?game=octa")
        person.page.wait_for_function("() => document.activeElement.ariaLabel === 'Play now: Octa'")


class TestFriends:
    def test_a_friend_joins_by_the_link_from_play_a_friend(self, server, visit):
        host, guest = open_front(server, visit), visit(server, **PHONE)
        press(host, "Play a friend", "Octa")
        at_table(host)
        host.page.get_by_role("img", name="QR code of the link").wait_for()
        guest.page.goto(host.page.get_by_label("Link for seat 2").input_value())
        guest.page.get_by_role("button", name="Join").click()
        play_first(host)
        play_first(guest)
        wait_moves(host, 2)

    def test_blokus_with_a_friend_is_for_two(self, server, visit):
        host = open_front(server, visit)
        press(host, "Play a friend", "Blokus")
        at_table(host)
        assert host.page.locator("h1").text_content() == "Blokus for two"

    def test_the_host_cancels_a_waiting_table_on_its_page(self, server, visit):
        host = open_front(server, visit)
        press(host, "Play a friend", "Octa")
        table = at_table(host)
        assert host.axe() == []
        host.page.get_by_role("button", name="Cancel this table").click()
        host.page.wait_for_selector(".games")
        assert server.get(f"/tables/{table}").json()["status"] == "over"
        host.page.wait_for_selector(".lists:not([hidden])")
        assert host.page.get_by_role("region", name="Your games").count() == 0

    def test_the_host_cancels_a_waiting_table_on_the_front_page(self, server, visit):
        host = open_front(server, visit)
        press(host, "Play a friend", "Octa")
        table = at_table(host)
        host.page.goto(server.url)
        mine = host.page.get_by_role("region", name="Your games")
        mine.get_by_role("button", name="Cancel: Octa").click()
        mine.wait_for(state="detached")
        assert server.get(f"/tables/{table}").json()["status"] == "over"


class TestOpponents:
    def test_two_people_find_each_other_and_play_a_move_each(self, server, visit):
        ann, bob = open_front(server, visit), open_front(server, visit, **PHONE)
        press(ann, "Find an opponent", "Octa")
        ann.page.get_by_role("button", name="Play the computer while you wait").wait_for()
        assert "10 min + 5 s" in ann.page.locator(".seek").text_content()
        assert ann.axe() == []
        press(bob, "Find an opponent", "Octa")
        assert at_table(ann) == at_table(bob)
        first, second = (
            (ann, bob) if "own" in ann.page.locator(".seat").first.get_attribute("class")
            else (bob, ann)
        )  # fmt: skip
        play_first(first)
        play_first(second)
        wait_moves(first, 2)
        assert ann.page.locator(".seek").count() == 0

    def test_cancelling_the_search_frees_the_place(self, server, visit):
        ann, bob, cid = (open_front(server, visit) for _ in range(3))
        press(ann, "Find an opponent", "Octa")
        search = ann.page.locator(".seek")
        search.wait_for()
        place = json.loads(ann.page.evaluate("() => sessionStorage.getItem('parlour:seek')"))
        with ann.page.expect_response("**/cancel"):
            search.get_by_role("button", name="Cancel").click()
        search.wait_for(state="detached")
        assert server.get(f"/tables/{place['table']}").json()["status"] == "over"
        press(bob, "Find an opponent", "Octa")
        bob.page.locator(".seek").wait_for()
        press(cid, "Find an opponent", "Octa")
        assert at_table(bob) == at_table(cid) != place["table"]

    def test_the_search_goes_on_during_a_game_against_the_computer(self, server, visit):
        ann, bob = open_front(server, visit), open_front(server, visit)
        press(ann, "Find an opponent", "Octa")
        ann.page.get_by_role("button", name="Play the computer while you wait").click()
        alone = at_table(ann)
        assert ann.wait_turn()
        ann.page.locator(".seek").wait_for()
        assert ann.axe() == []
        press(bob, "Find an opponent", "Octa")
        table = at_table(bob)
        assert table != alone
        ann.page.wait_for_url(f"**/t/{table}")
        ann.page.wait_for_selector(".table.ready [role=gridcell]")

    def test_another_clock_finds_other_people(self, server, visit):
        ann, bob = open_front(server, visit), visit(server)
        press(ann, "Find an opponent", "Octa")
        ann.page.locator(".seek").wait_for()
        dialog = customise(bob, "Octa")
        dialog.get_by_label("Clock").select_option("3m+2")
        dialog.get_by_role("button", name="Find an opponent").click()
        bob.page.get_by_text("Octa, 3 min + 2 s per move").wait_for()
        assert ann.page.locator(".seek").count() == 1


class TestOneDevice:
    def test_two_people_pass_the_device_in_banqi(self, server, visit):
        person = open_front(server, visit)
        press(person, "Pass and play", "Banqi")
        at_table(person)
        for number in range(2):  # with house rules the player who flips first moves again
            person.page.wait_for_selector(".turn-words >> text=Player 1 to move")
            person.page.wait_for_selector(".message.own")
            scene = person.scene()
            flip = next(each for each in scene["actions"] if len(each["cells"]) == 1)
            by_mouse(person, scene, flip)
            wait_moves(person, number + 1)
        person.page.wait_for_selector(".turn-words >> text=Player 2 to move")
        person.page.wait_for_selector(".message.own")
        assert person.page.locator(".cover").count() == 0
        assert person.axe() == []

    def test_each_turn_belongs_to_the_next_person(self, server, visit):
        person = open_front(server, visit)
        press(person, "Pass and play", "Octa")
        at_table(person)
        for number in range(4):
            person.page.wait_for_selector(f".turn-words >> text=Player {number % 2 + 1} to move")
            play_first(person)
            wait_moves(person, number + 1)
        person.page.get_by_role("button", name="Take back").click()
        person.page.wait_for_function("() => document.querySelectorAll('.history li').length === 3")

    def test_a_rematch_seats_the_same_people(self, server, visit):
        person = open_front(server, visit)
        press(person, "Pass and play", "Octa")
        before = at_table(person)
        person.page.on("dialog", lambda dialog: dialog.accept())
        person.page.get_by_role("button", name="Resign").click()
        person.page.get_by_role("button", name="Rematch").click()
        person.page.wait_for_url(lambda url: "/t/" in url and before not in url)
        at_table(person)
        for number in range(2):
            play_first(person)
            wait_moves(person, number + 1)

    def test_a_covering_screen_hides_the_board_in_a_game_with_secrets(self, server, visit):
        parlour.register("kuhn", Kuhn)
        person = open_front(server, visit)
        press(person, "Pass and play", "Kuhn poker")
        person.page.wait_for_url("**/t/*")
        cover = person.page.get_by_role("dialog")
        cover.get_by_text("Hand the device to player 1").wait_for()
        assert person.axe() == []
        assert person.page.locator("parlour-board").count() == 0
        seen = []
        for number in (1, 2):
            person.page.keyboard.press("Escape")
            cover.get_by_text(f"Hand the device to player {number}").wait_for()
            cover.get_by_role("button", name="Show the board").click()
            cover.wait_for(state="detached")
            assert person.wait_turn()
            shown = [cell["face"] for cell in person.scene()["palette"] if cell.get("face")]
            seen += [face for face in shown if face != "back"]
            person.page.locator(".named").get_by_role("button", name="bet").click()
        assert len(set(seen)) == 2
        person.page.wait_for_selector(".table.over")
        assert person.page.locator(".turn-words").text_content() in ("Player 1 won", "Player 2 won")
        assert cover.count() == 0

    def test_a_reload_shows_the_covering_screen_first(self, server, visit):
        parlour.register("kuhn", Kuhn)
        person = open_front(server, visit)
        press(person, "Pass and play", "Kuhn poker")
        cover = person.page.get_by_role("dialog")
        cover.get_by_role("button", name="Show the board").click()
        cover.wait_for(state="detached")
        person.page.reload()
        cover.get_by_text("Hand the device to player 1").wait_for()
        assert person.page.locator("parlour-board").count() == 0


class TestLists:
    def test_a_clock_and_a_running_game_are_described_in_words(self, server, visit):
        open_table = server.table("octa", ["me", "open"], visibility="listed", clock="3m+2")
        live = server.table("octa", ["me", "open"], visibility="listed", seed=1)
        token = server.claim(live)
        with (
            server.socket(live["table"], live["token"]) as ann,
            server.socket(live["table"], token) as bob,
        ):
            for ply, player in enumerate((ann, bob)):
                action = server.get(f"/tables/{live['table']}", (live["token"], token)[ply]).json()
                player.ask("play", 1, ply=ply, action=action["scene"]["actions"][0][0])
        person = open_front(server, visit)
        row = person.page.locator(f"[data-table='{open_table['table']}']")
        assert "3 min + 2 s per move" in row.text_content()
        watched = person.page.get_by_role("region", name="Watch live")
        watched.get_by_text("Move 2", exact=True).wait_for()
        watched.get_by_role("link", name="Watch").click()
        at_table(person)

    def test_games_with_your_turn_come_first(self, server, visit):
        person = open_front(server, visit)
        press(person, "Play now", "Octa")
        at_table(person)
        person.page.goto(server.url)
        press(person, "Play a friend", "Banqi")
        at_table(person)
        person.page.goto(server.url)
        rows = person.page.get_by_role("region", name="Your games").locator("li")
        rows.nth(1).wait_for()
        assert [("Octa" in text, "Your turn" in text) for text in rows.all_inner_texts()] == [
            (True, True),
            (False, False),
        ]
        own = rows.first.get_by_role("link").get_attribute("href")
        top = person.page.get_by_role("link", name="Your turn", exact=True)
        assert top.get_attribute("href") == own

    def test_an_error_disappears_with_the_next_action(self, server, visit):
        person = visit(server, expected=("status of 4",))
        person.page.goto(server.url)
        drop = person.page.get_by_label("Open a record")
        drop.set_input_files({"name": "x.parlour", "mimeType": "", "buffer": b"nonsense"})
        wrong = person.page.locator("main > [role=alert]")
        wrong.filter(has_text="record").wait_for()
        assert person.axe() == []
        press(person, "Customise", "Octa")
        person.page.get_by_role("dialog").wait_for()
        assert wrong.text_content() == ""

    def test_a_record_is_dropped(self, server, visit):
        game = parlour.game("octa", size=1)
        state, actions = game.start(8), []
        while state.result() is None:
            actions.append(state.legal_actions()[0])
            state = state.apply(actions[-1])
        text = parlour.Record(game, seed=8, actions=actions).to_text()
        person = open_front(server, visit)
        person.page.evaluate(
            "(text) => { const dataTransfer = new DataTransfer();"
            "dataTransfer.items.add(new File([text], 'game.parlour'));"
            "document.querySelector('.drop').dispatchEvent("
            "new DragEvent('drop', {dataTransfer, bubbles: true, cancelable: true})); }",
            text,
        )
        at_table(person)
        wait_moves(person, len(actions))


@pytest.mark.parametrize(
    ("locale", "text", "home"),
    [
        ("en-GB", "This page does not exist", "All games"),
        ("de-DE", "Diese Seite gibt es nicht", "Alle Spiele"),
    ],
)
def test_an_unknown_address_is_a_page_with_a_way_home(server, visit, locale, text, home):
    person = visit(server, locale=locale, expected=("status of 404",))
    assert person.page.goto(f"{server.url}/nope").status == 404
    assert person.page.locator("h1").text_content() == text
    assert person.axe() == []
    person.page.get_by_role("link", name=home).click()
    person.page.wait_for_selector(".games")
