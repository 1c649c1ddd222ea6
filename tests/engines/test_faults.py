"""A failing engine loses the game with a reason; nothing hangs, and no process is left."""

import os
import subprocess
import sys
import time

import pytest
from engine_commands import fake, toml

import parlour
from parlour.agents import AgentFault
from parlour.arena.contest import play_game
from parlour.arena.match import run_match
from parlour.arena.plan import Plan
from parlour.core.errors import AgentError
from parlour.engines.log import EngineLog
from parlour.engines.process import EngineProcess
from parlour.engines.settings import EngineSettings, Limits

GAMES = {
    "gtp": "blokus:variant=duo",
    "cdc": "banqi:rules=taiwan",
    "uci": "banqi:rules=taiwan",
    "ugi": "octa:size=2",
}
ILLEGAL = {"gtp": "a1", "cdc": "a1 a2", "uci": "a0b0", "ugi": "0,0"}
QUICK = {"start": 20.0, "move": 20.0, "ping": 20.0}
SHORT = {"start": 20.0, "move": 0.5, "ping": 20.0}


def fault_of(protocol, fault, tmp_path, monkeypatch, limits=QUICK):
    """Return why the fake engine in seat 1 loses; `None` if it plays to the end."""
    game = parlour.game(GAMES[protocol])
    command = fake(protocol, fault, GAMES[protocol], ILLEGAL[protocol])
    engine = {"protocol": protocol, "command": command, "go": "", "limits": limits}
    toml(tmp_path, monkeypatch, fake=engine)
    agents = ["engine:fake", "random:seed=3"]
    played, record = play_game(game, Plan.of_match(game, agents, 1, 5).task(0))
    if played.fault is None:
        assert record.final.result() is not None
        return None
    assert played.fault.seat == 0
    assert played.returns == (-1.0, 1.0)
    assert "\n" not in played.fault.reason
    assert played.fault.reason.isprintable()
    return played.fault.reason


@pytest.mark.parametrize("protocol", GAMES)
@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("die", "crashed: the engine ended with status 3, saying: no more memory for thoughts"),
        ("illegal", "illegal action: "),
        ("nonsense", "no action: "),
    ],
)
def test_a_crashing_or_cheating_engine_loses(protocol, fault, reason, tmp_path, monkeypatch):
    assert fault_of(protocol, fault, tmp_path, monkeypatch).startswith(reason)


@pytest.mark.parametrize(
    ("protocol", "fault", "reason"),
    [
        ("gtp", "resign", "resigned: the engine gave up"),
        ("cdc", "resign", "resigned: the engine gave up"),
        ("ugi", "resign", "resigned: the engine gave up"),
        ("gtp", "pass", "no action: the engine passed although it has a move"),
        ("uci", "pass", "no action: the engine returned no move"),
        ("gtp", "refuse", "crashed: 'genmove b' was refused: 'I would rather not'"),
        ("cdc", "refuse", "crashed: 'genmove other' was refused: 'I would rather not'"),
        ("gtp", "wrong_id", "crashed: '=7 a1' has a number that was not sent"),
        ("cdc", "wrong_id", "crashed: '=11 a1 a1' does not answer command 12"),
        ("uci", "endless_line", "crashed: the engine wrote a line of more than 65536 bytes"),
        ("gtp", "endless_answer", "crashed: its answer to 'genmove b' is endless"),
        ("gtp", "other_game", "crashed: the engine does not play this game: "),
        (
            "cdc",
            "early",
            "crashed: the engine ended with status 1, saying: this machine is too small",
        ),
    ],
)
def test_the_reason_describes_the_fault(protocol, fault, reason, tmp_path, monkeypatch):
    assert fault_of(protocol, fault, tmp_path, monkeypatch).startswith(reason)


@pytest.mark.parametrize(
    ("protocol", "fault", "waits_for"),
    [
        ("gtp", "hang", "genmove b"),
        ("cdc", "binary", "genmove other"),
        ("ugi", "flood", "bestmove"),
    ],
)
def test_an_engine_without_a_move_in_time_loses(protocol, fault, waits_for, tmp_path, monkeypatch):
    reason = fault_of(protocol, fault, tmp_path, monkeypatch, SHORT)
    assert reason == f"crashed: no answer to {waits_for!r} in time"


def test_a_silent_engine_loses(tmp_path, monkeypatch):
    limits = {"start": 0.3, "move": 20.0, "ping": 20.0}
    reason = fault_of("uci", "mute", tmp_path, monkeypatch, limits)
    assert reason == "crashed: no answer to 'uci' in time"


@pytest.mark.parametrize("protocol", GAMES)
@pytest.mark.parametrize("habit", ["chatter", "stderr"])
def test_extra_output_is_ignored(protocol, habit, tmp_path, monkeypatch):
    assert fault_of(protocol, habit, tmp_path, monkeypatch) is None


def test_an_engine_for_another_game_is_detected(tmp_path, monkeypatch):
    game = parlour.game("octa:size=2")
    command = fake("ugi", "none", "blokus:variant=duo")
    toml(tmp_path, monkeypatch, fake={"protocol": "ugi", "command": command, "go": ""})
    agents = ["engine:fake", "random"]
    played, _ = play_game(game, Plan.of_match(game, agents, 1, 5).task(0))
    assert played.fault.seat == 0
    assert played.fault.reason.startswith("no action: ")


