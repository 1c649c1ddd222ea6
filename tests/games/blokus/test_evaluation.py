"""Heuristics of Blokus: playouts, reach, and the evaluation."""

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour import Rng
from parlour.games.blokus.evaluation import LEAD, LEAD_SO_FAR, PLACE, ROOT_OF_REACH
from parlour.games.blokus.movegen import reach
from parlour.games.blokus.pieces import PIECE_NAMES, SIZES

GAME = parlour.game("blokus")
VARIANTS = ["classic", "two-player", "three-player", "duo"]


def after(plies, seed, game=GAME):
    """Return a position of a random game, or its end."""
    state, rng = game.start(), Rng(seed)
    while plies and state.actor != parlour.OVER:
        state = state.apply(state.sample(rng))
        plies -= 1
    return state


def value_of(state, seat):
    return parlour.heuristics(state.game).evaluate(state, seat)


def size(state, action):
    return SIZES[state.rules.tables.piece(action)]


@settings(max_examples=40)
@given(st.integers(0, 70), st.integers(0, 999))
def test_a_playout_places_one_of_the_largest_pieces_that_fit(plies, seed):
    state = after(plies, seed)
    if state.actor != parlour.OVER:
        legal = list(state.legal_actions())
        chosen = parlour.heuristics(GAME).rollout_policy(state, Rng(seed))
        assert chosen in legal
        assert size(state, chosen) == max(size(state, action) for action in legal)


def test_playouts_find_every_large_placement_of_a_late_position():
    state = after(48, 3)
    legal = list(state.legal_actions())
    largest_there = max(size(state, action) for action in legal)
    wanted = {action for action in legal if size(state, action) == largest_there}
    rng = Rng(1)
    policy = parlour.heuristics(GAME).rollout_policy
    found = Counter(policy(state, rng) for _ in range(200 * len(wanted)))
    assert set(found) == wanted


def cells_within_reach(state, colour, steps):
    """Count independently, breadth-first over (row, column) pairs."""
    table, side = state.rules.tables, state.rules.side

    def free(row, col):
        inside = 0 <= row < side and 0 <= col < side
        return inside and not state.is_blocked(colour, table.square(row, col))

    seen = {table.cell(square) for square in state.open_corners(colour)}
    edge = set(seen)
    for _ in range(steps):
        beside = {
            (row + down, col + right)
            for row, col in edge
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if free(row + down, col + right)
        }
        edge = beside - seen
        seen |= edge
    return len(seen)


@settings(max_examples=30)
@given(st.integers(0, 70), st.integers(0, 99), st.integers(0, 3), st.integers(1, 5))
def test_reach_counts_the_cells_within_a_piece_of_the_open_corners(plies, seed, colour, largest):
    state = after(plies, seed)
    counted = reach(
        state.rules.tables, state._board, state._corners, state._numbers, colour, largest
    )
    assert counted == cells_within_reach(state, colour, largest - 1)


@settings(max_examples=30)
@given(st.integers(0, 80), st.integers(0, 99), st.integers(0, 3))
def test_reach_depends_on_the_largest_piece_in_hand(plies, seed, colour):
    state = after(plies, seed)
    sizes = [SIZES[k] for k in range(21) if state.hand(colour) >> k & 1]
    wanted = cells_within_reach(state, colour, max(sizes) - 1) if state.can_lay(colour) else 0
    assert state.reach(colour) == wanted


def by_hand(state, seat):
    """Return the value for a seat, computed independently from scores and reach."""
    game = state.game
    further = [0.0] * game.seats
    scores = [0] * game.seats
    for colour, player in enumerate(game.players):
        if player >= 0:
            further[player] += math.sqrt(state.reach(colour))
            scores[player] += state.score(colour)
    lead, reach = (
        values[seat] - (sum(values) - values[seat]) / (game.seats - 1)
        for values in (scores, further)
    )
    if state.actor != parlour.OVER:
        return 0.96 * math.tanh(LEAD_SO_FAR * lead + ROOT_OF_REACH * reach)
    place = state.result().returns[seat]
    return PLACE * place + (1 - PLACE) * max(-1.0, min(1.0, lead / LEAD))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("plies", [0, 9, 22, 40, 100])
def test_the_value_is_computed_from_lead_reach_and_place(variant, plies):
    state = after(plies, plies, parlour.game("blokus", variant=variant))
    seats = range(state.game.seats)
    wanted = [by_hand(state, seat) for seat in seats]
    assert list(parlour.heuristics(state.game).evaluate_seats(state)) == pytest.approx(wanted)
    assert [value_of(state, seat) for seat in seats] == pytest.approx(wanted)


@settings(max_examples=20)
@given(st.integers(30, 80), st.integers(0, 99))
def test_a_position_read_from_its_text_has_the_same_value(plies, seed):
    state = after(plies, seed)
    again = GAME.state_from_text(GAME.state_to_text(state))
    assert [value_of(again, seat) for seat in range(4)] == [
        value_of(state, seat) for seat in range(4)
    ]


@pytest.mark.parametrize("variant", VARIANTS)
def test_before_the_end_lead_and_reach_increase_the_value(variant):
    game = parlour.game("blokus", variant=variant)
    start = game.start()
    assert [value_of(start, seat) for seat in range(game.seats)] == pytest.approx(
        [0.0] * game.seats
    )
    large = game.action_from_text(start, texts(start)["I5"])
    small = game.action_from_text(start, texts(start)["I1"])
    assert value_of(start.apply(large), 0) > value_of(start.apply(small), 0) > -1
    assert value_of(start.apply(large), 1) < 0


def texts(state):
    """Return the text of one placement of each piece that fits."""
    table = state.rules.tables
    return {
        PIECE_NAMES[table.piece(action)]: state.game.action_to_text(state, action)
        for action in state.legal_actions()
    }


@pytest.mark.parametrize("variant", VARIANTS)
def test_at_the_end_a_better_place_outweighs_any_lead(variant):
    game = parlour.game("blokus", variant=variant)
    for seed in range(5):
        end = after(100, seed, game)
        returns = end.result().returns
        values = [value_of(end, seat) for seat in range(game.seats)]
        assert all(-1 <= value <= 1 for value in values)
        for one in range(game.seats):
            for other in range(game.seats):
                assert (values[one] > values[other]) == (returns[one] > returns[other])
