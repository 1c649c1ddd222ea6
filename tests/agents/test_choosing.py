"""Promises of every agent: legal choices, reproducible by seed, within the budget."""

import pytest
from dice import Dice
from nim import Nim
from odd_agents import First, Number

import parlour
from parlour import AgentError, Rng

SIMS, NODES = (30, 300) if parlour.build_info().compiled else (4, 40)
QUICK = [
    "random",
    "greedy",
    f"mcts:sims={SIMS}",
    f"mcts:sims={SIMS},cutoff=4",
    f"mcts:sims={SIMS},width=3,puct=2",
]
TWO_SEATS = ["search:depth=1", f"search:nodes={NODES}"]

GAMES = {
    "octa": parlour.game("octa", size=2),
    "banqi": parlour.game("banqi", quiet_limit=10),
    "blokus": parlour.game("blokus", variant="duo"),
    "cat_mouse": parlour.game("cat_mouse", ply_cap=20),
    "nim": Nim(),
    "dice": Dice(),
}


def agents_for(game):
    return QUICK + (TWO_SEATS if game.seats == 2 else [])


CASES = [(name, text) for name, game in GAMES.items() for text in agents_for(game)]


def whole_game(game, text, seed):
    """Return the actions of a game in which the agent plays every seat."""
    agent = parlour.agent(text, seed=seed)
    state, rng, actions = game.start(seed), Rng(seed), []
    while state.actor != parlour.OVER:
        chosen = state.sample(rng) if state.actor == parlour.CHANCE else agent.choose(state)
        actions.append(chosen)
        state = state.play(chosen)
    return actions


@pytest.mark.parametrize(("name", "text"), CASES)
def test_every_choice_of_a_whole_game_is_legal_and_the_same_for_the_same_seed(name, text):
    assert whole_game(GAMES[name], text, 1) == whole_game(GAMES[name], text, 1)


@pytest.mark.parametrize("text", ["mcts:sims=60,seed=5", "search:depth=2", "greedy:seed=3"])
@pytest.mark.parametrize("name", ["octa", "banqi", "blokus", "nim", "dice"])
def test_the_choices_of_a_seed_are_pinned_for_both_builds(name, text):
    game = GAMES[name]
    agent = parlour.agent(text)
    state, rng, texts = game.start(3), Rng(3), []
    while state.actor != parlour.OVER and len(texts) < 6:
        if state.actor == parlour.CHANCE:
            state = state.play(state.sample(rng))
            continue
        action = agent.choose(state)
        texts.append(game.action_to_text(state, action))
        state = state.play(action)
    assert " ".join(texts) == CHOICES[name][text]


CHOICES = {
    "octa": {
        "mcts:sims=60,seed=5": "1,1 -1,1 1,1 -1,1 0,-1 0,0",
        "search:depth=2": "1,1 1,-1 0,1 1,-1 1,1 -1,2",
        "greedy:seed=3": "-1,-1 -1,1 -1,-1 -1,1 0,-1 -1,1",
    },
    "banqi": {
        "mcts:sims=60,seed=5": "e1 h4 f3 g1 d1 d4",
        "search:depth=2": "a1 d1 f1 h1 d3 b3",
        "greedy:seed=3": "h2 h1 h3 g1 h3xh2 h1xh2",
    },
    "blokus": {
        "mcts:sims=60,seed=5": "e8,d9,e9,f9,e10 i4,h5,i5,j5,i6 h7,i7,j7,g8,h8 "
        "k6,k7,k8,l8,l9 g3,h3,g4,g5,g6 g9,h9,i9,j9,i10",
        "search:depth=2": "e8,e9,e10,f10,g10 h4,h5,i5,j5,j6 g4,g5,f6,g6,f7 "
        "k7,k8,k9,k10,k11 f2,g2,h2,i2,f3 g7,h7,i7,f8,g8",
        "greedy:seed=3": "f8,g8,f9,e10,f10 i5,j5,h6,i6,i7 i8,j8,k8,h9,i9 k6,l6,l7,l8,l9 "
        "j10,k10,l10,m10,l11 e7,f7,g7,e8,e9",
    },
    "nim": {
        "mcts:sims=60,seed=5": "take2 take2 take2 take1 take3",
        "search:depth=2": "take1 take1 take1 take1 take1 take1",
        "greedy:seed=3": "take3 take2 take2 take3",
    },
    "dice": {
        "mcts:sims=60,seed=5": "roll roll walk roll walk",
        "search:depth=2": "walk walk walk roll roll walk",
        "greedy:seed=3": "roll walk roll roll walk",
    },
}


