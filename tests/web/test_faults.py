"""Faults between page and server: the player sees a clear message and loses nothing."""

import httpx
import pytest
from kills import start_server
from live_server import LiveServer
from patience import PATIENCE
from players import by_mouse, play, wait_moves
from proxy import Proxy

LINE = ("WebSocket connection to", "net::ERR_")
"""Console messages of Chromium itself when a connection is cut; the page cannot prevent them."""


MISDATE = """
() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    const message = JSON.parse(text);
    if (message.t === 'play') message.ply = 7;
    WebSocket.prototype.send = send;
    return send.call(this, JSON.stringify(message));
  };
}
"""
CHOOSE = """
(id) => {
  const board = document.querySelector('parlour-board');
  board.choose(board.scene.actions.find((each) => each.id === id));
}
"""


@pytest.fixture
def line(server):
    proxy = Proxy(server.port)
    yield proxy
    proxy.close()


class Through:
    """A server reached through a proxy."""

    def __init__(self, line):
        self.url = line.url


def moves(person):
    return person.page.locator(".history li").count()


def test_a_move_made_offline_is_stored_after_reconnecting(server, visit, line):
    made = server.table("octa", ["me", 1], seed=1)
    person = visit(Through(line), expected=LINE).sit(made)
    person.wait_turn()
    line.flowing.clear()
    line.cut()
    person.page.wait_for_selector(".state[data-state=lost]")
    assert "Connection lost" in person.page.get_by_role("alert").text_content()
    by_mouse(person, person.scene(), person.scene()["actions"][0])
    assert person.page.locator(".pending").count() == 1
    assert moves(person) == 0
    line.flowing.set()
    wait_moves(person, 2)
    assert server.get(f"/tables/{made['table']}").json()["ply"] == 2
    assert person.page.locator(".state").get_attribute("data-state") == "open"


def test_a_half_chosen_move_survives_a_reconnect(server, visit, line):
    made = server.table("blokus", ["me", 1, 1, 1], seed=1)
    person = visit(Through(line), expected=LINE).sit(made)
    person.wait_turn()
    person.page.locator(".piece").nth(5).click()
    held = person.page.evaluate("() => document.querySelector('parlour-board').ghost")
    line.cut()
    person.page.wait_for_selector(".state[data-state=lost]")
    person.page.wait_for_selector(".state[data-state=open]")
    assert person.page.evaluate("() => document.querySelector('parlour-board').ghost") == held
    person.page.get_by_role("button", name="Place").click()
    wait_moves(person, 4)


def test_a_slow_connection_shows_that_a_move_is_not_saved_yet(server, visit, line):
    made = server.table("octa", ["me", 1], seed=1)
    person = visit(Through(line)).sit(made)
    person.wait_turn()
    line.flowing.clear()
    by_mouse(person, person.scene(), person.scene()["actions"][0])
    person.page.wait_for_selector("text=Not saved yet")
    line.flowing.set()
    wait_moves(person, 2)
    assert person.page.locator(".toast.shown").count() == 0


def test_the_game_continues_after_a_server_restart(start, visit, tmp_path):
    first = start()
    made = first.table("octa", ["me", 1], seed=1)
    line = Proxy(first.port)
    person = visit(Through(line), expected=LINE).sit(made)
    by_mouse(person, person.scene(), person.scene()["actions"][0])
    wait_moves(person, 2)
    first.stop()
    person.page.wait_for_selector(".state[data-state=lost]")
    second = LiveServer(tmp_path / "server.sqlite")
    try:
        line._to = second.port
        person.page.wait_for_selector(".state[data-state=open]")
        person.wait_turn()
        by_mouse(person, person.scene(), person.scene()["actions"][0])
        wait_moves(person, 4)
    finally:
        line.close()
        person.context.close()
        second.stop()


