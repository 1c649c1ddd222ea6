"""What every game gets from the contract, seen on games in plain Python."""

import copy
import pickle

import pytest
from dice import Dice
from nim import Nim, NimState

import parlour
from parlour import CHANCE, OVER, ActionTextError, ContractError, Game, IllegalAction, Rng, State
from parlour.agents import Agent

NIM = Nim(heap=5)
DICE = Dice()


class ListedState(NimState):
    def legal_actions(self):
        return [0, 1, 2][: self.heap]


class Listed(Nim):
    """Written as an author in a hurry would: a list of actions, and a seed that is not checked."""

    def start(self, seed=0):
        self.seen = seed
        return ListedState(self, 2, 0)


def test_legal_actions_may_be_a_list():
    state = Listed().start()
    assert isinstance(state.legal_actions(), parlour.Actions)
    assert list(state.legal_actions()) == [0, 1]
    assert parlour.agent("mcts:sims=10").choose(state) in (0, 1)


def test_core_folds_the_seed_before_the_author_sees_it():
    game = Listed()
    game.start(2**64)
    assert game.seen == -(2**63)
    for seed in (True, "1", 1.5, None):
        with pytest.raises(TypeError, match="a seed is an int"):
            game.start(seed)


def test_a_state_has_text_actions_and_is_over():
    state = Nim(heap=2).start()
    assert str(state) == state.game.state_to_text(state)
    assert state.actions() == [("take1", 0), ("take2", 1)]
    assert not state.is_over
    assert state.play("take2").is_over


def test_play_checks_and_apply_trusts():
    state = NIM.start()
    assert state.play(2) == state.apply(2)
    with pytest.raises(IllegalAction, match="an action is an id from 0 to 2, not 3"):
        state.play(3)


@pytest.mark.parametrize("action", [None, 0.0, True, b"0", object(), [0]])
def test_an_action_of_another_type_is_refused_and_only_play_raises(action):
    state = NIM.start()
    assert state.refusal(action) == f"an action is an int or a text, not {type(action).__name__}"
    with pytest.raises(IllegalAction):
        state.play(action)


def test_an_action_text_may_have_spaces_around_it():
    state = NIM.start()
    assert state.play(" take2 ") == state.apply(1)
    assert state.refusal("take2") is None
    late = Nim(heap=1).start()
    assert late.refusal("take3") == "'take3' is not a legal action; legal now: take1"
    with pytest.raises(ActionTextError):
        late.play("take3")
    with pytest.raises(IllegalAction, match="that cell is neutral"):
        parlour.game("octa").start(1).play("0,0")
    assert "that cell is neutral" in parlour.game("octa").start(1).refusal("0,0")


def test_an_action_with_thousands_of_digits_is_refused_in_a_short_message():
    assert len(NIM.start().refusal(10**5000)) < 150
    with pytest.raises(IllegalAction):
        NIM.start().play(-(10**5000))


def test_an_object_whose_methods_raise_is_refused():
    class Odd:
        @property
        def __class__(self):
            raise RuntimeError

    assert NIM.start().refusal(Odd()) == "an action is an int or a text, not Odd"


def test_an_integer_of_another_library_is_an_action():
    class Integer:
        def __index__(self):
            return 1

    assert NIM.start().play(Integer()) == NIM.start().play(1)


def test_the_default_refusal_names_the_action():
    state = Nim(heap=2).start()
    assert state.refusal(2) == "take3 is not legal now"


def test_nothing_is_legal_after_the_end():
    state = Nim(heap=1).start().play(0)
    assert state.actor == OVER
    assert list(state.legal_actions()) == []
    assert state.refusal(0) == "the game is over"
    assert state.result().returns == (1.0, -1.0)
    assert state.result().winner == 0


