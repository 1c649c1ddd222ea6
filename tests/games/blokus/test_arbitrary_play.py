"""Properties of every variant over arbitrary play."""

from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour.games.blokus.game import VARIANTS
from parlour.games.blokus.pieces import SIZES


def test_the_game_is_registered_and_starts_the_same_from_every_seed():
    game = parlour.game("blokus")
    assert game.name in parlour.game_names()
    assert game.start(1) == game.start(2)


choices = st.lists(st.integers(0, 10**6), max_size=30)
variants = st.sampled_from(sorted(VARIANTS))


def follow(variant, numbers):
    """Return the states of a game with placements chosen by these numbers."""
    state = parlour.game("blokus", variant=variant).start()
    yield state
    for number in numbers:
        legal = state.legal_actions()
        if len(legal) == 0:
            break
        state = state.apply(legal[number % len(legal)])
        yield state


@settings(max_examples=30, deadline=None)
@given(variants, choices)
def test_a_state_read_from_its_text_plays_the_same(variant, numbers):
    *_, state = follow(variant, numbers)
    again = state.game.state_from_text(state.game.state_to_text(state))
    assert again == state
    assert again.legal_actions() == state.legal_actions()
    assert again.actor == state.actor


@settings(max_examples=30, deadline=None)
@given(variants, choices)
def test_cells_and_hands_always_add_up(variant, numbers):
    for state in follow(variant, numbers):
        cells = state.cells()
        for colour in range(len(state.rules.starts)):
            left = sum(size for k, size in enumerate(SIZES) if state.hand(colour) >> k & 1)
            assert cells.count(colour + 1) == 89 - left
            assert state.score(colour) == -left


@settings(max_examples=30, deadline=None)
@given(variants, choices)
def test_new_placements_appear_only_after_a_colours_own_turn(variant, numbers):
    before, mover = [], -1
    for state in follow(variant, numbers[:12]):
        now = []
        for colour in range(len(state.rules.starts)):
            able = state.can_lay(colour)
            now.append(set(state.turned_to(colour).legal_actions()) if able else set())
        for colour, earlier in enumerate(before):
            assert colour == mover or now[colour] <= earlier
        before, mover = now, state.mover
