"""Agents by name and settings."""

import importlib.metadata
import inspect
from importlib.metadata import EntryPoint

import odd_agents
import pytest
from nim import Nim

import parlour
from parlour import AgentError, ContractError, OptionError
from parlour.agents import agent_settings, registry, seeded
from parlour.agents.levels import BestAgent, LevelAgent
from parlour.agents.registry import agent_class, agent_text


def test_every_agent_is_listed_and_can_be_made():
    ours = ["random", "greedy", "mcts", "search", "exact", "best", "level", "tuned"]
    assert parlour.agent_names() == [*ours, "cdc", "engine", "gtp", "openspiel", "uci", "ugi"]
    for name in parlour.agent_names():
        parlour.agent(name)


def test_settings_come_by_keyword_or_in_the_text():
    for made in (parlour.agent("mcts", sims=20, seed=1), parlour.agent(" mcts:sims=20, seed=1 ")):
        assert made.sims == 20
    assert parlour.agent("mcts:sims=20", sims=30).sims == 30
    assert parlour.agent("mcts").sims == 1000
    assert parlour.agent(" mcts: sims = 20 , ").sims == 20
    assert parlour.agent("mcts:time=0.5").sims == 0


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("mtcs", AgentError, "there is no agent 'mtcs' (did you mean 'mcts'?)"),
        ("", AgentError, "there is no agent ''"),
        ("mcts:sim=3", OptionError, "mcts has no option 'sim' (did you mean 'sims'?)"),
        ("mcts:sims=0", OptionError, "sims must be an int from 1 to"),
        ("mcts:sims=x", OptionError, "sims must be an int from 1 to"),
        ("mcts:sims", OptionError, "mcts: write a setting as sims=VALUE, not 'sims'"),
        ("mcts:sims=1,seed=2,sims=3", OptionError, "mcts: sims is given twice"),
        ("level:5,n=3", OptionError, "level: n is given twice"),
        ("mcts:time=-1", OptionError, "time must be a number between 0 and 86400"),
        ("random:sims=3", OptionError, "random has no option 'sims'"),
        ("level:10", OptionError, "level takes an int from 1 to 9, as in level:5, not '10'"),
        ("level:x", OptionError, "level takes an int from 1 to 9, as in level:5, not 'x'"),
        ("7", AgentError, "there is no agent '7' (did you mean 'level:7'?)"),
        ("level4", AgentError, "there is no agent 'level4' (did you mean 'level:4'?)"),
        ("12", AgentError, "there is no agent '12'; the agents are random"),
        ("search:depth=99", OptionError, "depth must be an int from 1 to 64"),
        (None, AgentError, "an agent's name is a str, not NoneType"),
    ],
)
def test_a_wrong_text_says_what_would_be_right(text, error, message):
    with pytest.raises(error) as caught:
        parlour.agent(text)
    assert message in str(caught.value)


def test_a_game_may_have_fewer_levels():
    class Short(Nim):
        def heuristics(self):
            return parlour.Heuristics(self, levels=("random", "mcts:sims=5"))

    assert parlour.agent("level:2").choose(Short().start()) in (0, 1, 2)
    with pytest.raises(AgentError, match="nim has levels 1 to 2, not 5"):
        parlour.agent("level:5").choose(Short().start())


def test_the_text_of_an_agent_round_trips():
    text = agent_text("mcts", {"sims": 20, "keep": False, "time": 0.5})
    assert text == "mcts:sims=20,keep=false,time=0.5"
    assert parlour.agent(text).sims == 20


@pytest.mark.parametrize("name", parlour.game_names())
def test_every_game_names_its_best_agent_and_nine_levels(name):
    options = parlour.game_class(name).OPTIONS
    choices = [option for option in options if option.kind == "choice"]
    games = [parlour.game(name, **{each.name: word}) for each in choices for word in each.choices]
    for game in [parlour.game(name), *games]:
        known = parlour.heuristics(game)
        parlour.agent(known.best_agent).check_game(game)
        assert len(known.levels) == len(set(known.levels)) == 9
        for text in known.levels:
            parlour.agent(text).check_game(game)


def test_in_every_variant_of_blokus_the_same_search_is_best():
    classic, duo = (parlour.game("blokus", variant=name) for name in ("classic", "duo"))
    assert {parlour.heuristics(each).best_agent for each in (classic, duo)} == {"mcts:width=100"}
    assert BestAgent(1.0, 5).text_for(duo) == "mcts:width=100,time=1.0,seed=5"
    assert LevelAgent(7, 7).text_for(duo).startswith("mcts:width=100,sims=")
    assert LevelAgent(1, 7).text_for(classic).startswith("greedy:blunder=")


def test_best_and_level_become_what_the_game_names():
    state = parlour.game("cat_mouse").start(1)
    best = parlour.agent("best:time=0.01")
    assert best.choose(state) == state.game.guide().solution(state)[0]
    assert parlour.agent("level:9").choose(state) == state.game.guide().solution(state)[0]
    octa = parlour.game("octa").start(1)
    assert octa.refusal(best.choose(octa)) is None


def test_the_default_levels_serve_a_game_from_outside():
    state = Nim(heap=7).start()
    for level in range(1, 8):
        assert state.refusal(parlour.agent(f"level:{level}").choose(state)) is None


