"""Input on the board: dragging, premoves, confirmation, pieces, animation, keys and touch."""

import pytest
from browser import PHONE
from players import banqi_near_its_end, by_mouse, take, wait_moves

import parlour

BOARD = "document.querySelector('parlour-board')"


def pair(scene):
    """Return an action from one cell to another."""
    return next(action for action in scene["actions"] if len(action["cells"]) == 2)


@pytest.fixture
def banqi(server):
    """A table with movable pieces."""
    seats = [{"kind": "me"}, {"kind": "agent", "level": 1}]
    answer = server.post("/tables", {"record": banqi_near_its_end(), "seats": seats})
    return answer.json()


def middle(person, cell):
    box = person.cell(cell).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class TestPointer:
    def test_a_press_selects_at_once_and_shows_where_it_can_go(self, server, visit, banqi):
        person = visit(server).sit(banqi)
        person.wait_turn()
        origin, _ = pair(person.scene())["cells"]
        person.page.mouse.move(*middle(person, origin))
        person.page.mouse.down()
        assert person.page.locator(".touched").count() == 1
        assert person.page.locator(".target").count() >= 1
        assert person.cell(origin).get_attribute("aria-selected") == "true"

    def test_a_piece_is_dragged_to_its_place(self, server, visit, banqi):
        person = visit(server).sit(banqi)
        person.wait_turn()
        before = person.page.locator(".history li").count()
        origin, goal = pair(person.scene())["cells"]
        person.page.mouse.move(*middle(person, origin))
        person.page.mouse.down()
        person.page.mouse.move(*middle(person, goal), steps=4)
        assert person.page.locator(".dragged").count() == 1
        person.page.mouse.up()
        wait_moves(person, before + 1)

    def test_a_piece_dropped_on_an_illegal_cell_returns_with_the_reason(self, server, visit, banqi):
        person = visit(server).sit(banqi)
        person.wait_turn()
        scene = person.scene()
        origin, _ = pair(scene)["cells"]
        moves = [action["cells"] for action in scene["actions"]]
        legal = {cells[-1] for cells in moves if cells[0] == origin}
        far = next(
            cell for cell in range(32)
            if cell not in legal and cell != origin
            and abs(cell // 8 - origin // 8) + abs(cell % 8 - origin % 8) > 3
            and not scene["palette"][scene["cells"][cell]].get("face")
        )  # fmt: skip
        person.page.mouse.move(*middle(person, origin))
        person.page.mouse.down()
        person.page.mouse.move(*middle(person, far), steps=4)
        person.page.mouse.up()
        person.page.wait_for_selector(".toast.shown")
        assert person.page.locator(".dragged").count() == 0

    def test_a_second_click_puts_a_piece_back(self, server, visit, banqi):
        person = visit(server).sit(banqi)
        person.wait_turn()
        origin, _ = pair(person.scene())["cells"]
        person.cell(origin).click()
        assert person.page.locator(".touched").count() == 1
        person.cell(origin).click()
        assert person.page.locator(".touched").count() == 0

    def test_pressing_and_sliding_away_plays_nothing(self, server, visit):
        person = visit(server).sit(server.table("octa", ["me", 1], seed=1))
        person.wait_turn()
        cell = person.scene()["actions"][0]["cells"][0]
        person.page.mouse.move(*middle(person, cell))
        person.page.mouse.down()
        person.page.mouse.move(*middle(person, (cell + 3) % 81), steps=3)
        person.page.mouse.up()
        assert person.page.locator(".pending").count() == 0
        assert person.wait_turn()

    def test_a_chain_is_previewed_under_the_pointer(self, server, visit):
        made = server.table("octa", ["me", 1], options={"size": 2}, seed=3)
        person = visit(server).sit(made)
        person.wait_turn()
        with server.socket(made["table"], made["token"]) as socket:
            lengths = {}
            for action in person.scene()["actions"]:
                socket.send({"t": "preview", "id": action["id"], "action": action["id"]})
                lengths[action["id"]] = len(socket.receive("preview")["cells"])
        longest = max(person.scene()["actions"], key=lambda action: lengths[action["id"]])
        person.cell(longest["cells"][0]).hover()
        person.page.wait_for_selector(".previewed")
        assert person.page.locator(".previewed").count() == lengths[longest["id"]] > 1

    def test_a_swipe_over_the_board_is_a_step(self, server, visit):
        person = visit(server).sit(server.table("cat_mouse", ["me"], seed=7))
        person.wait_turn()
        action = person.scene()["actions"][0]
        down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}[
            action["text"]
        ]
        x, y = middle(person, 312)
        person.page.mouse.move(x, y)
        person.page.mouse.down()
        person.page.mouse.move(x + 60 * right, y + 60 * down, steps=3)
        person.page.mouse.up()
        wait_moves(person, 1)
        assert person.page.locator(".history").text_content() == action["text"]


