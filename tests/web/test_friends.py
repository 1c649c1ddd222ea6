"""Two people play by link: a host at a desk, a guest on a phone, and a spectator.

Boards are compared as they are drawn: a board on one screen shows the same picture as on the other,
and the same as a page that was just loaded.
"""

import io
import os
import re
from pathlib import Path

from browser import PHONE
from PIL import Image, ImageChops, ImageStat
from players import by_mouse, by_touch, customise

CELL = 24
LARGEST_DIFFERENCE = 26
"""The largest difference between the mean colours of a cell on two screens."""


def make_table(host, game, **options):
    """Create a table for a friend on the front page. Return the invitation link."""
    page = host.page
    customise(host, game)
    for name, value in options.items():
        field = page.locator(f"#option-{name}")
        if field.evaluate("(field) => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    seats = page.get_by_role("group", name="Players").locator("select")
    for number in range(1, seats.count()):
        seats.nth(number).select_option(label="A friend (by link)")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Start").click()
    return page.get_by_label("Link for seat 2").input_value()


def join(guest, link, name="Ben"):
    guest.page.goto(link)
    guest.page.get_by_label("Your name").fill(name)
    guest.page.get_by_role("button", name="Join").click()
    guest.page.wait_for_selector(".table.ready [role=gridcell]")


def test_each_person_adds_a_nonce_to_chance_also_over_plain_http(server, visit):
    host, guest = visit(server), visit(server, **PHONE)
    for each in (host, guest):  # browsers offer it only over https
        each.page.add_init_script("delete Crypto.prototype.randomUUID")
    join(guest, make_table(host, "Banqi"))
    (room,) = server.app.rooms.all_in_memory()
    nonces = {seat.nonce for seat in room.hosted.seats}
    assert len(nonces) == 2
    assert all(len(nonce) == 32 for nonce in nonces)


def watch_by_link(spectator, link):
    spectator.page.goto(link)
    spectator.page.get_by_role("button", name="Watch").click()
    spectator.page.wait_for_selector(".table.ready [role=gridcell]")


def picture(page, selector=".cells"):
    page.wait_for_load_state("networkidle")
    return Image.open(io.BytesIO(page.locator(selector).screenshot())).convert("RGB")


def board_picture(page):
    """Return the drawn board, scaled, without toasts and without marks that only some viewers see.

    A page that was just loaded does not know the trail; contacts are for the player to move.
    """
    marks = "document.querySelectorAll('.trail, .contact')"
    page.evaluate(f"() => {marks}.forEach((each) => each.remove())")
    scene = page.evaluate("() => document.querySelector('parlour-board').scene.board")
    page.mouse.move(1, 1)
    page.evaluate("() => { document.querySelector('.toast').style.visibility = 'hidden'; }")
    drawn = picture(page)
    page.evaluate("() => { document.querySelector('.toast').style.visibility = ''; }")
    return drawn.resize((scene["cols"] * CELL, scene["rows"] * CELL))


def wrong_cells(one, other):
    """Return where two boards differ, as (column, row)."""
    assert one.size == other.size
    found = []
    for top in range(0, one.height, CELL):
        for left in range(0, one.width, CELL):
            box = (left, top, left + CELL, top + CELL)
            parts = [board.crop(box).reduce(4) for board in (one, other)]
            if max(ImageStat.Stat(ImageChops.difference(*parts)).mean) > LARGEST_DIFFERENCE:
                found.append((left // CELL, top // CELL))
    return found


IS_READABLE = """(text) => {
  const said = [...document.querySelectorAll('.said li')].at(-1).getBoundingClientRect();
  const isInView = said.top >= 0 && said.bottom <= innerHeight;
  return isInView || document.querySelector('.toast.shown')?.textContent === text;
}"""
"""Whether a chat message is in view, or shown as a toast."""


class Walk:
    """All visitors of one table; `look` checks that they see the same board.

    One of them, each time another one, also opens the page again and sees the same.
    """

    def __init__(self, name, **people):
        self.name, self.people, self.step = name, people, 0

    def __getattr__(self, name):
        return self.people[name]

    def look(self, what):
        self.step += 1
        folder = os.environ.get("PARLOUR_PICTURES")
        drawn = {}
        for name, person in self.people.items():
            if folder:
                file = f"{self.name}-{self.step:02}-{what}-{name}.png"
                person.page.screenshot(path=Path(folder) / file)
            drawn[name] = board_picture(person.page)
        name, person = list(self.people.items())[self.step % len(self.people)]
        fresh = person.context.new_page()
        fresh.goto(person.page.url)
        fresh.wait_for_selector(".table.ready [role=gridcell]")
        assert wrong_cells(drawn[name], board_picture(fresh)) == [], f"{name} after {what}"
        fresh.close()
        first, *others = drawn.values()
        for other in others:
            assert wrong_cells(first, other) == [], f"different boards after {what}"

    def moves(self, number):
        """Wait until all visitors see that number of moves."""
        for person in self.people.values():
            person.page.wait_for_function(
                "(number) => document.querySelectorAll('.history li').length === number", arg=number
            )


def open_offer(person):
    return person.page.locator(".open-offer")


def press(person, name):
    person.page.get_by_role("button", name=name, exact=True).click()


def play_first(person, act):
    assert person.wait_turn()
    scene = person.scene()
    act(person, scene, scene["actions"][0])


def shows(person, text):
    person.page.wait_for_selector(f"text={text}")


def test_an_invitation_shows_the_game_and_who_invites(server, visit):
    host, guest = visit(server), visit(server, **PHONE)
    guest.page.goto(make_table(host, "Banqi"))
    guest.page.get_by_text("Ann invites you to play").wait_for()
    assert guest.page.get_by_role("heading", name="Banqi").count() == 1
    assert guest.page.locator(".joining .shot .disc").count() > 0
    assert guest.axe() == []


def test_two_friends_play_octa_from_the_invitation_to_the_rematch(server, visit):
    host, guest, spectator = visit(server), visit(server, **PHONE), visit(server)
    link = make_table(host, "Octa", size="1")
    shows(host, "Invite a friend")
    join(guest, link)
    host.page.wait_for_selector(".table.ready [role=gridcell]")
    watch_by_link(spectator, link)
    walk = Walk("octa", host=host, guest=guest, spectator=spectator)
    walk.look("start")

    play_first(host, by_mouse)
    walk.moves(1)
    walk.look("first-move")
    play_first(guest, by_touch)
    walk.moves(2)
    walk.look("second-move")

    press(host, "Chat")
    host.page.get_by_label("Message").fill("Good luck!")
    host.page.keyboard.press("Enter")
    guest.page.wait_for_selector(".said >> text=Good luck!")
    guest.page.wait_for_function(IS_READABLE, arg="Ann: Good luck!")
    guest.page.get_by_label("Message").fill("You too")
    press(guest, "Send")
    host.page.wait_for_selector(".said >> text=You too")
    assert spectator.page.locator(".talk").count() == 0
    walk.look("chat")

    assert host.page.get_by_role("button", name="Offer draw").count() == 0
    press(host, "Take back")
    shows(host, "You asked to take back your move")
    assert "Ann asks to take back a move" in open_offer(guest).text_content()
    spectator.page.wait_for_selector(".open-offer >> text=Ann asks to take back a move")
    assert spectator.page.locator(".open-offer button").count() == 0
    for person in (host, guest):
        assert person.axe() == []
    walk.look("takeback-asked")
    press(guest, "Accept")
    walk.moves(0)
    assert open_offer(guest).count() == 0
    walk.look("taken-back")

    for number in range(8):
        play_first(*((host, by_mouse) if number % 2 == 0 else (guest, by_touch)))
        walk.moves(number + 1)
    results = {
        person.page.locator(".status-words").text_content() for person in walk.people.values()
    }
    assert len(results) == 1
    assert re.search("wins|tie", results.pop(), re.IGNORECASE)
    walk.look("result")

    press(host, "Rematch")
    shows(host, "You offered a rematch")
    shows(guest, "Ann wants a rematch")
    walk.look("rematch-offered")
    before = host.page.url
    press(guest, "Accept")
    for person in (host, guest):
        person.page.wait_for_url(lambda url: url != before)
        person.page.wait_for_selector(".table.ready [role=gridcell]")
    assert host.page.url == guest.page.url
    assert guest.wait_turn()
    spectator.page.get_by_role("link", name="To the next game").click()
    spectator.page.wait_for_url(host.page.url)
    spectator.page.wait_for_selector(".table.ready [role=gridcell]")
    walk.look("rematch")


def test_a_declined_rematch_can_be_offered_again(server, visit):
    host, guest = visit(server), visit(server, **PHONE)
    join(guest, make_table(host, "Octa"))
    host.page.on("dialog", lambda dialog: dialog.accept())
    press(host, "Resign")
    press(guest, "Rematch")
    press(host, "Decline")
    guest.page.wait_for_selector(".toast.shown >> text=Ann declined the rematch.")
    press(guest, "Rematch")
    press(guest, "Withdraw")
    host.page.wait_for_selector(".toast.shown >> text=Ben withdrew the offer.")


def test_draw_offers_in_banqi_are_shown_declined_and_accepted(server, visit):
    host, guest = visit(server), visit(server, **PHONE)
    join(guest, make_table(host, "Banqi", first_flip_passes="true"))
    walk = Walk("banqi", host=host, guest=guest)
    press(host, "Offer draw")
    shows(host, "You offered a draw")
    assert open_offer(guest).text_content().startswith("Ann offers a draw")
    for person in (host, guest):
        assert "offers a draw" in person.page.locator(".seat").first.text_content()
    walk.look("draw-offered")
    press(guest, "Decline")
    host.page.wait_for_selector(".toast.shown >> text=Ben declined the draw.")
    assert open_offer(host).count() == 0

    play_first(host, by_mouse)
    walk.moves(1)
    walk.look("flipped")
    press(host, "Offer draw")
    shows(guest, "Ann offers a draw")
    play_first(guest, by_touch)
    host.page.wait_for_selector(".toast.shown >> text=Ben declined the draw.")
    press(host, "Offer draw")
    play_first(host, by_mouse)
    shows(guest, "Ann offers a draw")
    walk.look("offer-outlives-its-makers-move")
    press(guest, "Accept")
    for person in (host, guest):
        person.page.wait_for_selector(".turn-words >> text=Draw")
        assert "draw" in person.page.locator(".status-words").text_content()
    walk.look("drawn")


def test_two_friends_play_blokus_until_each_colour_is_on_the_board(server, visit):
    host, guest, spectator = visit(server), visit(server, **PHONE), visit(server)
    link = make_table(host, "Blokus", variant="two-player")
    join(guest, link)
    host.page.wait_for_selector(".table.ready [role=gridcell]")
    watch_by_link(spectator, link)
    walk = Walk("blokus", host=host, guest=guest, spectator=spectator)
    people = [(host, by_mouse), (guest, by_touch)] * 3
    for number, (person, act) in enumerate(people):
        colour = ("blue", "yellow", "red", "green")[number % 4]
        assert person.wait_turn()
        assert person.page.locator(f".piece svg.c-{colour}").count() > 1
        scene = person.scene()
        action = [each for each in scene["actions"] if len(each["cells"]) == 5][number]
        act(person, scene, action)
        walk.moves(number + 1)
        walk.look(f"{colour}-{number // 4 + 1}")


def test_the_tray_keeps_its_colour_during_the_opponents_turn(server, visit):
    host, guest = visit(server), visit(server, **PHONE)
    join(guest, make_table(host, "Blokus", variant="duo"))
    walk = Walk("duo", host=host, guest=guest)
    for number, (person, act) in enumerate([(host, by_mouse), (guest, by_touch)] * 2):
        assert person.wait_turn()
        scene = person.scene()
        action = [each for each in scene["actions"] if len(each["cells"]) == 4][number]
        act(person, scene, action)
        walk.moves(number + 1)
    walk.look("two-pieces-each")
    for person, colour in ((host, "purple"), (guest, "orange")):
        pieces = person.page.locator(".piece svg")
        assert pieces.count() > 10
        assert person.page.locator(f".piece svg.c-{colour}").count() == pieces.count()
    placed = guest.page.locator(f'.piece[data-group="{action["group"]}"]')
    assert placed.count() == 0


def test_an_invitation_link_returns_a_seated_player_to_the_table(server, visit):
    host, guest = visit(server), visit(server, **PHONE)
    link = make_table(host, "Octa")
    host.page.goto(link)
    host.page.wait_for_selector(".waiting-card")
    join(guest, link)
    for person, name in ((host, "Ann"), (guest, "Ben")):
        person.page.goto("about:blank")
        person.page.goto(link)
        person.page.wait_for_selector(".table.ready [role=gridcell]")
        assert person.page.locator(".seat.own").text_content().startswith(name)


def test_a_premove_can_be_cancelled(server, visit):
    host, guest = visit(server), visit(server, **PHONE)
    join(guest, make_table(host, "Octa"))
    play_first(host, by_mouse)
    play_first(guest, by_touch)
    guest.page.wait_for_function("() => document.querySelector('parlour-board').isPremove")
    button = guest.page.get_by_role("button", name="Cancel premove")
    action = guest.scene()["actions"][0]
    guest.cell(action["cells"][0]).click()
    shows(guest, f"Premove: {action['text']}")
    guest.page.keyboard.press("Escape")
    button.wait_for(state="hidden")
    guest.cell(action["cells"][0]).click()
    button.wait_for()
    guest.page.reload()
    shows(guest, "Premove: a move")
    button.click()
    button.wait_for(state="hidden")
    play_first(host, by_mouse)
    assert guest.wait_turn()


def test_a_friend_who_leaves_is_shown_as_away(server, visit):
    host, guest = visit(server), visit(server, **PHONE)
    join(guest, make_table(host, "Octa"))
    host.page.get_by_role("img", name="online").wait_for()
    guest.page.goto("about:blank")
    host.page.get_by_role("img", name="away").wait_for()


def test_long_names_do_not_widen_the_page(server, visit):
    host, guest = visit(server), visit(server, **PHONE)
    join(guest, make_table(host, "Banqi"), "M" * 40)
    press(guest, "Offer draw")
    for person in (host, guest):
        open_offer(person).wait_for()
        assert person.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
