"""Reading a file imports and runs nothing, whatever its content."""

import io
import json
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import parlour
from parlour import ParlourError, Record
from parlour.arena import run_match
from parlour.cli import main
from parlour.table import Notes, Table, load
from parlour.table.opening import resume_file

GOLDEN = Path(__file__).parent / "golden"

TRAP = "import pathlib\npathlib.Path(__file__).with_suffix('.sprung').touch()\nclass Agent: pass\n"
NAMES = ("trap_one", "trap_two.inner", "trap_three")

texts = st.one_of(
    st.builds(
        lambda module, word, rest: f"{module}:{word}{rest}",
        st.sampled_from(NAMES),
        st.sampled_from(["Agent", "Table", "x", "__class__"]),
        st.sampled_from(["", ":seed=1", ":a=b,c=d", ":"]),
    ),
    st.sampled_from(["gtp:rm -rf x", "engine:/bin/sh", "uci:trap_one", "level:9:trap_one:Agent"]),
    st.text(alphabet="trap_one:.Agent=/$(){}'\"", max_size=30),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A current folder full of traps."""
    place = tmp_path_factory.mktemp("traps")
    for name in NAMES:
        path = place / (name.partition(".")[0] + ".py")
        path.write_text(TRAP)
    return place


@pytest.fixture
def sprung(folder, monkeypatch):
    """Reading happens in that folder, which is also where Python looks first."""
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)

    def check():
        assert list(folder.glob("*.sprung")) == []
        assert not [name for name in set(sys.modules) - before if name.startswith("trap_")]

    return check


def command(*arguments):
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return main([str(argument) for argument in arguments])


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(who=texts, key=st.sampled_from(["seat.1", "seat.2", "ending", "agent", "clock"]))
def test_reading_a_record_imports_nothing(who, key, sprung, folder):
    record = load(GOLDEN / "records" / "octa_unfinished_clocks.parlour")
    line = " ".join(who.split())
    try:
        text = record.with_notes({**record.notes, key: line}).to_text()
    except ParlourError:
        return
    path = folder / "game.parlour"
    path.write_text(text, "utf-8")
    for door in (
        lambda: Record.from_text(text),
        lambda: load(path),
        lambda: Notes.of(load(path)),
        lambda: Table.resume(load(path)),
        lambda: resume_file(path).close(),
    ):
        try:
            door()
        except ParlourError:
            continue
    command("replay", path, "--check")
    command("replay", path, "--at", "1")
    command("export", path, "--svg", folder / "a.svg")
    command("perft", path, "--depth", "1")
    command("records")
    sprung()


def test_a_record_of_a_game_that_does_not_exist_imports_nothing(sprung, folder):
    for name in ("trap_one", "trap_one:Agent", "os", "../trap_one"):
        text = f"parlour record 1\ngame {name}\nseed 1\nresult unfinished\ncheck 00000000\n"
        with pytest.raises(ParlourError):
            Record.from_text(text)
    sprung()


def test_a_match_folder_cannot_bring_its_own_agents(sprung, folder, tmp_path):
    copy = shutil.copytree(GOLDEN / "match", tmp_path / "match")
    sheet = json.loads((copy / "match.json").read_text())
    sheet["agents"] = ["trap_one:Agent", "gtp:trap"]
    (copy / "match.json").write_text(json.dumps(sheet))
    with pytest.raises(ParlourError, match="holds another match"):
        run_match(
            parlour.game("banqi", quiet_limit=4),
            ["greedy", "random"],
            4,
            seed=3,
            processes=0,
            folder=copy,
        )
    sprung()


def test_an_agent_named_by_the_user_is_loaded(sprung, folder):
    with pytest.raises(ParlourError, match="not a subclass"):
        parlour.agent("trap_one:Agent")
    assert (folder / "trap_one.sprung").exists()
    (folder / "trap_one.sprung").unlink()
    sys.modules.pop("trap_one")
