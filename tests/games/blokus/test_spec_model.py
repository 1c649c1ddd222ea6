"""The specification's types around `Move`: a test for each sentence and each reading."""

import pickle
import re

import pytest

from parlour.games import blokus
from parlour.games.blokus import (
    BlokusRules,
    GameState,
    Move,
    Piece,
    PlacementHandler,
    ValidationResult,
)

CORNERS = {1: (0, 0), 2: (0, 19), 3: (19, 19), 4: (19, 0)}


def place(state, name, position, rotation=0, flip=False, player_id=None):
    player_id = player_id or state.current_player
    return Move(Piece(name), position, rotation, player_id, flip=flip)


def after(state, *moves):
    for move in moves:
        state = state.play(place(state, *move))
    return state


@pytest.fixture
def round_two(new):
    """Return the state after all players placed I1 on their corners; player 1 is to move."""
    return after(new, *(("I1", CORNERS[player_id]) for player_id in (1, 2, 3, 4)))


def refused(state, move, text):
    before = pickle.dumps(state)
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        state.play(move)
    assert BlokusRules.validate_move(state, move) == ValidationResult(False, text)
    assert pickle.dumps(state) == before


def test_every_public_name_is_importable_from_the_package():
    assert sorted(blokus.__all__) == blokus.__all__
    assert all(hasattr(blokus, name) for name in blokus.__all__)
    wanted = """Move Piece Player Board GameState BlokusRules PlacementHandler Strategy
        RandomStrategy CornerStrategy StrategicStrategy AIPlayer GameLoop ValidationResult"""
    assert set(wanted.split()) <= set(blokus.__all__)


# GameState


def test_a_new_game_has_an_empty_board_and_player_1_to_move(new):
    assert new.current_player == 1
    assert not new.is_over
    assert all(new.board[row, col] == 0 for row in range(20) for col in range(20))


def test_the_four_players_begin_with_all_pieces_and_minus_89_points(new):
    assert list(new.players) == [1, 2, 3, 4]
    for player_id, player in new.players.items():
        assert (player.player_id, player.score, len(player.pieces)) == (player_id, -89, 21)
        assert not any(piece.is_placed for piece in player.pieces)
    assert len({player.color for player in new.players.values()}) == 4


def test_pieces_are_the_unplaced_ones_and_the_score_is_the_official_one(new):
    player = after(new, ("L4", (0, 0))).players[1]
    assert Piece("L4") not in player.pieces
    assert (len(player.pieces), player.score) == (20, -85)


@pytest.mark.parametrize("player_id", CORNERS)
def test_players_start_clockwise_from_the_top_left(new, player_id):
    state = after(new, *(("I1", CORNERS[k]) for k in range(1, player_id)))
    for other, corner in CORNERS.items():
        move = place(state, "I1", corner)
        assert BlokusRules.validate_move(state, move).is_valid == (other == player_id)


def test_the_board_shows_the_ids_of_the_players(round_two):
    for player_id, corner in CORNERS.items():
        assert round_two.board[corner] == player_id
    assert sum(cell != 0 for row in round_two.board for cell in row) == 4
    assert str(round_two.board).splitlines()[0] == "1" + " ." * 18 + " 2"


@pytest.mark.parametrize("place", [(20, 0), (0, 20), (-1, 0)])
def test_a_cell_off_the_board_is_an_index_error(new, place):
    with pytest.raises(IndexError, match="0 to 19"):
        new.board[place]


@pytest.mark.parametrize("place", [3, "a1", (1,), (1, 2, 3), ("a", 1), None])
def test_an_index_that_is_not_a_pair_is_a_type_error(new, place):
    with pytest.raises(TypeError):
        new.board[place]


def test_states_are_immutable_equal_by_value_hashable_and_picklable(new, round_two):
    again = after(GameState.new(), *(("I1", CORNERS[k]) for k in (1, 2, 3, 4)))
    assert round_two == again != new
    assert hash(round_two) == hash(again)
    assert pickle.loads(pickle.dumps(round_two)) == round_two
    assert round_two.board == again.board
    assert dict(round_two.players) == dict(again.players)
    assert new.board[0, 0] == 0
    with pytest.raises(AttributeError):
        new.current_player = 2
    with pytest.raises(TypeError):
        new.players[1] = None
    assert "current_player=1" in repr(new)


