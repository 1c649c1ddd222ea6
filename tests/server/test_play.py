"""Games on a server: connections, requests, events, versions."""

import random

import pytest
from random_player import play_to_the_end
from websockets.exceptions import ConnectionClosed

import parlour
from parlour.protocol import VERSION

GAMES = ["octa", "banqi", "cat_mouse", "blokus"]


@pytest.mark.parametrize("game", ["octa", "banqi", "blokus"])
def test_a_game_against_agents_can_be_played_to_the_end(server, game):
    seats = ["me", 1, 1, 1] if game == "blokus" else ["me", 1]
    made = server.table(game, seats)
    with server.socket(made["table"], made["token"]) as socket:
        ending, _ = play_to_the_end(socket, random.Random(1))
        assert len(ending["returns"]) == len(seats)
        versions = [message["v"] for message in socket.events()]
        first = socket.welcome["v"] + 1
        assert versions == list(range(first, first + len(versions)))
    record = server.get(f"/tables/{made['table']}/record")
    assert record.status_code == 200
    assert record.text.startswith("parlour record 1\n")


def test_two_people_play_and_a_spectator_sees_every_version(server):
    made = server.table("octa", ["me", "open"], name="Ann", options={"size": 2})
    with server.socket(made["table"]) as watcher:
        assert watcher.welcome["status"] == "waiting"
        assert watcher.welcome["you"] is None
        token = server.claim(made)
        joined, started = watcher.receive("event"), watcher.receive("event")
        assert (joined["kind"], joined["sentence"]) == ("join", "Bob sits down.")
        assert started["kind"] == "start"
        assert started["scene"]["cells"]
        assert started["scene"].get("actions", []) == []
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
        ):
            assert (ann.welcome["you"], bob.welcome["you"]) == (0, 1)
            action = ann.welcome["scene"]["actions"][0]
            assert bob.welcome["scene"].get("actions", []) == []
            ack = ann.ask("play", "a", ply=0, action=action[1])
            assert ack == {"t": "ack", "id": "a", "v": 3}
            for viewer in (ann, bob, watcher):
                event = (
                    next(e for e in viewer.received if e.get("v") == 3)
                    if viewer is ann
                    else (viewer.receive("event"))
                )
                assert (event["kind"], event["text"], event["ply"]) == ("play", action[1], 1)
                has_actions = bool(event["diff"].get("actions"))
                assert has_actions == (viewer is bob)


@pytest.mark.parametrize("version", [0, 2, 99])
def test_a_hello_with_another_version_is_refused_and_says_what_to_update(server, version):
    made = server.table("octa", ["me", 1])
    for more in ({"table": made["table"]}, {"lobby": True}):
        with server.socket(hello=False) as socket:
            socket.send({"t": "hello", "protocol": version, **more})
            refused = socket.receive("error")
            assert refused["code"] == "version"
            assert f"update the {'client' if version < 1 else 'server'}" in refused["message"]
            with pytest.raises(ConnectionClosed, match="4426"):
                socket.receive("pong")


def test_the_welcome_carries_the_version_of_the_protocol(server):
    made = server.table("octa", ["me", 1])
    with server.socket(made["table"], made["token"]) as socket:
        assert socket.welcome["protocol"] == VERSION


