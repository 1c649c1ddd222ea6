"""Results from folders and from CSV files."""

import json
import math
import re

import pytest
from nim import Nim

from parlour.arena import MatchError, run_match
from parlour.arena.outcomes import Outcomes
from parlour.arena.rating import rate
from parlour.arena.rating_report import markdown_table, write_between_markers
from parlour.arena.result_files import outcomes_of, write_csv

CSV = """group,seat1,seat2,return1,return2,remark
1,a,b,1,0,good
1,b,a,0.5,0.5,
2,a,b,0,1,
2,b,a,1,0,
"""


def written(tmp_path, text, name="results.csv"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def test_a_csv_file_is_read_in_its_groups(tmp_path):
    outcomes, game = outcomes_of([written(tmp_path, CSV)])
    assert (game, outcomes.games, outcomes.seats) == ("", 4, 2)
    assert outcomes.groups.total() == 2
    assert set(outcomes.rows) == {
        (("a", "b"), (0, 1)),
        (("b", "a"), (0, 0)),
        (("a", "b"), (1, 0)),
        (("b", "a"), (0, 1)),
    }


def test_without_groups_every_game_is_one(tmp_path):
    text = "seat1,seat2,seat3,return1,return2,return3\nx,y,z,3,2,1\nx,z,y,3,2,1\n"
    outcomes, _ = outcomes_of([written(tmp_path, text)])
    assert outcomes.seats == 3
    assert outcomes.groups.total() == 2


def test_folders_and_files_are_rated_together(tmp_path):
    run_match(Nim(), ["random", "greedy"], 4, processes=0, folder=tmp_path / "m")
    outcomes, game = outcomes_of([tmp_path / "m", written(tmp_path, CSV)])
    assert game == "nim heap=10"
    assert outcomes.games == 8
    assert outcomes.names == ["a", "b", "greedy", "random"]


def test_an_incomplete_group_does_not_count(tmp_path):
    run_match(Nim(), ["random", "greedy"], 4, processes=0, folder=tmp_path / "m")
    sheet = tmp_path / "m" / "games.jsonl"
    lines = sheet.read_bytes().splitlines(True)
    sheet.write_bytes(b"".join([*lines[1:], b"{}\n", lines[3][:50]]))
    assert outcomes_of([tmp_path / "m"])[0].games == 2


def test_different_games_are_not_rated_together(tmp_path):
    for heap in (10, 11):
        folder = tmp_path / str(heap)
        run_match(Nim(heap=heap), ["random", "greedy"], 2, processes=0, folder=folder)
    with pytest.raises(
        MatchError, match="is of nim heap=11, not of nim heap=10: rate them separately"
    ):
        outcomes_of([tmp_path / "10", tmp_path / "11"])
    with pytest.raises(MatchError, match="has 3 seats, not 2: rate them separately"):
        text = "seat1,seat2,seat3,return1,return2,return3\nx,y,z,3,2,1\n"
        outcomes_of([tmp_path / "10", written(tmp_path, text)])


def test_a_stored_folder_can_be_rated(root):
    outcomes, game = outcomes_of([root / "tests/golden/match"])
    assert outcomes.games == 4
    assert game.startswith("banqi rules=house")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "needs a first line with the columns"),
        ("seat1,return1\na,1\n", "needs a first line with the columns"),
        ("seat1,seat2,return1\n", "needs a first line with the columns"),
        ("seat1,seat2,return1,return2\na,b,1\n", "line 2: every seat needs a name and a number"),
        ("seat1,seat2,return1,return2\na,b,1,x\n", "line 2: every seat needs a name"),
        ("seat1,seat2,return1,return2\na,b,1,nan\n", "line 2: every seat needs a name"),
        ("seat1,seat2,return1,return2\na,,1,0\n", "line 2: every seat needs a name"),
    ],
)
def test_a_wrong_file_is_named_with_its_line(tmp_path, text, message):
    with pytest.raises(MatchError, match=message):
        outcomes_of([written(tmp_path, text)])


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "x", "seats": "many"}'])
def test_a_damaged_folder_is_an_error(tmp_path, text):
    written(tmp_path, text, "match.json")
    with pytest.raises(MatchError, match="is damaged"):
        outcomes_of([tmp_path])


@pytest.mark.parametrize("bad", [b"\xff", b"x" * 200_000])
def test_a_csv_file_with_a_broken_rest_is_an_error(tmp_path, bad):
    path = tmp_path / "results.csv"
    path.write_bytes(CSV.encode() + b"3,a,b,1,0,\n" * 10_000 + b"3," + bad + b",b,1,0,\n")
    with pytest.raises(MatchError, match="is not CSV after line"):
        outcomes_of([path])


@pytest.mark.parametrize("change", [{"seats": 0}, {"seats": -2}, {"seats": 1, "agents": []}])
def test_a_folder_without_players_is_an_error(tmp_path, change):
    run_match(Nim(), ["random", "greedy"], 2, processes=0, folder=tmp_path)
    header = json.loads((tmp_path / "match.json").read_text("utf-8"))
    (tmp_path / "match.json").write_text(json.dumps({**header, **change}))
    with pytest.raises(MatchError, match="is damaged"):
        outcomes_of([tmp_path])


@pytest.mark.parametrize(
    "change", [{"returns": [math.nan, 0]}, {"seats": ["a"] * 3, "returns": [1, 2, 3]}]
)
def test_an_invalid_game_does_not_count(tmp_path, change):
    run_match(Nim(), ["random", "greedy"], 2, processes=0, folder=tmp_path)
    lines = (tmp_path / "games.jsonl").read_text("utf-8").splitlines()
    entry = {**json.loads(lines[0]), **change}
    del entry["check"]
    (tmp_path / "games.jsonl").write_text(f"{json.dumps(entry)}\n{lines[1]}\n")
    assert outcomes_of([tmp_path])[0].games == 0


def test_a_path_given_twice_is_refused(tmp_path):
    path = written(tmp_path, CSV)
    with pytest.raises(MatchError, match="is named twice"):
        outcomes_of([path, tmp_path / "." / "results.csv"])


def test_no_paths_is_an_error():
    with pytest.raises(MatchError, match="give a folder"):
        outcomes_of([])


def test_csv_files_round_trip(tmp_path):
    run_match(Nim(), ["random", "greedy"], 20, processes=0, folder=tmp_path / "m")
    outcomes, _ = outcomes_of([tmp_path / "m", written(tmp_path, CSV)])
    write_csv(outcomes, tmp_path / "one.csv")
    again, _ = outcomes_of([tmp_path / "one.csv"])
    assert rate(again) == rate(outcomes)
    write_csv(again, tmp_path / "two.csv")
    assert (tmp_path / "two.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()
    with pytest.raises(MatchError, match="--csv needs a game of two or more seats"):
        write_csv(Outcomes(1), tmp_path / "three.csv")
    with pytest.raises(MatchError, match="No such file"):
        write_csv(outcomes, tmp_path / "nowhere" / "x.csv")


def test_the_ratings_on_the_page_of_strengths_are_those_of_the_kept_results(root, tmp_path):
    page = tmp_path / "strength.md"
    text = (root / "docs/strength.md").read_text("utf-8")
    page.write_text(text, "utf-8")
    names = re.findall("<!-- ratings (.*) -->", text)
    assert names
    for name in names:
        outcomes, _ = outcomes_of([root / "bench/results" / f"{name.replace('-', '_')}.csv"])
        assert not write_between_markers(page, name, markdown_table(rate(outcomes)))
