"""Tables for people: creating, listing, joining, leaving, replacing, rematches."""

import pytest
import raw_store
from kuhn import Kuhn
from live_server import OwnClock
from websockets.exceptions import ConnectionClosedError

import parlour
from parlour.protocol.limits import GAME_PLIES
from parlour.server.http import callers
from parlour.server.rates import Rate


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request):
    return request.param


def refused(answer, status, code):
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    return answer.json()["message"]


def first_action(socket):
    return socket.welcome["scene"]["actions"][0][0]


def two_people(server, game="octa", **more):
    """Create a table with Ann and Bob. Return the response and Bob's token."""
    made = server.table(game, ["me", "open"], name="Ann", **more)
    return made, server.claim(made)


class TestCreatingTables:
    def test_every_registered_game_is_listed_with_options_rules_and_a_picture(self, server):
        games = {each["name"]: each for each in server.get("/games").json()["games"]}
        assert set(games) == set(parlour.game_names())
        octa = games["octa"]
        assert {"name": "size", "kind": "integer"}.items() <= octa["options"][0].items()
        assert octa["rules"]
        assert octa["summary"].startswith("Turn an arrow")
        assert octa["minutes"] > 0
        assert octa["options"][0]["label"] == "Board size"
        banqi = games["banqi"]
        assert banqi["options"][0]["choice_labels"][0] == "House rules"
        assert [seat["name"] for seat in banqi["scene"]["seats"]] == ["player 1", "player 2"]
        assert len(octa["scene"]["cells"]) == octa["scene"]["board"]["rows"] ** 2

    def test_a_third_party_game_is_listed_and_playable(self, server):
        parlour.register("kuhn", Kuhn)
        assert "kuhn" in {each["name"] for each in server.get("/games").json()["games"]}
        made = server.table("kuhn", ["me", 1])
        with server.socket(made["table"], made["token"]) as socket:
            assert socket.welcome["title"] == Kuhn().title

    def test_a_table_has_a_link_to_watch_and_an_invitation_for_each_open_seat(self, server):
        made = server.table("blokus", ["open", "me", 3])
        assert made["watch_url"] == f"{server.url}/t/{made['table']}"
        assert made["seat"] == 1
        assert [each["seat"] for each in made["invitations"]] == [0, 3]
        for each in made["invitations"]:
            assert each["url"] == (f"{made['watch_url']}#seat={each['seat']}&claim={each['claim']}")

    def test_a_repeated_idempotency_key_creates_one_table(self, server):
        body = {"game": "octa", "seats": [{"kind": "me"}]}
        first = server.post("/tables", body, key="once and never again")
        assert server.post("/tables", body, key="once and never again").json() == first.json()
        other = server.post("/tables", {"game": "banqi"}, key="once and never again")
        refused(other, 409, "conflict")

    @pytest.mark.parametrize(
        ("body", "status", "code", "words"),
        [
            ({"game": "chess"}, 404, "not_found", "there is no game 'chess'"),
            ({"game": "octa", "options": {"size": 99}}, 409, "bad_option", "size must be"),
            ({"game": "octa", "options": {"sice": 2}}, 409, "bad_option", "did you mean 'size'"),
            ({"game": "octa", "options": {"size": [2]}}, 409, "bad_option", "size must be"),
            ({"game": "octa", "clock": "soon"}, 409, "bad_clock", "5m+3"),
            ({"game": "octa", "seats": [{"kind": "me"}] * 2}, 403, "not_allowed", "one seat"),
            ({"game": "octa", "seats": [{"kind": "open"}] * 3}, 403, "not_allowed", "2 seats"),
            ({"game": "octa", "seats": [{"kind": "robot"}]}, 400, "bad_message", "robot"),
            (
                {"game": "octa", "seats": [{"kind": "agent", "level": 12}]},
                400,
                "bad_message",
                "<= 9",
            ),
            ({}, 404, "not_found", "game"),
            ({"record": "nonsense"}, 409, "bad_record", "record"),
        ],
    )
    def test_invalid_requests_are_refused_with_the_library_message(
        self, server, body, status, code, words
    ):
        assert words in refused(server.post("/tables", body), status, code)

    @pytest.mark.parametrize("path", ["/tables", "/pairing"])
    def test_a_game_that_can_be_too_long_is_refused(self, server, path):
        body = {"game": "octa", "options": {"turn_limit": GAME_PLIES + 1}}
        assert "20001 plies" in refused(server.post(path, body), 409, "bad_option")
        body["options"]["turn_limit"] = GAME_PLIES
        assert server.post(path, body).status_code in (200, 201)

    def test_all_rules_of_the_built_in_games_can_be_played(self, server):
        for name in ("banqi", "blokus", "octa"):
            (option,) = (each for each in parlour.game(name).OPTIONS if each.kind == "choice")
            for value in option.choices:
                server.table(name, ["me"], options={option.name: value})

    def test_a_seed_repeats_a_game_but_is_refused_with_hidden_information(self, server):
        starts = []
        for _ in range(2):
            made = server.table("octa", ["me", 1], seed=7)
            with server.socket(made["table"]) as socket:
                starts.append(socket.welcome["start"])
        game = parlour.game("octa")
        assert starts == [game.state_to_text(game.start(7))] * 2
        parlour.register("kuhn", Kuhn)
        answer = server.post("/tables", {"game": "kuhn", "seed": 7})
        assert "hidden information" in refused(answer, 403, "not_allowed")

    @pytest.mark.parametrize("seats", [["me", "open"], ["open", "open"], ["me"]])
    def test_a_seed_is_refused_if_a_second_person_could_be_cheated(self, server, seats):
        kinds = [{"kind": kind} for kind in seats]
        answer = server.post("/tables", {"game": "banqi", "seats": kinds, "seed": 7})
        assert "foresee" in refused(answer, 403, "not_allowed")
        assert server.table("octa", seats, seed=7)

    def test_a_seed_repeats_the_chance_of_a_game_against_agents(self, server):
        keys = set()
        for _ in range(2):
            made = server.table("banqi", ["me", 1], seed=7)
            keys.add(server.run(server.app.rooms.room(made["table"])).hosted.row.chance_key)
        assert len(keys) == 1

    def test_a_finished_record_becomes_a_table_to_view(self, server):
        game = parlour.game("octa", size=2)
        state, rng, actions = game.start(3), parlour.Rng(3), []
        while state.actor >= 0:
            actions.append(int(state.sample(rng)))
            state = state.apply(actions[-1])
        text = parlour.Record(game, 3, actions).to_text()
        made = server.post("/tables", {"record": text}).json()
        info = server.get(f"/tables/{made['table']}").json()
        assert (info["status"], info["ply"]) == ("over", len(actions))
        again = parlour.Record.from_text(server.get(f"/tables/{made['table']}/record").text)
        assert again.actions == tuple(actions)

    def test_an_unfinished_record_can_be_resumed(self, server):
        game = parlour.game("octa", size=2)
        state = game.start(3)
        text = parlour.Record(game, 3, [state.legal_actions()[0]]).to_text()
        seats = [{"kind": "agent", "level": 1}, {"kind": "me"}]
        made = server.post("/tables", {"record": text, "seats": seats}).json()
        with server.socket(made["table"], made["token"]) as socket:
            assert socket.welcome["ply"] == 1
            assert socket.ask("play", 1, ply=1, action=first_action(socket))["t"] == "ack"


