"""Endgame tablebases, and searches that use them."""

import itertools

import pytest

import parlour
from parlour.core.heuristics import UNKNOWN_VALUE
from parlour.games.banqi.endings import ending_of

SIGNS = "KGMRHCPkgmrhcp"


def known_value(state, is_deep):
    return parlour.heuristics(state.game).known_value(state, is_deep)


def placed(pieces, turn="red", quiet=0, **options):
    """Return the position with these pieces, such as `{"a1": "K", "c2": "r"}`."""
    rows = [[pieces.get(f"{col}{row}", ".") for col in "abcdefgh"] for row in "1234"]
    board = "\n".join(" ".join(row) for row in rows)
    return parlour.game("banqi", **options).state_from_text(
        f"turn: {turn}, seat {0 if turn == 'red' else 1}\nquiet: {quiet}\nface-down: -\n{board}"
    )


def solved(one, other):
    """Solve every placement of two pieces with the rules alone."""
    names = [f"{col}{row}" for row in "1234" for col in "abcdefgh"]
    found, after = {}, {}
    for turn in ("red", "black"):
        for here, there in itertools.permutations(names, 2):
            state = placed({here: one, there: other}, turn)
            key = (turn, here, there)
            after[key] = []
            for action in state.legal_actions():
                text = state.game.action_to_text(state, action)
                if state.apply(action).result() is not None:
                    found[key] = 1
                elif text.startswith(here):
                    after[key].append(("black", text[-2:], there))
                else:
                    after[key].append(("red", here, text[-2:]))
    plies, grows = 2, True
    while grows or plies < 4:
        grows = False
        for key, following in after.items():
            if key in found:
                continue
            if plies % 2:
                is_found = any(found.get(each) == plies - 1 for each in following)
            else:
                is_found = following and all(found.get(each, 0) % 2 for each in following)
            if is_found:
                found[key] = plies
                grows = True
        plies += 1
    return found


@pytest.mark.parametrize("pieces", ["Kr", "Pk"])
def test_two_piece_endings_match_a_solution_by_the_rules(pieces):
    expected = solved(*pieces)
    table = ending_of(tuple(SIGNS.index(sign) for sign in pieces))
    names = [f"{col}{row}" for row in "1234" for col in "abcdefgh"]
    for turn in (0, 1):
        for here, there in itertools.permutations(range(32), 2):
            plies = expected.get((("red", "black")[turn], names[here], names[there]))
            number = table.plies(here << 5 | there, turn)
            assert number == (0 if plies is None else plies + 1)


def test_mirror_images_have_the_same_value():
    state = placed({"a1": "K", "c2": "H", "f3": "r"})
    for mirrored in (
        {"h1": "K", "f2": "H", "c3": "r"},
        {"a4": "K", "c3": "H", "f2": "r"},
        {"h4": "K", "f3": "H", "c2": "r"},
    ):
        assert known_value(placed(mirrored), False) == known_value(state, False)


def test_two_hunters_catch_the_prey_unless_the_quiet_turns_run_out():
    pieces = {"a1": "K", "c1": "H", "f3": "r"}
    value = known_value(placed(pieces), False)
    assert 0.96 < value < 1
    assert known_value(placed(pieces, quiet=59), False) == UNKNOWN_VALUE


def test_endings_that_neither_side_can_force_are_draws():
    assert known_value(placed({"a1": "C", "h4": "c"}), False) == 0


def test_larger_endings_are_not_solved():
    five = {"a1": "K", "c1": "H", "f3": "r", "h1": "p", "h4": "p"}
    assert known_value(placed(five), True) == UNKNOWN_VALUE
    four = {"a1": "K", "c1": "H", "f3": "r", "h1": "p"}
    assert known_value(placed(four), False) == UNKNOWN_VALUE


WON = {
    "one against one": {"a1": "K", "c1": "r"},
    "two against one": {"a1": "K", "b4": "H", "f3": "r"},
    "two pawns against the King": {"a1": "P", "a4": "P", "f2": "k"},
}


@pytest.mark.parametrize("name", WON)
def test_search_wins_a_won_ending(name):
    state = placed(WON[name], turn="red", rules="taiwan", repetition=True)
    if known_value(state, False) <= 0:
        state = placed(WON[name], turn="black", rules="taiwan", repetition=True)
    assert known_value(state, False) > 0.96
    left = round((1 - known_value(state, False)) / 0.0005)
    agents = [parlour.agent("search:nodes=100"), parlour.agent("search:nodes=100,seed=1")]
    plies = 0
    while state.actor != parlour.OVER:
        state = state.play(agents[state.actor].choose(state))
        plies += 1
    assert state.result().returns == (1, -1)
    assert plies == left
