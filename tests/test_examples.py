"""The examples inside the package: found by name, not listed, short, and right."""

from importlib.metadata import entry_points
from pathlib import Path

import pytest
from parlour_here import run_here

import parlour
from parlour.core import registry

POINTS = sorted(entry_points(group="parlour.examples"), key=lambda point: point.name)
NAMES = [point.name for point in POINTS]


@pytest.mark.parametrize("name", NAMES)
def test_an_example_keeps_the_contract_and_is_played_by_its_name(name):
    checked = run_here("check", f"examples.{name}", "--no-speed")
    assert checked.returncode == 0, checked.stdout
    played = run_here("match", f"examples.{name}", "random", "random", "--games", "2")
    assert played.returncode == 0, played.stderr


@pytest.mark.parametrize("name", NAMES)
def test_an_example_has_fewer_than_200_lines(name):
    module = Path(parlour.__file__).parent / "examples" / f"{name}.py"
    assert len(module.read_text("utf-8").splitlines()) < 200


def test_examples_are_not_listed():
    listed = run_here("games").stdout
    assert "octa" in listed
    assert not [name for name in NAMES if name in listed]


def test_an_unknown_example_is_refused():
    refused = run_here("play", "examples.octa")
    assert refused.returncode == 2
    assert "there is no game 'examples.octa'" in refused.stderr


def test_an_example_neither_enters_the_list_nor_replaces_a_game_of_its_name(monkeypatch):
    class Morris(parlour.Game):
        """A game of another author with the name of an example."""

    monkeypatch.setattr(registry, "_registered", {})
    example = parlour.game_class("examples.nine_mens_morris")
    assert parlour.game_class("nine-mens-morris") is example
    assert "nine_mens_morris" not in parlour.game_names()
    parlour.register("nine_mens_morris", Morris)
    assert parlour.game_class("nine_mens_morris") is Morris
    assert parlour.game_class("examples.nine_mens_morris") is example