class TestSeats:
    def test_an_invitation_can_be_used_once(self, server):
        made, _ = two_people(server)
        invitation = made["invitations"][0]
        path = f"/tables/{made['table']}/seats/1/claim"
        again = server.post(path, {"claim": invitation["claim"], "name": "Eve"})
        refused(again, 409, "used")

    def test_a_repeated_claim_with_its_key_gets_the_same_response(self, server):
        made = server.table("octa", ["me", "open"])
        token = server.claim(made, key="k" * 16)
        assert server.claim(made, key="k" * 16) == token
        path = f"/tables/{made['table']}/seats/1/claim"
        claim = made["invitations"][0]["claim"]
        refused(server.post(path, {"claim": claim, "name": "Eve"}, key="k" * 16), 409, "conflict")
        refused(server.post(path, {"claim": claim, "name": "Bob"}, key="other" * 4), 409, "used")

    def test_an_invitation_is_valid_for_its_seat_only(self, server):
        made = server.table("blokus", ["me"])
        claim = made["invitations"][0]["claim"]
        answer = server.post(f"/tables/{made['table']}/seats/2/claim", {"claim": claim})
        refused(answer, 403, "not_your_seat")

    def test_only_seats_of_listed_tables_can_be_claimed_without_an_invitation(self, server):
        made = server.table("octa", ["me"])
        path = f"/tables/{made['table']}/seats/1/claim"
        refused(server.post(path, {"name": "Eve"}), 401, "unauthorized")
        listed = server.table("octa", ["me"], visibility="listed")
        seated = server.post(f"/tables/{listed['table']}/seats/1/claim", {"name": "Bob"})
        assert seated.json()["seat"] == 1
        answer = server.post(f"/tables/{listed['table']}/seats/1/claim", {"name": "Eve"})
        assert "already taken" in refused(answer, 403, "not_allowed")

    def test_a_second_device_uses_the_same_seat_without_logging_out_the_first(self, server):
        made, token = two_people(server)
        path = f"/tables/{made['table']}/seats/1"
        claim = server.post(f"{path}/devices", {}, token).json()["claim"]
        second = server.post(f"{path}/claim", {"claim": claim}).json()["token"]
        assert second != token
        with (
            server.socket(made["table"], token) as one,
            server.socket(made["table"], second) as two,
        ):
            assert one.welcome["you"] == two.welcome["you"] == 1

    def test_leaving_before_start_frees_the_seat_and_revokes_the_token(self, server):
        made = server.table("blokus", ["me"], visibility="listed")
        path = f"/tables/{made['table']}/seats/0"
        with server.socket(made["table"], made["token"]) as socket:
            assert server.post(f"{path}/leave", {}, made["token"]).status_code == 200
            assert socket.receive("event")["kind"] == "leave"
        refused(server.post(f"{path}/leave", {}, made["token"]), 401, "unauthorized")
        assert server.post(f"{path}/claim", {"name": "Bob"}).status_code == 200

    def test_the_creator_cancels_a_table_before_it_starts(self, server):
        for visibility in ("link", "listed"):
            made = server.table("blokus", ["me"], visibility=visibility)
            server.claim(made)
            path = f"/tables/{made['table']}/seats/0/cancel"
            assert server.post(path, {}, made["token"]).status_code == 200
            assert server.get(f"/tables/{made['table']}").json()["status"] == "over"
            assert server.get("/tables?listed").json()["tables"] == []
            refused(server.post(path, {}, made["token"]), 403, "not_allowed")

    def test_a_guest_who_cancels_only_leaves_the_seat(self, server):
        made = server.table("blokus", ["me"], visibility="listed")
        token = server.claim(made)
        path = f"/tables/{made['table']}/seats"
        refused(server.post(f"{path}/0/cancel", {}, token), 403, "not_your_seat")
        assert server.post(f"{path}/1/cancel", {}, token).status_code == 200
        info = server.get(f"/tables/{made['table']}").json()
        assert info["status"] == "waiting"
        assert info["seats"][1]["kind"] == "open"

    def test_a_running_game_cannot_be_cancelled(self, server):
        made, token = two_people(server)
        path = f"/tables/{made['table']}/seats/1/cancel"
        refused(server.post(path, {}, token), 403, "not_allowed")

    def test_leaving_a_two_player_game_resigns(self, server):
        made, token = two_people(server)
        server.post(f"/tables/{made['table']}/seats/1/leave", {}, token)
        with server.socket(made["table"]) as socket:
            assert socket.welcome["ending"]["returns"] == [1, -1]

    def test_leaving_a_four_player_game_hands_the_seat_to_level_1(self, server):
        made = server.table("blokus", ["me", 1, 1, "open"])
        token = server.claim(made)
        with server.socket(made["table"], token) as socket:
            answer = socket.ask("resign", 1)
            assert answer["t"] == "ack"
        info = server.get(f"/tables/{made['table']}").json()
        assert info["status"] == "playing"
        assert info["seats"][3] == {"kind": "agent", "name": "Bob", "level": 1, "left": True}
        with server.socket(made["table"], token) as socket:
            assert socket.welcome["code"] == "unauthorized"

    def test_a_person_can_hand_their_seat_to_an_agent(self, server):
        made, token = two_people(server)
        path = f"/tables/{made['table']}/seats/1/replace"
        with (
            pytest.raises(ConnectionClosedError, match="4403"),
            server.socket(made["table"], token) as socket,
        ):
            assert server.post(path, {"level": 2}, token).status_code == 200
            event = socket.receive("event")
            assert event["kind"] == "seat"
            assert event["seats"][1] == {"kind": "agent", "level": 2}
            socket.receive("pong")

    def test_a_token_is_valid_for_its_seat_and_table_only(self, server):
        made, token = two_people(server)
        path = f"/tables/{made['table']}/seats/0/leave"
        refused(server.post(path, {}, token), 403, "not_your_seat")
        other = server.table()
        path = f"/tables/{other['table']}/actions"
        refused(server.post(path, {"ply": 0, "action": 1}, token), 403, "not_your_seat")

    @pytest.mark.parametrize("seat", ["2", "-1", "x", "1e3", "99999999999"])
    def test_an_unknown_seat_is_not_found(self, server, seat):
        made = server.table()
        answer = server.post(f"/tables/{made['table']}/seats/{seat}/claim", {})
        refused(answer, 404, "not_found")


