"""The folder of a match: its content, resuming, and refusals."""

import errno
import json
import math
import os
import resource
import signal
import subprocess
import sys
import zlib

import pytest
from nim import Nim

import parlour
from parlour import Record, files
from parlour.arena import MatchError, run_match
from parlour.arena.export import export_games
from parlour.arena.match import match_folder_name, match_identity
from parlour.arena.plan import Plan
from parlour.arena.sprt import Sprt
from parlour.arena.storage import MATCH, GameFolder

AGENTS = ["odd_agents:Seeded", "odd_agents:Crashing"]


def play(folder, games=6, agents=AGENTS, game=None, **settings):
    seen = []
    result = run_match(
        game or Nim(heap=20),
        agents,
        games,
        processes=0,
        folder=folder,
        on_progress=seen.append,
        **settings,
    )
    return result, len(seen)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_folder_has_the_players_and_results(tmp_path):
    play(tmp_path, 2)
    assert sorted(contents(tmp_path)) == ["games.jsonl", "match.json"]
    match = json.loads((tmp_path / "match.json").read_text("utf-8"))
    assert match == {
        "format": "parlour match 1",
        "game": "nim",
        "options": {"heap": 20},
        "agents": AGENTS,
        "seed": 0,
        "sprt": None,
        "games": 2,
        "seats": 2,
    }
    one, two = map(json.loads, (tmp_path / "games.jsonl").read_text("utf-8").splitlines())
    assert (one["game"], one["seats"], one["returns"]) == (1, AGENTS, [1.0, -1.0])
    assert one["fault"]["seat"] == 1
    assert one["fault"]["reason"].startswith("crashed: ZeroDivisionError")
    assert (two["game"], two["seats"], two["returns"]) == (2, AGENTS[::-1], [-1.0, 1.0])
    assert Record.from_text(two["record"]).seed == Record.from_text(one["record"]).seed


def test_a_finished_match_is_read_and_not_played(tmp_path):
    result, _ = play(tmp_path)
    before = contents(tmp_path)
    assert play(tmp_path) == (result, 0)
    assert contents(tmp_path) == before


def test_a_match_can_grow(tmp_path):
    play(tmp_path / "a", 4)
    result, played = play(tmp_path / "a", 8)
    assert played == 4
    assert play(tmp_path / "b", 8) == (result, 8)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    with pytest.raises(MatchError, match="a match of 8 games: it can grow, but not shrink to 4"):
        play(tmp_path / "a", 4)


DAMAGES = {
    "line gone": lambda folder: edit(folder / "games.jsonl", line(folder, 3) + "\n", ""),
    "line torn": lambda folder: edit(folder / "games.jsonl", line(folder, 3), '{"game": 3, "se'),
    "line of a wrong kind": lambda folder: edit(folder / "games.jsonl", line(folder, 3), "[3]"),
    "line with other seats": lambda folder: edit(
        folder / "games.jsonl",
        line(folder, 3),
        line(folder, 3).replace('"greedy", "random"', '"random", "greedy"'),
    ),
    "line with another result": lambda folder: edit(
        folder / "games.jsonl", line(folder, 3), swap_result(line(folder, 3))
    ),
    "line of another plan": lambda folder: edit(
        folder / "games.jsonl", line(folder, 3), checked(line(folder, 3), seats=["random"] * 2)
    ),
    "line without returns": lambda folder: edit(
        folder / "games.jsonl", line(folder, 3), checked(line(folder, 3), returns=None)
    ),
    "line of a game far away": lambda folder: edit(
        folder / "games.jsonl", line(folder, 3), checked(line(folder, 3), game=10**11)
    ),
}


def checked(text, **changes):
    """Return the line with these changes and a right checksum."""
    entry = {**json.loads(text), **changes}
    if entry.pop("check", None) is None:
        return json.dumps(entry)
    body = json.dumps(entry, ensure_ascii=False)
    return f'{body[:-1]}, "check": "{zlib.crc32(body.encode()):08x}"}}'


@pytest.mark.parametrize("where", ["begin", "watch", "last", "close"])
def test_an_error_in_an_event_method_is_stored_as_a_fault(tmp_path, where):
    agents = ["random", f"odd_agents:Hooked:where={where}"]
    result, _ = play(tmp_path, 4, agents)
    assert [played.fault.seat for played in result.games] == [1, 0, 1, 0]
    assert play(tmp_path, 4, agents) == (result, 0)


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def line(folder, game):
    return (folder / "games.jsonl").read_text("utf-8").splitlines()[game - 1]


