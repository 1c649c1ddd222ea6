"""Records by path and by name, and records of games that are not installed."""

import json

import pytest
from nim import Nim
from parlour_here import run_here

import parlour
from parlour.commands.position import position
from parlour.commands.records import list_records
from parlour.commands.replay import check_record
from parlour.core import registry
from parlour.core.errors import GameNotInstalled, UnknownRecord
from parlour.table import load
from parlour.table.locations import find_record, records_folder
from parlour.table.storage import TableFile

OCTA = parlour.Record(parlour.game("octa", size=1), 8, [2])


def keep(name, record=OCTA):
    folder = records_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(record.to_text(), "utf-8")
    return path


@pytest.fixture
def nim_record():
    """A saved record of a game that has been uninstalled."""
    parlour.register("nim", Nim)
    path = keep("nim-1.parlour", parlour.Record(Nim(), 0, []))
    del registry._registered["nim"]
    return path


class TestNames:
    def test_a_record_is_found_by_name_with_and_without_the_suffix(self):
        path = keep("octa-1.parlour")
        for word in ("octa-1.parlour", "octa-1", "oc", str(path)):
            assert find_record(word) == path

    def test_an_exact_name_takes_precedence_over_longer_names(self):
        path = keep("octa-1.parlour")
        keep("octa-11.parlour")
        assert find_record("octa-1") == path

    def test_an_ambiguous_prefix_lists_the_names(self):
        for number in range(3):
            keep(f"octa-{number}.parlour")
        with pytest.raises(UnknownRecord) as caught:
            find_record("octa")
        assert str(caught.value).startswith("3 records begin with 'octa': octa-")
        assert all(f"octa-{number}.parlour" in str(caught.value) for number in range(3))

    def test_with_many_matches_a_few_are_listed_and_the_rest_counted(self):
        for number in range(9):
            keep(f"octa-{number}.parlour")
        with pytest.raises(UnknownRecord, match=r"9 records begin with .* and 4 more"):
            find_record("octa")

    def test_an_unknown_name_suggests_the_nearest(self):
        keep("my-best.parlour")
        for word in ("my-bets", "my-bets.parlour"):
            with pytest.raises(UnknownRecord, match=r"\(did you mean 'my-best'\?\)"):
                find_record(word)

    def test_without_records_the_folder_is_named(self):
        with pytest.raises(UnknownRecord, match=r"records has no records; 'parlour records' lists"):
            find_record("octa-1")

    def test_a_path_is_never_a_name(self):
        keep("octa-1.parlour")
        with pytest.raises(UnknownRecord, match=r"there is no file '\./octa-1\.parlour'"):
            find_record("./octa-1.parlour")

    @pytest.mark.parametrize("word", ["", " ", "x\0y", "x" * 5000])
    def test_invalid_names_are_refused(self, word):
        with pytest.raises(UnknownRecord):
            find_record(word)

    def test_a_file_and_a_saved_record_of_the_same_name_are_ambiguous(self, tmp_path, monkeypatch):
        kept = keep("octa-1.parlour")
        monkeypatch.chdir(tmp_path)
        here = tmp_path / "octa-1.parlour"
        here.write_text(OCTA.to_text(), "utf-8")
        with pytest.raises(UnknownRecord) as caught:
            find_record("octa-1.parlour")
        assert f"write ./octa-1.parlour or {kept}" in str(caught.value)
        assert find_record("./octa-1.parlour").samefile(here)
        monkeypatch.chdir(kept.parent)  # both names mean the same file
        assert find_record("octa-1.parlour").samefile(kept)


class TestPositions:
    def test_a_source_is_a_game_or_a_record_by_its_name(self):
        keep("octa-1.parlour")
        assert position("octa", ["size=1"], 8, None) == OCTA.states[0]
        assert position("octa:size=1", [], 8, None) == OCTA.states[0]
        assert position("octa-1", [], None, None) == OCTA.final
        assert position("octa-1", [], None, 0) == OCTA.states[0]

    def test_options_that_the_record_contains_are_refused(self):
        keep("octa-1.parlour")
        with pytest.raises(parlour.ParlourError, match="leave out --set"):
            position("octa-1", ["size=2"], None, None)
        with pytest.raises(parlour.ParlourError, match="leave out --seed"):
            position("octa-1", [], 0, None)
        with pytest.raises(parlour.ParlourError, match="--at needs a record"):
            position("octa", [], None, 1)

    def test_an_unknown_source_suggests_games_and_records(self):
        keep("my-best.parlour")
        with pytest.raises(parlour.UnknownGame, match=r"no game and no record 'my_bets' \(did"):
            position("my_bets", [], None, None)