class TestAgreements:
    def test_a_takeback_needs_the_others_consent(self, server):
        made, token = two_people(server)
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
            server.socket(made["table"]) as watcher,
        ):
            ann.ask("play", 1, ply=0, action=first_action(ann))
            assert ann.ask("takeback", 2)["t"] == "ack"
            assert bob.receive("event")["kind"] == "play"
            asked = bob.receive("event")
            assert (asked["kind"], asked["seat"]) == ("ask", 0)
            assert watcher.receive("event")["kind"] == "play"
            assert watcher.receive("event")["offers"] == {"takeback": [0]}
            assert bob.ask("takeback", 1)["t"] == "ack"
            taken = watcher.receive("event")
            assert (taken["kind"], taken["ply"]) == ("takeback", 0)
            assert taken["sentence"].startswith("Taken back: ")

    def test_a_draw_can_be_agreed_only_in_games_that_allow_it(self, server):
        made, token = two_people(server, "banqi")
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
        ):
            assert ann.ask("draw", 1)["t"] == "ack"
            assert ann.ask("draw", 2)["code"] == "not_allowed"
            assert bob.ask("draw", 1)["t"] == "ack"
            ending = bob.received[-1].get("ending") or bob.received[-2]["ending"]
            assert ending["returns"] == [0, 0]
        made, token = two_people(server, "octa")
        with server.socket(made["table"], token) as bob:
            assert "no draw" in bob.ask("draw", 1)["message"]

    def test_a_rematch_moves_every_player_one_seat_on(self, server):
        made, token = two_people(server)
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
        ):
            assert ann.ask("rematch", 0)["code"] == "not_allowed"
            ann.ask("resign", 1)
            assert ann.ask("rematch", 2)["t"] == "ack"
            assert bob.ask("rematch", 2)["t"] == "ack"
            following = next(e for e in bob.received if e.get("rematch"))["rematch"]
        for seat, old in ((1, made["token"]), (0, token)):
            path = f"/tables/{following}/seats/{seat}/claim"
            answer = server.post(path, {"from": made["table"]}, old)
            assert answer.json()["seat"] == seat, answer.text
        wrong = server.post(
            f"/tables/{following}/seats/0/claim", {"from": made["table"]}, made["token"]
        )
        refused(wrong, 403, "not_your_seat")
        info = server.get(f"/tables/{following}").json()
        assert [each["name"] for each in info["seats"]] == ["Bob", "Ann"]
        assert info["status"] == "playing"

    def test_declined_offers_are_logged(self, start):
        server = start()
        made, token = two_people(server, "banqi")
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
        ):
            assert "offers" not in ann.received[0]
            ann.ask("draw", 1)
            assert bob.receive("event")["offers"] == {"draw": [0]}
            assert bob.ask("decline", 1, offer="draw")["t"] == "ack"
            assert "offers" not in bob.received[-2]
            assert bob.ask("decline", 2, offer="draw")["code"] == "not_allowed"
            assert bob.ask("decline", 3, offer="rematch")["code"] == "not_allowed"
            assert bob.ask("decline", 4, offer="lunch")["code"] == "bad_message"
            bob.ask("resign", 5)
            bob.ask("rematch", 6)
            ann.ask("decline", 2, offer="rematch")
            bob.ask("rematch", 7)
        server.stop()
        again = start()
        with again.socket(made["table"], made["token"]) as ann:
            assert ann.received[0]["offers"] == {"rematch": [1]}
            kinds = [
                each["kind"]
                for each in again.get(f"/tables/{made['table']}/events").json()["events"]
            ]
        assert kinds[-6:] == [
            "offer", "decline_draw", "resign", "rematch", "decline_rematch", "rematch",
        ]  # fmt: skip

    def test_a_late_accept_is_refused_and_makes_no_offer(self, server):
        made, token = two_people(server, "banqi")
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
        ):
            ann.ask("draw", 1)
            ann.ask("decline", 2, offer="draw")
            for number, kind in enumerate(("draw", "takeback"), 1):
                refused_late = bob.ask(kind, number, accept=True)
                assert refused_late["message"] == "the offer is gone"
            ann.ask("resign", 3)
            assert bob.ask("rematch", 3, accept=True)["message"] == "there is no offer to accept"
            assert bob.ask("rematch", 4)["t"] == "ack"
            assert ann.ask("rematch", 4, accept=True)["t"] == "ack"

    def test_the_welcome_says_whether_chat_and_draws_are_enabled(self, start):
        for settings, game, wanted in (
            ({}, "banqi", (True, True)),
            ({"chat": False}, "octa", (False, False)),
        ):
            server = start(**settings)
            made, token = two_people(server, game)
            with server.socket(made["table"], token) as bob:
                welcome = bob.received[0]
                assert (welcome.get("chat", False), welcome.get("can_draw", False)) == wanted
            server.stop()

    def test_a_rematch_against_agents_starts_at_once(self, server):
        made = server.table("octa", ["me", 1])
        with server.socket(made["table"], made["token"]) as socket:
            socket.ask("resign", 1)
            socket.ask("rematch", 2)
            following = next(e for e in socket.received if e.get("rematch"))["rematch"]
        info = server.get(f"/tables/{following}").json()
        assert [each["kind"] for each in info["seats"]] == ["agent", "person"]

    def test_a_premove_is_played_when_the_turn_comes(self, server):
        made, token = two_people(server, "octa", seed=1)
        game = parlour.game("octa")
        state = game.start(1)
        action = int(state.legal_actions()[0])
        reply = int(state.apply(action).legal_actions()[-1])
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
        ):
            assert bob.ask("premove", 1, action=reply)["t"] == "ack"
            assert bob.received[-2] == {"t": "premove", "action": reply}
            ann.ask("play", 1, ply=0, action=action)
            answered = [e for e in ann.received if e["t"] == "event" and e["ply"] == 2]
            event = answered[0] if answered else ann.receive("event")
            assert (event["action"], event["seat"]) == (reply, 1)
            assert {"t": "premove", "action": reply} not in ann.received

    def test_an_offer_right_after_a_move_does_not_stop_a_premove(self, server):
        made, token = two_people(server, "banqi", options={"first_flip_passes": True})
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
        ):
            bob.ask("premove", 1, action="b1")
            ann.send({"t": "play", "id": 1, "ply": 0, "action": "a1"})
            ann.send({"t": "draw", "id": 2})
            while not any(
                each.get("seat") == 1 and each["kind"] == "play" for each in bob.events()
            ):
                bob.receive("event")
            assert all(not each.get("message") for each in bob.received if each["t"] == "premove")

    def test_an_illegal_premove_is_dropped_with_the_reason(self, server):
        made, token = two_people(server, "octa", seed=1)
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
        ):
            bob.ask("premove", 1, action="0,0")
            ann.ask("play", 1, ply=0, action=first_action(ann))
            dropped = bob.receive("premove")
            assert dropped["action"] is None
            assert dropped["message"]


