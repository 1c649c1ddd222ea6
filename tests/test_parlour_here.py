"""Commands that run in the process of the tests leave no trace in it."""

import os
import signal
import sys

from nim import Nim
from parlour_here import run_here

import parlour


def state():
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    streams = [sys.stdin, sys.stdout, sys.stderr, sys.__stdout__]
    return os.getcwd(), dict(os.environ), list(sys.path), sys.argv, handlers, streams


def test_a_command_leaves_the_process_as_it_was(tmp_path):
    parlour.register("nim", Nim)
    before = state()
    done = run_here("games", cwd=tmp_path, PYTHONPATH=str(tmp_path), PARLOUR_DATA="elsewhere")
    assert done.returncode == 0
    assert "nim" not in done.stdout
    assert state() == before
    assert parlour.game_class("nim") is Nim


def test_a_module_in_the_folder_of_the_command_is_loaded_again_by_the_next(tmp_path):
    agent = "from odd_agents import {} as Player\n"
    for folder, played in (("one", "First"), ("two", "Last")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "passing.py").write_text(agent.format(played))
        match = ("match", "octa", "passing:Player", "random", "--games=2", "--processes=0")
        done = run_here(*match, cwd=tmp_path / folder)
        assert (done.returncode, "crashed" in done.stdout) == (0, False), done.stderr
        assert "passing" not in sys.modules


def test_an_exception_is_a_traceback_and_exit_status_1(monkeypatch):
    def fail(arguments):
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr("parlour.cli._run", fail)
    done = run_here("games")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == "RuntimeError: a mistake of ours"
