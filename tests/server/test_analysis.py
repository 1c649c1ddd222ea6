"""Trees of variations, and the analysis of positions that belong to no table."""

import json

import pytest
from kuhn import Kuhn
from live_server import Rate

import parlour
from parlour.protocol.limits import POSITION_LENGTH, TREE_NODES

OCTA = parlour.game("octa", size=2)
START = OCTA.start(5)
GIVEN = {"game": "octa", "options": {"size": 2}, "position": OCTA.state_to_text(START)}


def refused(answer, status, code):
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    return answer.json()["message"]


def played(game, seed=5):
    state, actions, rng = game.start(seed), [], parlour.Rng(1)
    while state.result() is None:
        actions.append(state.sample(rng))
        state = state.apply(actions[-1])
    return parlour.Record(game, seed, actions)


class TestTrees:
    def test_a_record_is_returned_move_by_move_with_the_scene_of_one_position(self, server):
        record = played(parlour.game("banqi"))
        found = server.post("/positions", {"record": record.to_text(), "shown": 1}).json()
        assert [node.get("action", -1) for node in found["nodes"]] == [-1, *record.actions]
        texts = [record.game.state_to_text(state) for state in record.states]
        assert [node["position"] for node in found["nodes"]] == texts
        assert found["nodes"][-1]["returns"] == list(record.final.result().returns)
        outcomes = record.states[1].chance_outcomes()
        assert {each[0] for each in found["scene"]["actions"]} == {each for each, _ in outcomes}

    def test_variations_branch_at_any_node(self, server):
        first, second = START.legal_actions()[:2]
        wish = {**GIVEN, "moves": [[0, first], [0, second]], "shown": 2}
        found = server.post("/positions", wish).json()
        texts = [OCTA.state_to_text(START.apply(each)) for each in (first, second)]
        assert [node["position"] for node in found["nodes"][1:]] == texts
        assert [node.get("parent") for node in found["nodes"][1:]] == [0, 0]

    def test_a_seed_gives_the_start_of_a_game(self, server):
        wish = {"game": "octa", "options": {"size": 2}, "seed": 5}
        assert server.post("/positions", wish).json()["nodes"][0]["position"] == GIVEN["position"]

    @pytest.mark.parametrize(
        ("more", "status", "code"),
        [
            ({"position": "nonsense"}, 400, "bad_state"),
            ({"position": GIVEN["position"].replace("1", "2")}, 409, "invalid_state"),
            ({"position": "x" * (POSITION_LENGTH + 1)}, 400, "bad_message"),
            ({"game": "nothing"}, 404, "not_found"),
            ({"options": {"size": 99}}, 409, "bad_option"),
            ({"moves": [[0, 10_000]]}, 409, "illegal"),
            ({"moves": [[7, 0]]}, 400, "bad_message"),
            ({"moves": [[0, 0]] * (TREE_NODES + 1)}, 400, "bad_message"),
            ({"shown": 3}, 404, "not_found"),
            ({"record": "nonsense"}, 409, "bad_record"),
            ({"record": "1. a\n" * (TREE_NODES + 1)}, 413, "too_large"),
        ],
    )
    def test_what_is_impossible_is_refused(self, server, more, status, code):
        refused(server.post("/positions", {**GIVEN, **more}), status, code)

    def test_the_texts_of_a_tree_are_bounded(self, server, monkeypatch):
        monkeypatch.setattr("parlour.server.http.variations.TREE_BYTES", 300)
        wish = {"record": played(OCTA).to_text()}
        refused(server.post("/positions", wish), 413, "too_large")

    def test_an_error_of_the_games_code_is_the_servers_not_the_callers(self, server, monkeypatch):
        def broken(self, text):
            raise ZeroDivisionError("no")

        monkeypatch.setattr(Kuhn, "state_from_text", broken)
        parlour.register("kuhn", Kuhn)
        wish = {"game": "kuhn", "position": "x"}
        refused(server.post("/positions", wish), 502, "broken_contract")

    def test_every_position_is_paid_for(self, start):
        server = start(work=Rate(0.01, 60))
        record = played(parlour.game("banqi")).to_text()
        for _ in range(20):
            answer = server.post("/positions", {"record": record})
            if answer.status_code == 429:
                break
        assert answer.status_code == 429


