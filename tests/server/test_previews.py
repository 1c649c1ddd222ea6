"""Moving pictures of games, and pages for addresses that do not exist."""

import asyncio
import json

import pytest
from connect_four import ConnectFour
from kuhn import Kuhn

import parlour
from parlour.server import sample_game
from parlour.server.http import catalogue, previews
from parlour.server.http.previews import NOTHING, Previews

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture(autouse=True)
def much_time(monkeypatch):
    """Let a slow machine finish."""
    monkeypatch.setattr(sample_game, "CPU_SECONDS", 1e9)


class TestSampleGames:
    @pytest.mark.parametrize("name", ["octa", "banqi", "blokus", "cat_mouse"])
    def test_the_changes_lead_through_positions_of_one_game(self, name):
        found = sample_game.preview(parlour.game(name))
        assert len(found.changes) > 10
        size = found.board.rows * found.board.cols
        assert len(found.cells) == size
        for change in found.changes:
            assert change
            assert all(cell < size and at < len(found.palette) for cell, at in change)

    def test_a_game_with_secrets_is_shown_as_spectators_see_it(self):
        found = sample_game.preview(Kuhn())
        faces = [cell.face for cell in found.palette if cell.face]
        assert faces[0] == "back"

    def test_the_game_stops_when_its_time_is_up(self, monkeypatch):
        monkeypatch.setattr(sample_game, "CPU_SECONDS", 0.0)
        assert sample_game.preview(ConnectFour()).changes == []

    def test_long_previews_are_shortened(self, monkeypatch):
        found = sample_game.preview(parlour.game("octa"))
        monkeypatch.setattr(sample_game, "MOST_BYTES", 3000)
        data = sample_game.encoded(found)
        assert len(data) <= 3000
        assert 0 < len(json.loads(data)["changes"]) < 80


class TestPreviews:
    def test_a_preview_is_made_once_and_cached_by_browsers(self, server, monkeypatch):
        answer = server.get("/games/octa/preview")
        assert len(answer.json()["changes"]) > 10
        assert answer.headers["content-encoding"] == "gzip"
        assert "max-age" in answer.headers["cache-control"]

        async def again(name):
            raise AssertionError(name)

        monkeypatch.setattr(previews, "_played", again)
        assert server.get("/games/octa/preview").content == answer.content

    def test_an_unknown_game_has_none(self, server):
        assert server.get("/games/chess/preview").status_code == 404

    def test_a_game_that_another_process_cannot_play_has_an_empty_one(self, server):
        parlour.register("kuhn", Kuhn)
        assert server.get("/games/kuhn/preview").content == NOTHING

    def test_a_game_that_takes_too_long_is_ended(self, server, monkeypatch):
        monkeypatch.setattr(previews, "SECONDS", 0.0)
        assert server.get("/games/octa/preview").content == NOTHING

    def test_stopping_the_server_ends_the_subprocess(self, start):
        server = start()

        async def begin():
            asking = asyncio.ensure_future(Previews(server.app.rooms).preview("octa"))
            await asyncio.sleep(0)
            await server.app.rooms.close()
            return (await asking).plain

        assert server.run(begin()) == NOTHING


class TestExamples:
    @pytest.mark.parametrize("name", ["octa", "banqi", "blokus", "cat_mouse"])
    def test_the_sections_of_the_rules_have_moving_pictures(self, server, name):
        answer = server.get(f"/games/{name}/examples")
        assert "max-age" in answer.headers["cache-control"]
        examples = answer.json()["examples"]
        assert len(examples) == len(parlour.game(name).guide().rules())
        assert sum(len(each["changes"]) > 0 for each in examples) >= 2
        for each in examples:
            size = each["board"]["rows"] * each["board"]["cols"] if each["cells"] else 0
            assert len(each["cells"]) == size
            for cell, at in (pair for change in each["changes"] for pair in change):
                assert cell < size
                assert at < len(each["palette"])

    def test_an_unknown_game_has_none(self, server):
        assert server.get("/games/chess/examples").status_code == 404
        assert server.get("/games/octa:size=2/examples").status_code == 404

    def test_a_game_whose_scenes_cannot_be_made_has_none(self, server, monkeypatch):
        def scenes(guide, section):
            raise ValueError("no scenes")

        monkeypatch.setattr(parlour.Guide, "scenes", scenes)
        catalogue.game_examples.cache_clear()
        parlour.register("kuhn", Kuhn)
        assert server.get("/games/kuhn/examples").json() == {"examples": []}
        catalogue.game_examples.cache_clear()

    def test_large_pictures_are_left_out(self, server, monkeypatch):
        monkeypatch.setattr(catalogue, "EXAMPLES_BYTES", 100)
        catalogue.game_examples.cache_clear()
        assert server.get("/games/octa/examples").json() == {"examples": []}
        catalogue.game_examples.cache_clear()


class TestUnknownAddresses:
    def test_a_browser_gets_a_page(self, server):
        answer = server.http.get(f"{server.url}/nope", headers=BROWSER)
        assert answer.status_code == 404
        assert answer.headers["content-type"].startswith("text/html")
        assert 'href="/"' in answer.text
        assert "{{" not in answer.text

    @pytest.mark.parametrize(
        ("path", "accept"), [("/nope", "*/*"), ("/nope", ""), ("/api/v1/nope", "text/html")]
    )
    def test_a_program_gets_json(self, server, path, accept):
        answer = server.http.get(server.url + path, headers={"accept": accept})
        assert answer.status_code == 404
        assert answer.json()["code"] == "not_found"
