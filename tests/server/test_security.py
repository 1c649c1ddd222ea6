"""The security rules, each with an attempt to break it."""

import base64
import contextlib
import json
import logging
import random
from hashlib import sha256
from unittest.mock import Mock

import pytest
import raw_store
from goofspiel import Goofspiel
from kuhn import Kuhn
from live_server import OwnClock
from random_player import actions_after, play_to_the_end
from two_servers import until
from websockets.exceptions import ConnectionClosed, InvalidStatus

import parlour
from parlour.protocol.limits import COOKIE_BYTES
from parlour.server import rates, tokens
from parlour.server.http import backlog
from parlour.server.http.cookies import MOST_DROPPED, seats_in
from parlour.server.live import openings
from parlour.server.rates import Rate
from parlour.server.store.sqlite import SqliteStore
from parlour.table import ChanceSource, verify
from parlour.table.errors import Busy
from parlour.table.notes import Notes


def refused(answer, status, code):
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text


def kept(server, statement):
    return raw_store.execute(server.settings.store, statement)


def same_secret(monkeypatch):
    """Make two worlds generate the same hidden information."""

    async def secret(store):
        return b"s" * 32

    monkeypatch.setattr(SqliteStore, "secret", secret)


class TestHiddenInformation:
    """Rule 1: search every byte sent to each viewer for hidden information."""

    @pytest.mark.parametrize("seed", range(4))
    def test_no_message_before_the_end_contains_the_key_or_seed(self, server, seed):
        made = server.table("banqi", ["me", "open"])
        token = server.claim(made)
        ((key,),) = kept(server, "SELECT chance_key FROM game")
        ((data,),) = kept(server, "SELECT data FROM event WHERE kind = 'start'")
        secret = [key.hex(), base64.b64encode(key).decode(), str(list(key)), key.hex().upper()]
        setup = str(json.loads(data)["start"][2])
        assert ChanceSource(key).setup_seed() == int(setup)
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
            server.socket(made["table"]) as watcher,
        ):
            players, rng = (ann, bob), random.Random(seed)
            actions, ply = actions_after(ann.welcome, []), 0
            for number in range(12):
                mover = players[number % 2]
                if not actions:
                    break
                mover.send(
                    {"t": "play", "id": number, "ply": ply, "action": rng.choice(actions)[0]}
                )
                other = players[1 - number % 2]
                while not (message := other.receive("event")).get("diff", message.get("scene")):
                    pass
                ply, actions = message["ply"], actions_after(message, [])
            watcher.send({"t": "ping", "at": 1})
            watcher.receive("pong")
            received = [*ann.bytes, *bob.bytes, *watcher.bytes]
            for path in ("", "/events", "/record"):
                for who in ("", made["token"]):
                    received.append(server.get(f"/tables/{made['table']}{path}", who).text)
            for text in received:
                assert not [each for each in secret if each in text]
                assert setup not in text
            ann.ask("resign", "r")
            assert any(key.hex() in text for text in ann.bytes)

    @pytest.mark.parametrize("seed", range(3))
    def test_states_a_seat_cannot_distinguish_give_equal_traffic(
        self, start, tmp_path, monkeypatch, seed
    ):
        """Play the same game twice with different hidden information: the traffic must be equal."""
        parlour.register("kuhn", Kuhn)
        traffic = []
        for world in range(2):
            traffic.append(self.received(start, tmp_path, monkeypatch, seed, world))
        for viewer in ("seat", "spectator"):
            assert traffic[0][viewer] == traffic[1][viewer]
        assert traffic[0]["truth"] != traffic[1]["truth"]

    def received(self, start, tmp_path, monkeypatch, seed, world):
        """Return what seat 0 and a spectator receive; the hidden part depends on `world`."""
        numbers = iter(range(10_000))
        monkeypatch.setattr(openings, "new_table_id", lambda: f"table{next(numbers)}")
        same_secret(monkeypatch)
        path = tmp_path / f"world-{seed}-{world}.sqlite"
        server = start(path, OwnClock().server)
        made = server.table("kuhn", ["me", "open"], name="Ann")
        room = server.run(server.app.rooms.room(made["table"]))
        key = self.key_of(room, seed, world)
        room.hosted.row = room.hosted.row._replace(chance_key=key)
        token = server.claim(made)
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
            server.socket(made["table"]) as watcher,
        ):
            truth = room.hosted.table.line.actions
            if room.hosted.table.actor == 0:
                rng = random.Random(seed)
                action = rng.choice(ann.welcome["scene"]["actions"])[0]
                ann.ask("play", "p", ply=ann.welcome["ply"], action=action)
            for each in (ann, watcher, bob):
                each.send({"t": "ping", "at": 9})
                each.receive("pong")
            commitment = ChanceSource(key).commitment
            clean = {}
            for viewer, socket in (("seat", ann), ("spectator", watcher)):
                kept = [text for text in socket.bytes if '"presence"' not in text]
                clean[viewer] = [text.replace(commitment, "COMMITMENT") for text in kept]
        server.stop()
        return {**clean, "truth": truth}

    def key_of(self, room, seed, world):
        """Return a key that deals seat 0 the same in both worlds, and others differently."""
        game = room.hosted.game
        seen = {}
        for number in range(2000):
            key = sha256(f"{seed}/{number}".encode()).digest()
            source = ChanceSource(key)
            state, drawn = game.start(source.setup_seed()), 0
            while state.actor == parlour.CHANCE:
                state = state.apply(source.outcome(state, drawn))
                drawn += 1
            sight = (state.scene(0), state.scene(None))
            others = seen.setdefault(repr(sight), {})
            others.setdefault(state.key(), key)
            if len(others) > 1:
                return list(others.values())[world]
        raise AssertionError("no two such worlds were found")

    def test_a_pending_bid_is_not_sent_to_other_viewers(self, start, tmp_path, monkeypatch):
        parlour.register("goofspiel", Goofspiel)
        traffic = []
        same_secret(monkeypatch)
        for world in range(2):
            numbers = iter(range(10_000))
            monkeypatch.setattr(openings, "new_table_id", lambda n=numbers: f"table{next(n)}")
            monkeypatch.setattr(
                openings.ChanceSource, "secret", lambda nonces=(): ChanceSource(b"k" * 32, nonces)
            )
            server = start(tmp_path / f"bid-{world}.sqlite", OwnClock().server)
            made = server.table("goofspiel", ["me", "open"], name="Ann")
            token = server.claim(made)
            with (
                server.socket(made["table"], made["token"]) as ann,
                server.socket(made["table"], token) as bob,
                server.socket(made["table"]) as watcher,
            ):
                action = ann.welcome["scene"]["actions"][world][0]
                assert ann.ask("play", "p", ply=ann.welcome["ply"], action=action)["t"] == "ack"
                for each in (bob, watcher):
                    each.send({"t": "ping", "at": 9})
                    each.receive("pong")
                received = [
                    [text for text in each.bytes if '"presence"' not in text]
                    for each in (bob, watcher)
                ]
                traffic.append(received)
                assert any('"play"' in text for text in received[1])
            server.stop()
        assert traffic[0] == traffic[1]


