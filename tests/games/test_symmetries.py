"""The symmetries of the games, checked against images of positions built by hand."""

import pytest

import parlour
from parlour import CHANCE, OVER, Rng
from parlour.core.grid import mirrored_cells, rotated_cells
from parlour.games.banqi.setup import BanqiSetup
from parlour.games.blokus.rules import arranged
from parlour.games.octa.rules import pack_cell

FIRST_ARROW = 3


def octa_image(state, way, symmetry):
    """Return the image of a position of Octa by the tables."""
    cells = bytearray(len(symmetry.cells))
    for cell, to in enumerate(symmetry.cells):
        owner, arrow = state.cell(cell)
        cells[to] = pack_cell(owner, symmetry.planes[FIRST_ARROW + arrow] - FIRST_ARROW)
    return state.game.position(bytes(cells), state.mover, state.turns)


def banqi_image(state, way, symmetry):
    """Return the image of a position of Banqi, its quiet turns included."""
    squares = [0] * 32
    for square, piece in enumerate(state.squares()):
        squares[symmetry.cells[square]] = piece
    moves = tuple(symmetry.actions[action] for action in state.quiet_actions())
    flipping = state.flipping if state.flipping < 0 else symmetry.cells[state.flipping]
    setup = BanqiSetup(
        tuple(squares),
        tuple(state.hidden()),
        state.turn,
        state.seat_0,
        flipping,
        state.quiet,
        moves,
    )
    return setup.build(state.game)


def blokus_image(state, way, symmetry):
    """Return the image of a position of Blokus, with each piece in the colour that starts there."""
    rules = state.game
    starts = [row * rules.side + col for row, col in rules.starts]
    becomes = [starts.index(symmetry.cells[start]) for start in starts]
    small = sum((state.small >> colour & 1) << to for colour, to in enumerate(becomes))
    mover = state.mover if state.mover < 0 else becomes[state.mover]
    laid = [(becomes[colour], symmetry.actions[action]) for colour, action in way]
    return arranged(rules, laid, mover, small)


GAMES = {
    "octa": (octa_image, 4),
    "octa:size=2,stop_on_enemy=true,win_condition=elimination": (octa_image, 4),
    "banqi": (banqi_image, 4),
    "banqi:rules=taiwan,quiet_limit=9": (banqi_image, 4),
    "banqi:rules=olympiad,quiet_limit=30": (banqi_image, 4),
    "blokus": (blokus_image, 4),
    "blokus:variant=two-player": (blokus_image, 4),
    "blokus:variant=three-player": (blokus_image, 1),
    "blokus:variant=duo": (blokus_image, 4),
    "cat_mouse": (lambda state, way, symmetry: state, 1),
}


def turned(watching, state, seat, symmetry):
    """Return the image of an observation by the tables."""
    planes, extras = watching.observe(state, seat)
    area = len(symmetry.cells)
    image = bytearray(len(planes))
    for plane, to in enumerate(symmetry.planes):
        for cell, goes in enumerate(symmetry.cells):
            image[to * area + goes] = planes[plane * area + cell]
    further = bytearray(len(extras))
    for extra, to in enumerate(symmetry.extras):
        further[to] = extras[extra]
    return bytes(image), bytes(further)


def check_image(watching, state, image, symmetry):
    """Check that actor, actions and observations, or the result, match the image."""
    seats = range(state.game.seats)
    result, other = state.result(), image.result()
    if result is not None:
        assert [other.returns[symmetry.seats[seat]] for seat in seats] == list(result.returns)
        assert other.reason == result.reason
        return
    assert other is None
    if state.actor == CHANCE:
        assert image.chance_outcomes() == state.chance_outcomes()
    else:
        assert image.actor == symmetry.seats[state.actor]
        legal = sorted(symmetry.actions[action] for action in state.legal_actions())
        assert list(image.legal_actions()) == legal
    for seat in seats:
        seen = watching.observe(image, symmetry.seats[seat])
        assert seen == turned(watching, state, seat, symmetry)


@pytest.mark.parametrize("text", GAMES)
def test_symmetries_map_actions_and_results_of_random_positions(text):
    image_of, count = GAMES[text]
    game = parlour.game(text)
    watching = parlour.observer(game)
    symmetries = watching.symmetries()
    assert len(symmetries) == count
    # The interpreted build is slow on 30,433 actions; so each ply checks another symmetry.
    for seed in range(3):
        rng = Rng(seed)
        state = game.start(seed)
        way = []
        plies = 0
        while True:
            symmetry = symmetries[(plies + seed) % count]
            if way or not text.startswith("blokus"):
                check_image(watching, state, image_of(state, way, symmetry), symmetry)
            if state.actor == OVER:
                for each in symmetries:
                    check_image(watching, state, image_of(state, way, each), each)
                break
            action = state.sample(rng)
            image = image_of(state, way, symmetry)
            if state.actor == CHANCE:
                after = image.apply(action)
            else:
                after = image.apply(symmetry.actions[action])
            if text.startswith("blokus"):
                way.append((state.mover, action))
            state = state.apply(action)
            assert after == image_of(state, way, symmetry)
            plies += 1


@pytest.mark.parametrize("text", GAMES)
def test_every_symmetry_is_a_different_permutation(text):
    game = parlour.game(text)
    watching = parlour.observer(game)
    symmetries = watching.symmetries()
    assert symmetries[0] == watching.identity()
    assert len({each.name for each in symmetries}) == len(symmetries)
    assert len({each.cells for each in symmetries}) == len(symmetries)
    sizes = (
        watching.shape[1] * watching.shape[2],
        len(watching.planes),
        watching.extras,
        game.num_actions,
        game.seats,
    )
    for symmetry in symmetries:
        for table, size in zip(symmetry[1:], sizes, strict=True):
            assert sorted(table) == list(range(size))


def test_mirrors_are_not_symmetries_of_octa():
    game = parlour.game("octa:size=2")
    cells = mirrored_cells(5)
    arrows = [(8 - arrow) % 8 for arrow in range(8)]
    mirror = (
        parlour.observer(game)
        .identity()
        ._replace(
            cells=cells, actions=cells, planes=(0, 1, 2, *(FIRST_ARROW + arrow for arrow in arrows))
        )
    )
    state = game.start(1)
    image = octa_image(state, [], mirror)
    action = state.legal_actions()[0]
    assert octa_image(state.apply(action), [], mirror) != image.apply(cells[action])


@pytest.mark.parametrize(
    ("mirrored", "quarter"), [(mirrored, k) for mirrored in (0, 1) for k in range(4)][1:]
)
def test_cat_and_mouse_has_no_symmetries_because_the_mouse_breaks_ties(mirrored, quarter):
    side = 25
    cells = rotated_cells(side, quarter)
    if mirrored:
        cells = tuple(cells[cell] for cell in mirrored_cells(side))
    game = parlour.game("cat_mouse")
    steps = [-side, side, -1, 1]
    broken = 0
    # In line with the cat the mouse must break a tie; at the top only between left and right.
    for cat, mouse in [(312, 262), (312, 362), (312, 310), (312, 314), (62, 12)]:
        state = game.position(bytes(625), cat, mouse, 0, 0)
        image = game.position(bytes(625), cells[cat], cells[mouse], 0, 0)
        for action, step in enumerate(steps):
            turned_step = cells[cat + step] - cells[cat]
            after = state.apply(action)
            other = image.apply(steps.index(turned_step))
            assert other.cat == cells[after.cat]
            broken += other.mouse != cells[after.mouse]
    assert broken > 0