class TestChoices:
    def test_moves_can_require_confirmation(self, server, visit):
        person = visit(server)
        person.page.add_init_script("localStorage.setItem('parlour:confirm', 'on')")
        person.sit(server.table("octa", ["me", 1], seed=1))
        person.wait_turn()
        action = person.scene()["actions"][0]
        by_mouse(person, person.scene(), action)
        assert person.page.locator(".pending").count() == 1
        person.page.get_by_role("button", name="Cancel").click()
        assert person.page.locator(".pending").count() == 0
        by_mouse(person, person.scene(), action)
        person.page.get_by_role("button", name="Confirm move").click()
        wait_moves(person, 2)

    def test_a_premove_is_played_when_its_turn_comes(self, server, visit):
        made = server.table("octa", ["me", "open"], seed=1)
        token = server.claim(made)
        person = visit(server).sit(made)
        person.wait_turn()
        first, second = person.scene()["actions"][:2]
        by_mouse(person, person.scene(), first)
        wait_moves(person, 1)
        person.cell(second["cells"][0]).click()
        person.page.wait_for_selector("text=Premove")
        assert person.page.locator(".premoving").count() == 1
        with server.socket(made["table"], token) as other:
            action = other.welcome["scene"]["actions"][0][0]
            other.ask("play", 1, ply=1, action=action)
        wait_moves(person, 3)

    def test_arrow_keys_follow_a_flipped_board(self, server, visit):
        person = visit(server).sit(server.table("octa", ["me", 1], seed=1))
        before = middle(person, 0)
        person.page.get_by_role("button", name="Turn the board").click()
        after = middle(person, 80)
        assert before == pytest.approx(after, abs=1)
        person.cell(80).focus()
        person.page.keyboard.press("ArrowRight")
        assert person.page.evaluate(f"() => {BOARD}.cursor") == 79

    def test_a_chain_is_shown_step_by_step_and_a_press_skips_it(self, server, visit):
        made = server.table("octa", ["me", "open"], options={"size": 2}, seed=3)
        token = server.claim(made)
        person = visit(server, reduced_motion="no-preference").sit(made)
        person.page.evaluate(
            f"() => {{ window.shown = 0; const show = {BOARD}.show.bind({BOARD});"
            f"{BOARD}.show = (...all) => {{ window.shown += 1; show(...all); }}; }}"
        )
        person.wait_turn()
        with server.socket(made["table"], made["token"]) as socket:
            longest, length = None, 0
            for action in person.scene()["actions"]:
                socket.send({"t": "preview", "id": action["id"], "action": action["id"]})
                cells = socket.receive("preview")["cells"]
                if len(cells) > length:
                    longest, length = action, len(cells)
        by_mouse(person, person.scene(), longest)
        wait_moves(person, 1)
        person.page.wait_for_function("() => window.shown > 2")
        state = server.get(f"/tables/{made['table']}", token).json()["scene"]
        wanted = [state["palette"][at].get("owner", -1) for at in state["cells"]]
        owners = f"{BOARD}.scene.cells.map((at) => {BOARD}.scene.palette[at].owner ?? -1)"
        person.page.wait_for_function(
            f"(wanted) => String({owners}) === wanted", arg=",".join(map(str, wanted))
        )


