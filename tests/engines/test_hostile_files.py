"""Commands are never taken from files, neither from records nor from match folders."""

import json
from pathlib import Path

import pytest

import parlour
from parlour import ParlourError, Record
from parlour.agents import is_installed
from parlour.arena.errors import MatchError
from parlour.arena.match import run_match
from parlour.cli import main
from parlour.protocol.requests import ReplaceSeat, SeatWish
from parlour.table import load
from parlour.table.opening import resume_file

GOLDEN = Path(__file__).parent.parent / "golden"

TEXTS = ["gtp:{}", "cdc:{}", "uci:{}", "ugi:{}", "engine:evil"]


@pytest.fixture
def trap(tmp_path, monkeypatch):
    """Return a command that leaves a trace, and a settings file that the user did not name."""
    trace = tmp_path / "trace"
    command = f"touch {trace}"
    monkeypatch.setenv("PARLOUR_ENGINES", str(tmp_path / "own.toml"))
    (tmp_path / "own.toml").write_text(
        f"[evil]\nprotocol = 'ugi'\ncommand = ['touch', '{trace}']\n"
    )
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    yield command
    assert not trace.exists()


def test_an_engine_is_never_an_agent_that_a_file_may_name(trap):
    for text in TEXTS:
        assert not is_installed(text.format(trap))


@pytest.mark.parametrize("text", TEXTS)
def test_a_save_that_names_an_engine_is_not_resumed(text, trap, tmp_path, capsys):
    record = load(GOLDEN / "records" / "octa_unfinished_clocks.parlour")
    held = record.with_notes({**record.notes, "seat.2": text.format(trap)})
    path = tmp_path / "game.parlour"
    path.write_text(held.to_text())
    assert main(["play", "--resume", str(path), "--plain"]) == 2
    assert "a file cannot load one" in capsys.readouterr().err
    with pytest.raises(ParlourError, match="a file cannot load one"):
        resume_file(path)


@pytest.mark.parametrize("text", TEXTS)
def test_a_match_folder_that_names_an_engine_is_another_match(text, trap, tmp_path):
    folder = tmp_path / "match"
    run_match("octa:size=2", ["random", "greedy"], 2, processes=0, folder=folder)
    header = json.loads((folder / "match.json").read_text())
    header["agents"] = [text.format(trap), "greedy"]
    (folder / "match.json").write_text(json.dumps(header))
    with pytest.raises(MatchError, match="holds another match"):
        run_match("octa:size=2", ["random", "greedy"], 2, processes=0, folder=folder)


def test_a_record_whose_notes_hold_a_command_is_only_read(trap, tmp_path, capsys):
    record = Record(parlour.game("octa", size=2), 1).with_notes({"seat.1": f"gtp:{trap}"})
    path = tmp_path / "game.parlour"
    path.write_text(record.to_text())
    assert main(["replay", str(path), "--check"]) == 0
    assert main(["analyse", str(path), "--agent", "greedy"]) == 0


def test_a_converted_file_starts_nothing(trap, tmp_path):
    (tmp_path / "game.blksgf").write_text(f"(;GM[Blokus Duo]AP[gtp:{trap}]C[`{trap}`])")
    assert main(["convert", "game.blksgf", "game.parlour"]) == 0
    assert trap not in (tmp_path / "game.parlour").read_text()


def test_the_server_takes_levels_and_no_texts():
    for wish in (SeatWish, ReplaceSeat):
        assert "level" in wish.__struct_fields__
        assert not {"agent", "text", "command", "engine"} & set(wish.__struct_fields__)
