"""The client in C#, for Unity, compiled with Mono: held to the recordings, and at a real server."""

import subprocess
from pathlib import Path

import pytest
from outside_clients import check_record, cut_line, play_through_a_restart
from patience import PATIENCE
from programs import found_program
from vectors import hold_to_it

HERE = Path(__file__).parent


@pytest.fixture
def compiled(root, tmp_path):
    """The command that runs the client together with another file."""
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


def test_it_knows_what_must_be_known_after_every_recording(compiled, tmp_path):
    hold_to_it(compiled(HERE / "ReadVectors.cs"), tmp_path)


def test_it_plays_a_whole_game_against_an_agent(server, play):
    code, told, complaints = play(server.url, "octa", "size=2")
    assert code == 0, complaints
    check_record(server, told[0].removeprefix("table "))


def test_a_game_goes_on_when_its_sockets_are_lost(server, play):
    with cut_line(server) as (url, table):
        code, told, complaints = play(url)
        assert code == 0, complaints
    check_record(server, table)
    assert told[-2] == "4 sockets"


def test_a_game_goes_on_when_the_server_shuts_down_and_is_back(start, play):
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
def test_what_cannot_be_is_told_in_one_line(server, play, arguments, code):
    status, _, complaints = play(*(each.format(url=server.url) for each in arguments))
    assert status == 1
    assert complaints.startswith(code)
