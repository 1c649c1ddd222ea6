"""The learned priors, against an independent implementation."""

import json
from importlib.resources import files

import pytest

import parlour
from parlour import Rng
from parlour.games.blokus.game import VARIANTS
from parlour.games.blokus.pieces import ORIENTATIONS
from parlour.games.blokus.priors import NAMES

LEARNED = json.loads(files("parlour.games.blokus").joinpath("priors.json").read_text())
SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
SQUARE = [(down, right) for down in range(-2, 3) for right in range(-2, 3)]


def after(plies, seed, game):
    state, rng, known = game.start(), Rng(seed), parlour.heuristics(game)
    while plies and state.actor != parlour.OVER:
        state, plies = state.play(known.rollout_policy(state, rng)), plies - 1
    return state


def priors_of(state, actions):
    return parlour.heuristics(state.game).priors(state, actions)


def around(cells, steps):
    return {(row + down, col + right) for row, col in cells for down, right in steps}


class ByHand:
    """The priors computed with sets of cells."""

    def __init__(self, state):
        self.game, self.state, side = state.game, state, state.game.side
        self.board = {(row, col) for row in range(side) for col in range(side)}
        colours, cells = self.game.colours, state.cells()
        owned = [
            {(k // side, k % side) for k, owner in enumerate(cells) if owner == colour + 1}
            for colour in range(colours)
        ]
        taken = set().union(*owned)
        self.empty = self.board - taken
        self.free, self.open = [], []
        for colour in range(colours):
            free = self.empty - around(owned[colour], SIDES)
            self.free.append(free)
            touched = around(owned[colour], DIAGONALS) | {self.game.starts[colour]}
            self.open.append(free & touched)
        self.mover = state.mover
        self.turns = [(self.mover + k) % colours for k in range(1, colours)]
        self.theirs = set().union(*(self.open[colour] for colour in self.turns))
        self.near = (around(self.theirs, SIDES) & self.empty) - self.theirs
        self.nearby = (around(self.near, SIDES) & self.empty) - self.theirs - self.near
        self.foreign = taken - owned[self.mover]
        self.steps = [self.distances(colour) for colour in range(colours)]

    def distances(self, colour):
        """Return the steps from a colour's open corners over cells it may cover, up to five."""
        found = dict.fromkeys(self.open[colour], 1)
        edge = self.open[colour]
        for step in range(2, 6):
            edge = (around(edge, SIDES) & self.free[colour]) - set(found)
            found |= dict.fromkeys(edge, step)
        return found

    def nearest(self, cell):
        return min(self.steps[colour].get(cell, 9) for colour in self.turns)

    def unable(self, cell):
        return sum(cell not in self.free[colour] for colour in self.turns)

    def room(self, cell, cells):
        """Return how many of these cells are among the 5 by 5 around, in tens."""
        return len(around([cell], SQUARE) & cells) / 10

    def counts(self, action):
        tables = self.state.rules.tables
        cells = {tables.cell(square) for square in tables.squares(action)}
        beside = (around(cells, SIDES) - cells) & self.board
        corners = (around(cells, DIAGONALS) - around(cells, SIDES) - cells) & self.board
        own, free = self.open[self.mover], self.free[self.mover]
        new = (corners & free) - own
        far = {cell for cell in free if self.steps[self.mover].get(cell, 9) > 3}
        opponents = [self.open[colour] for colour in self.turns] + [set()] * 3
        return [
            *(len(cells & opponents[k]) for k in range(3)),
            len(cells & self.near),
            len(cells & self.nearby),
            len(cells & own),
            sum(map(self.unable, cells)),
            len(beside & free),
            len(beside & own),
            len(beside & self.theirs),
            len(beside & self.theirs & free),
            len(beside & self.foreign),
            len(new),
            len(new & self.theirs),
            len(new & self.near),
            sum(self.unable(cell) == len(self.turns) for cell in new),
            len(corners & own),
            sum(self.unable(cell) > 0 for cell in new),
            min(
                abs(2 * row - self.game.side + 1) + abs(2 * col - self.game.side + 1)
                for row, col in cells
            )
            / 10,
            sum(self.steps[colour].get(cell, 9) <= 3 for cell in cells for colour in self.turns),
            sum(
                self.room(cell, self.free[colour])
                for cell in cells
                for colour in self.turns
                if cell in self.open[colour]
            ),
            sum(self.nearest(cell) < self.steps[self.mover].get(cell, 9) for cell in cells),
            sum(self.room(cell, far) for cell in new),
            sum(cell not in self.steps[self.mover] for cell in new),
            sum(self.nearest(cell) <= 2 for cell in new),
        ]

    def log(self, action):
        name = "duo" if self.game.options["variant"] == "duo" else "classic"
        phases, weights = LEARNED[name]["phases"], LEARNED[name]["weights"]
        laid = self.state.pieces_laid(self.mover)
        phase = max(k for k, begin in enumerate(phases) if begin <= laid)
        piece = ORIENTATIONS[self.state.rules.tables.orientation(action)].piece
        found = zip(NAMES, self.counts(action), strict=True)
        return weights["pieces"][21 * phase + piece] + sum(
            count * weights[name][phase] for name, count in found
        )


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("plies", [0, 5, 14, 30, 50])
def test_the_priors_match_an_independent_implementation(variant, plies):
    state = after(plies, plies + 1, parlour.game("blokus", variant=variant))
    legal = state.legal_actions()
    if len(legal) == 0:
        state = after(plies // 2, plies + 1, state.game)
        legal = state.legal_actions()
    by_hand, logs = ByHand(state), priors_of(state, legal)
    for k in range(0, len(legal), max(1, len(legal) // 40)):
        assert logs[k] == pytest.approx(by_hand.log(legal[k]), abs=1e-9)


def best_of(state, what):
    legal = state.legal_actions()
    logs = dict(zip(legal, priors_of(state, legal), strict=True))
    return max(logs[a] for a in legal if what(a)), max(logs[a] for a in legal if not what(a))


@pytest.mark.parametrize("plies", [0, 4, 8])
def test_early_priors_favour_pieces_of_five_cells(plies):
    state = after(plies, 3, parlour.game("blokus"))
    five, smaller = best_of(state, lambda action: len(state.rules.tables.squares(action)) == 5)
    assert five > smaller


def test_priors_favour_placements_that_cover_corners_of_others():
    state = after(20, 5, parlour.game("blokus"))
    by_hand = ByHand(state)
    taking, leaving = best_of(state, lambda action: sum(by_hand.counts(action)[:3]) > 0)
    assert taking > leaving


def test_a_position_read_from_its_text_has_the_same_priors():
    state = after(30, 2, parlour.game("blokus"))
    again = state.game.state_from_text(state.game.state_to_text(state))
    legal = state.legal_actions()
    assert list(priors_of(again, legal)) == list(priors_of(state, legal))
