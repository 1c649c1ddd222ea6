"""Agents by name and settings."""

import pytest
from nim import Nim

import parlour
from parlour import AgentError, OptionError
from parlour.agents.levels import BestAgent, LevelAgent
from parlour.agents.registry import agent_text


def test_every_agent_is_listed_and_can_be_made():
    assert parlour.agent_names() == ["random", "greedy", "mcts", "search", "exact", "best", "level"]
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
        ("mcts:sims", OptionError, "mcts: a setting reads like sims=VALUE, not 'sims'"),
        ("mcts:sims=1,seed=2,sims=3", OptionError, "mcts: sims is given twice in 'sims=1"),
        ("level:5,n=3", OptionError, "level: n is given twice"),
        ("mcts:time=-1", OptionError, "time must be a number between 0 and 86400"),
        ("random:sims=3", OptionError, "random has no option 'sims'"),
        ("level:10", OptionError, "n must be an int from 1 to 9, not 10"),
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
        def level_agents(self):
            return ("random", "mcts:sims=5")

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
        parlour.agent(game.best_agent()).check_game(game)
        assert len(game.level_agents()) == len(set(game.level_agents())) == 9
        for text in game.level_agents():
            parlour.agent(text).check_game(game)


def test_on_the_small_board_of_blokus_other_agents_are_best():
    classic, duo = (parlour.game("blokus", variant=name) for name in ("classic", "duo"))
    assert classic.best_agent().startswith("mcts:")
    assert BestAgent(1.0, 5).text_for(duo) == "search:time=1.0,seed=5"
    assert LevelAgent(5, 7).text_for(duo).startswith("search:")
    assert LevelAgent(5, 7).text_for(classic) == "greedy:seed=7"


def test_best_and_level_become_what_the_game_names():
    state = parlour.game("cat_mouse").start(1)
    best = parlour.agent("best:time=0.01")
    assert best.choose(state) == state.solution()[0]
    assert parlour.agent("level:9").choose(state) == state.solution()[0]
    octa = parlour.game("octa").start(1)
    assert octa.refusal(best.choose(octa)) is None


def test_the_default_levels_serve_a_game_from_outside():
    state = Nim(heap=7).start()
    for level in range(1, 8):
        assert state.refusal(parlour.agent(f"level:{level}").choose(state)) is None