class TestChat:
    def test_chat_reaches_players_but_not_spectators(self, server):
        made, token = two_people(server)
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
            server.socket(made["table"]) as watcher,
        ):
            assert ann.ask("say", 1, text="good  luck")["t"] == "ack"
            assert bob.receive("say") == {"t": "say", "seat": 0, "name": "Ann", "text": "good luck"}
            watcher.send({"t": "ping", "at": 5})
            watcher.receive("pong")
            assert not [e for e in watcher.received if e["t"] == "say"]
        with server.socket(made["table"], token) as bob:
            assert bob.welcome["said"] == [{"seat": 0, "name": "Ann", "text": "good luck"}]
        with server.socket(made["table"]) as watcher:
            assert "said" not in watcher.welcome

    def test_chat_messages_are_short_and_rate_limited(self, start):
        server = start(words=Rate(0.001, 2))
        made, _ = two_people(server)
        with server.socket(made["table"], made["token"]) as ann:
            assert ann.ask("say", 0, text="x" * 201)["code"] == "bad_message"
            assert ann.ask("say", 1, text="x" * 200)["t"] == "ack"
            assert ann.ask("say", 2, text="y")["t"] == "ack"
            limited = ann.ask("say", 3, text="z")
            assert limited["code"] == "rate_limited"
            assert limited["retry_after"] > 1

    def test_a_repeated_chat_message_appears_once(self, server):
        made, token = two_people(server)
        with (
            server.socket(made["table"], made["token"]) as ann,
            server.socket(made["table"], token) as bob,
        ):
            ann.ask("say", 1, text="hello")
            ann.ask("say", 1, text="hello")
            ann.ask("say", 2, text="bye")
            assert [bob.receive("say")["text"] for _ in range(2)] == ["hello", "bye"]

    def test_chat_can_be_disabled_and_is_not_in_the_record(self, start, new_store):
        server = start()
        made, _ = two_people(server)
        with server.socket(made["table"], made["token"]) as ann:
            ann.ask("say", 1, text="xyzzy")
            ann.ask("resign", 2)
        assert "xyzzy" not in server.get(f"/tables/{made['table']}/record").text
        quiet = start(new_store(), chat=False)
        made, _ = two_people(quiet)
        with quiet.socket(made["table"], made["token"]) as ann:
            assert "chat" not in ann.welcome
            assert ann.ask("say", 1, text="hello")["code"] == "not_allowed"