class TestRequests:
    @pytest.fixture
    def made(self, server):
        return server.table("octa", ["me", 1], options={"size": 2})

    def test_a_repeated_id_gets_the_same_ack_and_runs_once(self, server, made):
        with server.socket(made["table"], made["token"]) as socket:
            action = socket.welcome["scene"]["actions"][0][0]
            first = socket.ask("play", 1, ply=0, action=action)
            assert socket.ask("play", 1, ply=0, action=action) == first
        with server.socket(made["table"], made["token"]) as again:
            assert again.ask("play", 1, ply=0, action=action) == first

    def test_the_same_id_with_another_body_is_a_conflict(self, server, made):
        with server.socket(made["table"], made["token"]) as socket:
            actions = socket.welcome["scene"]["actions"]
            socket.ask("play", 1, ply=0, action=actions[0][0])
            assert socket.ask("play", 1, ply=0, action=actions[1][0])["code"] == "conflict"

    def test_an_error_is_not_remembered(self, server, made):
        with server.socket(made["table"], made["token"]) as socket:
            action = socket.welcome["scene"]["actions"][0][0]
            assert socket.ask("play", 1, ply=7, action=action)["code"] == "stale"
            assert socket.ask("play", 1, ply=0, action=action)["t"] == "ack"

    def test_an_illegal_action_is_refused_with_the_rule(self, server, made):
        with server.socket(made["table"], made["token"]) as socket:
            answer = socket.ask("play", 1, ply=0, action="0,0")
            assert (answer["code"], answer["ply"]) == ("illegal", 0)
            assert "0,0" in answer["message"] or "cell" in answer["message"]
            assert socket.ask("play", 2, ply=0, action="nonsense")["code"] == "bad_action"

    def test_integers_may_be_written_as_floats(self, server, made):
        with server.socket(made["table"], made["token"]) as socket:
            action = socket.welcome["scene"]["actions"][0][0]
            socket.send(f'{{"t": "play", "id": 1.0, "ply": 0.0, "action": {action}.0}}')
            assert socket.receive("ack", "error") == {"t": "ack", "id": 1, "v": 2}

    def test_over_http_the_idempotency_key_is_the_id(self, server, made):
        with server.socket(made["table"], made["token"]) as socket:
            action = socket.welcome["scene"]["actions"][0][0]
        path = f"/tables/{made['table']}/actions"
        body = {"ply": 0, "action": action}
        first = server.post(path, body, made["token"], "k")
        assert first.json() == {"v": 2}
        assert server.post(path, body, made["token"], "k").json() == {"v": 2}
        assert server.post(path, {"ply": 0, "action": 0}, made["token"], "k").status_code == 409


class TestReconnecting:
    def test_a_reconnecting_client_receives_all_missed_events(self, server):
        made = server.table("octa", ["me", 1], options={"size": 2})
        with server.socket(made["table"], made["token"]) as socket:
            known = socket.welcome["v"]
            play_to_the_end(socket, random.Random(2), most=3)
            socket.ask("takeback", "t")
        with server.socket(made["table"], made["token"], v=known) as again:
            welcome = again.welcome
            latest = server.get(f"/tables/{made['table']}").json()["v"]
            assert welcome["v"] == latest
            versions = [event["v"] for event in welcome["missed"]]
            assert versions == list(range(known + 1, latest + 1))
            assert len(welcome["history"]) == welcome["ply"]

    def test_the_events_are_the_same_over_http(self, server):
        made = server.table("octa", ["me", 1], options={"size": 2})
        with server.socket(made["table"], made["token"]) as socket:
            play_to_the_end(socket, random.Random(2))
            received = [(e["v"], e["sentence"]) for e in socket.events()]
        response = server.get(f"/tables/{made['table']}/events?after=1", made["token"]).json()
        assert [(e["v"], e["sentence"]) for e in response["events"]] == received

    def test_an_unknown_future_version_gets_the_whole_scene(self, server):
        made = server.table("octa", ["me", 1])
        with server.socket(made["table"], made["token"], v=10_000) as socket:
            assert "missed" not in socket.welcome
            assert socket.welcome["scene"]["cells"]

    def test_a_restarted_server_resumes_its_games(self, start):
        first = start()
        made = first.table("banqi", ["me", 1])
        with first.socket(made["table"], made["token"]) as socket:
            play_to_the_end(socket, random.Random(3), most=5)
        before = first.get(f"/tables/{made['table']}").json()
        first.stop()
        second = start()
        with second.socket(made["table"], made["token"]) as socket:
            play_to_the_end(socket, random.Random(3), most=5)
        events = second.get(f"/tables/{made['table']}/events").json()["events"]
        assert [event["v"] for event in events] == list(range(1, len(events) + 1))
        assert before["v"] < events[-1]["v"]