class TestSecrets:
    @pytest.fixture(autouse=True)
    def kuhn(self):
        parlour.register("kuhn", Kuhn)

    def test_a_finished_game_is_shown_to_the_end(self, server):
        record = played(Kuhn())
        found = server.post("/positions", {"record": record.to_text()}).json()
        assert len(found["nodes"]) == len(record.states)
        assert found["can_set_up"] is False

    def test_an_unfinished_record_is_refused(self, server):
        record = played(Kuhn())
        text = record.cut(len(record.actions) - 1).to_text()
        answer = server.post("/positions", {"record": text})
        assert "only after the end" in refused(answer, 403, "not_allowed")

    def test_there_is_no_public_picture(self, server):
        refused(server.get("/positions/picture?game=kuhn"), 403, "not_allowed")


class TestRunningGames:
    @pytest.fixture
    def running(self, server):
        made = server.table("octa", ["me", "open"], options={"size": 2}, seed=5)
        return made, server.claim(made)

    def positions(self, server, token, **more):
        return server.post("/positions", {**GIVEN, **more}, token)

    def test_a_position_that_the_caller_plays_against_people_is_refused(self, server, running):
        _, token = running
        assert "against people" in refused(self.positions(server, token), 403, "not_allowed")
        answer = server.post("/analysis", {**GIVEN, "level": 1}, token)
        assert "against people" in refused(answer, 403, "not_allowed")
        line = {"game": "octa", "options": json.dumps({"size": 2}), "position": GIVEN["position"]}
        answer = server.get("/positions/picture", token, params=line)
        assert "against people" in refused(answer, 403, "not_allowed")

    def test_no_line_leads_through_it(self, server, running):
        _, token = running
        moves = [[0, int(START.legal_actions()[0])]]
        refused(self.positions(server, token, moves=moves), 403, "not_allowed")

    def test_others_may_look_at_it_and_so_may_the_players_afterwards(self, server, running):
        made, token = running
        assert self.positions(server, "").status_code == 200
        path = f"/tables/{made['table']}/seats/0/leave"
        assert server.post(path, {}, made["token"]).status_code == 200
        assert self.positions(server, token).status_code == 200


class TestJudgement:
    def test_a_position_is_analysed_by_its_text(self, server):
        found = server.post("/analysis", {**GIVEN, "level": 3}).json()
        assert found["choices"][0]["action"] in list(START.legal_actions())
        assert found["ply"] == 0

    def test_the_played_action_is_judged_against_the_best_one(self, server):
        wish = {**GIVEN, "brief": True}
        legal = [int(each) for each in START.legal_actions()]
        judged = [server.post("/analysis", {**wish, "played": each}).json() for each in legal]
        assert [each["played"]["choice"]["action"] for each in judged] == legal
        lost = [each["played"].get("lost", 0.0) for each in judged]
        assert min(lost) == 0
        for each in judged:
            mark, loss = each["played"].get("mark", ""), each["played"].get("lost", 0.0)
            assert bool(mark) == (loss >= 0.15)

    def test_nothing_is_judged_after_the_end_or_out_of_the_rules(self, server):
        record = played(OCTA)
        over = {**GIVEN, "position": OCTA.state_to_text(record.final)}
        assert "no player is to act" in refused(server.post("/analysis", over), 403, "not_allowed")
        refused(server.post("/analysis", {**GIVEN, "played": 9999}), 409, "illegal")
        both = {**GIVEN, "brief": True, "level": 2}
        refused(server.post("/analysis", both), 403, "not_allowed")
        refused(server.post("/analysis", {}), 404, "not_found")


class TestLines:
    @pytest.fixture
    def line(self):
        moves = ",".join(str(action) for action in played(OCTA).actions[:3])
        options = json.dumps({"size": 2})
        return {"game": "octa", "options": options, "position": GIVEN["position"], "moves": moves}

    def test_a_line_is_drawn_as_a_picture_and_a_film(self, server, line):
        picture = server.get("/positions/picture", params=line)
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert "<svg" in picture.text
        film = server.get("/positions/film", params=line)
        assert film.headers["content-type"] == "image/gif"
        assert film.content[:4] == b"GIF8"

    @pytest.mark.parametrize(
        ("more", "status", "code"),
        [
            ({"options": "[]"}, 400, "bad_message"),
            ({"moves": "x"}, 400, "bad_message"),
            ({"moves": "99999"}, 409, "illegal"),
            ({"position": "x" * (POSITION_LENGTH + 1)}, 413, "too_large"),
            ({"game": ""}, 404, "not_found"),
        ],
    )
    @pytest.mark.parametrize("kind", ["picture", "film"])
    def test_a_bad_line_is_refused(self, server, line, kind, more, status, code):
        refused(server.get(f"/positions/{kind}", params={**line, **more}), status, code)

    def test_a_long_line_has_no_film(self, server, line, monkeypatch):
        monkeypatch.setattr("parlour.server.http.analysis_api.MOST_FRAMES", 3)
        refused(server.get("/positions/film", params=line), 413, "too_large")