@pytest.mark.parametrize(
    "text", ["random", "greedy", "mcts:sims=5", "search:depth=1", "best", "level:3"]
)
def test_choosing_after_the_end_or_for_chance_raises(text):
    agent = parlour.agent(text)
    over = Nim(heap=1).start().play(0)
    for ask in (agent.choose, agent.analyse):
        with pytest.raises(AgentError, match="the game is over"):
            ask(over)
        with pytest.raises(AgentError, match="chance is to act"):
            ask(Dice().start().play(1))


@pytest.mark.parametrize("text", ["random", "greedy", "mcts:sims=200", "search:depth=3"])
@pytest.mark.parametrize("name", ["octa", "banqi", "nim", "dice"])
def test_an_analysis_ranks_legal_choices_with_a_line_that_can_be_played(name, text):
    state = GAMES[name].start(2)
    analysis = parlour.agent(text).analyse(state)
    assert analysis.choices
    for choice in analysis.choices:
        assert state.refusal(choice.action) is None
        assert choice.text == state.game.action_to_text(state, choice.action)
        assert -1 <= choice.value <= 1
        assert choice.line[0] == choice.text
        position = state
        for word in choice.line:
            position = position.play(state.game.action_from_text(position, word))
    assert analysis.seconds >= 0


def test_mcts_ranks_by_visits_and_they_add_up():
    analysis = parlour.agent("mcts:sims=300").analyse(GAMES["octa"].start(2))
    visits = [choice.visits for choice in analysis.choices]
    assert visits == sorted(visits, reverse=True)
    assert sum(visits) == analysis.work == 300


def test_search_ranks_by_value_and_reports_its_depth():
    analysis = parlour.agent("search:depth=3").analyse(GAMES["octa"].start(2))
    values = [choice.value for choice in analysis.choices]
    assert values[0] == max(values)
    assert analysis.choices[0].depth == 3


def test_simulations_and_nodes_are_counted():
    state = parlour.game("octa").start(1)
    assert parlour.agent("mcts:sims=77").analyse(state).work == 77
    assert parlour.agent("search:nodes=500").analyse(state).work <= 500 + 200


def test_a_blunder_is_a_random_legal_action():
    state = parlour.game("cat_mouse").start(1)
    agent = parlour.agent("exact:blunder=0.999")
    assert len({agent.choose(state) for _ in range(60)}) == len(state.legal_actions())


def test_the_tree_is_kept_between_moves():
    game = parlour.game("octa")
    agent = parlour.agent("mcts:sims=400,seed=1")
    state = game.start(1)
    state = state.play(agent.choose(state))
    state = state.play(state.legal_actions()[0])
    kept = agent.analyse(state)
    fresh = parlour.agent("mcts:sims=400,seed=1").analyse(state)
    assert sum(choice.visits for choice in kept.choices) > sum(c.visits for c in fresh.choices)
    agent.begin(game.start(1), 0)
    assert sum(choice.visits for choice in agent.analyse(state).choices) == 400


def test_search_keeps_nothing_from_another_game():
    short, long = parlour.game("octa", size=2, turn_limit=7), parlour.game("octa", size=2)
    for seed in range(6):
        agent = parlour.agent("search:depth=4")
        agent.choose(short.start(seed))
        fresh = parlour.agent("search:depth=4").analyse(long.start(seed))
        assert agent.analyse(long.start(seed)).choices == fresh.choices