class TestTokens:
    """Rules 2 and 3."""

    def test_secrets_are_stored_as_hashes_only(self, server):
        body = {"game": "octa", "seats": [{"kind": "me"}, {"kind": "open"}]}
        made = server.post("/tables", body, key="a key of my very own").json()
        claim = made["invitations"][0]["claim"]
        token = server.claim(made, key="another of my own")
        for table in ("token", "claim", "creation", "seat", "event", "game"):
            for row in kept(server, f"SELECT * FROM {table}"):
                for secret in (
                    made["token"],
                    token,
                    claim,
                    "a key of my very own",
                    "another of my own",
                ):
                    assert secret not in repr(row)

    def test_a_guessed_key_reveals_no_token(self, start, tmp_path):
        made = []
        for number in range(2):
            server = start(tmp_path / f"{number}.sqlite")
            body = {"game": "octa", "seats": [{"kind": "me"}]}
            made.append(server.post("/tables", body, key="1" * 16).json()["token"])
        assert made[0] != made[1]

    @pytest.mark.parametrize("key", ["1", "my-first-table", "x" * 15])
    def test_a_short_key_is_refused_if_the_response_has_a_token(self, server, key):
        wish = {"game": "octa", "seats": [{"kind": "me"}], "visibility": "listed"}
        refused(server.post("/tables", wish, key=key), 400, "bad_message")
        made = server.table("octa", ["me"], visibility="listed")
        path = f"/tables/{made['table']}/seats/1/claim"
        refused(server.post(path, {"name": "Bob"}, key=key), 400, "bad_message")
        assert server.post(path, {"name": "Bob"}, key="x" * 16).status_code == 200

    def test_tokens_are_unique_and_have_128_bits(self):
        made = {tokens.new_secret() for _ in range(1000)}
        assert len(made) == 1000
        assert min(len(base64.urlsafe_b64decode(each + "==")) for each in made) == 16

    def test_an_old_token_is_invalid_everywhere(self, server):
        made = server.table("blokus", ["me"], visibility="listed")
        table, old = made["table"], made["token"]
        server.post(f"/tables/{table}/seats/0/leave", {}, old)
        server.post(f"/tables/{table}/seats/0/claim", {"name": "Eve"})
        for path, body in (
            ("actions", {"ply": 0, "action": 1}),
            ("seats/0/leave", {}),
            ("seats/0/devices", {}),
            ("seats/0/replace", {"level": 1}),
        ):
            refused(server.post(f"/tables/{table}/{path}", body, old), 401, "unauthorized")
        refused(server.get(f"/tables/{table}", old), 401, "unauthorized")
        with server.socket(table, old) as socket:
            assert socket.welcome["code"] == "unauthorized"

    def test_a_connection_of_an_old_epoch_is_closed_and_cannot_play(self, server):
        made = server.table("octa", ["me", "open"])
        token = server.claim(made)
        path = f"/tables/{made['table']}/seats/1/replace"
        with (
            pytest.raises(ConnectionClosed, match="4403"),
            server.socket(made["table"], token) as socket,
        ):
            server.post(path, {"level": 1}, token)
            while True:
                assert socket.ask("play", 1, ply=0, action=1)["code"] == "unauthorized"

    def test_the_cookie_is_httponly_and_same_site(self, start, tmp_path):
        server = start()
        answer = server.post("/tables", {"game": "octa", "seats": [{"kind": "me"}]})
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith(f"seat_{answer.json()['table']}=")
        for part in ("HttpOnly", "SameSite=lax", "Path=/"):
            assert part in cookie
        assert "Secure" not in cookie
        https = start(tmp_path / "2.sqlite", public_url="https://games.example.org")
        answer = https.post("/tables", {"game": "octa", "seats": [{"kind": "me"}]})
        assert "Secure" in answer.headers["set-cookie"]

    def test_a_browser_keeps_a_hundred_seats_and_drops_ended_games_first(self, server):
        played = [server.table("cat_mouse", ["me"]) for _ in range(3)]
        ended = played[1]
        leave = f"/tables/{ended['table']}/seats/0/leave"
        assert server.post(leave, {}, ended["token"]).status_code == 200
        seats = [f"seat_{each['table']}={each['token']}" for each in played]

        def forgotten(fillers):
            others = [f"seat_{number:016x}=none" for number in range(fillers)]
            headers = {"Cookie": "; ".join([*seats, *others, "theme=dark"])}
            wish = {"game": "octa", "seats": [{"kind": "me"}, {"kind": "open"}]}
            answer = server.post("/tables", wish, headers=headers)
            cookies = answer.headers.get_list("set-cookie")
            assert cookies.pop(0).startswith(f"seat_{answer.json()['table']}=")
            assert all("Max-Age=0" in each and "Path=/" in each for each in cookies)
            return [each.partition("=")[0] for each in cookies]

        assert forgotten(96) == []
        assert forgotten(97) == [f"seat_{ended['table']}"]
        assert forgotten(98) == [f"seat_{ended['table']}", f"seat_{0:016x}"]

    def test_a_long_cookie_header_is_read_in_part_and_answered_in_few_headers(self, server):
        cookies = "; ".join(f"seat_{number:04x}=x" for number in range(4000))
        wish = {"game": "octa", "seats": [{"kind": "me"}, {"kind": "open"}]}
        answer = server.post("/tables", wish, headers={"Cookie": cookies})
        assert len(answer.headers.get_list("set-cookie")) == 1 + MOST_DROPPED
        assert len(seats_in(cookies)) < COOKIE_BYTES / 13

    @pytest.mark.parametrize("quoted", ['seat_a="' + '\\"' * 8000, 'a="' + "\\073" * 8000])
    def test_quotes_in_cookies_are_not_undone(self, quoted, monkeypatch):
        monkeypatch.setattr("http.cookies._unquote", None)
        assert seats_in(f"seat_t=token; {quoted}; seat_u=other")["u"] == "other"
        assert seats_in("seat_t=token; theme=dark; seat_empty=; x")["t"] == "token"

    def test_the_claim_is_in_the_url_fragment(self, server):
        made = server.table("octa", ["me", "open"])
        for each in made["invitations"]:
            before, _, fragment = each["url"].partition("#")
            assert each["claim"] in fragment
            assert each["claim"] not in before