@pytest.mark.parametrize("state", [None, 1, "x"])
def test_a_game_state_wraps_only_a_state_of_classic_blokus(state):
    with pytest.raises(ValueError, match="classic Blokus"):
        GameState(state)
    with pytest.raises(ValueError, match="classic Blokus"):
        GameState(blokus.BlokusGame(variant="duo").start())


# Position and orientation


def test_position_is_where_the_top_left_corner_of_the_bounding_box_goes(new):
    # X5 has no cell at the corner of its box: placed at (3, 4), its first cell is (3, 5).
    state = after(new, ("W5", (0, 0)), ("I1", (0, 19)), ("I1", (19, 19)), ("I1", (19, 0)))
    state = after(state, ("X5", (3, 2)))
    cells = {(r, c) for r in range(20) for c in range(20) if state.board[r, c] == 1}
    assert {(3, 3), (4, 2), (4, 3), (4, 4), (5, 3)} <= cells
    assert (3, 2) not in cells


def test_flip_comes_before_rotation(new):
    # F5 flipped, then rotated clockwise.
    shape = Piece("F5").flip().rotate(90).coordinates
    assert shape != Piece("F5").rotate(90).flip().coordinates
    moves = [m for m in BlokusRules.get_valid_moves(new, 1, Piece("L4")) if m.flip and m.rotation]
    move = moves[0]
    state = new.play(move)
    cells = {(r, c) for r in range(20) for c in range(20) if state.board[r, c]}
    top, left = move.position
    shape = Piece("L4").flip().rotate(move.rotation).coordinates
    assert cells == {(top + r, left + c) for r, c in shape}