class TestClocks:
    def test_games_with_any_number_of_seats_have_clocks(self, start):
        clock = OwnClock()
        server = start(clock=clock.server)
        made = server.table("blokus", ["me", "open", "open", "open"], clock="1m+5")
        for number in range(3):
            server.claim(made, number)
        with server.socket(made["table"], made["token"]) as socket:
            assert socket.welcome["clocks"] == {"left": [60, 60, 60, 60], "running": 0}
            clock.seconds += 10
            socket.ask("play", 1, ply=0, action=first_action(socket))
            event = [e for e in socket.received if e["t"] == "event"][-1]
            assert event["clocks"] == {"left": [55, 60, 60, 60], "running": 1}

    def test_a_clock_expires_and_ends_play(self, start):
        clock = OwnClock()
        server = start(clock=clock.server)
        made, _token = two_people(server, clock="1m")
        with server.socket(made["table"], made["token"]) as socket:
            clock.seconds += 61
            answer = socket.ask("play", 1, ply=0, action=first_action(socket))
            assert answer["code"] == "over"
            event = [e for e in socket.received if e["t"] == "event"][-1]
            assert (event["kind"], event["ending"]["returns"]) == ("time_up", [-1, 1])

    def test_a_sweep_ends_unwatched_games(self, start):
        clock = OwnClock()
        server = start(clock=clock.server)
        made, _ = two_people(server, clock="1m")
        clock.seconds += 61
        server.run(server.app.rooms.housekeeping.sweep())
        assert server.get(f"/tables/{made['table']}").json()["status"] == "over"

    def test_time_without_a_server_is_refunded(self, start):
        clock = OwnClock()
        first = start(clock=clock.server)
        made, _ = two_people(first, clock="1m")
        clock.seconds += 10
        first.stop()
        clock.seconds += 10_000
        second = start(clock=OwnClock(clock.seconds).server)
        with second.socket(made["table"]) as socket:
            assert socket.welcome["clocks"] == {"left": [50, 60], "running": 0}

    def test_an_unloaded_game_keeps_its_time(self, start):
        clock = OwnClock()
        server = start(clock=clock.server, rooms=1)
        made, _ = two_people(server, clock="1m")
        clock.seconds += 10
        for _ in range(3):
            two_people(server)
        assert made["table"] not in server.app.rooms._rooms
        with server.socket(made["table"]) as socket:
            assert socket.welcome["clocks"]["left"][0] == 50