class TestOrigins:
    """Rule 4."""

    def test_a_page_of_another_origin_cannot_change_anything(self, server):
        made = server.table("octa", ["me", "open"])
        cookie = f"seat_{made['table']}={made['token']}"
        for origin in ("https://evil.example", "null", f"{server.url}.evil.example"):
            for token in ("", made["token"]):
                headers = {"Origin": origin, "Cookie": cookie}
                answer = server.post(
                    f"/tables/{made['table']}/seats/0/leave", {}, token, headers=headers
                )
                refused(answer, 403, "foreign_origin")

    def test_cookies_are_accepted_only_from_our_own_page(self, server):
        made = server.table("octa", ["me", "open"])
        path = f"/tables/{made['table']}/seats/0/devices"
        cookie = {"Cookie": f"seat_{made['table']}={made['token']}"}
        refused(server.post(path, {}, headers=cookie), 401, "unauthorized")
        own = {**cookie, "Origin": server.url}
        assert server.post(path, {}, headers=own).status_code == 200

    def test_a_page_with_an_allowed_origin_needs_tokens(self, start):
        server = start(origins=("https://club.example",))
        made = server.table("octa", ["me", "open"])
        path = f"/tables/{made['table']}/seats/0/leave"
        page = {"Origin": "https://club.example"}
        cookie = {"Cookie": f"seat_{made['table']}={made['token']}"}
        refused(server.post(path, {}, headers={**page, **cookie}), 401, "unauthorized")
        seen = server.http.get(f"/tables/{made['table']}", headers={**page, **cookie})
        assert "you" not in seen.json()
        with server.socket(made["table"], headers={**page, **cookie}) as socket:
            assert socket.welcome["you"] is None
        with server.socket(made["table"], made["token"], headers=page) as socket:
            assert socket.welcome["you"] == 0
        assert server.post(path, {}, made["token"], headers=page).status_code == 200
        created = server.post("/tables", {"game": "octa", "seats": [{"kind": "me"}]}, headers=page)
        assert created.json()["token"]
        assert "set-cookie" not in created.headers

    def test_a_websocket_from_another_origin_is_refused(self, server):
        foreign = server.socket(headers={"Origin": "https://evil.example"})
        with pytest.raises(InvalidStatus, match="403"):
            foreign.__enter__()

    def test_a_websocket_with_a_cookie_needs_our_own_origin(self, server):
        made = server.table("octa", ["me", "open"])
        cookie = {"Cookie": f"seat_{made['table']}={made['token']}"}
        with server.socket(made["table"], headers=cookie) as socket:
            assert socket.welcome["you"] is None
        with server.socket(made["table"], headers={**cookie, "Origin": server.url}) as socket:
            assert socket.welcome["you"] == 0

    def test_unknown_host_names_are_refused(self, server):
        headers = {"Host": f"evil.example:{server.port}", "Origin": "http://evil.example"}
        refused(server.post("/tables", {"game": "octa"}, headers=headers), 403, "foreign_origin")
        refused(server.http.get("/games", headers=headers), 403, "foreign_origin")

    def test_a_silent_connection_receives_nothing_and_is_closed(self, start):
        server = start(hello_seconds=0.1)
        server.table("octa", ["me", 1])
        with server.socket(hello=False) as socket:
            with pytest.raises(ConnectionClosed):
                socket.next()
            assert socket.received == []

    def test_a_refused_hello_joins_no_room(self, server):
        made = server.table("octa", ["me", "open"])
        with server.socket(made["table"], "wrong") as socket:
            assert socket.welcome["code"] == "unauthorized"
            with contextlib.suppress(ConnectionClosed):
                socket.ask("play", 1, ply=0, action=1)
            assert not server.app.rooms._rooms[made["table"]].audience.members

    def test_a_spectator_cannot_act(self, server):
        made = server.table("octa", ["me", 1])
        with server.socket(made["table"]) as socket:
            for verb in ("resign", "draw", "takeback", "rematch"):
                assert socket.ask(verb, verb)["code"] == "unauthorized"
            assert socket.ask("say", "s", text="hi")["code"] == "unauthorized"


