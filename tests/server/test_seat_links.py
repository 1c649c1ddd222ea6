"""Links that carry all seats of a browser to another one, once."""

import pytest
from live_server import OwnClock, Rate

from parlour.server.http import seat_links


def refused(answer, status, code):
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    return answer.json()["message"]


def seated(server, count=2):
    """Return tables with a seat each, and their tokens as a browser sends them."""
    made = [server.table("octa", ["me", 1], options={"size": 1}) for _ in range(count)]
    return made, ",".join(each["token"] for each in made)


def linked(server, tokens):
    answer = server.post("/seats/link", token=tokens)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_another_browser_gets_every_seat_and_can_play(server):
    made, tokens = seated(server)
    link = linked(server, tokens)
    assert link["url"] == f"{server.url}/games#seats={link['code']}"
    assert link["seats"] == 2
    answer = server.post("/seats/claim", {"code": link["code"]})
    found = {each["table"]: each for each in answer.json()["seats"]}
    assert set(found) == {each["table"] for each in made}
    cookies = answer.headers.get_list("set-cookie")
    assert sum(each.startswith("seat_") and "HttpOnly" in each for each in cookies) == 2
    for each in made:
        seat = found[each["table"]]
        path = f"/tables/{each['table']}/seats/{seat['seat']}/leave"
        assert server.get(f"/tables/{each['table']}", seat["token"]).json().get("you") == 0
        assert server.post(path, {}, each["token"]).status_code == 200  # both may play


def test_a_link_works_once(server):
    _, tokens = seated(server)
    code = {"code": linked(server, tokens)["code"]}
    assert server.post("/seats/claim", code).status_code == 200
    assert "already used" in refused(server.post("/seats/claim", code), 409, "used")


def test_a_revoked_link_does_not_work(server):
    _, tokens = seated(server)
    code = {"code": linked(server, tokens)["code"]}
    assert server.post("/seats/revoke", code).json() == {"seats": 2}
    refused(server.post("/seats/claim", code), 409, "used")


def test_a_link_expires(start):
    clock = OwnClock()
    server = start(clock=clock.server)
    _, tokens = seated(server)
    link = linked(server, tokens)
    clock.seconds += link["seconds"] + 1
    answer = server.post("/seats/claim", {"code": link["code"]})
    assert "expired" in refused(answer, 409, "used")


def test_a_seat_with_another_holder_since_is_left_out(server):
    made, tokens = seated(server)
    waiting = server.table("octa", ["me", "open"])
    code = {"code": linked(server, f"{tokens},{waiting['token']}")["code"]}
    path = f"/tables/{waiting['table']}/seats/0/leave"
    assert server.post(path, {}, waiting["token"]).status_code == 200
    found = server.post("/seats/claim", code).json()["seats"]
    assert {each["table"] for each in found} == {each["table"] for each in made}


@pytest.mark.parametrize("path", ["claim", "revoke"])
def test_an_unknown_code_is_refused(server, path):
    refused(server.post(f"/seats/{path}", {"code": "nothing"}), 409, "used")
    refused(server.post(f"/seats/{path}", {"code": "x" * 101}), 400, "bad_message")


def test_without_seats_there_is_no_link(server):
    refused(server.post("/seats/link"), 401, "unauthorized")
    refused(server.post("/seats/link", token="nonsense"), 401, "unauthorized")


def test_a_link_carries_a_limited_number_of_seats_running_games_first(server, monkeypatch):
    monkeypatch.setattr(seat_links, "MOST_SEATS", 1)
    made, tokens = seated(server)
    path = f"/tables/{made[1]['table']}/seats/0/leave"
    assert server.post(path, {}, made[1]["token"]).status_code == 200
    found = server.post("/seats/claim", {"code": linked(server, tokens)["code"]}).json()["seats"]
    assert [each["table"] for each in found] == [made[0]["table"]]


def test_every_seat_is_paid_for(start):
    server = start(work=Rate(0.01, 100))
    _, tokens = seated(server, 3)
    answers = [server.post("/seats/link", token=tokens).status_code for _ in range(8)]
    assert answers[0] == 200
    assert answers[-1] == 429


def test_the_store_has_neither_code_nor_claims(start, tmp_path):
    server = start()
    _, tokens = seated(server)
    link = linked(server, tokens)
    server.stop()
    stored = b"".join(each.read_bytes() for each in tmp_path.glob("server.sqlite*"))
    assert link["code"].encode() not in stored


def test_a_finished_table_says_how_it_ended(server):
    made, _ = seated(server, 1)
    table = made[0]["table"]
    assert "ending" not in server.get(f"/tables/{table}").json()
    server.post(f"/tables/{table}/seats/0/leave", {}, made[0]["token"])
    ending = server.get(f"/tables/{table}").json()["ending"]
    assert ending["returns"] == [-1.0, 1.0]
    assert ending["words"]