def test_a_tie_and_a_lost_solo_game_have_no_winner():
    assert parlour.Result((0.0, 0.0), None, "tie").winner is None
    assert parlour.Result((-1.0,), None, "lost").winner is None
    assert parlour.Result((1.0,), None, "won").winner == 0
    assert parlour.Result((1 / 3, 1 / 3, -1 / 3, -1 / 3), None, "shared").winner is None


def test_chance_is_an_actor_with_outcomes():
    state = DICE.start().play(1)
    assert state.actor == CHANCE
    assert list(state.legal_actions()) == [1, 4, 6]
    assert state.refusal(2) == "2 is not a possible outcome now"
    assert state.play(4).steps == (4, 0)


def test_sample_draws_outcomes_by_their_odds():
    state = DICE.start().play(1)
    rng = Rng(5)
    drawn = [state.sample(rng) for _ in range(4000)]
    assert {outcome: round(drawn.count(outcome) / 4000, 1) for outcome in (1, 4, 6)} == {
        1: 0.5,
        4: 0.2 if drawn.count(4) < 1000 else 0.3,
        6: 0.2 if drawn.count(6) < 1000 else 0.3,
    }


def test_the_default_action_text_is_found_among_the_legal_ones():
    state = Nim(heap=2).start()
    assert state.game.action_from_text(state, " take2 ") == 1
    with pytest.raises(ActionTextError) as caught:
        state.game.action_from_text(state, "take3")
    assert str(caught.value) == "'take3' is not a legal action; legal now: take1, take2"


def test_states_are_values():
    one, other = NIM.start().play(0), Nim(heap=5).start(3).play(0)
    assert one == other
    assert hash(one) == hash(other)
    assert one != NIM.start()
    assert one != Nim(heap=6).start().play(1)
    assert one != "state"
    assert len({one, other, NIM.start()}) == 2


def test_states_and_games_pickle_and_copy():
    state = NIM.start().play(1)
    for again in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state)):
        assert again == state
        assert again.game == NIM
    states = pickle.loads(pickle.dumps([NIM.start(), DICE.start(), NIM.start().play(1)]))
    assert [state.game for state in states] == [NIM, DICE, NIM]


def test_unpickled_states_share_their_game():
    one = pickle.loads(pickle.dumps(NIM.start()))
    other = pickle.loads(pickle.dumps(NIM.start()))
    assert one.game is other.game


def test_an_unknown_seat_is_an_index_error():
    assert NIM.start().scene(1).actions == ()
    with pytest.raises(IndexError, match="nim has seats 0 to 1, not 2"):
        NIM.start().scene(2)
    with pytest.raises(TypeError):
        NIM.start().scene(1.0)


def test_a_game_s_options_cannot_be_changed():
    with pytest.raises(TypeError):
        NIM.options["heap"] = 7


def test_a_missing_method_is_a_contract_error():
    class Unfinished(NimState):
        key = State.key
        legal_actions = State.legal_actions

    with pytest.raises(ContractError, match=r"Unfinished does not define key\(\)"):
        hash(Unfinished(NIM, 5, 0))
    with pytest.raises(ContractError, match=r"Unfinished does not define legal_actions\(\)"):
        parlour.perft(Unfinished(NIM, 5, 0), 2)


def test_isinstance_distinguishes_games_states_and_agents_in_any_order():
    classes = (
        Game,
        State,
        Agent,
        Nim,
        NimState,
        *(type(parlour.game(name).start()) for name in parlour.game_names()),
    )
    things = [NIM, NIM.start(), parlour.agent("mcts", sims=1), parlour.game("octa").start()]
    for thing in things:
        for order in (classes, classes[::-1]):
            for each in order:
                assert isinstance(thing, each) == (each in type(thing).__mro__)
                assert issubclass(type(thing), each) == (each in type(thing).__mro__)


def test_the_repr_of_a_game_evaluates_to_the_game():
    game = parlour.game("octa", size=2)
    assert eval(repr(game), {"parlour": parlour}) == game


def test_the_repr_of_a_state_shows_the_position():
    assert "5 left, player 1 to move" in repr(NIM.start())