class TestHeaders:
    """Rule 5."""

    @pytest.mark.parametrize("path", ["/", "/api/v1/games", "/api/v1/nothing", "/healthz"])
    def test_every_response_has_security_headers(self, server, path):
        headers = server.http.get(f"{server.url}{path}").headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"

    def test_what_depends_on_a_token_is_stored_by_no_cache(self, server):
        made = server.table("octa", ["me", "open"])
        table = f"/api/v1/tables/{made['table']}"
        for path in (
            table,
            f"{table}/events",
            "/api/v1/tables?mine",
            "/api/v1/nothing",
            "/metrics",
        ):
            headers = server.http.get(f"{server.url}{path}").headers
            assert headers["cache-control"] == "no-store"
        for path in (table, "/api/v1/games"):
            vary = server.http.get(f"{server.url}{path}").headers["vary"].lower()
            assert all(name in vary for name in ("authorization", "cookie", "origin"))
        assert server.http.get("/games").headers["cache-control"] == "max-age=60"

    def test_browsers_stay_with_https_if_players_use_it(self, start, tmp_path):
        name = "strict-transport-security"
        server = start(public_url="https://games.example")
        assert server.http.get(f"{server.url}/healthz").headers[name] == "max-age=31536000"
        plain = start(tmp_path / "plain.sqlite")
        assert name not in plain.http.get(f"{plain.url}/healthz").headers

    def test_only_allowed_origins_may_embed_the_board(self, start):
        server = start(origins=("https://club.example",))
        policy = server.http.get(f"{server.url}/").headers["content-security-policy"]
        assert "frame-ancestors https://club.example" in policy

    def test_only_scripts_of_allowed_origins_may_read_the_api(self, start):
        server = start(origins=("https://club.example",))
        for origin, allowed in (("https://club.example", True), ("https://evil.example", False)):
            headers = {"Origin": origin}
            games = server.http.get("/games", headers=headers).headers
            assert games.get("access-control-allow-origin") == (origin if allowed else None)
            asked = {**headers, "Access-Control-Request-Method": "POST"}
            before = server.http.options("/tables", headers=asked)
            assert (before.status_code == 200) is allowed
            assert "idempotency-key" in before.headers["access-control-allow-headers"]
            assert "access-control-allow-credentials" not in before.headers
        page = server.http.get(f"{server.url}/", headers={"Origin": "https://club.example"})
        assert "access-control-allow-origin" not in page.headers


