"""Unpickling checks its input, so no pickle creates an impossible position."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import parlour
from parlour import InvalidState
from parlour.games.banqi import BanqiGame


def some_states(seed, plies=80, **options):
    state, rng, found = BanqiGame(**options).start(seed), parlour.Rng(seed), []
    while state.actor != parlour.OVER and len(found) < plies:
        found.append(state)
        state = state.apply(state.sample(rng))
    return [*found, state]


@pytest.mark.parametrize("rules", ["house", "taiwan", "olympiad"])
@pytest.mark.parametrize("seed", range(4))
def test_every_position_of_a_game_can_be_unpickled(rules, seed):
    for state in some_states(seed, 400, rules=rules):
        again = pickle.loads(pickle.dumps(state))
        assert again == state
        assert again.actor == state.actor


def test_a_wrong_count_of_face_down_pieces_is_refused():
    """Regression: `sample` looped for ever, looking for a missing piece."""
    rebuild, (game, parts, turns) = BanqiGame().start(0).apply(3).__reduce__()
    changed = list(parts)
    changed[5] += 1
    with pytest.raises(InvalidState, match="the count of face-down pieces is wrong"):
        rebuild(game, tuple(changed), turns)
    changed[5], changed[6] = parts[5], 0
    with pytest.raises(InvalidState, match="the count of face-down pieces is wrong"):
        rebuild(game, tuple(changed), turns)


STATES = [
    state for rules in ("house", "olympiad") for state in some_states(7, 300, rules=rules)[::9]
]
NUMBERS = st.one_of(st.integers(-3, 40), st.integers(0, 2**33), st.integers(), st.booleans())


@given(st.sampled_from(STATES), st.integers(0, 12), NUMBERS)
def test_a_changed_number_is_refused_or_gives_a_playable_position(state, at, number):
    rebuild, (game, parts, turns) = state.__reduce__()
    changed = (*parts[:at], number, *parts[at + 1 :])
    try:
        made = rebuild(game, changed, turns)
    except InvalidState:
        return
    assert parlour.playouts(made, 2, seed=1).games == 2
    assert pickle.loads(pickle.dumps(made)) == made
    made.scene(None)


@pytest.mark.parametrize(
    ("game", "parts", "turns"),
    [
        (None, None, None),
        (BanqiGame(), None, ()),
        (BanqiGame(), (0,) * 12, ()),
        (BanqiGame(), ("0",) * 13, ()),
        (BanqiGame(), BanqiGame().start(0).__reduce__()[1][1], None),
        (BanqiGame(), BanqiGame().start(0).__reduce__()[1][1], ((32, 0, 0, 0, 0),)),
        (parlour.game("octa"), BanqiGame().start(0).__reduce__()[1][1], ()),
    ],
)
def test_parts_of_the_wrong_type_are_refused(game, parts, turns):
    rebuild = BanqiGame().start(0).__reduce__()[0]
    with pytest.raises(InvalidState):
        rebuild(game, parts, turns)


QUIET = [state for state in STATES if state.quiet_actions()]


@given(st.sampled_from(QUIET), st.integers(0, 4), st.integers(-1, 2**33))
def test_quiet_turns_that_do_not_lead_to_the_board_are_refused(state, at, number):
    rebuild, (game, parts, turns) = state.__reduce__()
    if turns[0][at] == number:
        return
    first = (*turns[0][:at], number, *turns[0][at + 1 :])
    with pytest.raises(InvalidState):
        rebuild(game, parts, (first, *turns[1:]))
