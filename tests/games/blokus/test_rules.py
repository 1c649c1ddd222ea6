"""The rules by their numbers in `rules.py`."""

import pickle
from pathlib import Path

import pytest

import parlour
from parlour.core.rng import Rng
from parlour.games.blokus.pieces import PIECE_NAMES
from parlour.games.blokus.rules import PIECE_BITS, place_values

FINISHED = Path(__file__).parent / "data" / "finished_with_i1.txt"
FIRST_ROUND = ("a20,b20", "t20", "t1", "a1")


def refusal(state, text):
    return state.refusal(state.game.action_from_text(state, text))


def test_rule_1_each_colour_begins_with_all_21_pieces(classic):
    state = classic.start()
    assert [state.hand(colour) for colour in range(4)] == [2**21 - 1] * 4


def test_rule_2_the_colours_take_turns_in_order(play):
    state = play()
    for colour, text in enumerate(FIRST_ROUND):
        assert (state.mover, state.actor) == (colour, colour)
        state = play(text, state=state)
    assert state.mover == 0


def test_rule_2_a_piece_can_be_placed_once(play):
    state = play(*FIRST_ROUND)
    assert refusal(state, "c19,d19") == "blue has already placed I2"


def test_rule_2_a_piece_lies_on_free_cells(classic, play):
    state = play("a20,b20", "t20", "t1", "a1", "c19,d19,e19", "s19,s18", "s2,s3", "b2,b3")
    assert refusal(state, "e18,e19,f18,f19") == "the piece overlaps one of blue's pieces"
    assert refusal(state, "a1") == "the piece overlaps one of green's pieces"


def test_rule_3_the_first_piece_covers_the_starting_cell(play):
    assert refusal(play(), "b19") == "blue's first piece must cover the starting square"
    assert refusal(play(), "t20") == "blue's first piece must cover the starting square"
    assert refusal(play("a20"), "a20") == "the piece overlaps one of blue's pieces"


def test_rule_4_a_later_piece_touches_an_own_piece_corner_to_corner(play):
    state = play(*FIRST_ROUND)
    assert refusal(state, "c19") is None
    assert refusal(state, "d19") == "the piece must touch another of blue's pieces at a corner"


def test_rule_5_a_piece_never_touches_an_own_piece_edge_to_edge(play):
    state = play(*FIRST_ROUND)
    text = "the piece touches another of blue's pieces along an edge"
    assert refusal(state, "c20") == text
    assert refusal(state, "c19,c20,d19") == text


def test_rule_5_other_colours_may_be_touched_in_any_way(random_states, classic):
    state = random_states(classic, 70, seed=0)
    cells, side = state.cells(), classic.side
    pairs = {
        (cells[k], cells[k + 1])
        for k in range(side * side - 1)
        if (k + 1) % side and cells[k] and cells[k + 1]
    }
    assert any(left != right for left, right in pairs)


@pytest.mark.parametrize("seed", range(3))
def test_pieces_numbers_each_cell_by_colour_and_first_cell_of_its_piece(classic, seed):
    state, rng, wanted = classic.start(), Rng(seed), [0] * 400
    while state.actor != parlour.OVER:
        action, table = state.sample(rng), state.rules.tables
        places = [table.cell(square) for square in table.squares(action)]
        cells = sorted(row * 20 + column for row, column in places)
        for cell in cells:
            wanted[cell] = (state.mover + 1) << PIECE_BITS | cells[0] + 1
        state = state.apply(action)
    assert state.pieces() == wanted


def test_rule_6_a_colour_that_cannot_place_is_skipped(classic):
    skips = 0
    for seed in range(3):
        rng = Rng(seed)
        state = classic.start()
        while state.actor != parlour.OVER:
            assert len(state.legal_actions()) > 0
            before = state.mover
            state = state.apply(state.sample(rng))
            skipped = [(before + k) % 4 for k in range(1, (state.mover - before) % 4 or 4)]
            if state.actor != parlour.OVER:
                skips += len(skipped)
                assert not any(state.can_lay(colour) for colour in skipped)
    assert skips