class TestHousekeeping:
    def test_an_idle_game_is_abandoned_and_later_deleted_with_all_names(self, start):
        clock = OwnClock()
        server = start(clock=clock.server, abandon=14 * 86400, keep=90 * 86400)
        playing, _ = two_people(server)
        waiting = server.table("octa", ["me"])
        clock.seconds += 15 * 86400
        server.run(server.app.rooms.housekeeping.clean_up())
        for made in (playing, waiting):
            assert server.get(f"/tables/{made['table']}").json()["status"] == "over"
        clock.seconds += 91 * 86400
        server.run(server.app.rooms.housekeeping.clean_up())
        refused(server.get(f"/tables/{playing['table']}"), 404, "not_found")
        for table in ("game", "seat", "event", "token", "claim", "creation"):
            left = raw_store.execute(server.settings.store, f"SELECT COUNT(*) FROM {table}")
            assert left == [(0,)]


class TestWrongClock:
    def ahead(self, start, days):
        """Restart a server with a clock that is days ahead."""
        clock = OwnClock()
        first = start(clock=clock.server)
        made, _ = two_people(first, clock="1m")
        first.run(first.app.rooms.housekeeping.beat())
        first.stop()
        return made, start(clock=OwnClock(clock.seconds + days * 86400).server)

    def test_nothing_is_ended_or_erased_until_the_operator_confirms(self, start, caplog):
        made, second = self.ahead(start, 100)
        assert "the clock is 100 days ahead" in caplog.text
        rooms = second.app.rooms
        second.run(rooms.housekeeping.clean_up())
        second.run(rooms.housekeeping.sweep())
        with second.socket(made["table"]) as socket:
            assert socket.welcome["status"] == "playing"
            assert socket.welcome["clocks"]["left"] == [60, 60]
        second.run(rooms.store.trust(rooms.clock.now()))
        second.run(rooms.housekeeping.clean_up())
        assert second.get(f"/tables/{made['table']}").json()["status"] == "over"

    def test_a_clock_does_not_become_trusted_by_running(self, start):
        made, second = self.ahead(start, 100)
        second.run(second.app.rooms.housekeeping.beat())
        clock = OwnClock(second.app.rooms.clock.seconds() + 5)
        second.stop()
        third = start(clock=clock.server)
        third.run(third.app.rooms.housekeeping.clean_up())
        assert third.get(f"/tables/{made['table']}").json()["status"] == "playing"

    def test_a_short_pause_needs_no_confirmation(self, start):
        _, second = self.ahead(start, 1)
        assert second.app.rooms.housekeeping.is_clock_trusted

    def test_a_corrected_clock_is_trusted_again(self, start):
        made, second = self.ahead(start, 100)
        before = OwnClock(second.app.rooms.clock.seconds() - 100 * 86400 + 60)
        second.stop()
        third = start(clock=before.server)
        third.run(third.app.rooms.housekeeping.clean_up())
        assert third.app.rooms.housekeeping.is_clock_trusted
        assert third.get(f"/tables/{made['table']}").json()["status"] == "playing"


