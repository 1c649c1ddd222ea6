"""Games whose log has holes: refused and reported once, while the others go on."""

import logging

import pytest
import raw_store
from test_tables import first_action, refused, two_people


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request):
    return request.param


HOLES = {
    "the first event": "DELETE FROM event WHERE game_id = ? AND v = 1",
    "an event in the middle": "DELETE FROM event WHERE game_id = ? AND v = 3",
    "the last event": "DELETE FROM event WHERE game_id = ? AND v = 4",
    "all events": "DELETE FROM event WHERE game_id = ?",
    "the last version": "UPDATE game SET v = v - 1 WHERE id = ?",
}


def played(server):
    """Play two moves and return the table, its tokens and its version."""
    made, guest = two_people(server)
    for seat, token in enumerate((made["token"], guest)):
        with server.socket(made["table"], token) as socket:
            assert socket.ask("play", seat, ply=seat, action=first_action(socket))["t"] == "ack"
    return made


@pytest.mark.parametrize("statement", HOLES.values(), ids=HOLES.keys())
def test_a_log_with_a_hole_is_refused_and_reported_once(start, caplog, statement):
    first = start()
    damaged, intact = played(first), played(first)
    assert first.get(f"/tables/{damaged['table']}").json()["v"] == 4
    store = first.settings.store
    first.stop()
    raw_store.execute(store, statement, (damaged["table"],))
    second = start()
    with caplog.at_level(logging.WARNING, "parlour.server"):
        for _ in range(3):
            answer = second.get(f"/tables/{damaged['table']}")
            assert damaged["table"] in refused(answer, 502, "damaged_game")
    assert len([each for each in caplog.records if "is damaged" in each.getMessage()]) == 1
    with second.socket(damaged["table"]) as socket:
        assert socket.welcome["code"] == "damaged_game"
    assert second.get(f"/tables/{intact['table']}").json()["ply"] == 2
    own = second.get("/tables?mine", token=f"{damaged['token']},{intact['token']}").json()
    assert [each["table"] for each in own["tables"]] == [intact["table"]]


def test_a_hole_that_appears_later_is_found_when_another_process_plays_on(start):
    server = start()
    made = played(server)
    table = made["table"]
    raw_store.execute(server.settings.store, "UPDATE game SET v = 7 WHERE id = ?", (table,))
    with server.socket(table, made["token"]) as socket:
        answer = socket.ask("play", 9, ply=2, action=first_action(socket))
        assert answer["t"] == "error"
    refused(server.get(f"/tables/{table}"), 502, "damaged_game")


def test_a_damaged_game_is_not_loaded_at_every_sweep(start, monkeypatch):
    first = start()
    two_people(first, clock="1m")
    store = first.settings.store
    first.stop()
    raw_store.execute(store, "DELETE FROM event WHERE v = 1")
    raw_store.execute(store, "UPDATE game SET deadline = 1")
    second = start(beat_seconds=100.0, lease_seconds=3000.0)
    rooms, loads = second.app.rooms, []
    load = rooms.store.load

    async def counting(table, after=0):
        loads.append(table)
        return await load(table, after)

    monkeypatch.setattr(rooms.store, "load", counting)
    for _ in range(4):
        second.run(rooms.housekeeping.sweep())
    assert len(loads) <= 1
