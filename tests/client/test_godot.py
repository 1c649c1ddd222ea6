"""The client in Godot 3, run without a screen: held to the recordings, and at a real server."""

import re
import subprocess
from pathlib import Path

import pytest
from outside_clients import check_record, cut_line, play_through_a_restart
from patience import PATIENCE
from programs import found_program
from vectors import hold_to_it

HERE = Path(__file__).parent


@pytest.fixture
def godot(root):
    """The program and its project."""
    return [found_program("godot3-server"), "--path", str(root / "examples" / "godot")]


@pytest.fixture
def play(godot, tmp_path, monkeypatch):
    """Run the project: its exit code, what it printed, and its own complaints."""
    monkeypatch.setenv("HOME", str(tmp_path))

    def run(*arguments):
        done = subprocess.run(
            [*godot, *arguments], capture_output=True, text=True, timeout=PATIENCE
        )
        assert "SCRIPT ERROR" not in done.stderr, done.stderr
        complaints = [line for line in done.stderr.splitlines() if line[:1].islower()]
        return done.returncode, done.stdout.splitlines(), complaints

    return run


def table_of(told):
    """The table, and the number of sockets, in the line before the last one."""
    _, table, sockets, _ = told[-2].split()
    return table.rstrip(","), int(sockets)


def test_it_knows_what_must_be_known_after_every_recording(godot, tmp_path):
    hold_to_it([*godot, "-s", HERE / "read_vectors.gd"], tmp_path)


@pytest.mark.parametrize("game", ["octa", "blokus"])
def test_it_plays_a_whole_game_against_agents(server, play, game):
    code, told, complaints = play(f"--server={server.url}", f"--game={game}")
    assert code == 0, complaints
    table, sockets = table_of(told)
    seats = check_record(server, table)
    assert seats[0] == 0
    assert sockets == 1
    named = server.get(f"/tables/{table}").json()["seats"]
    assert [(seat["kind"], seat.get("name", "")) for seat in named[:2]] == [
        ("person", "Godot"),
        ("agent", ""),
    ]


def test_a_game_goes_on_when_its_sockets_are_lost(server, play):
    with cut_line(server) as (url, made):
        code, told, complaints = play(f"--link={url}")
        assert code == 0, complaints
    assert table_of(told) == (made, 4)
    seats = check_record(server, made)
    assert seats == [ply % 2 for ply in range(len(seats))]


def test_a_game_goes_on_when_the_server_shuts_down_and_is_back(start, play):
    code, told, complaints = play_through_a_restart(start, lambda url: play(f"--link={url}"))
    assert code == 0, complaints
    assert "2 sockets" in told[-2]


@pytest.mark.parametrize(
    ("argument", "code"),
    [
        ("--server=http://127.0.0.1:1", "unreachable: "),
        ("--server=nonsense", "bad_link: "),
        ("--link={url}", "bad_link: "),
        ("--link={url}/t/x#seat=0&claim=y", "not_found: "),
        ("--link={url}/t/x", "not_found: "),
    ],
)
def test_what_cannot_be_ends_with_a_sentence(server, play, argument, code):
    status, _, complaints = play(argument.format(url=server.url))
    assert status == 1
    assert len(complaints) == 1
    assert complaints[0].startswith(code)


@pytest.mark.parametrize("name", ["board", "main", "parlour_client"])
def test_the_scripts_for_godot_4_have_its_syntax_and_the_same_functions(root, name):
    """There is no Godot 4 to run them with, so they must not drift from those that are run."""
    from gdtoolkit.parser import parser

    older, newer = (
        (root / "examples" / folder / f"{name}.gd").read_text("utf-8")
        for folder in ("godot", "godot4")
    )
    parser.parse(newer)
    assert functions(newer) ^ functions(older) <= ONE_OF_THEM[name]


ONE_OF_THEM = {
    "board": {"_font", "_found_font", "_extent_of"},
    "main": set(),
    "parlour_client": {"_get_view", "_on_open", "_on_close", "_on_close_request", "_on_data"}
    | {"_poll_socket", "_take_close", "_read"},
}
"""What Godot 3 and 4 do in different ways: fonts and sockets."""


def functions(text):
    return set(re.findall(r"^\s*(?:static )?func (\w+)", text, re.MULTILINE))
