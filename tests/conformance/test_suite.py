"""The suite itself: what it takes, what it reports, and how it tells where things went wrong."""

import pytest
from kuhn import Kuhn
from mistaken import nim
from nim import Nim, NimState

import parlour
from parlour import IllegalAction, Result
from parlour.testing import ConformanceError, Report, check_game


def complaint(game, **how):
    with pytest.raises(ConformanceError) as caught:
        check_game(game, **how)
    return caught.value


def test_it_takes_a_game_a_class_or_a_registered_name():
    parlour.register("nim", Nim)
    assert check_game(Nim()) == check_game(Nim) == check_game("nim")


def test_an_unknown_name_is_not_a_broken_promise():
    with pytest.raises(parlour.UnknownGame):
        check_game("no_such_game")


def test_what_is_no_game_is_told_so():
    assert "a game is an instance of parlour.Game, not 5" in str(complaint(5))


def test_it_reports_how_many_games_and_states_it_saw_and_how_the_games_ended():
    report = check_game(Kuhn(), seeds=[3])
    assert isinstance(report, Report)
    assert report.games == 4
    assert report.states >= 4 * 4
    assert 2 <= report.longest <= 3
    assert sum(report.reasons.values()) == 4
    assert set(report.reasons) == {"passed after a bet", "the higher card"}


def test_fewer_states_are_looked_at_where_fewer_are_asked_for():
    many, few = check_game(Nim(heap=100)), check_game(Nim(heap=100), states=2)
    assert few.states < many.states / 4
    assert few.games == many.games


def test_a_game_under_another_name_than_its_own_is_found():
    parlour.register("nimble", Nim)
    message = str(complaint("nimble"))
    assert "name is the one it is registered under, 'nimble', not 'nim'" in message


def test_a_name_that_belongs_to_another_game_is_found():
    parlour.register("nim", Nim)
    assert "the name 'nim' belongs to <class 'nim.Nim'>" in str(complaint(nim()))


def test_the_game_and_the_way_to_see_it_again_are_told():
    game = nim(result=lambda s: None if s.heap else Result((1.0, 1.0), None, "x"))
    message = str(complaint(game, seeds=[7]))
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
def test_any_error_of_a_method_is_a_broken_promise_with_its_name_and_place(error, words):
    def legal_actions(state):
        raise error

    caught = complaint(nim(legal_actions=legal_actions))
    assert f"legal_actions raised {words} where it must not ({__file__}, line " in str(
        caught
    ).replace("parlour.core.errors.", "")
    assert caught.__cause__ is error


def test_an_error_deep_in_a_method_names_the_method_that_was_asked():
    def look_up(heap):
        return {5: heap}[heap]

    def key(state):
        return look_up(state.heap)

    message = str(complaint(nim(key=key)))
    assert ".key raised KeyError: 6 where it must not" in message
    line = look_up.__code__.co_firstlineno + 1
    assert f"({__file__}, line {line})" in message


def test_an_error_of_the_description_is_told_without_a_way():
    def guide(game):
        raise KeyError("rules")

    message = str(complaint(nim(game={"guide": guide})))
    assert "guide raised KeyError: 'rules' where it must not" in message
    assert "start(" not in message


def test_an_interruption_is_not_a_broken_promise():
    def interrupted(state, action):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_game(nim(apply=interrupted))


def test_a_state_that_apply_changes_now_and_then_is_found_at_once():
    """At a state that is stepped through only, before anything is compared with it."""

    def apply(state, action):
        if state.heap == 49:
            state.heap = 48
        return NimState(state.game, max(0, state.heap - action - 1), 1 - state.seat)

    message = str(complaint(nim(heap=100, apply=apply), states=1))
    assert "changed the state that it was called on, from (49, " in message