def test_search_considers_the_same_actions_at_every_depth():
    state, rng = parlour.game("banqi").start(1), Rng(1)
    for _ in range(12):
        state = state.apply(state.sample(rng))
    assert state.actor >= 0
    wanted = set(parlour.heuristics(state.game).search_actions(state, 64))
    assert len(wanted) > len(parlour.heuristics(state.game).search_actions(state, 3))
    for depth in (1, 2, 3):
        analysis = parlour.agent("search", depth=depth).analyse(state)
        assert {choice.action for choice in analysis.choices} == wanted


def far_ahead(name):
    """Return positions of a game that a good player is about to win against a random one."""
    game = GAMES[name]
    state, rng = game.start(3), Rng(3)
    player = parlour.agent("greedy", seed=3)
    while state.actor != parlour.OVER:
        if (
            state.actor == 0
            and parlour.heuristics(state.game).evaluate(state, 0) > 0.5
            and len(state.legal_actions()) > 3
        ):
            yield state
        state = state.apply(player.choose(state) if state.actor == 0 else state.sample(rng))


@pytest.mark.parametrize("name", ["octa", "blokus"])
def test_evaluations_still_differ_far_ahead(name):
    states = list(far_ahead(name))
    assert states
    for state in states:
        values = {choice.value for choice in parlour.agent("greedy").analyse(state).choices}
        assert len(values) > 1


@pytest.mark.parametrize("name", ["octa", "blokus", "cat_mouse"])
def test_an_analysis_has_a_choice_however_little_time_there_was(name):
    state = parlour.game(name).start(1)
    agent = parlour.agent("mcts:time=0.000001")
    for _ in range(12):
        state = state.play(agent.analyse(state).choices[0].action)


def test_search_needs_two_seats():
    with pytest.raises(AgentError, match="search needs two seats; blokus has 4: use mcts"):
        parlour.agent("search").choose(parlour.game("blokus").start())


def test_exact_needs_a_solved_game():
    with pytest.raises(AgentError, match="octa has no solver; choose another agent"):
        parlour.agent("exact").choose(parlour.game("octa").start(1))


def test_exact_plays_on_where_there_are_too_few_steps_left_to_win():
    state = parlour.game("cat_mouse", ply_cap=2).start(1)
    assert state.game.guide().solution(state) is None
    agent = parlour.agent("exact")
    while state.actor != parlour.OVER:
        assert len(agent.analyse(state).choices) == len(state.legal_actions())
        state = state.play(agent.choose(state))
    assert state.result().returns == (-1.0,)


def test_the_blunders_of_exact_follow_its_seed():
    def game(seed):
        agent = parlour.agent("exact:blunder=0.5", seed=seed)
        state, actions = parlour.game("cat_mouse").start(1), []
        while state.actor != parlour.OVER:
            actions.append(agent.choose(state))
            state = state.play(actions[-1])
        return actions

    assert game(1) == game(1)
    assert len({tuple(game(seed)) for seed in range(5)}) > 1


def test_agents_leave_the_state_as_it_was():
    for name, text in CASES:
        state = GAMES[name].start(4)
        before = state.key()
        parlour.agent(text).choose(state)
        assert state.key() == before


def test_best_must_return_an_action_in_both_builds():
    class Foreign(First):
        def best(self, state):
            return Number(1)

    class Wordy(First):
        def best(self, state):
            return "take1"

    assert Foreign().choose(Nim().start()) == 1
    with pytest.raises(TypeError, match=r"best\(\) must return an int, not str"):
        Wordy().choose(Nim().start())


def test_choose_works_without_begin_and_close():
    for text in [*QUICK, *TWO_SEATS, "best:time=0.001", "level:3"]:
        agent = parlour.agent(text)
        state = GAMES["octa"].start(1)
        assert state.refusal(agent.choose(state)) is None
        agent.close()
        agent.watch(None, state)
        agent.begin(state, 0)
        assert state.refusal(agent.choose(state)) is None