class TestGameNotInstalled:
    def test_a_record_of_a_missing_game_is_not_called_invalid(self, nim_record):
        with pytest.raises(GameNotInstalled) as caught:
            load(nim_record)
        assert caught.value.code == "game_not_installed"
        assert isinstance(caught.value, parlour.RecordError)
        assert str(caught.value) == (
            f"{nim_record}: the game 'nim' of this record is not installed; to read the record, "
            "install the package that offers this game"
        )

    def test_a_check_does_not_call_it_invalid(self, nim_record):
        with pytest.raises(GameNotInstalled):
            check_record(nim_record)

    def test_a_record_with_a_wrong_checksum_is_damaged(self):
        with pytest.raises(parlour.RecordError, match=r"line 2: .*\(did you mean") as caught:
            parlour.Record.from_text(OCTA.to_text().replace("game octa", "game otca"))
        assert not isinstance(caught.value, GameNotInstalled)

    def test_the_list_distinguishes_a_missing_game_from_a_damaged_record(self, nim_record, capsys):
        path = keep("broken.parlour")
        path.write_text(OCTA.to_text().replace("1. 1,1", "1. 0,0"), "utf-8")
        assert list_records() == 0
        lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()[:-1])
        assert lines["nim-1.parlour"].startswith("the game 'nim' of this record is not installed")
        assert lines["broken.parlour"].startswith("damaged")


class TestTheList:
    def test_columns_are_aligned_and_name_the_players(self, capsys):
        keep("octa-1.parlour", OCTA.with_notes({"seat.1": "person", "seat.2": "level:3"}))
        cat_mouse = parlour.game("cat_mouse")
        first = cat_mouse.start(1).legal_actions()[0]
        keep("cat-and-mouse-12.parlour", parlour.Record(cat_mouse, 1, [first]))
        assert list_records() == 0
        *lines, total = capsys.readouterr().out.splitlines()
        (cat,) = (line for line in lines if line.startswith("cat"))
        (octa,) = (line for line in lines if line.startswith("octa"))
        assert octa.endswith("1 action  unfinished  person – level:3")
        assert cat.index("unfinished") == octa.index("unfinished")
        assert total == f"2 records in {records_folder()}"

    def test_a_beginning_selects_records(self, capsys):
        keep("octa-1.parlour")
        keep("other.parlour")
        assert list_records(["oct"]) == 0
        assert capsys.readouterr().out.splitlines()[-1].startswith("1 record in ")
        with pytest.raises(UnknownRecord, match="begins with 'nothing'"):
            list_records(["nothing"])

    def test_programs_get_json(self):
        keep("octa-1.parlour", OCTA.with_notes({"seat.1": "person", "seat.2": "level:3"}))
        done = run_here("records", "--json")
        assert json.loads(done.stdout) == {
            "name": "octa-1.parlour",
            "game": "Octa",
            "actions": 1,
            "status": "unfinished",
            "players": ["person", "level:3"],
        }


class TestDeleting:
    def test_records_are_deleted_by_their_beginning(self):
        gone, stays = keep("octa-1.parlour"), keep("other.parlour")
        done = run_here("records", "octa", "--delete", "--yes")
        assert (done.returncode, done.stdout) == (0, "octa-1.parlour\nDeleted 1 record.\n")
        assert stays.exists()
        assert not gone.exists()
        assert not list(gone.parent.glob(".*"))

    @pytest.mark.parametrize(
        ("arguments", "problem"),
        [
            (("--delete", "--yes"), "name the records to delete"),
            (("octa", "--delete"), "add --yes"),
            (("octa", "--yes"), "--yes is for --delete"),
            (("octa", "--delete", "--json"), "leave out --delete"),
            (("nothing", "--delete", "--yes"), "begins with 'nothing'"),
            (("", "--delete", "--yes"), "must not be empty"),
        ],
    )
    def test_an_unclear_request_deletes_nothing(self, arguments, problem):
        path = keep("octa-1.parlour")
        done = run_here("records", *arguments)
        assert done.returncode == 2
        assert problem in done.stderr
        assert path.exists()

    def test_a_game_in_progress_is_not_deleted(self):
        path = keep("octa-1.parlour")
        playing = TableFile(path)
        playing.hold()
        done = run_here("records", "octa", "--delete", "--yes")
        playing.release()
        assert done.returncode == 2
        assert "is being played by another process" in done.stderr
        assert path.exists()
