"""What an agent thinks, in words and as a table."""

from kuhn import BET, Kuhn
from nim import Nim

import parlour
from parlour.agents import AT_MOST, Analysis, Choice
from parlour.scenes.choices import (
    advice_lines,
    advice_of,
    line_words,
    value_words,
)
from parlour.scenes.choices import choice_words as words_of

STATE = Nim(heap=7).start()


def choice_words(state, chosen, seat):
    (view,) = advice_of(state, Analysis((chosen,), 1, 0.0), seat).choices
    return words_of(view)


def analysis_lines(state, analysis, seat, *most):
    return advice_lines(advice_of(state, analysis, seat), *most)


def choice(action=2, value=0.25, visits=0, depth=3, line=("take3", "take1"), **more):
    return Choice(action, line[0], value, visits, depth, line, **more)


def test_a_choice_is_told_with_what_it_is_worth_and_what_comes_then():
    assert choice_words(STATE, choice(), 0) == "take3 (worth +0.25, then take1)"
    assert choice_words(STATE, choice(visits=12, line=("take3",)), 0) == (
        "take3 (worth +0.25, 12 visits)"
    )


def test_a_long_line_is_cut():
    texts = ("take1",) * 7
    assert choice_words(STATE, choice(0, line=texts), None) == (
        "take1 (worth +0.25, then take1, take1, take1, take1, take1 ...)"
    )


def test_a_bound_is_called_one():
    assert value_words(choice(value=0.118, bound=AT_MOST)) == "worth at most +0.12"


def test_a_proven_end_is_told_in_plies():
    assert value_words(choice(value=0.9985, ends_in=3)) == "win in 3"
    words = choice_words(STATE, choice(visits=1, ends_in=1, line=("take3",)), 0)
    assert words == "take3 (win in 1)"
    assert value_words(choice(value=-0.999, ends_in=2)) == "loss in 2"
    assert value_words(choice(value=0.0, ends_in=4)) == "tie in 4"


def test_actions_are_told_in_the_games_own_words():
    game = parlour.game("blokus", variant="duo")
    state = game.start()
    found = parlour.agent("greedy").analyse(state).choices[0]
    words = choice_words(state, found, 0)
    assert words.startswith(game.action_words(state, found.action, 0) + " (worth ")
    assert not words.startswith(found.text)


def test_the_line_is_told_in_words_as_far_as_it_can_be_played():
    game = parlour.game("banqi")
    state = game.start(1)
    text = game.action_to_text(state, state.legal_actions()[0])
    words = line_words(state, Choice(state.legal_actions()[0], text, 0.0, 0, 1, (text, "z9")), 0)
    assert words == [game.action_words(state, state.legal_actions()[0], 0), "z9"]
    assert line_words(STATE, choice(), 0) == ["take3", "take1"]


def test_with_secrets_only_the_choice_is_looked_at_in_the_true_position():
    """The line was thought of in another world: whether it can be played here is a secret."""
    state = Kuhn().state_from_text("cards KJ bets p")
    line = Choice(BET, "bet", 0.1, 5, 2, ("bet", "no such thing"))
    assert line_words(state, line, 1) == ["bet", "no such thing"]


def test_a_table_shows_the_choices_in_their_order():
    choices = (
        choice(2, 0.9985, line=("take3", "take1"), ends_in=3),
        choice(1, -0.125, line=("take2",)),
        choice(0, -0.25, line=("take1",), bound=AT_MOST),
    )
    assert analysis_lines(STATE, Analysis(choices, 9, 0.1), 0) == [
        "action           value  depth  expected play",
        "take3         win in 3      3  take1",
        "take2           -0.125      3",
        "take1   at most -0.250      3",
    ]


def test_a_table_is_cut_and_says_so():
    choices = tuple(choice(visits=9 - number, line=("take3",)) for number in range(9))
    lines = analysis_lines(STATE, Analysis(choices, 9, 0.1), None, 1)
    assert lines == [
        "action   value  visits  expected play",
        "take3   +0.250       9",
        "and 8 more",
    ]
    assert len(analysis_lines(STATE, Analysis(choices, 9, 0.1), None)) == 10


def test_pieces_that_lie_differently_in_one_place_are_told_apart_by_their_cells():
    game = parlour.game("blokus")
    state = game.start()
    analysis = parlour.agent("greedy").analyse(state)
    lines = analysis_lines(state, analysis, None, 30)
    names = [game.action_words(state, each.action, None) for each in analysis.choices[:30]]
    assert len(set(names)) < len(names)
    for name, line, each in zip(names, lines[1:], analysis.choices, strict=False):
        assert line.startswith(f"{name} ({each.text})" if names.count(name) > 1 else f"{name}  ")