class TestLobby:
    def test_only_public_tables_are_listed(self, server):
        server.table("octa", ["me"])
        listed = server.table("octa", ["me"], visibility="listed", name="Ann")
        tables = server.get("/tables?listed").json()["tables"]
        assert [each["table"] for each in tables] == [listed["table"]]
        assert tables[0]["seats"][0] == {"kind": "person", "name": "Ann"}

    def test_own_tables_are_listed_with_seat_and_turn(self, server):
        made, token = two_people(server)
        mine = server.get("/tables?mine", made["token"]).json()["tables"]
        assert [(each["table"], each["you"], each["your_turn"]) for each in mine] == [
            (made["table"], 0, True)
        ]
        other = server.get("/tables?mine", token).json()["tables"][0]
        assert (other["you"], other.get("your_turn", False)) == (1, False)
        assert server.get("/tables?mine").json()["tables"] == []

    def test_the_lobby_announces_new_tables_and_turns(self, server):
        made, token = two_people(server)
        with server.socket(lobby=True, tokens=[token, "nonsense"]) as socket:
            assert [each["table"] for each in socket.welcome["mine"]] == [made["table"]]
            with server.socket(made["table"], made["token"]) as ann:
                ann.ask("play", 1, ply=0, action=first_action(ann))
            assert socket.receive("turn") == {"t": "turn", "table": made["table"]}
            listed = server.table("octa", ["me"], visibility="listed")
            tables = socket.receive("tables")["tables"]
            assert [each["table"] for each in tables] == [listed["table"]]


