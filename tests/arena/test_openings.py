"""Openings: games begin as the file says."""

import pytest
from dice import Dice
from nim import Nim

import parlour
from parlour import Record
from parlour.arena import MatchError, Opening, read_openings, run_match
from parlour.arena.export import export_games, exported


def written(tmp_path, text):
    path = tmp_path / "openings.txt"
    path.write_text(text, "utf-8")
    return path


def test_lines_are_a_seed_actions_or_both(tmp_path):
    path = written(tmp_path, "# two\n\nseed 7\n  seed 7: take1 take2 \ntake3 take1 take2\n")
    game = Nim(heap=20)
    actions = [game.action_from_text(game.start(), f"take{number}") for number in "123"]
    one, two, three = actions
    assert read_openings(path, game) == (
        Opening(7),
        Opening(7, (one, two)),
        Opening(None, (three, one, two)),
    )


def test_every_group_takes_the_next_opening_and_all_its_games_begin_with_it(tmp_path, records_in):
    game = parlour.game("octa", size=2)
    start = game.start(7)
    first = game.action_to_text(start, start.legal_actions()[-1])
    path = written(tmp_path, f"seed 7: {first}\nseed 8\n")
    openings = read_openings(path, game)
    run_match(game, ["random"] * 2, 6, processes=0, folder=tmp_path / "m", openings=openings)
    records = [Record.from_text(text) for text in records_in(tmp_path / "m").values()]
    assert [record.seed for record in records] == [7, 7, 8, 8, 7, 7]
    assert [record.actions[0] == start.legal_actions()[-1] for record in records[:2]] == [True] * 2
    assert records[0].actions != records[1].actions


def test_an_export_can_be_read_as_openings(tmp_path):
    game = Dice()
    run_match(game, ["random"] * 2, 4, processes=0, folder=tmp_path / "m")
    assert export_games(tmp_path / "m", tmp_path / "all") == 4
    openings = read_openings(tmp_path / "all", game)
    records = list(exported(tmp_path / "m"))
    for opening, record in zip(openings, records, strict=True):
        assert opening.seed == record.seed
        assert record.actions[: len(opening.actions)] == opening.actions
        assert len(opening.actions) < len(record.actions)
    played = run_match(game, ["random"] * 2, 4, processes=0, openings=openings)
    assert [game.fault for game in played.games] == [None] * 4


def test_an_export_has_the_players_and_results(tmp_path):
    run_match(Nim(), ["odd_agents:Crashing", "random"], 2, processes=0, folder=tmp_path / "m")
    first, _ = exported(tmp_path / "m")
    assert dict(first.notes) == {
        "arena-game": "1",
        "arena-seat-1": "odd_agents:Crashing",
        "arena-seat-2": "random",
        "arena-result": "-1 1 crashed",
        "arena-fault": "1 crashed: ZeroDivisionError: integer division or modulo by zero",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no openings: a line reads like"),
        ("take1\ntake9\n", "line 2: "),
        ("seed x: 1", "line 1: "),
        ("take3 take3 take3 take1\n", "line 1: the game is over after these actions"),
        ("parlour record 1\ngame nim\n", "line 1: line "),
    ],
)
def test_a_wrong_file_is_named_with_its_line(tmp_path, text, message):
    with pytest.raises(MatchError, match=message):
        read_openings(written(tmp_path, text), Nim())


def test_a_record_of_another_game_is_refused(tmp_path):
    path = written(tmp_path, Record(Nim(heap=9)).to_text())
    with pytest.raises(MatchError, match="line 1: this is a record of"):
        read_openings(path, Nim())


def test_a_missing_or_binary_file_is_refused(tmp_path):
    with pytest.raises(MatchError, match=r"cannot read the openings: .*nothing: No such file"):
        read_openings(tmp_path / "nothing", Nim())
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(MatchError, match="is not text"):
        read_openings(tmp_path / "bytes", Nim())


def test_actions_that_do_not_fit_a_groups_own_start_end_the_match(tmp_path):
    with pytest.raises(MatchError, match=r"cannot be played from the start .*write 'seed N:'"):
        run_match(Nim(), ["random"] * 2, 2, processes=1, openings=[Opening(None, (2,) * 5)])