class TestPieces:
    def test_a_piece_is_placed_on_a_phone_with_at_most_four_touches(self, server, visit):
        person = visit(server, **PHONE).sit(server.table("blokus", ["me", 1, 1, 1], seed=1))
        person.wait_turn()
        piece = person.page.locator(".piece").nth(4)
        piece.tap()
        assert person.page.locator(".ghost").count() == 1
        person.page.get_by_role("button", name="Rotate").tap()
        person.page.get_by_role("button", name="Place").tap()
        wait_moves(person, 4)

    def test_the_buttons_for_a_piece_are_on_the_screen_of_a_phone(self, server, visit):
        person = visit(server, **PHONE).sit(server.table("blokus", ["me", 1, 1, 1], seed=1))
        person.wait_turn()
        person.page.locator(".piece").nth(4).tap()
        for name in ("Rotate", "Flip", "Place", "Cancel"):
            box = person.page.get_by_role("button", name=name).bounding_box()
            assert box["y"] + box["height"] <= 640
            assert box["height"] >= 44
        assert person.axe() == []

    def test_wheel_and_keys_rotate_the_piece_at_the_pointer(self, server, visit):
        person = visit(server).sit(server.table("blokus", ["me", 1, 1, 1], seed=1))
        person.wait_turn()
        person.page.locator('.piece[data-group="L5"]').click()
        person.cell(21).hover()
        first = person.page.evaluate(f"() => {BOARD}.picker.shape")
        person.page.mouse.wheel(0, 120)
        person.page.wait_for_function(
            f"(first) => String({BOARD}.picker.shape) !== first",
            arg=",".join(str(n) for cell in first for n in cell),
        )
        person.page.keyboard.press("f")
        person.page.keyboard.press("Escape")
        assert person.page.locator(".ghost").count() == 0

    def test_a_piece_that_does_not_fit_is_refused_with_a_reason(self, server, visit):
        person = visit(server).sit(server.table("blokus", ["me", 1, 1, 1], seed=1))
        person.wait_turn()
        person.page.locator('.piece[data-group="I1"]').click()
        person.cell(190).click()
        person.page.wait_for_selector(".toast.shown")
        assert person.page.get_by_role("alert").text_content()
        assert person.page.locator(".ghost.wrong").count() == 1

    def test_each_piece_keeps_its_orientation(self, server, visit):
        person = visit(server).sit(server.table("blokus", ["me", 1, 1, 1], seed=1))
        person.wait_turn()
        action = next(each for each in person.scene()["actions"] if each["group"] == "L5")
        take(person, person.scene(), action, lambda locator: locator.click())
        person.page.get_by_role("button", name="Rotate").click()
        turned = person.page.evaluate(f"() => {BOARD}.picker.shape")
        person.page.locator('.piece[data-group="I1"]').click()
        person.page.locator('.piece[data-group="L5"]').click()
        assert person.page.evaluate(f"() => {BOARD}.picker.shape") == turned


