"""Every game still plays as its golden file says, in both builds."""

import importlib.util
import json
from pathlib import Path

import pytest

import parlour
from parlour import Record

OURS = [
    name
    for name in parlour.game_names()
    if parlour.game_class(name).__module__.startswith("parlour.")
]

spec = importlib.util.spec_from_file_location("regenerate", Path(__file__).parent / "regenerate.py")
regenerate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(regenerate)


def test_every_game_has_exactly_one_golden_file():
    files = {path.stem for path in Path(__file__).parent.glob("*.json")}
    assert files == set(OURS)


@pytest.mark.parametrize("name", OURS)
def test_starts_perft_and_a_game_match_the_golden_files(name):
    golden = json.loads(regenerate.path(name).read_text("utf-8"))
    assert regenerate.trace(name) == golden


@pytest.mark.parametrize("name", OURS)
def test_the_golden_record_can_still_be_read(name):
    golden = json.loads(regenerate.path(name).read_text("utf-8"))
    record = Record.from_text("\n".join(golden["record"]))
    assert record.final.actor == parlour.OVER
