"""Files of earlier versions can be read and resumed. They change only with their format."""

import shutil
from pathlib import Path

import pytest

import parlour
from parlour import Record
from parlour.arena import run_match
from parlour.table import PERSON, Table, load, verify

FOLDER = Path(__file__).parent
RECORDS = sorted((FOLDER / "records").glob("*.parlour"))

ACTORS = {
    "banqi_draw_offered": 1,
    "banqi_unfinished_key": 1,
    "blokus_duo_unfinished": 1,
    "cat_mouse_unfinished": 0,
    "octa_unfinished_clocks": 1,
    "octa_without_notes": 1,
}
ENDINGS = {
    "banqi_draw_agreed": ((0.0, 0.0), "the players agreed on a draw"),
    "octa_resigned": ((-1.0, 1.0), "player 1 resigned"),
    "octa_time_up": ((-1.0, 1.0), "the time of player 1 is up"),
}
SEATS = {
    "banqi_unfinished_key": (PERSON, "search:nodes=200,seed=6"),
    "blokus_finished": (PERSON, "greedy:seed=1", "random:seed=2", "random:seed=3"),
    "octa_unfinished_clocks": (PERSON, "level:2,seed=4"),
    "octa_without_notes": (PERSON, PERSON),
}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_stored_records_round_trip_exactly(path):
    text = path.read_text("utf-8")
    assert Record.from_text(text).to_text() == text


@pytest.mark.parametrize("name", ACTORS)
def test_a_stored_unfinished_game_can_be_resumed(name):
    table = Table.resume(load(FOLDER / "records" / f"{name}.parlour"))
    assert table.actor == ACTORS[name]
    before = table.state
    table.play(table.state.legal_actions()[0])
    assert table.state != before


@pytest.mark.parametrize("name", ENDINGS)
def test_the_end_of_a_stored_game_is_read(name):
    table = Table.resume(load(FOLDER / "records" / f"{name}.parlour"))
    assert tuple(table.ending) == ENDINGS[name]


@pytest.mark.parametrize("name", SEATS)
def test_the_players_of_a_stored_game_are_read(name):
    assert Table.resume(load(FOLDER / "records" / f"{name}.parlour")).seats == SEATS[name]


def test_stored_clocks_are_restored():
    path = FOLDER / "records" / "octa_unfinished_clocks.parlour"
    table = Table.resume(load(path), now=lambda: 5.0)
    assert [table.clocks.left(seat) for seat in (0, 1)] == [295.0, 296.2]
    assert table.clocks.control == (300.0, 3.0)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_stored_key_reproduces_the_chance_outcomes(path):
    record = load(path)
    if "key" in record.notes:
        key = bytes.fromhex(record.notes["key"])
        assert verify(record, record.notes["commitment"], key) is None
    else:
        assert path.stem == "octa_without_notes"


def test_a_stored_match_resumes_without_replaying_games(tmp_path):
    folder = shutil.copytree(FOLDER / "match", tmp_path / "match")
    played = []
    result = run_match(
        parlour.game("banqi", quiet_limit=4),
        ["greedy", "random"],
        6,
        seed=3,
        processes=0,
        folder=folder,
        on_progress=played.append,
    )
    assert (len(result.games), len(played), played[0].kept) == (6, 2, 4)
    assert result.games[3].returns == (-1.0, 1.0)
