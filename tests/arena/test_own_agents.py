"""Third-party agents are named by module and class."""

import importlib

import pytest
from nim import Nim

import parlour
from parlour import AgentError, OptionError
from parlour.agents import agent_settings, seeded


def test_a_class_of_a_module_is_an_agent():
    state = Nim().start()
    assert parlour.agent("odd_agents:First").choose(state) == 0
    assert parlour.agent(" odd_agents:Last ").choose(state) == 2
    assert parlour.agent("odd_agents:First", seed=4, blunder=0.5).blunder == 0.5
    assert parlour.agent("odd_agents:First:blunder=0.25,seed=3").blunder == 0.25


def test_its_settings_are_checked_like_those_of_any_agent():
    state = Nim().start()
    assert parlour.agent("odd_agents:Counted").choose(state) == 0
    assert parlour.agent("odd_agents:Counted:place=1").choose(state) == 1
    assert parlour.agent("odd_agents:Counted", place=2).choose(state) == 2
    assert [option.name for option in agent_settings("odd_agents:Counted")] == ["place"]
    with pytest.raises(OptionError, match="place must be an int from 0 to 9, not 'x'"):
        parlour.agent("odd_agents:Counted:place=x")
    with pytest.raises(OptionError, match=r"no option 'plaec' \(did you mean 'place'\?\)"):
        parlour.agent("odd_agents:Counted:plaec=1")
    with pytest.raises(OptionError, match="write a setting as place=VALUE, not '3'"):
        parlour.agent("odd_agents:Counted:3")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("odd_agents:Missing", "odd_agents:Missing is not a subclass of parlour.agents.Agent"),
        ("odd_agents:NoAgent", "odd_agents:NoAgent is not a subclass of parlour.agents.Agent"),
        ("mtcs:Agent", r"unknown agent 'mtcs' \(did you mean 'mcts'\?\), .*No module named 'mtcs'"),
        ("no.such.module:Agent", "unknown agent 'no.such.module'.*No module named 'no'"),
        ("a..b:Agent", "a..b:Agent"),
        ("mtcs:sims=3", r"unknown agent 'mtcs' \(did you mean 'mcts'\?\)"),
        ("levle:5", r"unknown agent 'levle' \(did you mean 'level'\?\)"),
        ("odd_agents", "unknown agent 'odd_agents'"),
        ("odd_agents:Unmade:depth=3", "cannot create odd_agents:Unmade: RuntimeError: too deep"),
    ],
)
def test_a_wrong_name_is_explained(text, message):
    with pytest.raises(AgentError, match=message):
        parlour.agent(text)


def test_a_module_that_fails_is_reported(tmp_path, monkeypatch):
    (tmp_path / "failing_module.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    with pytest.raises(AgentError, match="does not load: ZeroDivisionError: division by zero"):
        parlour.agent("failing_module:Agent")


def test_a_seed_is_added_if_the_agent_takes_one_and_has_none():
    assert seeded("random", 7) == "random:seed=7"
    assert seeded("level:5", 7) == "level:5,seed=7"
    assert seeded("exact:blunder=0.5", 7) == "exact:blunder=0.5,seed=7"
    assert seeded("mcts:seed=1", 7) == "mcts:seed=1"
    assert seeded("odd_agents:Seeded", 7) == "odd_agents:Seeded:seed=7"
    assert seeded("odd_agents:Seeded:blunder=0.5", 7) == "odd_agents:Seeded:blunder=0.5,seed=7"
    assert seeded("odd_agents:Counted:place=1", 7) == "odd_agents:Counted:place=1"
    assert seeded("odd_agents:Counted", 7) == "odd_agents:Counted"
    assert seeded("odd_agents:Narrow", 7) == "odd_agents:Narrow:seed=7"
    assert seeded("odd_agents:Narrow", 10) == "odd_agents:Narrow:seed=6"
    assert seeded("odd_agents:Narrow", 2**48) == f"odd_agents:Narrow:seed={3 + 2**48 % 7}"
    assert seeded(" mcts: sims=5, ", 7) == "mcts:sims=5,seed=7"
    with pytest.raises(AgentError, match="unknown agent 'nobody'"):
        seeded("nobody", 7)


def test_an_agent_uses_its_seed():
    state = Nim(heap=1000).start()

    def line(text):
        agent = parlour.agent(text)
        return [agent.choose(state) for _ in range(20)]

    for name in ("random", "odd_agents:Seeded"):
        assert line(seeded(name, 5)) == line(f"{name}:seed=5")
        assert line(seeded(name, 5)) != line(seeded(name, 6))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import sys; sys.exit(4)", "own_module:A does not load: SystemExit: 4"),
        ("import no_such_thing", "does not load: ModuleNotFoundError: .*'no_such_thing'"),
        ("import own_module.part", "does not load: ModuleNotFoundError: .*'own_module.part'"),
    ],
)
def test_a_failing_module_is_distinguished_from_a_missing_one(
    source, message, tmp_path, monkeypatch
):
    (tmp_path / "own_module.py").write_text(f"{source}\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    with pytest.raises(AgentError, match=message):
        parlour.agent("own_module:A")


def test_settings_must_be_a_tuple_of_options():
    with pytest.raises(AgentError, match="odd_agents:Unset: SETTINGS must be a tuple of options"):
        parlour.agent("odd_agents:Unset")


def test_the_base_class_cannot_be_used_as_an_agent():
    with pytest.raises(AgentError, match=r"parlour.agents:Agent is not a subclass"):
        parlour.agent("parlour.agents:Agent")
