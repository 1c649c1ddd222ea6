"""The client in Godot 3, run without a screen: tested with recordings and a real server."""

import re
import subprocess
from pathlib import Path

import pytest
from outside_clients import check_record, cut_line, play_through_a_restart
from patience import PATIENCE
from programs import found_program
from vectors import check_client

HERE = Path(__file__).parent


@pytest.fixture
def godot(root):
    """The program and its project."""
    return [found_program("godot3-server"), "--path", str(root / "examples" / "godot")]


@pytest.fixture
def play(godot, tmp_path, monkeypatch):
    """Run the project; return its exit code, output and errors."""
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
    """Return the table and the number of sockets from the line before the last one."""
    _, table, sockets, _ = told[-2].split()
    return table.rstrip(","), int(sockets)


def test_it_reads_every_recorded_conversation(godot, tmp_path):
    check_client([*godot, "-s", HERE / "read_vectors.gd"], tmp_path)


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


def test_a_game_continues_after_lost_sockets(server, play):
    with cut_line(server) as (url, made):
        code, told, complaints = play(f"--link={url}")
        assert code == 0, complaints
    assert table_of(told) == (made, 4)
    seats = check_record(server, made)
    assert seats == [ply % 2 for ply in range(len(seats))]


def test_a_game_continues_after_a_server_restart(start, play):
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
def test_errors_end_with_a_message(server, play, argument, code):
    status, _, complaints = play(argument.format(url=server.url))
    assert status == 1
    assert len(complaints) == 1
    assert complaints[0].startswith(code)


@pytest.mark.parametrize("name", ["board", "main", "parlour_client"])
def test_the_scripts_for_godot_4_have_its_syntax_and_the_same_functions(root, name):
    """Godot 4 is not run here, so its scripts must match those that are."""
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
"""Differences between Godot 3 and 4: fonts and sockets."""


def functions(text):
    return set(re.findall(r"^\s*(?:static )?func (\w+)", text, re.MULTILINE))
