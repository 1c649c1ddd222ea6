"""Legal placements, compared with brute force and with the package blokus-rl."""

import numpy as np
import pytest
from blokus_rl._blokus import PyBlokus

import parlour
from parlour.core.rng import Rng

# Brute force, written from the rules without code of the engine.


def covered(game, action):
    """Return the (row, column) of each cell that a placement covers."""
    return tuple(game.tables.cell(square) for square in game.tables.squares(action))


def all_shapes():
    """Return every fixed polyomino of one to five cells, grown one cell at a time."""
    level = {frozenset([(0, 0)])}
    shapes = set(level)
    for _ in range(4):
        grown = set()
        for shape in level:
            for row, col in shape:
                for cell in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
                    if cell not in shape:
                        bigger = shape | {cell}
                        top = min(r for r, _ in bigger)
                        left = min(c for _, c in bigger)
                        grown.add(frozenset((r - top, c - left) for r, c in bigger))
        shapes |= grown
        level = grown
    return sorted(shapes, key=sorted)


def free_form(cells):
    """Return a canonical form, equal for all rotations and mirrors of a shape."""
    forms = []
    for mirror in (1, -1):
        shape = [(row, mirror * col) for row, col in cells]
        for _ in range(4):
            shape = [(col, -row) for row, col in shape]
            top, left = min(r for r, _ in shape), min(c for _, c in shape)
            forms.append(tuple(sorted((r - top, c - left) for r, c in shape)))
    return min(forms)


SHAPES = all_shapes()
FORMS = [free_form(shape) for shape in SHAPES]


class Brute:
    """A position as sets of cells."""

    def __init__(self, side, starts):
        self.side = side
        self.starts = starts
        self.own = [set() for _ in starts]
        self.used = [set() for _ in starts]

    def lay(self, colour, cells):
        self.own[colour] |= set(cells)
        self.used[colour].add(free_form(cells))

    def legal(self, colour):
        side, own = self.side, self.own[colour]
        taken = set().union(*self.own)
        found = set()
        for shape, form in zip(SHAPES, FORMS, strict=True):
            if form in self.used[colour]:
                continue
            for top in range(side):
                for left in range(side):
                    cells = frozenset((top + row, left + col) for row, col in shape)
                    if self.fits(colour, cells, own, taken):
                        found.add(cells)
        return found

    def fits(self, colour, cells, own, taken):
        for row, col in cells:
            if row >= self.side or col >= self.side or (row, col) in taken:
                return False
        edges = ((0, 1), (0, -1), (1, 0), (-1, 0))
        if any((row + dr, col + dc) in own for row, col in cells for dr, dc in edges):
            return False
        if not own:
            return self.starts[colour] in cells
        corners = ((1, 1), (1, -1), (-1, 1), (-1, -1))
        return any((row + dr, col + dc) in own for row, col in cells for dr, dc in corners)


def test_brute_force_finds_91_orientations_of_21_pieces():
    assert (len(SHAPES), len(set(FORMS))) == (91, 21)


@pytest.mark.parametrize("variant", ["classic", "three-player", "duo"])
@pytest.mark.parametrize("seed", range(3))
def test_legal_actions_match_brute_force_in_random_positions(variant, seed):
    game = parlour.game("blokus", variant=variant)
    brute = Brute(game.side, game.starts)
    rng = Rng(seed)
    state = game.start()
    looked_at = {seed, 15 + 2 * seed, 30 + 3 * seed, 48 + seed}
    ply = 0
    while state.actor != parlour.OVER:
        if ply in looked_at:
            for colour in (state.mover, (state.mover + 1 + seed) % len(game.starts)):
                expected = brute.legal(colour)
                listed = state.turned_to(colour).legal_actions()
                cells = [frozenset(covered(game, action)) for action in listed]
                assert len(set(cells)) == len(cells)
                assert set(cells) == expected
                assert state.can_lay(colour) == bool(expected)
        action = state.sample(rng)
        brute.lay(state.mover, covered(game, action))
        state = state.apply(action)
        ply += 1
    assert not any(brute.legal(colour) for colour in range(len(game.starts)))


# blokus-rl numbers its actions (orientation, row, column), and shows each player the board
# rotated so that their own corner is at the top left.


def peer_board(peer, player):
    boards = np.frombuffer(peer.observe(player).observation, dtype=bool)
    return boards.reshape(4, 20, 20).any(axis=0)


def peer_actions(peer, player):
    return np.flatnonzero(np.frombuffer(peer.observe(player).action_mask, dtype=np.int8))


def peer_cells(peer, player, action):
    """Return the cells that an action covers in the player's view, by playing on a copy."""
    copy = peer.copy()
    copy.step(int(action))
    new = peer_board(copy, player) & ~peer_board(peer, player)
    return [tuple(cell) for cell in np.argwhere(new).tolist()]


def as_player_0_sees(player, cells):
    for _ in range(player):
        cells = [(col, 19 - row) for row, col in cells]
    return frozenset(cells)


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_agree_with_blokus_rl(classic, seed):
    peer = PyBlokus()
    rng = Rng(seed)
    state = classic.start()
    shapes = {}
    while not peer.is_over:
        player = peer.agent_selection
        actions = peer_actions(peer, player)
        if len(actions) == 0:
            assert not state.can_lay(player)
            peer.step(None)
            continue
        assert player == state.mover
        listed = {}
        for action in actions:
            orientation, (row, col) = action // 400, divmod(int(action) % 400, 20)
            if orientation not in shapes:
                cells = peer_cells(peer, player, action)
                shapes[orientation] = [(r - row, c - col) for r, c in cells]
            cells = [(row + r, col + c) for r, c in shapes[orientation]]
            listed[as_player_0_sees(player, cells)] = action
        ours = {frozenset(covered(classic, a)): a for a in state.legal_actions()}
        assert set(ours) == set(listed)
        cells = sorted(listed, key=sorted)[rng.below(len(listed))]
        peer.step(int(listed[cells]))
        state = state.play(ours[cells])
    assert state.actor == parlour.OVER
    assert list(state.result().scores) == list(peer.scores)