class TestLimits:
    """Rule 6."""

    def test_a_flooding_connection_is_closed(self, start, monkeypatch):
        monkeypatch.setattr(rates, "PAUSE_SECONDS", 0)
        server = start(work=Rate(1, 10))
        made = server.table("octa", ["me", 1])
        with pytest.raises(ConnectionClosed), server.socket(made["table"]) as flood:
            for _ in range(500):
                flood.send({"t": "ping"})
            while True:
                flood.next()

    def test_new_tables_are_limited_per_address(self, start):
        server = start(tables=Rate(0.001, 2))
        for _ in range(2):
            server.table()
        answer = server.post("/tables", {"game": "octa"})
        refused(answer, 429, "rate_limited")
        assert int(answer.headers["retry-after"]) > 0

    def test_a_rematch_counts_as_a_new_table(self, start):
        server = start(tables=Rate(1e-9, 2))
        made = server.table("octa", ["me", 1])
        with server.socket(made["table"], made["token"]) as ann:
            ann.ask("resign", 1)
            assert ann.ask("rematch", 2)["t"] == "ack"
            following = next(each["rematch"] for each in ann.events() if each.get("rematch"))
        path = f"/tables/{following}/seats/1/claim"
        token = server.post(path, {"from": made["table"]}, made["token"]).json()["token"]
        with server.socket(following, token) as ann:
            ann.ask("resign", 1)
            answer = ann.ask("rematch", 2)
            assert (answer["code"], answer["message"][:19]) == (
                "rate_limited",
                "too many new tables",
            )

    def test_connections_are_limited_per_address(self, start):
        server = start(sockets_per_address=2)
        made = server.table()
        with server.socket(made["table"]), server.socket(made["table"]):
            third = server.socket(made["table"])
            with pytest.raises(InvalidStatus, match="429"):
                third.__enter__()

    def test_a_slow_reader_must_resync_and_delays_no_one(self, start):
        server = start(queue_bytes=40_000)
        made = server.table("octa", ["me", "open"])
        server.claim(made)
        room = server.run(server.app.rooms.room(made["table"]))
        with server.socket(made["table"], made["token"]) as slow:

            async def too_much():
                (member,) = room.audience.members
                for _ in range(400):  # more than the system's buffers take
                    member.send(b'{"t":"pong","at":1,"now":1}' + b" " * 100_000)
                return member._wire.buffered

            assert server.run(too_much()) < 40_000 + 101_000
            assert slow.receive("resync")["reason"]
            slow.send({"t": "hello", "table": made["table"], "token": made["token"]})
            assert slow.receive("welcome")["you"] == 0

    def test_connections_that_read_nothing_get_no_more_welcomes(self, start, monkeypatch):
        monkeypatch.setattr(backlog, "UNREAD_BYTES", 100_000)
        server = start()
        made = server.table("octa", ["me", "open"])
        server.claim(made)
        with server.socket(made["table"], made["token"]):
            (member,) = server.app.sockets.open
            slow = member._wire
            unread = property(lambda wire: 100_000 * (wire is slow))
            monkeypatch.setattr(type(slow), "buffered", unread)
            with server.socket(made["table"]) as second:
                assert second.welcome["code"] == "busy"
                assert "bytes to read" in second.welcome["message"]
        until(lambda: not server.app.sockets.open)
        with server.socket(made["table"]) as third:
            assert third.welcome["t"] == "welcome"

    def test_unread_bytes_are_limited_for_each_address_and_in_all(self, monkeypatch):
        monkeypatch.setattr(backlog, "UNREAD_BYTES", 100)
        monkeypatch.setattr(backlog, "MAX_UNREAD", 250)
        now = [0.0]
        unread = backlog.Backlog(lambda: now[0])
        readers = [Mock(unread=99) for _ in range(3)]
        for number, reader in enumerate(readers):
            unread.add(f"address{number}", reader)
            unread.check(f"address{number}")
            unread.note(reader)
        with pytest.raises(Busy, match="too slowly"):
            unread.check("another")
        for reader in readers:
            reader.unread = 0
        now[0] += backlog.COUNT_SECONDS
        unread.check("another")
        readers[0].unread = 100
        with pytest.raises(Busy, match="100 bytes to read"):
            unread.check("address0")
        unread.check("address1")

    def test_agents_can_only_be_requested_by_level(self, server):
        for seat in (
            {"kind": "agent", "level": "os:system"},
            {"kind": "agent", "agent": "os:system", "level": 0},
            {"kind": "os:system"},
        ):
            answer = server.post("/tables", {"game": "octa", "seats": [seat]})
            refused(answer, 400, "bad_message")


