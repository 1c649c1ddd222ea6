"""The page of a table: layout, tray, result, replay, announcements and the coach."""

import pytest
from browser import PHONE
from players import (
    banqi_near_its_end,
    banqi_with_a_cannon_shot,
    by_mouse,
    choose,
    near_its_end,
    play,
    resumed,
    wait_moves,
)

import parlour

BOARD = "document.querySelector('parlour-board')"
TALL = {**PHONE, "viewport": {"width": 390, "height": 844}}
FOUR = ["me", 1, 1, 1]
LISTENERS = """
window.listeners = 0;
const add = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (...all) {
  window.listeners += 1;
  return add.apply(this, all);
};
"""
SHIFTS = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shift += entry.value;
}).observe({type: 'layout-shift', buffered: true});
"""


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def piece(person, name):
    return person.page.locator(f'.piece[data-group="{name}"]')


class TestLayout:
    def test_four_seats_on_a_phone_show_their_names_above_a_high_board(self, server, visit):
        person = visit(server, **TALL).sit(server.table("blokus", FOUR, seed=1))
        person.wait_turn()
        names = person.page.locator(".seat .who")
        assert names.count() == 4
        assert names.evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth)")
        assert person.cell(0).bounding_box()["y"] < 130
        assert person.axe() == []

    @pytest.mark.parametrize("game", ["octa", "banqi", "blokus", "cat_mouse"])
    def test_a_table_on_a_desktop_does_not_scroll(self, server, visit, game):
        seats = {"blokus": FOUR, "cat_mouse": ["me"]}.get(game, ["me", 1])
        person = visit(server).sit(server.table(game, seats, seed=1))
        person.wait_turn()
        assert person.page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")

    def test_a_wide_board_stands_upright_on_a_phone(self, server, visit):
        person = visit(server, **TALL).sit(server.table("banqi", ["me", 1], seed=1))
        person.wait_turn()
        assert person.cell(0).bounding_box()["width"] > 60
        first, second = person.cell(0).bounding_box(), person.cell(1).bounding_box()
        assert first["x"] == pytest.approx(second["x"], abs=1)
        assert first["y"] > second["y"]
        person.cell(0).focus()
        person.page.keyboard.press("ArrowUp")
        assert person.page.evaluate(f"() => {BOARD}.cursor") == 1

    def test_nothing_moves_while_pieces_are_captured(self, server, visit):
        seats = [{"kind": "me"}, {"kind": "agent", "level": 1}]
        made = server.post("/tables", {"record": banqi_near_its_end(), "seats": seats}).json()
        person = visit(server)
        person.page.add_init_script(SHIFTS)
        person.sit(made)
        person.wait_turn()
        high = person.page.locator(".seat").first.bounding_box()["height"]
        by_mouse(person, person.scene(), person.scene()["actions"][0])
        person.wait_turn()
        assert person.page.evaluate("() => window.shift") == 0
        assert person.page.locator(".seat").first.bounding_box()["height"] == high

    @pytest.mark.parametrize("game", ["octa", "cat_mouse"])
    def test_nothing_moves_when_the_turn_passes(self, server, visit, game):
        person = visit(server, **PHONE)
        person.page.add_init_script(SHIFTS)
        person.sit(server.table(game, ["me", 1][: 2 - (game == "cat_mouse")], seed=1))
        for number in range(1, 3):
            person.wait_turn()
            by_mouse(person, person.scene(), person.scene()["actions"][0])
            wait_moves(person, number)
        person.wait_turn()
        assert person.page.evaluate("() => window.shift") == 0

    def test_a_note_does_not_cover_the_board(self, server, visit):
        person = visit(server, **TALL).sit(server.table("octa", ["me", 1], seed=1))
        person.wait_turn()
        person.page.get_by_role("button", name="Hint").tap()
        person.page.wait_for_selector(".hinted")
        assert person.page.locator(".frame-back").count()  # visible on every colour
        note = person.page.get_by_role("alert").bounding_box()
        board = person.page.locator(".cells").bounding_box()
        assert note["y"] >= board["y"] + board["height"]
        text = person.page.get_by_role("alert").text_content()
        assert text.startswith("Hint: ")
        assert "worth" not in text

    def test_moves_add_no_listeners(self, server, visit):
        person = visit(server)
        person.page.add_init_script(LISTENERS)
        person.sit(server.table("cat_mouse", ["me"], seed=7))
        counts = []
        for number in range(1, 9):
            person.wait_turn()
            person.page.keyboard.press(f"Arrow{person.scene()['actions'][0]['text'].capitalize()}")
            wait_moves(person, number)
            counts.append(person.page.evaluate("() => window.listeners"))
        assert counts[-1] == counts[1]


class TestPieces:
    @pytest.fixture
    def person(self, server, visit):
        person = visit(server).sit(server.table("blokus", FOUR, seed=1))
        person.wait_turn()
        person.page.wait_for_selector(".piece")
        return person

    def test_a_held_piece_points_at_its_corner(self, person):
        piece(person, "V5").click()
        person.cell(0).hover()
        held = person.page.evaluate(f"() => {BOARD}.ghost.cells")
        assert 0 in held
        assert len(held) == 5
        person.cell(0).click()
        wait_moves(person, 1)

    def test_a_piece_is_dragged_from_the_tray_by_mouse(self, person):
        person.page.mouse.move(*middle(piece(person, "L5")))
        person.page.mouse.down()
        person.page.mouse.move(*middle(person.cell(190)), steps=3)
        assert person.page.locator(".ghost").count() == 1
        person.page.mouse.move(*middle(person.cell(0)), steps=3)
        person.page.mouse.up()
        wait_moves(person, 1)
        assert person.page.locator(".history li").first.text_content().startswith("L5")

    def test_a_piece_dropped_beside_the_board_returns_to_the_tray(self, person):
        person.page.mouse.move(*middle(piece(person, "L5")))
        person.page.mouse.down()
        person.page.mouse.move(*middle(person.cell(190)), steps=3)
        person.page.mouse.move(1270, 10)
        person.page.mouse.up()
        assert person.page.locator(".ghost").count() == 0

    def test_a_piece_is_dragged_from_the_tray_by_touch(self, server, visit):
        person = visit(server, **TALL).sit(server.table("blokus", FOUR, seed=1))
        person.wait_turn()
        person.page.wait_for_selector(".piece")
        x, y = middle(person.page.locator(".piece").first)
        end = middle(person.cell(42))
        way = [[(x, y)], [(x, y - 12)], [(x, y - 80)], [end], [end], []]
        person.touch(way)
        assert person.page.locator(".ghost").count() == 1
        person.page.get_by_role("button", name="Place").tap()
        wait_moves(person, 1)

    def test_two_fingers_turn_the_piece_in_hand(self, server, visit):
        person = visit(server, **TALL).sit(server.table("blokus", FOUR, seed=1))
        person.wait_turn()
        piece(person, "L5").tap()
        before = person.page.evaluate(f"() => {BOARD}.picker.shape")
        x, y = middle(person.cell(210))
        one = (x, y)
        way = [[one], [one, (x + 90, y)], [one, (x + 70, y + 40)], [one, (x + 40, y + 90)], []]
        person.touch(way)
        assert person.page.evaluate(f"() => {BOARD}.picker.shape") != before

    def test_a_cell_asks_for_a_piece_first(self, person):
        person.cell(0).click()
        person.page.wait_for_selector(".toast.shown")
        assert person.page.get_by_role("alert").text_content() == "Choose a piece first."

    def test_pieces_that_do_not_fit_stay_in_the_tray(self, person):
        assert person.page.locator(".piece").count() == 21
        cross = piece(person, "X5")
        assert cross.get_attribute("aria-disabled") == "true"
        cross.click(force=True)
        person.page.wait_for_selector(".toast.shown")
        assert person.page.locator(".piece").count() == 21

    def test_the_buttons_for_a_piece_stay_when_nothing_is_in_hand(self, person):
        place = person.page.get_by_role("button", name="Place")
        before = place.bounding_box()
        assert place.get_attribute("aria-disabled") == "true"
        piece(person, "L5").click()
        assert place.bounding_box() == before
        place.click()
        wait_moves(person, 1)
        assert place.bounding_box() == before

    def test_the_cards_show_the_remaining_pieces_as_shapes(self, person):
        assert person.page.locator(".seat").nth(1).locator(".taken .shape").count() == 21

    def test_keys_announce_the_piece_in_hand(self, person):
        person.cell(210).focus()
        for key in ("n", "n", "r"):
            person.page.keyboard.press(key)
        said = person.page.locator(".quietly[role=log] p")
        person.page.wait_for_function(
            "() => document.querySelectorAll('.quietly[role=log] p').length >= 3"
        )
        assert "squares" in said.last.text_content()

    def test_the_cells_where_a_piece_can_connect_are_marked_on_the_players_turn(self, person):
        marks = person.page.locator("circle.contact")
        assert person.page.evaluate(f"() => [...{BOARD}.contacts]") == [0]  # the own corner
        assert marks.count() == 1
        by_mouse(person, person.scene(), choose(person.scene(), None))
        person.page.wait_for_function(f"() => {BOARD}.last.size > 0")
        person.wait_turn()
        scene = person.scene()
        cols = scene["board"]["cols"]
        palette, cells = scene["palette"], scene["cells"]
        own = {at for at in range(len(cells)) if palette[cells[at]].get("owner") == 0}
        reach = {cell for action in scene["actions"] for cell in action["cells"]}
        steps = [cols + 1, cols - 1, -cols - 1, -cols + 1]
        corners = {c for c in reach if any(c + by in own for by in steps)}
        assert corners
        contacts = person.page.evaluate(f"() => [...{BOARD}.contacts]")
        assert set(contacts) == corners
        assert marks.count() == len(corners)
        assert "a piece can connect here" in person.cell(contacts[0]).get_attribute("aria-label")


class TestMemory:
    """What a table shows after a reload, and in the past."""

    def test_the_chain_of_the_last_move_is_marked_after_a_reload_and_in_a_replay(
        self, server, visit
    ):
        person = visit(server).sit(server.table("octa", ["me", 1], seed=3))
        person.wait_turn()
        state = parlour.game("octa").start(3)
        best = max(state.legal_actions(), key=lambda action: len(state.chain(action)))
        person.cell(best).click()
        wait_moves(person, 2)
        person.wait_turn()
        trail = f"() => {BOARD}.trail"
        before = person.page.evaluate(trail)
        person.page.reload()
        if before:
            person.page.wait_for_function(f"() => {BOARD}?.trail.length")
        assert person.page.evaluate(trail) == before
        person.page.locator(".history button").first.click()
        chain = sorted(set(state.chain(best)) - {best})
        person.page.wait_for_function(
            f"(chain) => String([...{BOARD}.trail].sort((a, b) => a - b)) === String(chain)",
            arg=chain,
        )

    def test_captured_pieces_are_discs_after_a_reload(self, server, visit):
        seats = [{"kind": "me"}, {"kind": "agent", "level": 1}]
        made = server.post("/tables", {"record": banqi_near_its_end(), "seats": seats}).json()
        person = visit(server).sit(made)
        person.page.locator(".discs .cell-icon").first.wait_for()
        assert person.page.locator(".seat .side-name").count() == 0
        assert person.page.locator(".discs use[href^='#sign-']").count() > 0  # no font needed
        # In the past there are those of the position.
        person.page.locator(".history button").first.click()
        person.page.locator(".discs").first.wait_for(state="detached")
        person.page.get_by_role("button", name="Back to the game").click()
        person.page.locator(".discs").first.wait_for()
        # In the list a capture is a short move; its explanation follows.
        capture = person.page.locator(".history li span:has(small)").last
        assert capture.text_content().split()[1] == "captures"
        assert person.page.locator(".history .dot").count() > 0
        # All discs of a seat that has taken everything are seen, on a phone too.
        person.page.set_viewport_size({"width": 360, "height": 640})
        seen = person.page.evaluate(
            "() => { const card = document.querySelector('.seat'), icon = card.querySelector("
            "'.cell-icon'); while (card.querySelectorAll('.cell-icon').length < 16)"
            "icon.after(icon.cloneNode(true)); const last = [...card.querySelectorAll("
            "'.cell-icon')].at(-1).getBoundingClientRect();"
            "return last.left + 20 <= card.querySelector('.score').getBoundingClientRect().left; }"
        )
        assert seen


class TestSteps:
    def test_arrow_keys_are_steps_after_a_click_on_the_board(self, server, visit):
        person = visit(server).sit(server.table("cat_mouse", ["me"], seed=7))
        person.wait_turn()
        action = person.scene()["actions"][0]
        free = next(
            cell for cell, at in enumerate(person.scene()["cells"])
            if person.scene()["palette"][at]["label"] == "free"
            and all(cell not in each["cells"] for each in person.scene()["actions"])
        )  # fmt: skip
        person.cell(free).click()
        person.page.keyboard.press(f"Arrow{action['text'].capitalize()}")
        wait_moves(person, 1)

    def test_the_line_compares_the_hunt_with_par(self, server, visit):
        person = visit(server).sit(server.table("cat_mouse", ["me"], seed=7))
        person.wait_turn()
        line = person.page.locator(".status-words")
        assert "0 steps; par is 41." in line.text_content()
        game = parlour.game("cat_mouse")
        best = game.guide().solution(game.start(7))[0]
        person.page.keyboard.press(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"][best])
        line.get_by_text("1 step, par 41: on par so far.").wait_for()


class TestEnd:
    @pytest.fixture
    def over(self, server, visit):
        made = server.table("octa", ["me", 1], options={"size": 1}, seed=8)
        person = visit(server).sit(made)
        play(person, by_mouse)
        person.page.wait_for_selector(".ranking")
        state = server.get(f"/tables/{made['table']}", made["token"]).json()
        return person, state["scene"]

    def test_the_end_says_who_won_and_by_how_much(self, over):
        person, scene = over
        own, other = (int(seat["score"].split()[0]) for seat in scene["seats"])
        wanted = f"You won by {own - other}" if own > other else f"You lost by {other - own}"
        assert person.page.locator(".turn-words").text_content() == wanted
        assert person.page.locator(".seat.won .crown").count() == 1
        assert person.page.locator(".ranking li").count() == 2
        for name in ("Rematch", "Review"):
            assert person.page.get_by_role("button", name=name).count() == 1
        assert person.axe() == []

    def test_a_replay_shows_the_scores_of_its_position(self, over):
        person, scene = over
        scores = person.page.locator(".seat .score")
        assert scores.all_text_contents() == [seat["score"] for seat in scene["seats"]]
        person.page.get_by_role("button", name="First position").click()
        person.page.wait_for_selector(".past-note >> text=Move 0")
        person.page.wait_for_function(
            "(last) => [...document.querySelectorAll('.seat .score')]"
            ".map((each) => each.textContent).join() !== last",
            arg=",".join(seat["score"] for seat in scene["seats"]),
        )

    def test_the_list_of_moves_is_at_its_end_also_after_a_hint_and_the_game(self, server, visit):
        made = resumed(server, near_its_end("octa", 4, size=3))
        person = visit(server, viewport={"width": 1280, "height": 600}).sit(made)
        is_at_its_end = (
            "() => { const list = document.querySelector('.history');"
            "return list.scrollHeight > list.clientHeight"
            "&& list.scrollHeight - list.clientHeight - list.scrollTop < 3; }"
        )
        person.page.get_by_role("button", name="Hint").click()
        person.page.wait_for_selector(".lines button")
        person.page.wait_for_function(is_at_its_end)
        play(person, by_mouse)
        person.page.wait_for_selector(".review")
        person.page.wait_for_function(is_at_its_end)

    def test_the_next_steps_follow_the_result(self, over):
        person, _ = over
        result = person.page.locator(".line").bounding_box()
        rematch = person.page.get_by_role("button", name="Rematch").bounding_box()
        assert 0 < rematch["y"] - result["y"] - result["height"] < 40

    def test_a_spectator_reads_who_won(self, over, server, visit):
        person, scene = over
        watcher = visit(server).watch(person.page.url.rsplit("/", 1)[1])
        own, other = (int(seat["score"].split()[0]) for seat in scene["seats"])
        name = "Seat 1" if own > other else "Computer"
        assert watcher.page.locator(".turn-words").text_content() == f"{name} won"

    def test_a_resignation_is_a_loss_without_points(self, server, visit):
        person = visit(server).sit(server.table("octa", ["me", 1], seed=1))
        person.wait_turn()
        person.page.on("dialog", lambda dialog: dialog.accept())
        person.page.get_by_role("button", name="Resign").click()
        person.page.wait_for_selector(".turn-words:text-is('You lost')")


def test_a_move_and_its_chance_event_are_one_entry(server, visit):
    person = visit(server).sit(server.table("banqi", ["me", 1], seed=1))
    person.wait_turn()
    person.cell(0).click()
    person.page.wait_for_selector(".history li small")
    assert person.page.locator(".history li").first.locator("button").count() == 1
    assert "flip" in person.page.locator(".history li").first.text_content()
    assert person.page.locator(".history li:not([data-seat])").count() == 0


def test_a_cannon_shows_over_which_piece_it_jumps(server, visit):
    record, (start, end) = banqi_with_a_cannon_shot()
    person = visit(server).sit(resumed(server, record))
    person.wait_turn()
    person.cell(start).click()
    page = person.page
    page.locator(".jumped").first.wait_for()
    rows, cols = zip(divmod(start, 8), divmod(end, 8), strict=True)
    at = page.locator(".jumped").evaluate_all(
        "all => all.map((one) => { const {e, f} = one.transform.baseVal[0].matrix;"
        "return [Math.floor(f / 40), Math.floor(e / 40)]; })"
    )
    between = [
        [row, col] for row, col in at
        if min(rows) <= row <= max(rows) and min(cols) <= col <= max(cols)
    ]  # fmt: skip
    assert len(between) == 1
    assert "can be chosen" in person.cell(end).get_attribute("aria-description")


def test_quick_replies_are_all_announced(server, visit):
    person = visit(server).sit(server.table("blokus", FOUR, seed=1))
    person.wait_turn()
    by_mouse(person, person.scene(), person.scene()["actions"][0])
    wait_moves(person, 4)
    said = person.page.locator(".quietly[role=log]").text_content()
    for name in ("blue", "yellow", "red", "green"):
        assert f"{name}" in said.lower()


def test_the_connection_is_shown_as_lost_at_once_when_the_browser_goes_offline(server, visit):
    person = visit(server, expected=("ERR_INTERNET_DISCONNECTED", "WebSocket")).sit(
        server.table("octa", ["me", 1], seed=1)
    )
    person.wait_turn()
    person.context.set_offline(True)
    person.page.wait_for_selector('.state[data-state="lost"]')
    person.context.set_offline(False)
    person.page.wait_for_selector('.state[data-state="open"]')


def test_a_preview_shows_new_owners_and_directions(server, visit):
    made = server.table("octa", ["me", 1], options={"size": 2}, seed=3)
    person = visit(server, **TALL).sit(made)
    person.wait_turn()
    with server.socket(made["table"], made["token"]) as socket:
        found = {}
        for action in person.scene()["actions"]:
            socket.send({"t": "preview", "id": action["id"], "action": action["id"]})
            found[action["id"]] = socket.receive("preview")
    longest = max(person.scene()["actions"], key=lambda each: len(found[each["id"]]["cells"]))
    looks = found[longest["id"]]["looks"]
    assert all(look["owner"] == 0 for look in looks)
    person.cell(longest["cells"][0]).tap()
    person.page.wait_for_selector(".will-be .arrow")
    assert person.page.locator(".will-be").count() == len(looks)
    assert person.page.locator(".history li").count() == 0
    person.cell(longest["cells"][0]).tap()
    wait_moves(person, 1)


class TestCoach:
    def test_a_new_player_is_introduced_once(self, server, visit):
        person = visit(server, coach=True).sit(server.table("octa", ["me", 1], seed=1))
        page = person.page
        coach = page.get_by_role("region", name="First steps")
        coach.wait_for()
        own = [action["cells"][0] for action in person.scene()["actions"]]
        assert page.evaluate(f"() => {BOARD}.lit") == own
        assert person.axe() == []
        for _ in range(2):
            coach.get_by_role("button", name="Next").click()
        coach.get_by_role("button", name="Play").click()
        assert coach.count() == 0
        assert page.locator(".dim").count() == 0
        person.sit(server.table("octa", ["me", 1], seed=2))
        page.wait_for_selector(".table.ready")
        assert coach.count() == 0
        page.get_by_role("button", name="More").click()
        page.get_by_role("button", name="First steps").click()
        coach.wait_for()
        coach.get_by_role("button", name="Skip").click()
        assert coach.count() == 0

    @pytest.mark.parametrize("game", ["blokus", "banqi"])
    def test_the_coach_covers_neither_the_board_nor_the_tray(self, server, visit, game):
        seats = FOUR if game == "blokus" else ["me", 1]
        person = visit(server, coach=True, **TALL).sit(server.table(game, seats, seed=1))
        coach = person.page.get_by_role("region", name="First steps")
        coach.wait_for()
        for seen in (".cells", ".tray")[: 1 + (game == "blokus")]:
            box = person.page.locator(seen).bounding_box()
            assert coach.bounding_box()["y"] >= box["y"] + box["height"]


def test_an_embedded_frame_shows_the_whole_tray(server, visit):
    made = server.table("blokus", FOUR, seed=1)
    person = visit(server, viewport={"width": 900, "height": 620})
    person.page.goto(f"{server.url}/embed/{made['table']}#token={made['token']}")
    person.page.wait_for_selector(".piece")
    box = person.page.get_by_role("button", name="Place").bounding_box()
    assert box["y"] + box["height"] <= 620
    assert person.page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
