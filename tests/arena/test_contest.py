"""One game of a match: chance, seeds and failing agents."""

import re

import odd_agents
import pytest
from climb import Climb
from dice import Dice
from goofspiel import Goofspiel
from kuhn import Kuhn
from nim import Nim, NimState

import parlour
from parlour import CHANCE, ContractError, Record, Rng
from parlour.agents.isolation import IsolatedAgents
from parlour.arena import contest
from parlour.arena.contest import play_game
from parlour.arena.plan import Plan


def play(game, agents, number=0, seed=0, isolated=None):
    plan = Plan.of_match(game, agents, number + 1, seed)
    return play_game(game, plan.task(number), isolated=isolated)


def chance_outcomes(record):
    states = list(record.states)
    return [
        action
        for state, action in zip(states, record.actions, strict=False)
        if state.actor == CHANCE
    ]


def test_a_game_is_played_to_its_end_and_recorded():
    played, record = play(Nim(), ["odd_agents:First", "odd_agents:Last"])
    assert record.final.result().returns == played.returns
    assert played.reason == "took the last one"
    assert played.plies == len(record.actions)
    assert played.fault is None
    assert Record.from_text(record.to_text()) == record


def test_the_start_is_that_of_the_group():
    game = parlour.game("octa", size=2)
    records = [play(game, ["random", "greedy"], number)[1] for number in range(4)]
    assert records[0].seed == records[1].seed
    assert records[2].seed == records[3].seed != records[0].seed


def test_all_games_of_a_group_share_the_chance_seed(agents_here):
    game = Dice(turns=50)
    rolling = ["odd_agents:Last", "odd_agents:Last"]
    with IsolatedAgents() as isolated:

        def drawn(agents, number):
            return chance_outcomes(play(game, agents, number, 0, isolated)[1])

        for number in (0, 2, 4):
            assert drawn(rolling, number) == drawn(rolling, number + 1) != []
        # An agent that asks chance less often gets the same outcomes, only fewer of them.
        some = drawn(["odd_agents:Last", "odd_agents:First"], 0)
        every = drawn(rolling, 0)
    shorter = min(len(some), len(every))
    assert some[:shorter] == every[:shorter]
    assert shorter > 0


def test_chance_follows_the_probabilities(agents_here):
    game = Dice(turns=50)
    with IsolatedAgents() as isolated:
        outcomes = [
            outcome
            for number in range(0, 60, 2)
            for outcome in chance_outcomes(
                play(game, ["odd_agents:Last"] * 2, number, 0, isolated)[1]
            )
        ]
    assert outcomes.count(1) / len(outcomes) == pytest.approx(0.5, abs=0.06)


def test_an_agents_random_choices_differ_from_game_to_game_but_not_by_repetition():
    game = parlour.game("octa", size=2)
    agents = ["odd_agents:Seeded", "random"]
    assert play(game, agents, 0) == play(game, agents, 0)
    assert play(game, agents, 0)[1].actions != play(game, agents, 1)[1].actions
    assert play(game, agents, 0)[1].actions != play(game, agents, 0, seed=1)[1].actions


def test_a_seed_in_the_agents_text_stays():
    game = Nim(heap=40)
    fixed = [play(game, ["odd_agents:Seeded:seed=5", "odd_agents:First"], n)[1] for n in (0, 2)]
    free = [play(game, ["odd_agents:Seeded", "odd_agents:First"], n)[1] for n in (0, 2)]
    assert fixed[0].actions == fixed[1].actions
    assert free[0].actions != free[1].actions


def test_an_isolated_agent_does_not_get_the_log_folder(agents_here):
    plan = Plan.of_match(Dice(turns=5), ["odd_agents:Telling"] * 2, 1, 0)
    played, _ = play_game(Dice(turns=5), plan.task(0), logs="/where/games/are")
    seed = plan.task(0).start_seed
    assert played.fault.reason.endswith(f"Occasion(seed={seed}, label='00001-1', logs=None)")


FAULTS = [
    ("Crashing", r"crashed: ZeroDivisionError: integer division or modulo by zero"),
    ("Quitting", r"crashed: SystemExit: 3"),
    ("Unspeakable", r"crashed: .*Error: <exception str\(\) failed>"),
    ("Unmade:depth=2", r"crashed: .*AgentError: cannot create odd_agents:Unmade: .*too deep"),
    ("Surrogate", r"crashed: ValueError: a name like \\udcff\\x07"),
    ("Cancelled", r"crashed: asyncio.exceptions.CancelledError"),
    ("Illegal", r"illegal action: an action is an id from 0 to 2, not 1000000"),
    ("Silent", r"no action: an action is an int, not NoneType"),
    ("Wordy", r"no action: an action is an int, not str"),
    ("Yes", r"no action: an action is an int, not bool"),
]


@pytest.mark.parametrize(("name", "reason"), FAULTS)
@pytest.mark.parametrize("number", [0, 1])
def test_a_faulty_agent_loses_to_its_opponent(name, reason, number):
    game = Nim()
    played, record = play(game, [f"odd_agents:{name}", "odd_agents:First"], number)
    culprit = played.seating.index(0)
    assert played.returns[culprit] == -1.0
    assert sum(played.returns) == 0.0
    assert played.scores is None
    assert played.fault.seat == culprit
    assert re.fullmatch(reason, played.fault.reason)
    assert record.final.result() is None
    assert len(record.actions) == played.plies == (0 if "Unmade" in name else culprit)


def test_an_agent_can_change_the_game_only_by_its_choice():
    game = parlour.game("octa", size=1)
    played, record = play(game, ["odd_agents:Meddling", "odd_agents:First"])
    assert played.fault is not None
    assert record.final.result() is None
    played, _ = play(game, ["odd_agents:Wavering", "odd_agents:First"])
    assert played.fault is None or "1000000" not in played.fault.reason


