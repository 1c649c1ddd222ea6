"""Each kind of game in the browser, by every input method."""

import pytest
from browser import PHONE
from players import KINDS, by_keys, by_mouse, by_names, by_touch, play, table_of


@pytest.mark.parametrize("way", [by_mouse, by_keys, by_touch, by_names])
@pytest.mark.parametrize("kind", KINDS)
def test_a_game_is_played_to_its_end(server, visit, kind, way):
    made = table_of(server, kind)
    person = visit(server, **(PHONE if way is by_touch else {})).sit(made)
    ending = play(person, way)
    assert ending
    state = server.get(f"/tables/{made['table']}").json()
    assert state["status"] == "over"
    if way in (by_mouse, by_touch):  # the last page on a desktop and on a phone
        assert person.axe() == []


def test_blokus_with_four_colours_is_played_to_its_end_by_mouse(server, visit):
    person = visit(server).sit(table_of(server, "blokus"))
    assert "points" in play(person, by_mouse)
    assert person.page.locator(".seat .score").count() == 4


def tab_to(page, is_found):
    """Press Tab until the focused element is found; `is_found` is a function in JavaScript."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate(f"() => ({is_found})(document.activeElement)"):
            return
    raise AssertionError(f"not reached by Tab: {is_found}")


def named(name):
    return f"(one) => (one.ariaLabel || one.textContent.trim()) === '{name}'"


def test_the_keyboard_alone_leads_from_the_front_page_to_the_result_and_on(server, visit):
    person = visit(server)
    page = person.page
    page.goto(server.url)
    page.wait_for_selector(".lists:not([hidden])")
    tab_to(page, named("Customise: Octa"))
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    tab_to(page, "(one) => one.id === 'option-size'")
    page.keyboard.press("Control+A")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    page.wait_for_selector(".table.ready")
    play(person, by_keys)
    assert page.locator(".turn-words").text_content().startswith(("You won", "You lost", "Draw"))
    first = page.url
    tab_to(page, named("Rematch"))
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/t/" in url and url != first)
    assert person.wait_turn()


def test_fingers_alone_lead_from_the_front_page_to_the_result(server, visit):
    person = visit(server, **PHONE)
    page = person.page
    page.goto(server.url)
    page.get_by_role("button", name="Customise: Octa").tap()
    page.get_by_label("Board size").tap()
    page.keyboard.press("Control+A")
    page.keyboard.type("1")  # as on the keyboard of the screen
    page.get_by_role("button", name="Start").tap()
    page.wait_for_url("**/t/*")
    page.wait_for_selector(".table.ready")
    play(person, by_touch)
    assert page.locator(".turn-words").text_content().startswith(("You won", "You lost", "Draw"))
    assert person.axe() == []