def test_rule_7_the_game_ends_when_no_colour_can_place(classic, random_states):
    state = random_states(classic, 100, seed=1)
    assert state.actor == parlour.OVER
    assert len(state.legal_actions()) == 0
    assert not any(state.can_lay(colour) for colour in range(4))
    assert state.result().reason == "no colour can place"
    assert state.refusal(0) == "the game is over"


def test_rule_8_each_cell_left_over_costs_a_point(play):
    state = play("a20,b20", "t20")
    assert [state.score(colour) for colour in range(4)] == [-87, -88, -89, -89]


def test_rule_8_all_pieces_give_15_and_5_more_with_the_single_cell_last(classic):
    record = parlour.Record.from_text(FINISHED.read_text("utf-8"))
    final = record.final
    assert final.hand(0) == 0
    assert final.small == 1
    assert final.result().scores == (20.0, -45.0, -45.0, -15.0)
    cells = final.cells()
    assert classic.position(cells, final.mover, 0).result().scores[0] == 15.0


def test_rule_10_places_give_the_returns_and_ties_share_them():
    third = 1 / 3
    assert place_values([5.0, 3.0, 1.0, -9.0]) == (1, third, -third, -1)
    assert place_values([-9.0, 1.0, 3.0, 5.0]) == (-1, -third, third, 1)
    assert place_values([5.0, 5.0, 1.0, 0.0]) == pytest.approx((2 / 3, 2 / 3, -third, -1))
    assert place_values([5.0, 1.0, 1.0, 1.0]) == pytest.approx((1, -third, -third, -third))
    assert place_values([1.0, 1.0, 1.0, 1.0]) == (0, 0, 0, 0)
    assert place_values([1.0, 2.0, 3.0]) == (-1, 0, 1)
    assert place_values([2.0, 2.0, 1.0]) == (0.5, 0.5, -1)
    assert place_values([1.0, 2.0]) == (-1, 1)
    assert place_values([2.0, 2.0]) == (0, 0)


def test_a_game_never_takes_more_than_21_turns_of_each_colour(classic):
    assert classic.max_plies == 84
    assert parlour.game("blokus", variant="duo").max_plies == 42


# The variants.


def test_two_players_play_two_colours_each_and_add_their_scores():
    game = parlour.game("blokus", variant="two-player")
    state, actors = game.start(), []
    for _ in range(8):
        actors.append(state.actor)
        state = state.apply(state.legal_actions()[-1])
    assert actors == [0, 1, 0, 1] * 2
    rng = Rng(4)
    while state.actor != parlour.OVER:
        state = state.apply(state.sample(rng))
    points = [state.score(colour) for colour in range(4)]
    scores = state.result().scores
    assert scores == (points[0] + points[2], points[1] + points[3])
    assert sorted(state.result().returns) in ([-1.0, 1.0], [0.0, 0.0])


def test_three_players_share_the_fourth_colour_which_does_not_score():
    game = parlour.game("blokus", variant="three-player")
    state, shared = game.start(), []
    for _ in range(20):
        if state.mover == 3:
            shared.append(state.actor)
        else:
            assert state.actor == state.mover
        state = state.apply(state.legal_actions()[0])
    assert shared == [0, 1, 2, 0, 1]
    rng = Rng(4)
    while state.actor != parlour.OVER:
        state = state.apply(state.sample(rng))
    assert state.result().scores == tuple(float(state.score(colour)) for colour in range(3))


def test_duo_has_a_board_of_14_two_colours_and_its_own_starting_cells():
    game = parlour.game("blokus", variant="duo")
    assert (game.seats, game.side, game.starts) == (2, 14, ((4, 4), (9, 9)))
    state = game.start()
    first = {cell for a in state.legal_actions() for cell in game.tables.squares(a)}
    assert game.tables.square(4, 4) in first
    assert all(
        game.tables.square(4, 4) in list(game.tables.squares(action))
        for action in state.legal_actions()
    )
    state = state.apply(state.legal_actions()[0])
    assert all(
        game.tables.square(9, 9) in list(game.tables.squares(action))
        for action in state.legal_actions()
    )


