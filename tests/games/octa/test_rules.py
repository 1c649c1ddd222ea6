"""The numbered rules of Octa, tested on the engine's state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import parlour
from parlour import OVER, IllegalAction, InvalidState, Rng

SMALL = parlour.game("octa", size=1)


def board(text, game=SMALL, head="turn 0, player 1 to move"):
    return game.state_from_text(f"{head}\n{text}")


def rows(state):
    return state.game.state_to_text(state).splitlines()[1:]


def play(state, text):
    return state.play(state.game.action_from_text(state, text))


def test_rule_1_a_cell_has_an_owner_and_one_of_eight_arrows():
    state = board(".N .NE .E\n1SE 2S #SW\n.W .NW .↑")
    assert [state.cell(i) for i in range(9)] == [
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 3),
        (2, 4),
        (3, 5),
        (0, 6),
        (0, 7),
        (0, 0),
    ]


def test_rule_2_players_take_turns_and_choose_one_of_their_own_cells():
    state = board("1↑ .↑ 2↑\n.↑ .↑ .↑\n2↑ .↑ 1↑")
    assert state.actor == 0
    assert list(state.legal_actions()) == [0, 8]
    after = state.play(0)
    assert after.actor == 1
    assert list(after.legal_actions()) == [2, 6]


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        (1, "that cell is neutral; choose one of your own"),
        (2, "that cell is player 2's; choose one of your own"),
        (4, "that cell is blocked; choose one of your own"),
    ],
)
def test_rule_2_any_other_cell_is_refused_with_the_reason(cell, reason):
    state = board("1↑ .↑ 2↑\n.↑ #↑ .↑\n.↑ .↑ .↑")
    assert state.refusal(cell) == reason
    with pytest.raises(IllegalAction, match=reason):
        state.play(cell)


@pytest.mark.parametrize(("before", "after"), list(zip("↑↗→↘↓↙←↖", "↗→↘↓↙←↖↑", strict=True)))
def test_rule_3_the_chosen_cell_turns_clockwise_by_one_eighth(before, after):
    state = board(f"1{before} 1↑ 1↑\n1↑ 2↑ 1↑\n1↑ 1↑ 1↑")
    assert rows(state.play(0))[0].split()[0] == f"1{after}"


def test_rule_4_the_chain_captures_turns_and_continues():
    state = board(".↑ .↑ .↑\n.↑ .↖ .↑\n1↑ .↑ 2↑")
    after = play(state, "-1,-1")
    # (-1,-1) turns to NE and captures the centre, which turns to N and captures (0,1), which turns
    # to NE and leaves the board.
    assert rows(after) == [".↑ 1↗ .↑", ".↑ 1↑ .↑", "1↗ .↑ 2↑"]


def test_rule_4a_the_edge_stops_the_chain():
    state = board("1↖ .↑ .↑\n.↑ .↑ .↑\n.↑ .↑ 2↑")
    assert rows(state.play(0)) == ["1↑ .↑ .↑", ".↑ .↑ .↑", ".↑ .↑ 2↑"]


def test_rule_4a_a_blocked_cell_stops_the_chain_and_never_changes():
    long = parlour.game("octa", size=1, turn_limit=100)
    state = board("1↑ #↗ .↑\n.↑ #↙ .↑\n.↑ .↑ 2↑", long)
    for _ in range(8):
        state = state.play(0).play(8)
        assert "#↗" in rows(state)[0]
        assert "#↙" in rows(state)[1]


def test_rule_4b_an_own_cell_stops_the_chain_and_does_not_turn():
    state = board("1↗ 1↙ .↑\n.↑ .↑ .↑\n.↑ .↑ 2↑")
    assert rows(state.play(0))[0] == "1→ 1↙ .↑"


def test_rule_4c_a_cyclic_chain_ends_where_it_began():
    # Each captured cell turns to point at the next of the ring, the last at the first.
    state = board("1↗ .→ .↘\n.↖ 2↑ .↓\n.← .↙ .↓")
    after = state.play(0)
    assert state.counts() == (1, 1)
    assert after.counts()[0] > 1
    assert after.actor == 1
    ring = board("1↗ .↘ .↑\n.↖ .← .↑\n.↑ .↑ 2↑")
    assert rows(ring.play(0)) == ["1→ 1↓ .↑", ".↖ 1↖ .↑", ".↑ .↑ 2↑"]


def test_rule_4d_an_enemy_cell_is_captured_unless_the_option_stops_there():
    text = "1↗ 2↙ .↑\n.↑ .↑ .↑\n.↑ .↑ 2↑"
    assert rows(board(text).play(0))[0] == "1→ 1← .↑"
    stopping = parlour.game("octa", size=1, stop_on_enemy=True)
    assert rows(board(text, stopping).play(0))[0] == "1→ 2↙ .↑"


def test_rule_5_the_turn_count_increases_by_one():
    state = SMALL.start(1)
    assert [state.turns, state.play(2).turns] == [0, 1]


def test_rule_6_a_player_without_a_cell_has_lost_by_elimination():
    state = board("1↗ 2↑ .↑\n.↑ .↑ .↑\n.↑ .↑ .↑").play(0)
    assert state.actor == OVER
    assert state.result() == ((1.0, -1.0), (2.0, 0.0), "elimination")


def test_rule_6_takes_precedence_over_rule_7():
    game = parlour.game("octa", size=1, turn_limit=1)
    assert board("1↗ 2↑ .↑\n.↑ .↑ .↑\n.↑ .↑ .↑", game).play(0).result().reason == "elimination"


def test_rule_6_if_neither_has_a_cell_it_is_a_tie():
    empty = board(".↑ .↑ .↑\n" * 3, head="turn 1, player 2 to move")
    assert empty.result() == ((0.0, 0.0), (0.0, 0.0), "tie")


def test_rule_7_most_cells_win_at_the_limit():
    game = parlour.game("octa", size=1, turn_limit=1)
    state = board("1↗ .↗ .↑\n.↑ .↑ .↑\n.↑ .↑ 2↑", game).play(0)
    assert state.result() == ((1.0, -1.0), (3.0, 1.0), "majority")


def test_rule_7_equal_counts_are_a_tie():
    game = parlour.game("octa", size=1, turn_limit=1)
    state = board("1↖ .↑ .↑\n.↑ .↑ .↑\n.↑ .↑ 2↑", game).play(0)
    assert state.result() == ((0.0, 0.0), (1.0, 1.0), "tie")


def reference_turn(cells, side, start, owner, stop_on_enemy):
    """Apply rules 3 and 4 to a dict of coordinates, to compare with the engine."""
    steps = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]
    board = {divmod(i, side): list(cell) for i, cell in enumerate(cells)}
    here = divmod(start, side)
    while True:
        board[here][0] = owner
        board[here][1] = (board[here][1] + 1) % 8
        down, right = steps[board[here][1]]
        here = (here[0] + down, here[1] + right)
        if here not in board or board[here][0] in (owner, 3):
            break
        if stop_on_enemy and board[here][0] == 3 - owner:
            break
    return [tuple(board[divmod(i, side)]) for i in range(side * side)]


@given(st.integers(1, 4), st.integers(), st.booleans(), st.integers(0, 60))
def test_random_games_match_an_independent_implementation(size, seed, stop, plies):
    game = parlour.game("octa", size=size, stop_on_enemy=stop, turn_limit=200)
    state, rng = game.start(seed), Rng(seed)
    side = 2 * size + 1
    for _ in range(plies):
        if state.actor == OVER:
            break
        cells = [state.cell(i) for i in range(side * side)]
        action = state.sample(rng)
        expected = reference_turn(cells, side, action, state.mover, stop)
        state = state.play(action)
        assert [state.cell(i) for i in range(side * side)] == expected
        owners = [owner for owner, _ in expected]
        assert state.counts() == (owners.count(1), owners.count(2))


@given(st.integers(0, 10**6), st.booleans(), st.integers(0, 70))
def test_reach_counts_the_cells_that_a_players_chains_would_capture_together(seed, stop, plies):
    game = parlour.game("octa", stop_on_enemy=stop)
    state, rng = game.start(seed), Rng(seed)
    while plies and state.actor != OVER:
        state = state.apply(state.sample(rng))
        plies -= 1
    if state.actor != OVER:
        captured = set()
        for action in state.legal_actions():
            captured |= set(state.chain(action)[1:])
        assert state.reach(state.mover) == len(captured)


@given(st.integers())
def test_sample_draws_every_legal_action(seed):
    state, rng = SMALL.start(seed), Rng(seed)
    assert {state.sample(rng) for _ in range(60)} == set(state.legal_actions())


@pytest.mark.parametrize(
    ("cells", "mover", "turns", "message"),
    [
        (bytes(8), 1, 0, "this board has 9 cells, not 8"),
        (bytes([1, 2]) + bytes(7), 3, 0, "the player to move must be 1 or 2, not 3"),
        (bytes([1, 2]) + bytes(7), 1, 9, "turns must be 0 to 8, not 9"),
        (bytes([1, 2]) + bytes(7), 1, -1, "turns must be 0 to 8, not -1"),
        (bytes([1]) + bytes(8), 1, 0, "each player must own a cell before the first turn"),
        (bytes([1, 2, 32]) + bytes(6), 1, 0, "a cell must be a byte below 32"),
    ],
)
def test_an_impossible_position_is_an_invalid_state(cells, mover, turns, message):
    with pytest.raises(InvalidState, match=message):
        SMALL.position(cells, mover, turns)


@pytest.mark.parametrize("turns", [-1, 81, 2**63, -(2**63) - 1, 10**30])
def test_turn_counts_of_any_size_are_checked(turns):
    game = parlour.game("octa")
    cells = bytes([1, 2] + [0] * 79)
    with pytest.raises(parlour.InvalidState, match="turns must be 0 to 80"):
        game.position(cells, 1, turns)