class TestQueries:
    def test_previews_are_answered_only_on_your_turn(self, server):
        made = server.table("octa", ["me", "open"], seed=1)
        token = server.claim(made)
        game = parlour.game("octa")
        state = game.start(1)
        action = int(state.legal_actions()[0])
        pairs = zip(state.scene().cells, state.apply(action).scene().cells, strict=True)
        expected = [n for n, (old, new) in enumerate(pairs) if old != new]
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
        ):
            ann.send({"t": "preview", "id": 1, "action": action})
            found = ann.receive("preview", "error")
            assert found["cells"] == expected
            assert [look["owner"] for look in found["looks"]] == [0] * len(expected)
            bob.send({"t": "preview", "id": 2, "action": action})
            assert bob.receive("preview", "error")["code"] == "not_your_turn"

    def test_the_coach_explains_the_start_of_the_table(self, server):
        made = server.table("octa", ["me", 1], options={"size": 2}, seed=1)
        game = parlour.game("octa", size=2)
        steps = game.guide().coach(game.start(1))
        with server.socket(made["table"], made["token"]) as socket:
            socket.send({"t": "coach", "id": 1})
            found = socket.receive("coach", "error")["steps"]
        assert [step["text"] for step in found] == [step.text for step in steps]
        assert [tuple(step.get("cells", ())) for step in found] == [step.cells for step in steps]

    def test_why_is_answered_with_the_rule(self, server):
        made = server.table("octa", ["me", 1], seed=1)
        with server.socket(made["table"], made["token"]) as socket:
            legal = {action[2][0] for action in socket.welcome["scene"]["actions"]}
            holes = socket.welcome["scene"]["board"].get("holes", [])
            cells = range(len(socket.welcome["scene"]["cells"]))
            cell = next(n for n in cells if n not in legal and n not in holes)
            socket.send({"t": "why", "id": 1, "cells": [cell]})
            assert socket.receive("why", "error")["message"]
            socket.send({"t": "why", "id": 2, "cells": [10_000]})
            assert socket.receive("why", "error")["code"] == "not_allowed"

    def test_everyone_can_ask_for_the_steps_of_an_action(self, server):
        made = server.table("octa", ["me", "open"], seed=1)
        server.claim(made)
        game = parlour.game("octa")
        state = game.start(1)
        longest = max(state.legal_actions(), key=lambda each: len(game.frames(state, each)))
        frames = game.frames(state, longest)[:-1]
        assert frames
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"]) as watcher,
        ):
            v = ann.ask("play", 1, ply=0, action=int(longest))["v"]
            watcher.send({"t": "frames", "id": 1, "v": v})
            response = watcher.receive("frames", "error")
            assert len(response["frames"]) == len(frames)
            for wire, scene in zip(response["frames"], frames, strict=True):
                glyphs = [response["palette"][place]["glyph"] for place in wire]
                assert glyphs == [cell.glyph for cell in scene.cells]
            watcher.send({"t": "frames", "id": 2, "v": 1})
            assert watcher.receive("frames", "error")["code"] == "not_allowed"

    def test_past_positions_are_available_as_scene_and_picture(self, server):
        made = server.table("octa", ["me", "open"], seed=1)
        server.claim(made)
        path = f"/tables/{made['table']}"
        before = server.get(path).json()["scene"]
        with server.socket(made["table"], made["token"]) as ann:
            ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])
        assert server.get(f"{path}?ply=0").json()["scene"]["cells"] == before["cells"]
        assert server.get(f"{path}?ply=7").json()["code"] == "not_found"
        assert server.get(f"{path}?ply=x").json()["code"] == "bad_message"
        assert server.get(f"{path}/film").json()["code"] == "not_allowed"
        picture = server.get(f"{path}/picture?ply=1")
        assert picture.headers["content-type"] == "image/svg+xml"
        assert picture.text.startswith("<svg")

    def test_a_film_of_a_very_long_game_is_too_large_and_not_drawn(self, server, monkeypatch):
        made = server.table("octa", ["me", 1], options={"size": 2})
        with server.socket(made["table"], made["token"]) as socket:
            socket.ask("resign", 1)
        monkeypatch.setattr("parlour.server.http.api.MOST_FRAMES", 0)
        monkeypatch.delattr("parlour.server.http.films.Films.film")
        film = server.get(f"/tables/{made['table']}/film")
        assert (film.status_code, film.json()["code"]) == (413, "too_large")

    def test_a_finished_game_is_available_as_a_film(self, server):
        made = server.table("octa", ["me", "open"], options={"size": 2}, seed=1)
        server.claim(made)
        with server.socket(made["table"], made["token"]) as ann:
            ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])
            ann.ask("resign", 2)
        film = server.get(f"/tables/{made['table']}/film")
        assert film.headers["content-type"] == "image/gif"
        assert film.content.startswith(b"GIF89a")
