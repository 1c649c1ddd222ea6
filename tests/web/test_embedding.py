"""A table embedded in the page of another site."""

import pytest


@pytest.fixture
def elsewhere(serve_folder, root):
    """The example page, served by another server."""
    return serve_folder(root / "examples" / "embedding")


def opened(person, elsewhere, server, made, token=""):
    fragment = f"#token={token}" if token else ""
    address = f"{elsewhere}/index.html?server={server.url}&table={made['table']}{fragment}"
    person.page.goto(address)
    return person.page.frame_locator("#table")


def test_an_allowed_page_can_frame_a_seat(start, visit, elsewhere):
    server = start(origins=(elsewhere,))
    made = server.table("octa", ["me", 1], options={"size": 2}, seed=1)
    person = visit(server, expected=("404 (File not found)",))
    frame = opened(person, elsewhere, server, made, made["token"])
    frame.locator(".message >> text=Your turn").wait_for()
    frame.locator(".can").first.click()
    for _ in range(100):
        if server.get(f"/tables/{made['table']}").json()["ply"] >= 2:
            break
        person.page.wait_for_timeout(50)
    assert server.get(f"/tables/{made['table']}").json()["ply"] >= 2
    cookies = [cookie["name"] for cookie in person.context.cookies()]
    assert not any(name.startswith("seat_") for name in cookies)


def test_without_a_token_a_frame_watches(start, visit, elsewhere):
    server = start(origins=(elsewhere,))
    made = server.table("octa", ["me", 1], options={"size": 2}, seed=1)
    person = visit(server, expected=("404 (File not found)",))
    frame = opened(person, elsewhere, server, made)
    frame.locator("[role=gridcell]").first.wait_for()
    assert frame.locator(".can").count() == 0


def test_the_board_element_works_in_another_page(start, visit, elsewhere):
    server = start(origins=(elsewhere,))
    made = server.table("octa", ["me", 1], options={"size": 2}, seed=1)
    person = visit(server, expected=("404 (File not found)",))
    opened(person, elsewhere, server, made)
    own = person.page.locator("#alone")
    own.get_by_role("gridcell", name="row 3, column b").click()
    assert own.get_by_role("gridcell", name="a stone").count() == 2


def test_a_foreign_page_cannot_frame_a_table(server, visit, elsewhere):
    made = server.table("octa", ["me", 1], options={"size": 2}, seed=1)
    person = visit(server, expected=("frame-ancestors", "404 (File not found)", "X-Frame"))
    frame = opened(person, elsewhere, server, made, made["token"])
    person.page.locator("#alone [role=gridcell]").first.wait_for()
    assert frame.locator("[role=gridcell]").count() == 0