def test_with_four_seats_a_failing_agent_is_last_and_the_others_share():
    played, _ = play(Climb(), ["odd_agents:Crashing", "random"], 2)
    assert played.fault.seat == 2
    assert played.returns == (1 / 3, 1 / 3, -1.0, 1 / 3)


def test_with_one_seat_a_failing_agent_loses():
    played, _ = play(parlour.game("cat_mouse"), ["odd_agents:Silent"])
    assert played.returns == (-1.0,)


def test_a_long_reason_is_cut_and_in_one_line():
    played, _ = play(Nim(), ["odd_agents:Verbose", "random"])
    assert len(played.fault.reason) == 200
    assert "\n" not in played.fault.reason


def test_an_integer_of_another_library_is_an_action():
    played, record = play(Nim(), ["odd_agents:Foreign", "random"])
    assert played.fault is None
    assert all(type(action) is int for action in record.actions)


def test_a_broken_game_raises_instead_of_counting_as_a_loss():
    game = Nim(heap=10)
    plan = Plan.of_match(game, ["odd_agents:First"] * 2, 2, 0)

    class Longer:
        """Nim with a wrong max_plies."""

        max_plies = 3

        def __getattr__(self, name):
            return getattr(game, name)

    with pytest.raises(ContractError, match="goes on after its max_plies, 3"):
        play_game(Longer(), plan.task(0))


def test_chance_has_its_own_rng(agents_here):
    game = Dice(turns=50)
    task = Plan.of_match(game, ["odd_agents:Last"] * 2, 2, 0).task(0)
    rng = Rng(task.chance_seed)
    state = game.start(task.start_seed)
    expected = []
    while state.actor != parlour.OVER:
        action = 1 if state.actor >= 0 else int(state.sample(rng))
        expected.append(action)
        state = state.apply(action)
    assert play_game(game, task)[1].actions == tuple(expected)


class TestEvents:
    @pytest.fixture(autouse=True)
    def told(self, monkeypatch):
        # In this process, so that the test can read their events.
        monkeypatch.setattr(contest, "needs_isolation", lambda text, game: False)
        odd_agents.TOLD.clear()
        return odd_agents.TOLD

    def test_every_agent_gets_all_events(self, told):
        _, record = play(Dice(), ["odd_agents:Diary", "odd_agents:Diary"])
        for seat in (0, 1):
            heard = [entry for entry in told if entry[1] == seat]
            assert heard[0] == ("begin", seat, record.states[0])
            assert heard[-1] == ("close", seat)
            watched = [entry[2:] for entry in heard if entry[0] == "watch"]
            assert watched == list(zip(record.actions, record.states[1:], strict=True))

    def test_invisible_actions_are_passed_as_none(self, told):
        _, record = play(Kuhn(), ["odd_agents:Diary", "odd_agents:Diary"])
        for seat in (0, 1):
            watched = [entry[2] for entry in told if entry[:2] == ("watch", seat)]
            dealt = [record.actions[0], None] if seat == 0 else [None, record.actions[1]]
            assert watched == [*dealt, *record.actions[2:]]

    def test_sampled_worlds_do_not_depend_on_the_agents_seeds(self, told):
        game = Goofspiel(cards=9)
        heard = []
        for first in ("odd_agents:First", "odd_agents:First:seed=8"):
            told.clear()
            play(game, [first, "odd_agents:Diary:seed=4"], 0)
            heard.append([entry for entry in told if entry[0] == "choose"])
        assert heard[0] == heard[1]
        told.clear()
        play(game, ["odd_agents:First", "odd_agents:Diary:seed=4"], 2)
        shown = [entry[2].bids[0] for entry in told if entry[0] == "choose"]
        assert shown != [entry[2].bids[0] for entry in heard[0]]

    def test_a_match_with_secrets_is_reproducible(self):
        for number in range(4):
            agents = ["mcts:sims=20", "random"]
            assert play(Goofspiel(), agents, number) == play(Goofspiel(), agents, number)

    @pytest.mark.parametrize(
        ("where", "reason", "actions"),
        [
            ("begin", "crashed: RuntimeError: no beginning", 0),
            ("watch", "crashed: SystemExit: 5", 1),
            ("last", "crashed: SystemExit: 5", 10),
            ("close", "crashed: RuntimeError: no end", 10),
        ],
    )
    def test_an_error_in_an_event_method_loses(self, where, reason, actions, told):
        agents = ["odd_agents:Diary", f"odd_agents:Hooked:where={where}"]
        played, record = play(Nim(), agents)
        assert played.fault == (1, reason)
        assert played.returns == (1.0, -1.0)
        assert played.plies == len(record.actions) == actions
        assert [entry for entry in told if entry[0] == "close"] == [("close", 0)]

    def test_agents_cannot_modify_the_game(self):
        game = parlour.game("octa", size=2)
        plain = play(game, ["odd_agents:First", "odd_agents:First"])[1]
        assert play(game, ["odd_agents:Tampering", "odd_agents:First"])[1] == plain


def test_no_action_is_applied_twice():
    applied = []

    class CountedState(NimState):
        def apply(self, action):
            applied.append(action)
            return CountedState(self.game, self.heap - action - 1, 1 - self.seat)

    class CountedNim(Nim):
        def start(self, seed=0):
            return CountedState(self, self.options["heap"], 0)

    _, record = play(CountedNim(), ["odd_agents:First", "odd_agents:Last"])
    assert tuple(applied) == record.actions
    assert record.to_text()
    assert tuple(applied) == record.actions
