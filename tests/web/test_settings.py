"""Settings of the page, and that the browser stores them."""

import pytest
from players import by_mouse, wait_moves


@pytest.fixture
def person(server, visit):
    person = visit(server).sit(server.table("octa", ["me", 1], options={"size": 2}, seed=1))
    person.wait_turn()
    return person


def choose(person, label, value):
    person.page.get_by_role("button", name="More").click()
    person.page.get_by_role("combobox", name=label).select_option(value)


def close(person):
    person.page.get_by_role("button", name="Close").click()


def ground(person):
    return person.page.evaluate("() => getComputedStyle(document.querySelector('.squares')).fill")


def test_the_appearance_changes_at_once_and_is_stored(person):
    before = ground(person)
    choose(person, "Appearance", "dark")
    dark = ground(person)
    assert dark != before
    assert person.axe() == []
    person.page.reload()
    person.wait_turn()
    assert ground(person) == dark


@pytest.mark.parametrize("theme", ["wood", "slate"])
def test_a_theme_changes_the_board_and_the_page(person, theme):
    main = "() => getComputedStyle(document.documentElement).getPropertyValue('--main')"
    before = ground(person), person.page.evaluate(main)
    choose(person, "Theme", theme)
    assert ground(person) != before[0]
    assert person.page.evaluate(main) != before[1]
    close(person)
    assert person.axe() == []
    person.page.emulate_media(color_scheme="dark")
    assert person.axe() == []
    person.page.goto(person.server.url)
    person.page.wait_for_selector(".lists:not([hidden])")
    assert person.axe() == []


def test_the_language_can_be_chosen_and_is_stored(person):
    choose(person, "Language", "de")
    person.page.wait_for_selector("text=Du bist am Zug")
    assert person.axe() == []
    person.page.reload()
    person.page.wait_for_selector("text=Du bist am Zug")


def test_an_evaluation_bar_is_shown_beside_the_board(person):
    person.page.get_by_role("button", name="More").click()
    person.page.get_by_label("Evaluation bar").check()
    close(person)
    person.page.wait_for_selector(".bar")
    label = person.page.locator(".bar").get_attribute("aria-label")
    assert label.startswith("Evaluation for")
    assert person.axe() == []


def test_premoves_can_be_switched_off(server, visit):
    made = server.table("octa", ["me", "open"], seed=1)
    server.claim(made)
    person = visit(server)
    person.page.add_init_script("localStorage.setItem('parlour:premoves', 'off')")
    person.sit(made)
    person.wait_turn()
    first, second = person.scene()["actions"][:2]
    by_mouse(person, person.scene(), first)
    wait_moves(person, 1)
    person.cell(second["cells"][0]).click()
    person.page.wait_for_selector("text=It is not your turn")


COUNT_SOUNDS = """
window.tones = 0;
window.loudest = 0;
const begin = AudioParam.prototype.setValueAtTime;
AudioParam.prototype.setValueAtTime = function (value, at) {
  if (value <= 1) window.loudest = Math.max(window.loudest, value);
  return begin.call(this, value, at);
};
const make = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () {
  window.tones += 1;
  return make.call(this);
};
"""


@pytest.mark.parametrize("sounds", ["on", "off"])
def test_a_move_sounds_unless_sounds_are_off(server, visit, sounds):
    person = visit(server)
    person.page.add_init_script(
        f"localStorage.setItem('parlour:sounds', '{sounds}'); {COUNT_SOUNDS}"
    )
    person.sit(server.table("octa", ["me", 1], options={"size": 2}, seed=1))
    person.wait_turn()
    by_mouse(person, person.scene(), person.scene()["actions"][0])
    wait_moves(person, 2)
    if sounds == "on":
        person.page.wait_for_function("() => window.tones > 0")
    else:
        assert person.page.evaluate("() => window.tones") == 0


def test_the_volume_applies_at_once_and_is_stored(person):
    person.page.evaluate(f"() => {{ {COUNT_SOUNDS} }}")
    person.page.get_by_role("button", name="More").click()
    volume = person.page.get_by_label("Volume")
    heard = []
    for value in ("100", "5"):
        person.page.evaluate("() => { window.loudest = 0; }")
        volume.fill(value)
        person.page.wait_for_function("() => window.loudest > 0")
        heard.append(person.page.evaluate("() => window.loudest"))
    assert heard[0] == pytest.approx(20 * heard[1])
    assert person.page.evaluate("() => localStorage.getItem('parlour:volume')") == "5"


def test_a_notification_announces_the_turn_while_the_page_is_hidden(server, visit):
    made = server.table("octa", ["me", "open"], seed=1)
    token = server.claim(made)
    person = visit(server)
    person.page.add_init_script(
        "localStorage.setItem('parlour:notices', 'on'); window.notes = [];"
        "window.Notification = class { static permission = 'granted';"
        "constructor(text) { window.notes.push(text); } };"
    )
    person.sit(made)
    person.wait_turn()
    by_mouse(person, person.scene(), person.scene()["actions"][0])
    wait_moves(person, 1)
    person.page.evaluate(
        "() => Object.defineProperty(document, 'hidden', {get: () => true, configurable: true})"
    )
    with server.socket(made["table"], token) as other:
        other.ask("play", 1, ply=1, action=other.welcome["scene"]["actions"][0][0])
    person.page.wait_for_function("() => window.notes.length === 1")
    assert person.page.evaluate("() => window.notes") == ["Your turn"]