def test_the_game_continues_after_kill_9(visit, tmp_path):
    store = f"sqlite:{tmp_path / 'killed.sqlite'}"
    process, link = start_server(store)
    line = Proxy(int(link.rpartition(":")[2]))
    wish = {"game": "octa", "seats": [{"kind": "me"}, {"kind": "agent", "level": 1}], "seed": 1}
    made = httpx.post(f"{link}/api/v1/tables", json=wish, timeout=PATIENCE).json()
    person = visit(Through(line), expected=LINE).sit(made)
    try:
        by_mouse(person, person.scene(), person.scene()["actions"][0])
        wait_moves(person, 2)
        process.kill()
        process.wait()
        process.stdout.close()
        person.page.wait_for_selector(".state[data-state=lost]")
        process, link = start_server(store)
        line._to = int(link.rpartition(":")[2])
        person.page.wait_for_selector(".state[data-state=open]")
        person.wait_turn()
        by_mouse(person, person.scene(), person.scene()["actions"][0])
        wait_moves(person, 4)
    finally:
        line.close()
        person.context.close()
        process.terminate()
        process.wait(PATIENCE)
        process.stdout.close()


def test_a_whole_game_is_played_on_a_slow_connection_that_breaks_repeatedly(server, visit, line):
    made = server.table("octa", ["me", 1], options={"size": 2}, seed=1)
    person = visit(Through(line), expected=LINE).sit(made)
    line.delay = 0.03
    cuts = iter(range(4))

    def act_and_cut(person, scene, action):
        by_mouse(person, scene, action)
        if next(cuts, None) is not None:
            line.cut()

    assert play(person, act_and_cut)
    events = server.get(f"/tables/{made['table']}/events").json()["events"]
    assert [event["v"] for event in events] == list(range(1, len(events) + 1))
    assert next(cuts, None) is None


def test_assistance_that_failed_to_load_is_loaded_again(server, visit):
    made = server.table("octa", ["me", 1], options={"size": 2}, seed=1)
    person = visit(server, expected=("net::ERR_",)).sit(made)
    person.wait_turn()
    person.page.route("**/assist.js", lambda route: route.abort())
    person.page.get_by_role("button", name="Hint").click()
    person.page.wait_for_selector(".toast.shown")


def test_two_tabs_with_one_seat_show_the_same_game(server, visit):
    made = server.table("octa", ["me", 1], seed=1)
    person = visit(server).sit(made)
    first, second = person.page, person.open()
    second.goto(first.url)
    second.wait_for_selector("[role=gridcell]")
    by_mouse(person, person.scene(), person.scene()["actions"][0])
    for page in (first, second):
        page.wait_for_function("() => document.querySelectorAll('.history li').length === 2")


def test_a_stale_move_is_refused_and_the_board_is_corrected(server, visit):
    made = server.table("octa", ["me", 1], seed=1)
    person = visit(server).sit(made)
    person.wait_turn()
    person.page.evaluate(MISDATE)
    action = person.scene()["actions"][0]
    person.page.evaluate(CHOOSE, action["id"])
    person.page.wait_for_selector(".toast.shown")
    assert person.page.get_by_role("alert").text_content()
    by_mouse(person, person.scene(), action)
    wait_moves(person, 2)


def test_a_player_who_loses_the_seat_becomes_a_spectator(server, visit):
    made = server.table("octa", ["me", "open"])
    person = visit(server).sit(made)
    server.post(f"/tables/{made['table']}/seats/0/leave", {}, made["token"])
    person.page.wait_for_selector("text=Another player has taken this seat")
    person.page.reload()
    person.page.wait_for_selector(".message")
    assert person.page.locator(".seat.own").count() == 0


def test_a_refused_press_shows_the_reason(server, visit):
    made = server.table("octa", ["me", 1], seed=1)
    person = visit(server).sit(made)
    person.wait_turn()
    scene = person.scene()
    neutral = next(
        cell for cell, at in enumerate(scene["cells"]) if scene["palette"][at].get("owner") is None
    )
    person.cell(neutral).click()
    person.page.wait_for_selector("text=that cell is neutral")