class TestPresence:
    def test_presence_is_sent_to_everyone(self, server):
        made, _token = two_people(server)
        with server.socket(made["table"], made["token"]) as ann:
            assert ann.receive("presence") == {
                "t": "presence",
                "seats": [True, False],
                "watchers": 0,
            }
            with server.socket(made["table"]):
                while ann.receive("presence")["watchers"] != 1:
                    pass
            while ann.receive("presence")["watchers"] != 0:
                pass


class TestAnalysis:
    def test_everyone_can_analyse_a_finished_game(self, server):
        made, _token = two_people(server, options={"size": 2})
        with server.socket(made["table"], made["token"]) as ann:
            ann.ask("play", 1, ply=0, action=first_action(ann))
            ann.ask("resign", 2)
        body = {"table": made["table"], "ply": 0, "level": 2}
        found = server.post("/analysis", body).json()
        assert found["ply"] == 0
        assert found["choices"][0]["words"]
        body["ply"] = 77
        refused(server.post("/analysis", body), 404, "not_found")

    @pytest.mark.parametrize("is_cookie", [False, True])
    def test_an_uploaded_copy_of_a_running_game_cannot_be_analysed(
        self, server, is_cookie, monkeypatch
    ):
        made, token = two_people(server, options={"size": 2}, seed=5)
        game = parlour.game("octa", size=2)
        line = [game.start(5).legal_actions()[0]]
        path = f"/tables/{made['table']}/actions"
        assert server.post(path, {"ply": 0, "action": line[0]}, made["token"]).status_code == 200
        state, rng = game.start(5).apply(line[0]), parlour.Rng(1)
        while state.actor >= 0:
            line.append(int(state.sample(rng)))
            state = state.apply(line[-1])
        copy = server.post("/tables", {"record": parlour.Record(game, 5, line).to_text()}).json()

        def ask(ply=1):
            cookie = {"Cookie": f"seat_{made['table']}={token}", "Origin": server.url}
            headers = cookie if is_cookie else {"Authorization": f"Bearer {token}"}
            body = {"table": copy["table"], "ply": ply, "level": 1}
            return server.post("/analysis", body, headers=headers)

        assert "against people" in refused(ask(), 403, "not_allowed")
        assert ask(ply=0).status_code == 200
        looks = []
        with monkeypatch.context() as patch:
            patch.setattr(callers, "look_of", lambda *given: looks.append(given))
            assert ask(ply=2).status_code == 200
            assert looks == []  # boards with another seat to act are not compared
            assert ask().status_code == 403
            assert len(looks) == 2
        server.post(f"/tables/{made['table']}/seats/1/leave", token=token)
        assert ask().status_code == 200

    def test_a_running_game_between_people_cannot_be_analysed(self, server):
        made, token = two_people(server)
        for asker in ("", made["token"], token):
            answer = server.post("/analysis", {"table": made["table"]}, asker)
            assert "after it is over" in refused(answer, 403, "not_allowed")

    def test_hints_against_agents_are_given_only_on_your_turn(self, server):
        made = server.table("octa", ["me", 1], options={"size": 2})
        refused(server.post("/analysis", {"table": made["table"]}), 403, "not_allowed")
        found = server.post("/analysis", {"table": made["table"], "level": 2}, made["token"])
        assert found.json()["choices"]
        best = {"table": made["table"], "deeper": 1, "shown": [3, 1]}
        assert server.post("/analysis", best, made["token"]).json()["choices"]
        refused(server.post("/analysis", {**best, "level": 2}, made["token"]), 403, "not_allowed")
        refused(server.post("/analysis", {**best, "deeper": 4}, made["token"]), 400, "bad_message")
        past = {"table": made["table"], "ply": 5, "level": 2}
        refused(server.post("/analysis", past, made["token"]), 404, "not_found")