def test_every_flip_and_rotation_that_gives_the_cells_is_accepted(new):
    states = {
        new.play(place(new, "O4", (0, 0), rotation, flip))
        for rotation in (0, 90, 180, 270)
        for flip in (False, True)
    }
    assert len(states) == 1
    one = new.play(place(new, "I3", (0, 0), 0))
    assert one == new.play(place(new, "I3", (0, 0), 180, True))


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("flip", [False, True])
def test_the_handler_covers_the_cells_of_every_flip_and_rotation(new, flip, rotation):
    placed = 0
    for name in ("I3", "V3", "L4", "L5", "P5", "N5"):
        piece = (Piece(name).flip() if flip else Piece(name)).rotate(rotation)
        handler = PlacementHandler(new)
        handler.select_piece(name)
        if flip:
            handler.flip_piece()
        for _ in range(rotation // 90):
            handler.rotate_piece()
        ok, _ = handler.place_piece(0, 0)
        assert ok == ((0, 0) in piece.coordinates)
        board = handler.game_state.board
        cells = [(r, c) for r in range(20) for c in range(20) if board[r, c]]
        assert cells == (list(piece.coordinates) if ok else [])
        placed += ok
    assert placed >= 3


# BlokusRules


@pytest.mark.parametrize("player_id", CORNERS)
def test_get_valid_moves_lists_58_first_moves_for_each_player_each_once(new, player_id):
    moves = BlokusRules.get_valid_moves(new, player_id)
    assert len(moves) == len(set(moves)) == 58
    covered = {
        frozenset(
            (m.position[0] + r, m.position[1] + c)
            for r, c in (m.piece.flip() if m.flip else m.piece).rotate(m.rotation).coordinates
        )
        for m in moves
    }
    assert len(covered) == 58
    assert all(CORNERS[player_id] in cells for cells in covered)


def test_get_valid_moves_of_one_piece(new):
    assert len(BlokusRules.get_valid_moves(new, 1, Piece("L5"))) == 6
    assert len(BlokusRules().get_valid_moves(new, 1, piece="I1")) == 1
    assert BlokusRules.get_valid_moves(new, 1, Piece("X5")) == []


def test_get_valid_moves_omits_placed_pieces(round_two):
    assert BlokusRules.get_valid_moves(round_two, 1, Piece("I1")) == []
    assert all(m.piece != Piece("I1") for m in BlokusRules.get_valid_moves(round_two, 1))


def test_every_valid_move_is_validated_and_playable(round_two):
    for move in BlokusRules.get_valid_moves(round_two, 1):
        assert BlokusRules.validate_move(round_two, move) == ValidationResult(True, None)
        assert round_two.play(move).current_player == 2


@pytest.mark.parametrize("player_id", [0, 5, None, "1", True])
def test_get_valid_moves_of_an_unknown_player_is_a_value_error(new, player_id):
    with pytest.raises(ValueError, match="Invalid player_id"):
        BlokusRules.get_valid_moves(new, player_id)


@pytest.mark.parametrize("piece", ["Q", 3, b"I1"])
def test_get_valid_moves_of_an_unknown_piece_is_a_value_error(new, piece):
    with pytest.raises(ValueError, match="Unknown piece"):
        BlokusRules.get_valid_moves(new, 1, piece)


# Broken rules


def test_a_placed_piece_is_already_placed(round_two):
    refused(round_two, place(round_two, "I1", (1, 1)), "Piece is already placed")


def test_a_piece_that_was_altered_after_the_check_is_not_owned(new):
    move = Move(Piece("L4"), (0, 0), 0, 1)
    object.__setattr__(move, "piece", Piece("L4").rotate(90))
    refused(new, move, "Player does not own this piece")


@pytest.mark.parametrize("name", ["I3", "O4", "L4", "F5", "X5", "Z5"])
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("mirror", [False, True])
def test_a_piece_from_the_hand_may_be_flipped_and_rotated_before(new, name, turn, mirror):
    (piece,) = (each for each in new.players[1].pieces if each.name == name)
    piece = (piece.flip() if mirror else piece).rotate(turn)
    for rotation in (0, 90, 180, 270):
        for flip in (False, True):
            move = Move(piece, (0, 0), rotation, 1, flip=flip)
            cells = (piece.flip() if flip else piece).rotate(rotation).coordinates
            assert move.piece == Piece(name)
            turned = move.piece.flip() if move.flip else move.piece
            assert turned.rotate(move.rotation).coordinates == cells
            assert Move.from_dict(move.to_dict()) == move
            verdict = BlokusRules.validate_move(new, move)
            assert verdict.is_valid == ((0, 0) in cells)
            assert verdict.reason != "Player does not own this piece"
            if verdict.is_valid:
                board = new.play(move).board
                assert {(r, c) for r in range(5) for c in range(5) if board[r, c]} == set(cells)


def test_a_piece_that_sticks_out_of_the_board_is_out_of_bounds(new):
    refused(new, place(new, "I5", (17, 0)), "Position out of bounds")
    refused(new, place(new, "I5", (0, 16), rotation=90), "Position out of bounds")


def test_the_first_piece_must_cover_the_players_corner(new):
    text = "blue's first piece must cover the starting square"
    refused(new, place(new, "I1", (5, 5)), text)
    refused(new, place(new, "I1", (0, 19)), text)


def test_pieces_must_not_overlap(round_two):
    refused(round_two, place(round_two, "O4", (0, 0)), "the piece overlaps one of blue's pieces")


def test_own_pieces_must_not_touch_edge_to_edge(round_two):
    text = "the piece touches another of blue's pieces along an edge"
    refused(round_two, place(round_two, "I2", (1, 0)), text)


def test_a_later_piece_must_touch_an_own_piece_corner_to_corner(round_two):
    text = "the piece must touch another of blue's pieces at a corner"
    refused(round_two, place(round_two, "I2", (5, 5)), text)


def test_a_move_out_of_turn_is_refused(new):
    text = "It is player 1's turn, not player 2's"
    refused(new, place(new, "I1", (0, 19), player_id=2), text)


def test_ownership_is_checked_before_the_position_and_the_turn(round_two):
    refused(round_two, place(round_two, "I1", (5, 5), player_id=2), "Piece is already placed")
    late = place(round_two, "I5", (17, 0), player_id=2)
    refused(round_two, late, "Position out of bounds")
    late = place(round_two, "I5", (5, 5), player_id=2)
    refused(round_two, late, "It is player 1's turn, not player 2's")


@pytest.mark.parametrize("move", [None, "pass", 3, object()])
def test_an_object_that_is_not_a_move_is_refused(new, move):
    refused(new, move, f"a move must be a Move, not {type(move).__name__}")


# Passing and the end


def play_out(state, seed=0):
    rng = blokus.RandomStrategy(seed)
    while not state.is_over:
        state = state.play(rng.calculate_move(state, state.current_player))
    return state


def test_a_pass_of_a_player_who_can_place_is_refused(new):
    for player_id in CORNERS:
        text = f"Player {player_id} can place a piece and must not pass"
        refused(new, Move(None, None, 0, player_id, is_pass=True), text)


def test_a_pass_of_a_player_who_cannot_place_is_accepted_and_changes_nothing(new):
    state = new
    rng = blokus.RandomStrategy(0)
    stuck = None
    while stuck is None:
        state = state.play(rng.calculate_move(state, state.current_player))
        stuck = next((k for k in CORNERS if not BlokusRules.get_valid_moves(state, k)), None)
    assert state.play(Move(None, None, 0, stuck, is_pass=True)) == state


def test_a_player_who_cannot_move_stays_out(new):
    state, out = new, set()
    rng = blokus.RandomStrategy(2)
    while not state.is_over:
        assert state.current_player not in out
        out |= {k for k in CORNERS if not BlokusRules.get_valid_moves(state, k)}
        state = state.play(rng.calculate_move(state, state.current_player))
    assert len(out) >= 3


def test_the_game_ends_when_no_player_can_place(new):
    final = play_out(new)
    assert final.is_over
    assert final.current_player is None
    for player_id, player in final.players.items():
        assert BlokusRules.get_valid_moves(final, player_id) == []
        move = Move(None, None, 0, player_id, is_pass=True)
        assert final.play(move) is final
        refused(final, place(final, player.pieces[0].name, (0, 0), player_id=player_id),
                "The game is over")  # fmt: skip


def test_the_final_score_is_minus_the_squares_left(new):
    for player in play_out(new, seed=1).players.values():
        assert player.score == -sum(piece.size for piece in player.pieces)


# PlacementHandler


def test_select_piece_says_whether_the_current_player_holds_it(round_two):
    handler = PlacementHandler(round_two)
    assert handler.select_piece("L4") is True
    assert handler.select_piece("I1") is False
    assert handler.select_piece("Q9") is False
    assert handler.select_piece(None) is False
    assert handler.selected_piece == Piece("L4")


def test_select_piece_starts_from_the_default_orientation(new):
    handler = PlacementHandler(new)
    handler.select_piece("L4")
    assert handler.flip_piece() is True
    assert handler.rotate_piece() is True
    assert handler.selected_piece == Piece("L4").flip().rotate(90)
    handler.select_piece("L4")
    assert handler.selected_piece == Piece("L4")


def test_flip_and_rotate_without_a_selection_do_nothing(new):
    handler = PlacementHandler(new)
    assert handler.flip_piece() is False
    assert handler.rotate_piece() is False
    assert handler.place_piece(0, 0) == (False, "No piece selected")


def test_clear_selection_removes_the_selection(new):
    handler = PlacementHandler(new)
    handler.select_piece("L4")
    handler.clear_selection()
    assert handler.selected_piece is None


def test_place_piece_executes_the_move(new):
    handler = PlacementHandler(new)
    handler.select_piece("L4")
    assert handler.place_piece(0, 0) == (True, None)
    assert handler.game_state == after(new, ("L4", (0, 0)))
    assert handler.game_state.current_player == 2
    assert handler.selected_piece is None


@pytest.mark.parametrize(
    ("row", "col", "error"),
    [
        (5, 5, "blue's first piece must cover the starting square"),
        (18, 0, "Position out of bounds"),
        (20, 0, "Position out of board bounds"),
        (-1, 0, "Position out of board bounds"),
        ("0", 0, "Position must be"),
        (None, None, "Position must be"),
        (0.0, 0, "Position must be"),
    ],
)
def test_a_failed_placement_keeps_board_hand_selection_and_orientation(new, row, col, error):
    handler = PlacementHandler(new)
    handler.select_piece("L4")
    handler.flip_piece()
    handler.rotate_piece()
    ok, reason = handler.place_piece(row, col)
    assert ok is False
    assert reason.startswith(error)
    assert handler.game_state is new
    assert handler.selected_piece == Piece("L4").flip().rotate(90)
    assert Piece("L4") in handler.game_state.players[1].pieces


def test_a_handler_of_a_finished_game_selects_and_places_nothing(new):
    handler = PlacementHandler(play_out(new))
    assert handler.select_piece("I1") is False
    assert handler.place_piece(0, 0) == (False, "The game is over")


@pytest.mark.parametrize("game_state", [None, 1, "x"])
def test_a_handler_needs_a_game_state(game_state):
    with pytest.raises(ValueError, match="GameState"):
        PlacementHandler(game_state)


def test_flipped_moves_execute_through_the_handler_as_through_play(new):
    for move in BlokusRules.get_valid_moves(new, 1):
        handler = PlacementHandler(new)
        handler.select_piece(move.piece.name)
        if move.flip:
            handler.flip_piece()
        for _ in range(move.rotation // 90):
            handler.rotate_piece()
        assert handler.place_piece(*move.position) == (True, None)
        assert handler.game_state == new.play(move)