def test_an_unknown_table_shows_a_message(server, visit):
    person = visit(server).watch("nothing")
    assert "This table does not exist" in person.page.locator("main").text_content()
    assert person.axe() == []


def test_a_board_of_an_unknown_shape_is_drawn_in_squares_with_a_message(server, visit):
    person = visit(server)
    page = person.page
    page.add_init_script(
        "const parse = JSON.parse; JSON.parse = (text) => { const found = parse(text);"
        "if (found.scene?.board) found.scene.board.shape = 'triangle'; return found; };"
    )
    person.sit(server.table("octa", ["me", 1], options={"size": 1}))
    page.wait_for_selector("text=cannot draw boards of this shape")
    assert page.locator("[role=gridcell]").count() == 9


def test_a_browser_without_notifications_says_so(server, visit):
    person = visit(server)
    person.page.add_init_script("delete window.Notification")
    person.sit(server.table("octa", ["me", 1]))
    person.page.get_by_role("button", name="More").click()
    box = person.page.get_by_label("Notify me when it is my turn")
    box.click()
    person.page.wait_for_selector("text=This browser does not allow notifications")
    assert not box.is_checked()


def test_the_page_works_without_local_storage(server, visit):
    person = visit(server)
    person.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }});"
    )
    person.sit(server.table("octa", ["me", 1], seed=1))
    by_mouse(person, person.scene(), person.scene()["actions"][0])
    wait_moves(person, 2)


def test_a_player_continues_after_missing_moves(server, visit, line):
    made = server.table("banqi", ["me", "open"])
    token = server.claim(made)
    person = visit(Through(line), expected=LINE).sit(made)
    person.wait_turn()
    line.flowing.clear()
    line.cut()
    person.page.wait_for_selector(".state[data-state=lost]")
    with (
        server.socket(made["table"], made["token"]) as own,
        server.socket(made["table"], token) as other,
    ):
        ply, socket = 0, own
        while ply < 6 or socket is not own:
            scene = server.get(f"/tables/{made['table']}", made["token"]).json()["scene"]
            socket = own if scene["actor"] == 0 else other
            if ply >= 6 and socket is own:
                break
            flip = next(cell for cell, at in enumerate(scene["cells"]) if at == 0)
            ack = socket.ask("play", f"m{ply}", ply=ply, action=flip)
            assert ack["t"] == "ack", ack
            ply = server.get(f"/tables/{made['table']}").json()["ply"]
    line.flowing.set()
    person.page.wait_for_selector(".state[data-state=open]")
    flips = ply // 2  # each with a chance event
    wait_moves(person, flips)
    assert person.wait_turn()
    by_mouse(person, person.scene(), person.scene()["actions"][0])
    wait_moves(person, flips + 1)


BROKEN = """
const parse = JSON.parse;
JSON.parse = (text) => {
  const found = parse(text);
  if (found.t === 'welcome' && found.scene) found.scene.cells = [999];
  return found;
};
"""


def test_an_invalid_scene_shows_a_message(server, visit):
    person = visit(server)
    person.page.add_init_script(BROKEN)
    person.sit(server.table("octa", ["me", 1]))
    person.page.wait_for_selector("text=cannot draw what the server sent")


def test_an_invalid_diff_is_repaired_by_a_full_scene(server, visit):
    person = visit(server)
    person.page.add_init_script(
        BROKEN.replace("'welcome' && found.scene", "'update' && found.diff").replace(
            "found.scene.cells = [999]", "found.diff.cells = [[0, 99999]]"
        )
    )
    person.sit(server.table("octa", ["me", 1], seed=1))
    person.wait_turn()
    by_mouse(person, person.scene(), person.scene()["actions"][0])
    wait_moves(person, 2)
    assert person.wait_turn()
    assert person.scene()["actions"]