def test_an_unknown_variant_error_lists_the_valid_ones():
    with pytest.raises(parlour.OptionError, match="classic, two-player, three-player, duo"):
        parlour.game("blokus", variant="trigon")


# Methods that agents use.


def test_fits_agrees_with_the_list_for_every_colour(classic, random_states):
    state = random_states(classic, 30, seed=5)
    for colour in range(4):
        listed = set(state.turned_to(colour).legal_actions())
        asked = {a for a in range(classic.num_actions) if state.fits(colour, a)}
        assert asked == listed


def test_every_legal_placement_covers_an_open_corner_and_no_blocked_square(classic, random_states):
    state = random_states(classic, 26, seed=6)
    colour = state.mover
    corners = list(state.open_corners(colour))
    assert len(set(corners)) == len(corners) > 0
    for action in state.legal_actions():
        squares = list(classic.tables.squares(action))
        assert set(squares) & set(corners)
        assert not any(state.is_blocked(colour, square) for square in squares)


def test_corners_after_counts_the_open_corners_of_the_next_state(classic, random_states):
    state = random_states(classic, 20, seed=2)
    colour = state.mover
    for action in list(state.legal_actions())[::17]:
        after = state.apply(action)
        assert state.corners_after(colour, action) == len(after.open_corners(colour))


@pytest.mark.parametrize(("variant", "plies"), [("classic", 0), ("classic", 9), ("classic", 24),
                                                ("classic", 48), ("duo", 6)])  # fmt: skip
def test_sampling_is_uniform_over_the_legal_placements(variant, plies, random_states):
    # Early in a game `sample` throws darts; at ply 48 it draws from the list.
    state = random_states(parlour.game("blokus", variant=variant), plies, seed=plies)
    legal = list(state.legal_actions())
    draws = (60 if parlour.build_info().compiled else 6) * len(legal)
    counts = dict.fromkeys(legal, 0)
    rng = Rng(plies)
    for _ in range(draws):
        counts[state.sample(rng)] += 1
    expected = draws / len(legal)
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    freedom = len(legal) - 1
    # The seed is fixed; a bias towards one placement in ten would fail.
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5


def test_sampling_is_deterministic_for_a_given_generator(classic, random_states):
    for plies in (0, 10, 30, 50):
        state = random_states(classic, plies, seed=9)
        drawn = [state.sample(Rng(seed)) for seed in range(10)]
        assert drawn == [state.scratch().sample(Rng(seed)) for seed in range(10)]


def test_no_call_changes_a_state(classic, random_states):
    state = random_states(classic, 22, seed=8)
    key, legal = state.key(), list(state.legal_actions())
    state.apply(legal[0])
    state.scratch().advance(legal[-1])
    state.corners_after(state.mover, legal[3])
    state.turned_to(1).legal_actions()
    assert (state.key(), list(state.legal_actions())) == (key, legal)


def test_two_orders_of_the_same_pieces_give_equal_states(play):
    def game(first, second):
        start = ("a20,a19,b19", "t20", "t1", "a1")
        return play(*start, first, "s19,s18", "s2,s3", "b2,b3", second)

    one = game("c20,d20", "c18,c17,c16")
    other = game("c18,c17,c16", "c20,d20")
    assert one == other
    assert hash(one) == hash(other)
    assert one.legal_actions() == other.legal_actions()


@pytest.mark.parametrize("variant", ["classic", "two-player", "three-player", "duo"])
def test_states_pickle_in_mid_game_and_at_the_end(variant, random_states):
    game = parlour.game("blokus", variant=variant)
    for plies in (0, 5, 25, 100):
        state = random_states(game, plies, seed=3)
        again = pickle.loads(pickle.dumps(state))
        assert again == state
        assert hash(again) == hash(state)
        assert again.legal_actions() == state.legal_actions()


def test_games_and_states_of_different_variants_differ():
    games = [parlour.game("blokus", variant=v) for v in ("classic", "two-player", "three-player")]
    assert len(set(games)) == 3
    assert len({game.start() for game in games}) == 3


def test_pieces_are_named_in_refusals(play):
    state = play("a20", "t20", "t1", "a1")
    assert PIECE_NAMES[0] in refusal(state, "b19")
