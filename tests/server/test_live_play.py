"""After random play, the client's state equals the server's."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from live_play import GAMES, news, plans, play

from parlour.protocol.messages import StandingView


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=15)
@given(plan=plans)
def test_the_client_state_matches_the_server_state(name, plan):
    with tempfile.TemporaryDirectory() as folder:
        found = play(Path(folder) / "store.sqlite", name, plan)
    for viewer, standing, scene, history in found:
        view = viewer.talk.view
        for field in StandingView.__struct_fields__:
            if field not in ("seats", "clocks"):
                assert getattr(view, field) == getattr(standing, field), field
        assert view.seats == tuple(standing.seats)
        assert view.scene == scene
        assert view.history == history
        first = viewer.delivered[0]["standing"]["v"]
        assert news(viewer) == list(range(first + 1, standing.v + 1))


def test_updates_carry_the_clocks_of_the_last_event(tmp_path):
    plan = [("wait", None, 7), ("turn", 0, 0), ("wait", None, 3), ("turn", 0, 1)]
    for viewer, standing, *_ in play(tmp_path / "store.sqlite", "octa", plan):
        assert viewer.talk.view.clocks == standing.clocks
        assert standing.clocks.left == [295.0, 299.0]
