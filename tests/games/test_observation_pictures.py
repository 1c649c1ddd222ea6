"""The pictures and descriptions of docs/observations.md are up to date."""

import re

import observation_pictures
import pytest

import parlour


@pytest.mark.parametrize("name", parlour.game_names())
def test_the_committed_pictures_are_up_to_date(name):
    kept = observation_pictures.path_of(name).read_text("utf-8")
    assert kept == observation_pictures.picture(name), (
        "python tests/games/observation_pictures.py makes it anew; look at it"
    )


@pytest.mark.parametrize("name", parlour.game_names())
def test_every_plane_and_every_kind_of_extra_is_described(root, name):
    game = parlour.game(name)
    document = (root / "docs" / "observations.md").read_text("utf-8")
    section = re.search(rf"^## {re.escape(game.title)}\n(.*?)^## ", document, re.M | re.S)[1]
    named = set(re.findall(r"`([^`]+)`", section))
    watching = parlour.observer(game)
    for plane in watching.planes:
        assert re.sub(r"colour \d", "colour k", plane) in named
    for extra in watching.extra_names:
        # Of many extras of one kind, the page names the first and the last.
        if ": has " not in extra and not extra.startswith("hidden"):
            assert re.sub(r"colour \d", "colour k", extra) in named
    assert watching.extra_names[0] in named
