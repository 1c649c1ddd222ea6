"""Setting up tables and their files."""

import os

import pytest
from nim import Nim

import parlour
from parlour.table import PERSON, Table, locations
from parlour.table.events import Resign
from parlour.table.opening import GameSetup


def test_agents_without_a_seed_get_one_from_the_game(agents_here):
    def seats(*asked):
        return GameSetup(Nim(), asked, seed=7).sit_down().seats

    assert seats("level:5", "random") == ("level:5,seed=7", "random:seed=8")
    assert seats("mcts:seed=1", PERSON) == ("mcts:seed=1", PERSON)
    assert seats("odd_agents:First", "odd_agents:Counted") == (
        "odd_agents:First:seed=7",
        "odd_agents:Counted",
    )
    largest = GameSetup(Nim(), ("random", "random"), seed=2**32 - 1).sit_down()
    assert largest.seats == (f"random:seed={2**32 - 1}", "random:seed=0")


def test_without_a_given_seed_agents_get_random_seeds():
    seeds = set()
    for _ in range(8):
        at = GameSetup(Nim(), (PERSON, "random")).sit_down()
        seed = int(at.seats[1].partition("seed=")[2])
        assert abs(seed - at.seed) > 1
        seeds.add(seed)
    assert len(seeds) == 8


def test_only_the_first_game_uses_the_given_seed():
    opening = GameSetup(Nim(), seed=7)
    assert opening.sit_down().seed == 7
    assert opening.sit_down().seed != opening.sit_down().seed


def test_with_a_seed_chance_is_repeatable_and_without_one_it_is_not():
    first, second = (GameSetup(Nim(), seed=7).sit_down() for _ in range(2))
    assert first.commitment == second.commitment
    opening = GameSetup(Nim())
    assert opening.sit_down().commitment != opening.sit_down().commitment


class TestRecords:
    @pytest.fixture(autouse=True)
    def _known(self):
        parlour.register("nim", Nim)

    def test_the_data_folder_is_the_platforms_or_from_the_variable(self, tmp_path, monkeypatch):
        assert locations.records_folder() == tmp_path / "data" / "records"
        monkeypatch.delenv(locations.VARIABLE)
        assert locations.data_folder().name == "parlour"

    def test_the_latest_unfinished_game_is_found(self):
        folder = locations.records_folder()
        assert locations.latest_unfinished(folder) is None
        paths = []
        for number in range(3):
            table = GameSetup(Nim(heap=1 + number), folder=folder).sit_down()
            table.play(0)
            table.close()
            os.utime(
                table.path, (10 - number, 10 - number)
            )  # the record's timestamp takes precedence
            paths.append(table.path)
        (folder / f"damaged{locations.SUFFIX}").write_text("parlour record 1\n")
        assert locations.latest_unfinished(folder) == paths[2]
        assert locations.latest_unfinished(folder, "octa") is None
        paths[2].unlink()
        assert locations.latest_unfinished(folder, "nim") == paths[1]
        paths[1].unlink()
        assert locations.latest_unfinished(folder) is None

    def test_only_games_of_people_are_resumed(self):
        folder = locations.records_folder()
        for seats, is_scripted in ((("random", "random"), False), ((), True)):
            setup = GameSetup(Nim(heap=4), seats, folder=folder, is_scripted=is_scripted)
            table = setup.sit_down()
            table.play(0)
            table.close()
        assert len(locations.record_files(folder)) == 2
        assert locations.latest_unfinished(folder) is None

    def test_a_file_without_a_timestamp_is_sorted_by_file_time(self):
        folder = locations.records_folder()
        old = GameSetup(Nim(heap=4), folder=folder).sit_down()
        old.play(0)
        record = old.snapshot()
        notes = {key: value for key, value in record.notes.items() if key != "saved"}
        old.path.write_text(record.with_notes(notes).to_text())
        new = GameSetup(Nim(heap=5), folder=folder).sit_down()
        new.play(0)
        os.utime(old.path, (1, 1))
        assert locations.latest_unfinished(folder) == new.path
        os.utime(old.path, (4_000_000_000, 4_000_000_000))
        assert locations.latest_unfinished(folder) == old.path

    @pytest.mark.parametrize("value", ["", "  ", "x" * 5000])
    def test_an_invalid_data_folder_prints_a_warning(self, value, monkeypatch, capsys):
        monkeypatch.setenv(locations.VARIABLE, value)
        assert locations.data_folder().name == "parlour"
        assert "PARLOUR_DATA is " in capsys.readouterr().err

    def test_a_game_without_actions_writes_no_file(self):
        GameSetup(Nim(), folder=locations.records_folder()).sit_down()
        assert locations.record_files(locations.records_folder()) == []

    def test_a_resumed_game_keeps_its_file_and_the_next_has_another(self):
        folder = locations.records_folder()
        table = GameSetup(Nim(), folder=folder).sit_down()
        table.play(0)
        table.close()
        opening = GameSetup(Nim(), folder=folder, resumed=table.path)
        again = opening.sit_down()
        assert again.state == table.state
        assert again.path == table.path
        assert opening.sit_down().path != table.path

    def test_a_resigned_game_is_not_resumed(self):
        table = GameSetup(Nim(), folder=locations.records_folder()).sit_down()
        table.play(0)
        assert isinstance(table, Table)
        table.request(1, Resign())
        assert locations.latest_unfinished(locations.records_folder()) is None
