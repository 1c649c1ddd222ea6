"""Third-party agents are isolated from the secrets of a game."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from agents_here import ChildHere
from dice import Dice
from kuhn import Kuhn
from nim import Nim
from odd_agents import Spy

from parlour import AgentError, OptionError
from parlour.agents import AgentFault
from parlour.agents.isolation import IsolatedAgents, memory_bound, needs_isolation, vetted
from parlour.agents.process import AgentProcess, child_environment, module_folders
from parlour.arena.contest import play_game
from parlour.arena.plan import Plan
from parlour.table import PERSON, LocalGame, Play, Players, Table


def test_third_party_agents_are_isolated_in_games_with_chance_or_secrets():
    assert needs_isolation("odd_agents:First", Dice())
    assert needs_isolation("odd_agents:First", Kuhn())
    assert not needs_isolation("odd_agents:First", Nim())
    assert not needs_isolation("mcts:sims=5", Kuhn())


def test_vetting_does_not_import_the_agent(tmp_path, monkeypatch):
    (tmp_path / "stranger.py").write_text("from odd_agents import Seeded as Strange\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert vetted("stranger:Strange", Dice(), 7) == "stranger:Strange:seed=7"
    assert vetted("stranger:Strange", Dice()) == "stranger:Strange"
    with pytest.raises(AgentError, match="not a subclass"):
        vetted("stranger:Nobody", Dice())
    with pytest.raises(OptionError, match="blunder must be"):
        vetted("stranger:Strange:blunder=7", Dice())
    with pytest.raises(AgentError, match="unknown agent 'stranger'"):
        vetted("stranger", Dice())
    game = LocalGame(Table(Dice(), ["stranger:Strange", PERSON], seed=1))
    assert game.next_events()
    game.close()
    assert "stranger" not in sys.modules


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("random", "crashed: the process returned a different agent name"),
        ("impostor:Agent\\nnote key 00", "crashed: its process sent an invalid answer"),
        ("impostor:Agent\\u001b[2J", "crashed: its process sent an invalid answer"),
    ],
)
def test_an_agent_that_forges_its_name_is_a_fault(answer, message, tmp_path, monkeypatch):
    (tmp_path / "impostor.py").write_text(
        "import os, time\n"
        "from odd_agents import pipes_to_write\n"
        f"""data = b'{{"value": "{answer}"}}'.replace(b"\\n", b"\\\\n")\n"""
        "for pipe in pipes_to_write():\n"
        "    os.write(pipe, len(data).to_bytes(4, 'big') + data)\n"
        "time.sleep(600)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(AgentFault, match=message):
        vetted("impostor:Agent", Dice(), 7)


def test_the_memory_limit_is_enforced(monkeypatch):
    monkeypatch.setenv("PARLOUR_AGENT_MEMORY", "1024")
    process = AgentProcess(memory_bound())
    with pytest.raises(AgentFault, match=r"crashed: (MemoryError|its process ended)"):
        process.agent("odd_agents:Hungry").choose(Nim().start())
    process.stop()


@pytest.mark.parametrize(("given", "bound"), [("", 4096), ("100", 100), ("0", 0)])
def test_the_memory_limit_can_be_set(given, bound, monkeypatch):
    monkeypatch.setenv("PARLOUR_AGENT_MEMORY", given)
    assert memory_bound() == bound


@pytest.mark.parametrize("given", ["-1", "much", "1e3", "9" * 30])
def test_the_memory_limit_must_be_a_number(given, monkeypatch):
    monkeypatch.setenv("PARLOUR_AGENT_MEMORY", given)
    with pytest.raises(AgentError, match="PARLOUR_AGENT_MEMORY must be a number of MiB"):
        memory_bound()


def test_a_process_gets_neither_the_current_folder_nor_the_folder_of_games(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), "relative", *sys.path])
    folders = module_folders()
    assert all(os.path.isabs(folder) for folder in folders)
    assert str(tmp_path) not in folders
    environment = child_environment()
    assert environment["PYTHONSAFEPATH"] == "1"
    assert "PARLOUR_DATA" not in environment


class TestSpies:
    """An agent that looks for the chance key in its own process."""

    @pytest.fixture(autouse=True)
    def _elsewhere(self, tmp_path, monkeypatch):
        (tmp_path / "here").mkdir()
        monkeypatch.chdir(tmp_path / "here")

    def table(self, tmp_path):
        spy = f"odd_agents:Spy:report={tmp_path / 'report'}"
        path = tmp_path / "data" / "records" / "game.parlour"
        return Table(Dice(), [PERSON, spy], seed=1, path=path)

    @pytest.mark.parametrize("apart", [False, True])
    def test_at_a_table_no_key_or_path_is_found(self, apart, tmp_path):
        table = self.table(tmp_path)
        game = LocalGame(table, apart)
        while not table.is_over:
            if table.actor == 0:
                game.send(Play("walk"))
            else:
                game.next_events()
        game.close()
        report = (tmp_path / "report").read_text()
        assert report.count("handed") > 2
        assert table.chance.key.hex() in table.path.read_text()
        for secret in (table.chance.key.hex(), str(table.chance.key), str(table.path.parent)):
            assert secret not in report

    def test_without_isolation_the_key_is_found(self, tmp_path):
        table = self.table(tmp_path)
        table.play("walk")
        Players(table, lambda text: Spy(str(tmp_path / "report"))).choose()
        assert table.chance.key.hex() in (tmp_path / "report").read_text()

    def test_in_a_match_no_chance_seed_is_found(self, tmp_path):
        agents = [f"odd_agents:Spy:report={tmp_path / 'report'}", "random"]
        task = Plan.of_match(Dice(), agents, 2, 1).task(0)
        played, _ = play_game(Dice(), task)
        assert played.fault is None
        report = (tmp_path / "report").read_text()
        assert "handed" in report
        assert str(task.chance_seed) not in report


def test_a_match_reuses_the_process_and_creates_a_new_agent_per_game(monkeypatch):
    game, agents = Dice(), ["odd_agents:Turning", "odd_agents:Turning"]
    plan = Plan.of_match(game, agents, 4, 1)
    with IsolatedAgents() as isolated:
        records = [play_game(game, plan.task(number), isolated=isolated)[1] for number in range(4)]
        processes = list(isolated._processes.values())
        assert len(processes) == 2
        assert [process._starts for process in processes] == [1, 1]
    monkeypatch.setattr("parlour.agents.process.Child", ChildHere)
    again = [play_game(game, plan.task(number))[1] for number in range(4)]
    assert records == again


def test_an_agent_that_ends_its_process_loses_and_the_next_game_gets_a_new_one():
    game, agents = Dice(), ["odd_agents:Dying", "random"]
    plan = Plan.of_match(game, agents, 2, 1)
    with IsolatedAgents() as isolated:
        for number in range(2):
            fault = play_game(game, plan.task(number), isolated=isolated)[0].fault
            assert fault == (number, "crashed: its process ended with status 7")


def test_children_of_an_agent_are_killed(tmp_path):
    process = AgentProcess()
    with pytest.raises(AgentFault, match="crashed: its process ended with status 9"):
        process.agent("odd_agents:Forking").choose(Nim().start())
    group = process._child.process.pid
    process.stop()
    while is_anybody_alive(group):
        pass


def is_anybody_alive(group):
    """Whether a process of this group is running; zombies do not count."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its_group) == group and state != "Z":
            return True
    return False


def test_a_thinking_process_ends_with_its_owner():
    script = (
        "import os, sys, threading\n"
        f"sys.path.append({str(Path(__file__).parent.parent / 'examples')!r})\n"
        "import parlour\n"
        "from parlour.agents.process import AgentProcess\n"
        "process = AgentProcess()\n"
        "agent = process.agent('mcts:time=3000')\n"
        "state = parlour.game('octa').start(1)\n"
        "agent.check_game(state.game)\n"
        "threading.Thread(target=agent.choose, args=(state,), daemon=True).start()\n"
        "while not process.is_asked: pass\n"
        "print(process._child.process.pid, flush=True)\n"
        "os._exit(0)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(module_folders())}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    while is_anybody_alive(int(done.stdout)):
        pass
