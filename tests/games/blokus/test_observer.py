"""Observations of Blokus."""

import pytest

import parlour
from parlour import OVER, Rng
from parlour.games.blokus.pieces import ORIENTATIONS, PIECE_NAMES


def seen(state, seat):
    """Return the cells of each plane and the extras, by name."""
    watching = parlour.observer(state.game)
    planes, extras = watching.observe(state, seat)
    side = state.game.side
    area = side * side
    found = {
        name: {divmod(cell, side) for cell in range(area) if planes[area * plane + cell]}
        for plane, name in enumerate(watching.planes)
    }
    return found, dict(zip(watching.extra_names, extras, strict=True))


def test_the_planes_after_two_pieces_match_a_hand_made_drawing():
    state = parlour.game("blokus").start().play("a20,b20").play("t20")
    planes, _ = seen(state, 0)
    blue, yellow = {(0, 0), (0, 1)}, {(0, 19)}
    assert planes["own: occupied"] == blue
    assert planes["colour 1 further: occupied"] == yellow
    assert planes["colour 2 further: occupied"] == planes["colour 3 further: occupied"] == set()
    assert planes["own: blocked"] == blue | yellow | {(1, 0), (1, 1), (0, 2)}
    assert planes["own: corner"] == {(1, 2)}
    assert planes["colour 1 further: blocked"] == blue | yellow | {(0, 18), (1, 19)}
    assert planes["colour 1 further: corner"] == {(1, 18)}
    assert planes["colour 2 further: blocked"] == blue | yellow
    assert planes["colour 2 further: corner"] == {(19, 19)}
    assert planes["colour 3 further: corner"] == {(19, 0)}


def test_every_seat_sees_its_own_colour_first():
    state = parlour.game("blokus").start().play("a20,b20").play("t20")
    for seat in range(4):
        planes, extras = seen(state, seat)
        names = ["own", "colour 1 further", "colour 2 further", "colour 3 further"]
        blue = names[-seat % 4]
        assert planes[f"{blue}: occupied"] == {(0, 0), (0, 1)}
        assert [extras[f"{name}: to lay"] for name in names].index(1) == (2 - seat) % 4
        assert extras[f"{blue}: has I2"] == 0
        assert sum(extras[f"{blue}: has {piece}"] for piece in PIECE_NAMES) == 20


def test_there_are_84_hand_bits_first_and_42_in_duo():
    for variant, bits in (("classic", 84), ("duo", 42)):
        watching = parlour.observer(f"blokus:variant={variant}")
        assert all(": has " in name for name in watching.extra_names[:bits])
        _, extras = watching.observe(watching.game.start(), 0)
        assert sum(extras[:bits]) == bits


@pytest.mark.parametrize("variant", ["classic", "two-player", "three-player", "duo"])
def test_in_a_random_game_the_planes_agree_with_the_rules(variant):
    game = parlour.game("blokus", variant=variant)
    colours = len(game.starts)
    rng = Rng(4)
    state = game.start()
    while state.actor != OVER:
        mover, actor = state.mover, state.actor
        planes, extras = seen(state, actor)
        cells = state.cells()
        for k in range(colours):
            name = f"colour {k} further" if k else "own"
            colour = (mover + k) % colours
            assert planes[f"{name}: occupied"] == {
                divmod(cell, game.side) for cell, owner in enumerate(cells) if owner == colour + 1
            }
            squares = {state._tables.cell(square) for square in state.open_corners(colour)}
            assert planes[f"{name}: corner"] == squares
            hand = [extras[f"{name}: has {piece}"] for piece in PIECE_NAMES]
            assert sum(bit << piece for piece, bit in enumerate(hand)) == state.hand(colour)
            assert extras[f"{name}: to lay"] == (k == 0)
        for action in list(state.legal_actions())[::97]:
            covered = {state._tables.cell(square) for square in state._tables.squares(action)}
            assert not covered & planes["own: blocked"]
            assert covered & planes["own: corner"]
        state = state.apply(state.sample(rng))


def test_extras_give_the_seat_that_plays_the_shared_colour_next():
    game = parlour.game("blokus", variant="three-player")
    state = game.start()
    rng = Rng(1)
    for _ in range(9):
        for seat in range(3):
            _, extras = seen(state, seat)
            nearer = [extras[f"seat {k} further lays the shared colour next"] for k in range(3)]
            laid = state.pieces_laid(3)
            assert nearer.index(1) == (laid - seat) % 3
            names = ["own", *(f"colour {k} further" for k in range(1, 4))]
            shared = [extras[f"{name}: shared"] for name in names]
            assert sum(shared) == 1
            assert (shared[0] == 1) == (state.mover == 3 and state.actor == seat)
        state = state.apply(state.sample(rng))


def test_extras_give_the_colours_that_placed_i1_last():
    game = parlour.game("blokus")
    rng = Rng(1)
    state = game.start()
    while state.actor != OVER:
        state = state.apply(state.sample(rng))
    told = state.scratch()
    told._set_up([], -1, 0b0100)
    names = ["own", *(f"colour {k} further" for k in range(1, 4))]
    for seat in range(4):
        _, extras = seen(told, seat)
        assert [extras[f"{name}: I1 was its last"] for name in names].index(1) == (2 - seat) % 4


def test_the_grid_gives_orientation_row_and_column_of_every_action():
    game = parlour.game("blokus")
    grid = parlour.observer(game).action_grid().tolist()
    assert len(ORIENTATIONS) == 91
    for action in range(0, game.num_actions, 211):
        orientation, row, col = grid[action]
        cells = {(row + r, col + c) for r, c in ORIENTATIONS[orientation].cells}
        view = game.action_view(game.start(), action)
        assert {divmod(cell, 20) for cell in view.cells} == cells
