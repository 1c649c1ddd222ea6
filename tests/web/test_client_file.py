"""The single-file client of `examples/javascript` in a page of another site."""

import pytest
from proxy import Proxy


@pytest.fixture
def elsewhere(serve_folder, root):
    """The example page, served by another server."""
    return serve_folder(root / "examples" / "javascript")


def play_to_the_end(page, before_move=lambda number: None):
    """Play until the game is over. Return the final status."""
    words = page.locator("#status")
    for number in range(100):
        page.wait_for_function(
            "() => /^Your turn|wins|tie/i.test(document.querySelector('#status').textContent)"
        )
        said = words.text_content()
        if not said.startswith("Your turn"):
            return said
        before_move(number)
        page.locator("#board button:enabled").first.click()
        page.wait_for_function(
            "(said) => document.querySelector('#status').textContent !== said", arg=said
        )
    raise AssertionError("the game does not end")


def test_a_whole_game_is_played_from_another_origin(start, visit, elsewhere):
    server = start(origins=(elsewhere,))
    page = visit(server).page
    page.goto(f"{elsewhere}/index.html?server={server.url}&game=octa&options=%7B%22size%22:2%7D")
    page.get_by_role("button", name="Play against level 1").click()
    said = play_to_the_end(page)
    assert "more cells" in said or "tie" in said
    assert server.run(server.app.rooms.store.count()) == {"over": 1}


def test_the_browser_reconnects_after_a_lost_connection(start, visit, elsewhere):
    server = start(origins=(elsewhere,))
    made = server.table("octa", [1, "open"], options={"size": 2}, seed=2)
    line = Proxy(server.port)
    try:
        page = visit(server, expected=("WebSocket connection to",)).page
        page.goto(f"{elsewhere}/index.html")
        page.get_by_label("or an invitation").fill(
            made["invitations"][0]["url"].replace(server.url, line.url)
        )
        page.get_by_role("button", name="Sit down").click()
        play_to_the_end(page, lambda number: number in (1, 4) and line.cut())
    finally:
        line.close()
    assert server.get(f"/tables/{made['table']}").json()["status"] == "over"


def test_a_page_of_a_foreign_origin_sees_an_error(server, visit, elsewhere):
    person = visit(server, expected=("CORS", "net::ERR_FAILED"))
    person.page.goto(f"{elsewhere}/index.html?server={server.url}")
    person.page.get_by_role("button", name="Play against level 1").click()
    person.page.get_by_text("does not answer").wait_for()