class TestKeysAndVoices:
    def test_one_cell_takes_the_focus_and_arrows_move_it(self, server, visit):
        person = visit(server).sit(server.table("octa", ["me", 1], seed=1))
        assert person.page.locator('[role=gridcell][tabindex="0"]').count() == 1
        person.cell(0).focus()
        for key, cell in (("End", 8), ("ArrowDown", 17), ("Home", 9), ("Control+End", 80)):
            person.page.keyboard.press(key)
            found = person.page.evaluate("() => document.activeElement.dataset.cell")
            assert found == str(cell)
        assert person.page.locator('[role=gridcell][tabindex="0"]').count() == 1

    @pytest.mark.parametrize(
        ("key", "words"), [("l", "player 2"), ("s", "Your turn"), ("c", "left")]
    )
    def test_keys_ask_for_the_last_move_the_status_and_the_clock(self, server, visit, key, words):
        made = server.table("octa", ["me", 1], seed=1, clock="5m+3")
        person = visit(server).sit(made)
        person.wait_turn()
        by_mouse(person, person.scene(), person.scene()["actions"][0])
        wait_moves(person, 2)
        person.wait_turn()
        person.cell(0).focus()
        person.page.keyboard.press(key)
        person.page.wait_for_selector(f".quietly:has-text('{words}')", state="attached")

    def test_moves_are_announced_politely_and_refusals_at_once(self, server, visit):
        person = visit(server).sit(server.table("octa", ["me", 1], seed=1))
        person.wait_turn()
        assert person.page.locator(".quietly").get_attribute("aria-live") == "polite"
        by_mouse(person, person.scene(), person.scene()["actions"][0])
        wait_moves(person, 2)
        assert person.page.locator(".quietly").text_content()
        assert person.page.get_by_role("alert").count() == 1

    def test_the_title_says_whose_turn_it_is(self, server, visit):
        person = visit(server).sit(server.table("octa", ["me", 1], seed=1))
        person.wait_turn()
        assert person.page.title().startswith("● Your turn")


@pytest.mark.parametrize("game", ["octa", "banqi", "blokus", "cat_mouse"])
def test_every_game_is_accessible_in_every_appearance(server, visit, game):
    seats = {"blokus": ["me", 1, 1, 1], "cat_mouse": ["me"]}.get(game, ["me", 1])
    person = visit(server).sit(server.table(game, seats, seed=1))
    person.wait_turn()
    page = person.page
    # The appearances change only colours.
    for scheme, forced, theme in (
        ("light", "active", "paper"),
        ("dark", "none", "paper"),
        ("light", "none", "slate"),
        ("dark", "none", "wood"),
    ):
        page.emulate_media(color_scheme=scheme, forced_colors=forced)
        page.evaluate("(name) => { document.documentElement.dataset.board = name; }", theme)
        assert person.axe("color-contrast") == [], (scheme, forced, theme)
    page.set_viewport_size({"width": 640, "height": 400})  # zoomed to 200 %
    assert person.axe() == []
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def test_a_hint_takes_the_piece_in_hand_in_its_orientation(server, visit):
    made = server.table("blokus", ["me", 1], options={"variant": "duo"}, seed=1)
    person = visit(server).sit(made)
    person.wait_turn()
    person.page.get_by_role("button", name="Hint").click()
    person.page.wait_for_selector(".ghost:not(.wrong)")
    person.page.get_by_role("button", name="Place").click()
    wait_moves(person, 2)


class TestPoints:
    """A board of points and lines, in a game that the lobby does not list."""

    @pytest.fixture
    def morris(self, server):
        parlour.game("examples.nine_mens_morris")
        return server.table("nine_mens_morris", ["me", 1])

    def test_points_are_chosen_by_mouse_and_by_arrow_keys(self, server, visit, morris):
        person = visit(server).sit(morris)
        person.page.wait_for_function(f"() => {BOARD}.scene.actions.length === 24")
        assert person.page.locator(".links line").count() == 32
        assert person.cell(4).get_attribute("aria-label") == "point d6: empty"
        person.cell(0).focus()
        person.page.keyboard.press("ArrowRight")
        person.page.keyboard.press("ArrowDown")
        assert person.page.evaluate(f"() => {BOARD}.cursor") == 4
        person.page.mouse.click(*middle(person, 4))
        wait_moves(person, 1)
        assert person.cell(4).get_attribute("aria-label").startswith("point d6: white")

    def test_the_number_of_pieces_is_written_on_their_cell(self, server, visit, morris):
        person = visit(server).sit(morris)
        person.page.wait_for_function(f"() => {BOARD}.scene.actions.length === 24")
        person.page.evaluate(
            f"() => {{ const {{ scene }} = {BOARD};"
            "const palette = scene.palette.map((cell) => ({ ...cell, number: 120 }));"
            f"{BOARD}.show({{ ...scene, palette }}); }}"
        )
        assert person.page.locator(".count .digits").all_text_contents() == ["120"] * 24
