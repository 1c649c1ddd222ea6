"""The client in C#, for Unity, compiled with Mono: tested with recordings and a real server."""

import subprocess
from pathlib import Path

import pytest
from outside_clients import check_record, cut_line, play_through_a_restart
from patience import PATIENCE
from programs import found_program
from vectors import check_client

HERE = Path(__file__).parent


@pytest.fixture
def compiled(root, tmp_path):
    """Return the command that runs the client together with another file."""
    mono, compiler = found_program("mono-runtime", "mono"), found_program("mono-mcs", "mcs")

    def make(path):
        program = tmp_path / "program.exe"
        client = root / "examples" / "unity" / "ParlourClient.cs"
        command = [compiler, "-warnaserror", f"-out:{program}", str(client), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stdout + done.stderr
        return [mono, str(program)]

    return make


@pytest.fixture
def play(root, compiled):
    command = compiled(root / "examples" / "unity" / "Play.cs")

    def run(*arguments):
        done = subprocess.run(
            [*command, *arguments], capture_output=True, text=True, timeout=PATIENCE
        )
        return done.returncode, done.stdout.splitlines(), done.stderr

    return run


def test_it_reads_every_recorded_conversation(compiled, tmp_path):
    check_client(compiled(HERE / "ReadVectors.cs"), tmp_path)


def test_it_plays_a_whole_game_against_an_agent(server, play):
    code, told, complaints = play(server.url, "octa", "size=2")
    assert code == 0, complaints
    check_record(server, told[0].removeprefix("table "))


def test_a_game_continues_after_lost_sockets(server, play):
    with cut_line(server) as (url, table):
        code, told, complaints = play(url)
        assert code == 0, complaints
    check_record(server, table)
    assert told[-2] == "4 sockets"


def test_a_game_continues_after_a_server_restart(start, play):
    code, told, complaints = play_through_a_restart(start, play)
    assert code == 0, complaints
    assert "2 sockets" in told[-2]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["http://127.0.0.1:1", "octa"], "unreachable: "),
        (["nonsense"], "bad_link: "),
        (["{url}/t/x#seat=0&claim=y"], "not_found: "),
        (["{url}/t/x"], "not_found: "),
    ],
)
def test_errors_are_printed_in_one_line(server, play, arguments, code):
    status, _, complaints = play(*(each.format(url=server.url) for each in arguments))
    assert status == 1
    assert complaints.startswith(code)