class TestAfterTheEnd:
    """Rules 7 and 9."""

    def test_the_record_is_available_and_verifiable_only_after_the_end(self, server):
        made = server.table("banqi", ["me", "open"], nonce="ann's word")
        token = server.claim(made, nonce="bob's word")
        refused(server.get(f"/tables/{made['table']}/record", token), 403, "not_allowed")
        with server.socket(made["table"], made["token"]) as ann:
            commitment = ann.welcome["commitment"]
            play_to_the_end(ann, random.Random(1), most=1)
            ann.ask("resign", "r")
        record = parlour.Record.from_text(server.get(f"/tables/{made['table']}/record").text)
        notes = Notes.of(record)
        assert notes.nonces == ("ann's word", "bob's word")
        assert verify(record, commitment, notes.key, notes.nonces) is None
        assert ChanceSource(notes.key, notes.nonces).setup_seed() == record.seed

    def test_a_players_nonce_changes_chance(self, server):
        key = b"k" * 32
        plain, with_word = ChanceSource(key), ChanceSource(key, ["", "word"])
        assert plain.setup_seed() != with_word.setup_seed()

    def test_the_commitment_is_published_before_seats_are_claimed(self, server):
        made = server.table("banqi", ["me", "open"])
        with server.socket(made["table"]) as socket:
            assert socket.welcome["status"] == "waiting"
            promised = socket.welcome["commitment"]
        server.claim(made)
        with server.socket(made["table"]) as socket:
            assert socket.welcome["commitment"] == promised


