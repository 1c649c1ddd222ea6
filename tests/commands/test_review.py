"""`analyse --whole`, and `replay` on a terminal."""

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest
from kuhn import Kuhn
from patience import PATIENCE

import parlour
from parlour import Record
from parlour.cli import main
from parlour.commands.analyse import print_review
from parlour.commands.export import export_record
from parlour.table import TableError


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def record(tmp_path):
    game = parlour.game("octa", size=1)
    state, actions = game.start(8), []
    while state.actor != parlour.OVER:
        actions.append(state.legal_actions()[-1])
        state = state.apply(actions[-1])
    path = tmp_path / "game.parlour"
    path.write_text(Record(game, 8, actions).to_text(), "utf-8")
    return path


def test_every_decision_is_printed_with_its_loss(record, capsys):
    assert print_review(record, "search:depth=3", as_json=False) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert len(lines) == 8 + 2
    assert lines[0].startswith("1. player 1: -1,-1")
    marked = [line for line in lines if re.search(r"  \?\??  ", line)]
    assert marked
    assert all("Lost " in line and " was " in line for line in marked)
    assert re.fullmatch(r"player 2: \d+ blunders, \d+ mistakes\.", lines[-1])
    assert err == ""


def test_json_output_has_one_object_per_decision(record, capsys):
    assert main(["analyse", str(record), "--whole", "--json", "--agent", "greedy"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["number"] for each in found] == list(range(1, 9))
    assert {each["seat"] for each in found} == {0, 1}
    assert all(each["lost"] >= 0 and each["best"] and each["action"] for each in found)


def test_progress_is_shown_on_a_terminal_but_not_in_a_pipe(record, capsys, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    print_review(record, "greedy", as_json=True)
    seen = terminal.getvalue()
    assert seen.startswith("\rAnalysing [....................] 0/8")
    assert seen.endswith("\r")
    assert "\n" not in seen
    assert "Analysing" not in capsys.readouterr().out


def test_gif_progress_is_shown_only_on_a_terminal(record, tmp_path, capsys, monkeypatch):
    gif = tmp_path / "a.gif"
    export_record(record, None, None, gif, None, 0.1)
    assert capsys.readouterr().err == ""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    export_record(record, None, None, gif, None, 0.1)
    assert terminal.getvalue().startswith("\rDrawing [....................] 0/9")
    assert terminal.getvalue().endswith("\r")


def test_an_unfinished_game_with_secrets_is_refused(tmp_path):
    parlour.register("kuhn", Kuhn)
    path = tmp_path / "game.parlour"
    path.write_text(Record(Kuhn(), 1, [0, 1, 0]).to_text(), "utf-8")
    with pytest.raises(TableError, match="has secrets: no analysis before the end"):
        print_review(path, None, as_json=False)


@pytest.mark.parametrize("more", [("--at", "2"), ("--seed", "3"), ("--most", "4")])
def test_whole_refuses_options_for_one_position(record, capsys, more):
    assert main(["analyse", str(record), "--whole", *more]) == 2
    said = capsys.readouterr().err
    assert f"--whole covers every decision of a record: leave out {more[0]}" in said


@pytest.mark.parametrize("more", [("--plain",), ("--at", "2")])
@pytest.mark.parametrize("given", [("--agent", "greedy"), ("--theme", "light")])
def test_full_screen_options_are_refused_without_it(record, capsys, more, given):
    assert main(["replay", str(record), *more, *given]) == 2
    assert f"{given[0]} is for the full screen" in capsys.readouterr().err


def test_an_invalid_agent_is_reported_before_drawing(record, capsys):
    assert main(["replay", str(record), "--agent", "nobody"]) == 2
    assert "unknown agent 'nobody'" in capsys.readouterr().err


def on_a_terminal(*arguments, keys, until):
    """Return the output on an 80-column terminal until the text appears; then press keys."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    command = [sys.executable, "-c", "from parlour.cli import main; raise SystemExit(main())"]
    process = subprocess.Popen(
        [*command, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    seen, sent, end = b"", False, time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if select.select([ours], [], [], 0.2)[0]:
            try:
                data = os.read(ours, 65536)
            except OSError:
                break
            if not data:
                break
            seen += data
        if not sent and until in seen:
            os.write(ours, keys)
            sent = True
    process.wait(PATIENCE)
    os.close(ours)
    return process.returncode, seen.decode("utf-8", "replace")


def test_on_a_terminal_a_replay_opens_the_full_screen(record):
    status, seen = on_a_terminal(
        "replay", str(record), "--agent", "greedy", keys=b"q", until=b"mistakes"
    )
    assert status == 0
    assert "\x1b[?1049h" in seen


def test_plain_prints_line_by_line_on_a_terminal(record):
    status, seen = on_a_terminal(
        "replay", str(record), "--plain", keys=b"\nq\n", until=b"q to quit: "
    )
    assert status == 0
    assert "\x1b[?1049h" not in seen
    assert "1. player 1: " in seen