@pytest.mark.parametrize("name", parlour.agent_names())
def test_a_class_is_made_by_keywords_with_exactly_the_names_of_its_settings(name):
    found = agent_class(name)
    values = {option.name: option.default for option in found.SETTINGS}
    assert set(inspect.signature(found).parameters) == set(values)
    assert isinstance(found(**values), found)
    assert isinstance(found(), found)


def test_an_agent_shows_the_text_that_made_it():
    assert repr(parlour.agent(" mcts: sims=20 ", seed=1)) == "parlour.agent('mcts:sims=20,seed=1')"
    assert repr(parlour.agent("level:5")) == "parlour.agent('level:n=5')"
    assert repr(parlour.agent("random")) == "parlour.agent('random')"
    assert repr(odd_agents.First()) == "<First>"


class TestAgentsThatTakeTheRest:
    COMMAND = "/usr/games/engine --hash=64,threads=2 mode:fast"

    def test_all_after_the_name_is_one_value(self):
        made = parlour.agent(f"odd_agents:Engine: {self.COMMAND} ")
        assert made.command == self.COMMAND
        assert parlour.agent("odd_agents:Engine", command="gnugo").command == "gnugo"
        assert parlour.agent("odd_agents:Engine").command is None
        assert parlour.agent("odd_agents:Engine:").command is None

    def test_a_seed_is_never_added(self):
        text = f"odd_agents:Engine:{self.COMMAND}"
        assert seeded(text, 7) == text
        assert seeded("odd_agents:Engine", 7) == "odd_agents:Engine"

    def test_its_text_round_trips(self):
        text = f"odd_agents:Engine:{self.COMMAND}"
        assert agent_text("odd_agents:Engine", {"command": self.COMMAND}) == text
        assert repr(parlour.agent(text)) == f"parlour.agent({text!r})"

    def test_the_first_setting_is_a_text(self):
        with pytest.raises(AgentError, match=r"odd_agents:Restless: the first of SETTINGS is an"):
            parlour.agent("odd_agents:Restless:go")


class TestAgentsOfPackages:
    """By the entry-point group `parlour.agents`."""

    POINTS = (
        EntryPoint("my-turning", "odd_agents:Turning", "parlour.agents"),
        EntryPoint("engine", "odd_agents:Engine", "parlour.agents"),
        EntryPoint("twice", "odd_agents:First", "parlour.agents"),
        EntryPoint("twice", "odd_agents:Last", "parlour.agents"),
        EntryPoint("again", "odd_agents:First", "parlour.agents"),
        EntryPoint("again", "odd_agents:First", "parlour.agents"),
        EntryPoint("odd_agents", "odd_agents:Last", "parlour.agents"),
        EntryPoint("gone", "no_such_module:Agent", "parlour.agents"),
        EntryPoint("no_agent", "odd_agents:NoAgent", "parlour.agents"),
        EntryPoint("mcts", "odd_agents:First", "parlour.agents"),
    )

    @pytest.fixture(autouse=True)
    def _points(self, monkeypatch):
        def entry_points(group):
            return [point for point in self.POINTS if point.group == group]

        monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
        registry._entry_points.cache_clear()
        yield
        registry._entry_points.cache_clear()

    def test_they_are_listed_after_ours(self):
        names = parlour.agent_names()
        assert names[:3] == ["random", "greedy", "mcts"]
        assert names[8:] == [
            "again",
            "engine",
            "gone",
            "my_turning",
            "no_agent",
            "odd_agents",
            "twice",
        ]

    def test_they_are_made_by_name_with_settings(self):
        state = Nim().start()
        for name in ("my-turning", "my_turning"):
            made = parlour.agent(f"{name}:seed=3", blunder=0.5)
            assert (type(made), made.blunder) == (odd_agents.Turning, 0.5)
        assert [option.name for option in agent_settings("my-turning")] == ["seed", "blunder"]
        assert seeded("my-turning", 7) == "my-turning:seed=7"
        assert parlour.agent("again").choose(state) == 0
        assert parlour.agent("engine:a b:c,d").command == "a b:c,d"

    def test_a_registered_name_wins_over_a_module(self):
        state = Nim().start()
        assert parlour.agent("odd_agents").choose(state) == 2
        with pytest.raises(OptionError, match="write a setting as seed=VALUE, not 'First'"):
            parlour.agent("odd_agents:First")

    def test_the_names_of_ours_are_taken(self):
        assert parlour.agent("mcts").sims == 1000

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("twice", "2 packages offer an agent 'twice': odd_agents:First, odd_agents:Last"),
            ("gone", r"'gone' \(no_such_module:Agent.*\) does not load: ModuleNotFoundError: .*"),
            ("no-agent", "odd_agents:NoAgent is not a subclass of parlour.agents.Agent"),
            ("my-tuning", r"there is no agent 'my-tuning' \(did you mean 'my_turning'\?\); .*"),
        ],
    )
    def test_what_is_wrong_is_said_in_one_line(self, text, message):
        with pytest.raises(AgentError, match=message) as caught:
            parlour.agent(text)
        assert len(str(caught.value).splitlines()) == 1


def test_a_class_that_was_compiled_apart_is_refused():
    with pytest.raises(ContractError, match="mypyc compiled elsewhere.Foreign separately from Parlour"):
        type("Foreign", (odd_agents.First,), {"__mypyc_attrs__": (), "__module__": "elsewhere"})
