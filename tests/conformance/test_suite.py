"""The suite itself: its arguments, its report, and how it describes failures."""

import re

import pytest
from connect_four import ConnectFour, ConnectFourState
from kuhn import Kuhn
from mistaken import described, dice, game_with, new_class, nim
from nim import Nim, NimState

import parlour
from parlour import IllegalAction, Result
from parlour.testing import ConformanceError, Report, check_game


def failure_of(game, **how):
    with pytest.raises(ConformanceError) as caught:
        check_game(game, **how)
    return caught.value


def test_a_game_a_class_or_a_registered_name_is_accepted():
    parlour.register("nim", Nim)
    assert check_game(Nim()) == check_game(Nim) == check_game("nim")


def test_an_unknown_name_is_not_a_broken_promise():
    with pytest.raises(parlour.UnknownGame):
        check_game("no_such_game")


def test_a_value_that_is_not_a_game_is_refused():
    assert "a game must be an instance of parlour.Game, not 5" in str(failure_of(5))


def test_the_report_counts_games_states_and_reasons():
    report = check_game(Kuhn(), seeds=[3])
    assert isinstance(report, Report)
    assert report.games == 4
    assert report.states >= 4 * 4
    assert 2 <= report.longest <= 3
    assert sum(report.reasons.values()) == 4
    assert set(report.reasons) == {"passed after a bet", "the higher card"}


def test_the_number_of_states_can_be_reduced():
    many, few = (check_game(Nim(heap=100), seeds=[0, 1], states=states) for states in (40, 2))
    assert few.states < many.states / 2
    assert few.games == many.games


def test_a_game_registered_under_another_name_is_reported():
    parlour.register("nimble", Nim)
    message = str(failure_of("nimble"))
    assert "name must be the registered name, 'nimble', not 'nim'" in message


def test_a_name_that_belongs_to_another_game_is_reported():
    parlour.register("nim", Nim)
    assert "the name 'nim' belongs to <class 'nim.Nim'>" in str(failure_of(nim()))


def test_the_message_names_the_game_and_how_to_reproduce_the_failure():
    game = nim(result=lambda s: None if s.heap else Result((1.0, 1.0), None, "x"))
    message = str(failure_of(game, seeds=[7], shrink=False))
    assert message.startswith("parlour.game('nim', heap=6) breaks a promise: ")
    seed, actions = message.rpartition("(start(")[2].rstrip(")").split("), then ")
    state = game.start(int(seed))
    for action in eval(actions):
        state = state.play(action)
    assert state.result() == Result((1.0, 1.0), None, "x")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (IllegalAction("never"), "IllegalAction: never"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
        (AssertionError(), "AssertionError"),
        (RecursionError("too deep"), "RecursionError: too deep"),
    ],
)
def test_an_unexpected_error_is_reported_with_its_method_and_line(error, words):
    def legal_actions(state):
        raise error

    caught = failure_of(nim(legal_actions=legal_actions))
    message = str(caught).replace("parlour.core.errors.", "")
    assert f"legal_actions must not raise {words} ({__file__}, line " in message
    assert caught.__cause__ is error


def test_an_error_deep_in_a_method_names_the_method_that_was_called():
    def look_up(heap):
        return {5: heap}[heap]

    def key(state):
        return look_up(state.heap)

    message = str(failure_of(nim(key=key), shrink=False))
    assert ".key must not raise KeyError: 6" in message
    line = look_up.__code__.co_firstlineno + 1
    assert f"({__file__}, line {line})" in message


def test_an_error_of_the_description_has_no_seed_and_actions():
    def guide(game):
        raise KeyError("rules")

    message = str(failure_of(nim(game={"guide": guide})))
    assert "guide must not raise KeyError: 'rules'" in message
    assert "start(" not in message


def test_an_interruption_is_not_a_broken_promise():
    def interrupted(state, action):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_game(nim(apply=interrupted))


def test_a_rare_change_of_a_state_by_apply_is_found_at_once():
    """The state is not one that is checked in full."""

    def apply(state, action):
        if state.heap == 49:
            state.heap = 48
        return NimState(state.game, max(0, state.heap - action - 1), 1 - state.seat)

    message = str(failure_of(nim(heap=100, apply=apply), states=1))
    assert "changed the state that it was called on, from (49, " in message


def reproduced(error):
    """The game, the seed and the actions of a message."""
    found = re.search(
        r"parlour\.game\('\w+'(.*?)\) breaks .*\(start\((.+)\), then (.+)\)$", str(error)
    )
    options, seed, actions = found.groups()
    return eval(f"dict({options.lstrip(', ')})"), int(seed), eval(actions)


def test_a_failure_is_shown_with_the_fewest_actions_and_the_smallest_options():
    """Any full column fails: after six actions, or after four on the smallest board."""

    methods = {"rule_against": lambda state, action: None}
    game = game_with(ConnectFour, ConnectFourState, {}, methods, {})
    found, shrunk = failure_of(game, shrink=False), failure_of(game)
    options, _, actions = reproduced(found)
    assert options == {"rows": 6, "cols": 7}
    assert len(actions) >= 6
    options, _, actions = reproduced(shrunk)
    assert options == {"rows": 4, "cols": 4}
    assert len(actions) == 4
    assert len(set(actions)) == 1
    assert shrunk.kind == found.kind != ""


def test_actions_that_do_not_matter_are_left_out():
    """Seat 0 rolls three times in ten turns, which is more often than it must to fail."""

    def key(state):
        if state.steps[0] > 8:
            raise LookupError("too far")
        return (state.steps, state.turns, state.rolled)

    _, _, actions = reproduced(failure_of(dice(key=key)))
    assert len(actions) <= 5


def test_an_error_in_a_constructor_names_the_line_of_the_author():
    class Unmade(Nim):
        def __init__(self, **options):
            raise KeyError("no such thing")

    line = Unmade.__init__.__code__.co_firstlineno + 1
    assert f"raised KeyError: 'no such thing' ({__file__}, line {line})" in str(failure_of(Unmade))


def test_an_error_while_a_text_is_read_names_the_line_of_the_author():
    def state_from_text(game, text):
        return {}[text]

    line = state_from_text.__code__.co_firstlineno + 1
    message = str(failure_of(nim(game={"state_from_text": state_from_text})))
    assert f"({__file__}, line {line})" in message


def test_an_error_in_the_standard_library_names_the_line_of_the_author():
    def legal_actions(state):
        return [int(part) for part in re.compile("(").findall("1")]

    line = legal_actions.__code__.co_firstlineno + 1
    assert f"({__file__}, line {line})" in str(failure_of(nim(legal_actions=legal_actions)))


def test_three_hundred_positions_are_checked_where_the_game_has_them():
    assert check_game(ConnectFour()).states >= 300
    assert check_game(Nim(heap=5)).states == 10


def test_many_plies_do_not_make_the_check_shallow():
    def init(game, **options):
        ConnectFour.__init__(game, **options)
        described(ConnectFour, max_plies=8192)["__init__"](game, **options)

    generous = new_class(ConnectFour, {"__init__": init})
    assert check_game(generous(), seeds=[1]).states == check_game(ConnectFour(), seeds=[1]).states


def test_few_positions_are_noted():
    (note,) = check_game(Nim(heap=200), seeds=[1], states=2).notes
    assert re.match(r"Only \d+ of \d+ positions were checked in full: play more games\.", note)
