"""The command `parlour`, as a shell runs it."""

import os
import signal
import subprocess
import sys
import time

import pytest

import parlour


def run(*arguments, text="", **environment):
    return subprocess.run(
        [sys.executable, "-m", "parlour.cli", *arguments],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        timeout=60,
        check=False,
    )


def test_version_prints_the_running_build():
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.strip() == str(parlour.build_info())
    assert ("(compiled;" in done.stdout) == parlour.build_info().compiled


def test_games_lists_every_game_with_its_options():
    done = run("games")
    for name in parlour.game_names():
        assert f"{name}: " in done.stdout
        for option in parlour.game_class(name).OPTIONS:
            assert f"  {option.name} (" in done.stdout


def test_play_plays_a_game():
    done = run("play", "octa", "--seed", "1", "--set", "size=1", text="1,1\nquit\n")
    assert done.returncode == 0
    assert "Octa. Type help for help." in done.stdout
    assert "New game, seed 1." in done.stdout
    assert "Turn 2 of 8: player 2 to move." in done.stdout
    assert done.stderr == ""


def test_play_without_a_name_asks_for_one():
    done = run("play", text="chess\n99\n1\nquit\n")
    assert "1. Banqi" in done.stdout or "1. Cat and Mouse" in done.stdout
    assert "there is no game 'chess'" in done.stdout
    assert "there is no game '99'" in done.stdout
    assert "New game, seed " in done.stdout
    assert run("play", text="octa\nquit\n").returncode == 0
    assert run("play", text="").returncode == 0


def test_each_game_has_another_seed_unless_one_is_given():
    first, second = (run("play", "octa", text="quit\n").stdout for _ in range(2))
    assert first != second


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("play", "otca"), "parlour: there is no game 'otca' (did you mean 'octa'?)"),
        (("play", "octa", "--set", "size=0"), "parlour: size must be an int from 1 to 20, not 0"),
        (("play", "octa", "--set", "size"), "parlour: --set takes NAME=VALUE"),
        (("play", "octa", "--set", "siez=1"), "parlour: octa has no option 'siez'"),
        (("play", "octa", "--seed", "x"), "argument --seed: invalid int value: 'x'"),
        (("paly",), "invalid choice: 'paly'"),
        ((), "the following arguments are required"),
        (
            ("play", "cat_mouse", "--set", "density=0.9999"),
            "parlour: no start that can be won was found",
        ),
    ],
)
def test_a_wrong_command_is_exit_status_2_and_says_why_on_stderr(arguments, message):
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_terminal_without_arrows_gets_question_marks():
    done = run("play", "octa", text="quit\n", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert ".?" in done.stdout


@pytest.mark.parametrize("text", ["1" * 5000 + "\n", "٣\n", "0\n", "-1\n", "\n"])
def test_nonsense_at_the_menu_asks_again(text):
    done = run("play", text=text)
    assert done.returncode == 0
    assert done.stdout.count("Which game?") == 2
    assert done.stderr == ""


def test_input_that_is_no_text_is_no_traceback():
    done = subprocess.run(
        [sys.executable, "-m", "parlour.cli", "play", "octa"],
        input=b"\xff\xfe\nquit\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""


def test_a_closed_input_is_an_end_of_input():
    for arguments in ("play octa", "play"):
        done = subprocess.run(
            f"'{sys.executable}' -m parlour.cli {arguments} <&-",
            shell=True,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0
        assert "Traceback" not in done.stderr


def test_a_full_disk_is_one_line_on_stderr():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "parlour.cli", "play", "octa"],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith("parlour: cannot go on: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_game_that_does_not_load_hides_no_other(tmp_path):
    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[parlour.games]\nbroken = no_such_module:Game\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = run("games", PYTHONPATH=path)
    assert done.returncode == 0
    assert "broken: does not load" in done.stdout
    assert "octa: Octa" in done.stdout
    assert "does not load: No module named 'no_such_module'" in done.stderr
    menu = run("play", text="octa\nquit\n", PYTHONPATH=path)
    assert "New game" in menu.stdout


def test_a_reader_that_goes_away_is_no_error():
    done = subprocess.run(
        f"'{sys.executable}' -m parlour.cli games | true; exit ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr


def test_ctrl_c_is_survived():
    process = subprocess.Popen(
        [sys.executable, "-m", "parlour.cli", "play", "octa", "--seed", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    while "Actions:" not in process.stdout.readline():
        pass
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    while "Interrupted" not in process.stdout.readline():
        pass
    out, err = process.communicate("quit\n", timeout=30)
    assert process.returncode == 0
    assert "Goodbye." in out
    assert err == ""