def swap_result(text):
    entry = json.loads(text)
    other = [1.0, -1.0] if entry["returns"] != [1.0, -1.0] else [-1.0, 1.0]
    return json.dumps({**entry, "returns": other})


OCTA = ["greedy", "random"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_game_is_played_again(tmp_path, damage):
    game = parlour.game("octa", size=1)
    result, _ = play(tmp_path, 6, OCTA, game)
    before = contents(tmp_path)
    DAMAGES[damage](tmp_path)
    damaged = contents(tmp_path)["games.jsonl"]
    assert damaged != before["games.jsonl"]
    assert play(tmp_path, 6, OCTA, game) == (result, 1)
    # The file is append-only: the game is appended.
    assert contents(tmp_path)["games.jsonl"].startswith(damaged)
    assert play(tmp_path, 6, OCTA, game) == (result, 0)


@pytest.mark.parametrize("length", [1, 30, 200])
def test_a_torn_last_line_costs_only_its_game(tmp_path, length):
    result, _ = play(tmp_path)
    sheet = tmp_path / "games.jsonl"
    sheet.write_bytes(sheet.read_bytes()[:-length])
    assert play(tmp_path) == (result, 1)
    assert play(tmp_path) == (result, 0)


@pytest.mark.parametrize(
    "change",
    [
        {"returns": ["x", "y"]},
        {"returns": [math.nan, 0.0]},
        {"returns": [1.0]},
        {"returns": [10**400, 0]},
        {"scores": [1.0]},
        {"scores": [math.inf, 0.0]},
        {"plies": "many"},
        {"plies": -1},
        {"reason": None},
        {"moves": [1]},
        {"fault": {"seat": 2, "reason": "crashed"}},
        {"fault": {"seat": 0, "reason": 5}},
        {"record": 5},
    ],
)
def test_a_forged_line_is_played_again(tmp_path, change):
    result, _ = play(tmp_path)
    sheet = tmp_path / "games.jsonl"
    first, *others = sheet.read_bytes().splitlines(True)
    entry = {**json.loads(first), **change}
    del entry["check"]
    body = json.dumps(entry).encode()
    made = body[:-1] + b', "check": "%08x"}\n' % zlib.crc32(body)
    sheet.write_bytes(made + b"".join(others))
    assert play(tmp_path) == (result, 1)


def test_a_lost_games_file_is_played_again(tmp_path):
    result, _ = play(tmp_path)
    (tmp_path / "games.jsonl").unlink()
    assert play(tmp_path) == (result, 6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"agents": AGENTS[::-1]}, "holds another match, with agents"),
        ({"seed": 1}, "holds another match, with seed 0 instead of 1"),
        ({"game": Nim(heap=21)}, "holds another match, with options {'heap': 20} instead of"),
        ({"game": parlour.game("octa")}, "holds another match, with game 'nim' instead of 'octa'"),
        ({"sprt": "elo1=10"}, "holds another match, with sprt None instead of 'elo0=0,elo1=10"),
    ],
)
def test_another_match_is_refused_and_changes_nothing(tmp_path, change, message):
    play(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(MatchError, match=message):
        play(tmp_path, **change)
    assert contents(tmp_path) == before


def test_a_folder_with_something_else_is_refused(tmp_path):
    (tmp_path / "diary.txt").write_text("dear diary")
    with pytest.raises(MatchError, match="is not empty and holds no match: choose another"):
        play(tmp_path)
    with pytest.raises(MatchError, match=r"diary\.txt is a file, not a folder"):
        play(tmp_path / "diary.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"games": "many"}'])
def test_a_damaged_match_file_is_an_error_with_advice(tmp_path, text):
    play(tmp_path)
    (tmp_path / "match.json").write_text(text)
    with pytest.raises(MatchError, match=r"match.json is damaged: choose another folder"):
        play(tmp_path)


def test_a_match_has_a_unique_folder_name():
    def name(agents=("mcts:sims=5", "a.b:C"), games=10, seed=0, sprt=None, heap=10):
        return match_folder_name(Plan.of_match(Nim(heap=heap), agents, games, seed), sprt)

    assert name().startswith("nim-mcts-sims=5-a.b-C-")
    assert name(games=20) == name()
    others = [name(seed=1), name(sprt=Sprt()), name(heap=9), name(agents=("a.b:C", "mcts:sims=5"))]
    assert len({name(), *others}) == 5
    assert len(name(agents=("mcts:sims=5,exploration=0.123456789" * 9, "random"))) < 100


KILLED = """
import os, signal, sys
from parlour import files

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

setattr(os, sys.argv.pop(1), die)
from parlour.cli import main
main()
"""


@pytest.mark.parametrize("moment", ["fsync", "replace"])
def test_a_match_killed_before_its_header_was_written_can_restart(
    tmp_path, environment, command, moment
):
    folder = tmp_path / "match"
    arguments = ["octa", "random", "random", "--games", "2", "--processes", "0"]
    arguments += ["--folder", str(folder)]
    done = subprocess.run(
        [sys.executable, "-c", KILLED, moment, "match", *arguments], env=environment, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert any(files.is_unfinished_file(path.name) for path in folder.iterdir())
    again = command(*arguments)
    assert again.returncode == 0, again.stderr
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["games.jsonl", "match.json"]


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_names_the_file(tmp_path, monkeypatch, call):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, full)
    with pytest.raises(MatchError, match=r"match\.json: No space left on device$"):
        play(tmp_path / "a")
    monkeypatch.undo()
    play(tmp_path / "b", 2)
    monkeypatch.setattr(os, call, full)
    with pytest.raises(MatchError, match=r"match\.json: No space left on device$"):
        play(tmp_path / "b", 4)


def test_a_partial_write_is_an_error(tmp_path):
    play(tmp_path, 4)
    length = (tmp_path / "games.jsonl").stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (length + 9, before[1]))
    try:
        with pytest.raises(MatchError, match=r"games\.jsonl: No space left"):
            play(tmp_path, 6)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (tmp_path / "games.jsonl").stat().st_size == length + 9
    assert play(tmp_path, 6)[1] == 2


def test_a_full_disk_names_the_games_file(tmp_path, monkeypatch):
    class Full:
        def __init__(self, *_, **__):
            pass

        def tell(self):
            return 0

        def write(self, _):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    plan = Plan.of_match(Nim(heap=20), AGENTS, 2, 0)
    store = opened(tmp_path, plan)
    result, _ = play(tmp_path / "other", 2)
    monkeypatch.setattr(type(tmp_path), "open", Full)
    with pytest.raises(MatchError, match=r"games\.jsonl: No space left on device$"):
        store.save(plan, result.games[0], "")


def opened(folder, plan):
    header = {**match_identity(plan, None), "games": plan.games, "seats": plan.game.seats}
    return GameFolder(folder, MATCH, header)


@pytest.fixture
def read_only(monkeypatch):
    """Make all files read-only from now on."""

    def refuse(path, *_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    def switch():
        monkeypatch.setattr(files, "_open_lock", refuse)
        monkeypatch.setattr(files, "_write", refuse)

    return switch


def test_a_finished_match_can_be_read_from_a_read_only_disk(tmp_path, read_only):
    result, _ = play(tmp_path)
    before = contents(tmp_path)
    read_only()
    assert play(tmp_path) == (result, 0)
    assert contents(tmp_path) == before


def test_a_finished_match_with_lines_out_of_order_can_be_read_from_a_read_only_disk(
    tmp_path, read_only
):
    result, _ = play(tmp_path)
    sheet = tmp_path / "games.jsonl"
    sheet.write_bytes(b"".join(reversed(sheet.read_bytes().splitlines(True))))
    read_only()
    assert play(tmp_path) == (result, 0)


def test_an_incomplete_match_on_a_read_only_disk_is_refused_at_once(tmp_path, read_only):
    play(tmp_path)
    edit(tmp_path / "games.jsonl", line(tmp_path, 3), "")
    read_only()
    with pytest.raises(MatchError, match="is incomplete and not writable: Read-only"):
        play(tmp_path)


def test_a_second_match_in_the_same_folder_is_refused(tmp_path):
    play(tmp_path, 2)
    before = contents(tmp_path)
    store = opened(tmp_path, Plan.of_match(Nim(heap=20), AGENTS, 4, 0))
    with pytest.raises(MatchError, match="another process is playing the match in"):
        play(tmp_path, 4)
    store.release()
    assert play(tmp_path, 4)[1] == 2
    assert contents(tmp_path)["games.jsonl"].startswith(before["games.jsonl"])


def test_lines_may_be_in_any_order(tmp_path):
    result, _ = play(tmp_path / "a")
    export_games(tmp_path / "a", tmp_path / "before")
    sheet = tmp_path / "a" / "games.jsonl"
    sheet.write_bytes(b"".join(reversed(sheet.read_bytes().splitlines(True))))
    assert play(tmp_path / "a") == (result, 0)
    export_games(tmp_path / "a", tmp_path / "after")
    assert (tmp_path / "after").read_bytes() == (tmp_path / "before").read_bytes()
