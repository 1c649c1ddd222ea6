"""The player's own games: results, records in one file, and a link for another device."""

import zipfile

import pytest
from browser import DESK, PHONE

import parlour


@pytest.fixture
def player(server, visit):
    """A player with a running game and two lost ones."""

    def begin(**options):
        person = visit(server, **options)
        tables = [server.table("octa", ["me", 1], options={"size": 1}) for _ in range(3)]
        for made in tables:
            cookie = {"name": f"seat_{made['table']}", "value": made["token"], "url": server.url}
            person.context.add_cookies([cookie])
        for made in tables[1:]:
            seat = server.get(f"/tables/{made['table']}", made["token"]).json()
            action = seat["scene"]["actions"][0][0]
            body = {"ply": 0, "action": action}
            path = f"/tables/{made['table']}"
            assert server.post(f"{path}/actions", body, made["token"]).status_code == 200
            server.post(f"{path}/seats/0/leave", {}, made["token"])
        return person, tables

    return begin


@pytest.mark.parametrize(
    ("scheme", "size", "locale"), [("light", DESK, "en-GB"), ("dark", PHONE, "de-DE")]
)
def test_finished_games_are_listed_with_results_and_filtered(server, player, scheme, size, locale):
    person, _ = player(color_scheme=scheme, locale=locale, **size)
    page = person.page
    page.goto(f"{server.url}/games")
    page.wait_for_function("() => document.querySelectorAll('.how b').length === 2")
    assert page.locator(".list.own").first.locator("[data-table]").count() == 1
    page.locator(".filters select").nth(1).select_option("won")
    page.wait_for_function("() => document.querySelectorAll('.how b').length === 0")
    page.locator(".filters select").nth(1).select_option("lost")
    page.wait_for_function("() => document.querySelectorAll('.how b').length === 2")
    assert person.axe() == []
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def test_all_records_are_saved_in_one_archive(server, player):
    person, tables = player()
    page = person.page
    page.goto(f"{server.url}/games")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download records").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert archive.testzip() is None
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(texts) == {f"octa-{made['table']}.parlour" for made in tables[1:]}
    assert all(parlour.Record.from_text(text).game.name == "octa" for text in texts.values())


def test_seats_move_to_a_phone_and_the_link_works_once(server, player, visit):
    person, tables = player()
    page = person.page
    page.goto(f"{server.url}/t/{tables[0]['table']}")
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Play on another device").click()
    page.get_by_role("button", name="Make a link").click()
    url = page.get_by_role("textbox", name="Play on another device").input_value()
    assert page.get_by_role("img", name="QR").count() == 1
    assert person.axe() == []
    phone = visit(server, expected=["409"], **PHONE)
    phone.page.goto(url)
    take = phone.page.get_by_role("button", name="Take the seats")
    take.wait_for()
    assert phone.axe() == []
    take.click()
    phone.page.wait_for_selector("[data-table]")
    assert phone.page.evaluate("() => location.hash") == ""
    phone.page.locator(".list.own").first.get_by_role("link").first.click()
    phone.wait_turn()
    other = visit(server, expected=["409"])
    other.page.goto(url)
    other.page.get_by_role("button", name="Take the seats").click()
    other.page.wait_for_selector(".wrong >> text=already used")
    other.page.get_by_role("button", name="Not now").click()
    other.page.wait_for_selector("text=You have not finished a game yet")


def test_a_revoked_link_is_refused(server, player, visit):
    person, _ = player()
    page = person.page
    page.goto(f"{server.url}/games")
    page.get_by_role("button", name="Make a link").click()
    url = page.get_by_role("textbox", name="Play on another device").input_value()
    page.get_by_role("button", name="Revoke the link").click()
    page.get_by_role("button", name="Make a link").wait_for()
    other = visit(server, expected=["409"])
    other.page.goto(url)
    other.page.get_by_role("button", name="Take the seats").click()
    other.page.wait_for_selector(".wrong:not(:empty)")


def test_the_front_page_leads_to_all_games(server, player):
    person, _ = player()
    person.page.goto(server.url)
    person.page.get_by_role("link", name="All your games").click()
    person.page.wait_for_selector("[data-table]")


def test_a_browser_without_games_says_so(server, visit):
    person = visit(server)
    person.page.goto(f"{server.url}/games")
    person.page.wait_for_selector("text=You have not finished a game yet")
    assert person.page.get_by_role("button", name="Make a link").count() == 0
    assert person.axe() == []