def test_a_match_counts_a_fault_as_a_lost_game_with_its_reason(tmp_path, monkeypatch):
    command = fake("ugi", "die", "octa:size=2")
    toml(tmp_path, monkeypatch, fake={"protocol": "ugi", "command": command, "go": ""})
    result = run_match(
        "octa:size=2", ["engine:fake", "random"], 2, processes=0, folder=tmp_path / "match"
    )
    assert [played.fault.reason for played in result.games] == [
        "crashed: the engine ended with status 3, saying: no more memory for thoughts"
    ] * 2
    assert "no more memory" in (tmp_path / "match" / "games.jsonl").read_text()


# Processes that are left behind.


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def children_of(pid):
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(word) for word in found.stdout.split()]


def started(command, **more):
    settings = EngineSettings("fake", "gtp", tuple(command), limits=Limits(20, 20, 20), **more)
    return EngineProcess(settings, EngineLog("fake", ""))


def test_an_engine_that_does_not_quit_is_killed_with_its_children():
    stubborn = (
        "import signal, subprocess, sys, time;"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(3600)']);"
        "print(p.pid, flush=True); time.sleep(3600)"
    )
    engine = started([sys.executable, "-c", stubborn])
    child = int(engine.receive(engine.now() + 20, "its child"))
    engine.close(at_once=True)
    assert engine.process.returncode is not None
    assert not is_running(engine.process.pid)
    assert not is_running(child)


def test_an_engine_ends_with_the_process_that_started_it_even_if_that_is_killed():
    hang = "import time; print('up', flush=True); time.sleep(3600)"
    script = (
        "import sys, time\n"
        "from parlour.engines.log import EngineLog\n"
        "from parlour.engines.process import EngineProcess\n"
        "from parlour.engines.settings import EngineSettings\n"
        f"e = EngineProcess(EngineSettings('e', 'gtp', (sys.executable, '-c', {hang!r})),"
        " EngineLog('e', ''))\n"
        "e.receive(e.now() + 20, 'up')\n"
        "print(e.process.pid, flush=True)\n"
        "time.sleep(3600)\n"
    )
    owner = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    engine = int(owner.stdout.readline())
    assert is_running(engine)
    owner.kill()
    owner.wait()
    owner.stdout.close()
    for _ in range(200):
        if not is_running(engine):
            break
        time.sleep(0.05)
    assert not is_running(engine)


def test_an_abandoned_engine_is_stopped():
    engine = started([sys.executable, "-c", "import time; time.sleep(3600)"])
    pid = engine.process.pid
    del engine
    assert not is_running(pid)


def test_an_engine_that_does_not_read_times_out():
    engine = started([sys.executable, "-c", "import time; time.sleep(3600)"])
    with pytest.raises(AgentFault, match=r"the engine did not read a command for 0\.3 seconds"):
        engine.send("x" * 2**20, 0.3)
    engine.close(at_once=True)


def test_a_flooding_engine_blocks_and_memory_stays_bounded():
    flood = "import sys\nwhile True: sys.stdout.write('x' * 60000 + '\\n')"
    engine = started([sys.executable, "-c", flood])
    for _ in range(50):
        assert len(engine.receive(engine.now() + 20, "more")) == 60000
    assert engine._lines.qsize() <= 256
    engine.close(at_once=True)


# Refused before anything starts.


@pytest.mark.parametrize(
    ("text", "game", "reason"),
    [
        ("gtp:no-such-program --x", "blokus", "cannot find the program 'no-such-program': "),
        ("gtp:", "blokus", "name an engine after the colon: the command"),
        ("gtp:'open", "blokus", "is not a command: No closing quotation"),
        ("gtp:true", "octa", "octa with these options does not support gtp; its engines"),
        ("cdc:true", "blokus", "does not support cdc; its engines speak gtp"),
        ("ugi:true", "banqi", "does not support ugi; its engines speak cdc or uci"),
        ("uci:true", "cat_mouse", "it has no engine protocol"),
        ("engine:nobody", "octa", "unknown engine 'nobody' in "),
    ],
)
def test_an_engine_that_cannot_start_is_refused_in_one_line(
    text, game, reason, tmp_path, monkeypatch
):
    toml(tmp_path, monkeypatch, pentobi={"protocol": "gtp", "command": ["true"]})
    with pytest.raises(AgentError) as caught:
        parlour.agent(text).check_game(parlour.game(game))
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_single_position_is_refused_if_the_protocol_cannot_set_it_up():
    state = parlour.game("octa:size=2").start(1).play("1,1")
    engine = parlour.agent("ugi:" + " ".join(fake("ugi", "none", "octa:size=2")))
    with pytest.raises(AgentError, match="can only play whole games"):
        engine.choose(state)
    engine.close()


def test_a_single_position_is_analysed_if_the_protocol_can_set_it_up():
    state = parlour.game("banqi:rules=taiwan").start(1)
    engine = parlour.agent("uci:" + " ".join(fake("uci", "none", "banqi:rules=taiwan")))
    action = engine.analyse(state).choices[0].action
    assert state.refusal(action) is None
    engine.close()


def test_variables_of_parlour_are_not_passed_to_engines(monkeypatch):
    monkeypatch.setenv("PARLOUR_DATA", "/secret")
    show = "import os; print([n for n in os.environ if n.startswith('PARLOUR_')], flush=True)"
    engine = started([sys.executable, "-c", show])
    assert engine.receive(engine.now() + 20, "variables") == "[]"
    engine.close()
    assert os.environ["PARLOUR_DATA"] == "/secret"
