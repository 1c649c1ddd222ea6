"""The suite itself: its arguments, its report, and how it describes failures."""

import pytest
from kuhn import Kuhn
from mistaken import nim
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
    many, few = check_game(Nim(heap=100)), check_game(Nim(heap=100), states=2)
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
    message = str(failure_of(game, seeds=[7]))
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

    message = str(failure_of(nim(key=key)))
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