class TestNamesAndLogs:
    """Rule 8."""

    def test_a_name_is_one_line_of_40_characters(self, server):
        made = server.table("octa", ["me", "open"])
        name = "<script>\u202e\nalert(1)</script>"
        server.claim(made, name=name)
        seats = server.get(f"/tables/{made['table']}").json()["seats"]
        assert seats[1]["name"] == "<script>\\u202e alert(1)</script>"
        answer = server.post("/tables", {"game": "octa", "name": "x" * 41})
        refused(answer, 400, "bad_message")

    def test_no_token_is_ever_logged(self, server, caplog):
        caplog.set_level(logging.INFO)
        made = server.table("octa", ["me", "open"])
        token = server.claim(made)
        with server.socket(made["table"], token) as socket:
            socket.ask("play", 1, ply=0, action=1)
            socket.send("nonsense " + token)
            socket.receive("error")
        server.get("/tables?mine", token)
        clients = ("httpx", "httpcore", "websockets.client")
        lines = [each.getMessage() for each in caplog.records if each.name not in clients]
        text = "\n".join(lines)
        for secret in (made["token"], token, made["invitations"][0]["claim"]):
            assert secret not in text

    def test_metrics_need_local_access_or_the_token(self, start, tmp_path):
        server = start()
        text = server.http.get(f"{server.url}/metrics").text
        assert "parlour_sockets" in text
        guarded = start(tmp_path / "2.sqlite", metrics_token="let me in")
        refused(guarded.http.get(f"{guarded.url}/metrics"), 401, "unauthorized")
        headers = {"Authorization": "Bearer let me in"}
        assert guarded.http.get(f"{guarded.url}/metrics", headers=headers).status_code == 200
