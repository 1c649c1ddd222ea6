"""Learn the priors of Blokus placements from games of strong players.

    python bench/strength/learn_blokus.py GAMES.jsonl.xz --variant classic --positions 20

GAMES has one game per line, {"variant": ..., "moves": [[colour, "a20,b20"], ...]}, with or without
xz.
For some positions of each game it fits a softmax over all placements to the played one, by maximum
likelihood with Adam, separately for each phase. It prints the likelihood on held-out games for the
old
and the new weights, and with `--write` writes the new ones into
`src/parlour/games/blokus/priors.json`.
"""

import argparse
import json
import lzma
import random
from pathlib import Path

import numpy as np

import parlour
from parlour.games.blokus.pieces import SIZES
from parlour.games.blokus.priors import NAMES, PIECES

FILE = Path(__file__).parents[2] / "src/parlour/games/blokus/priors.json"
PHASES = (0, 2, 4, 7, 11, 15)
HELD_BACK = 0.15
LIKELY, DRAWN = 60, 40
NOWHERE = -(10**6)


class Extractor:
    """Features of placements in numpy; `priors.py` must agree with them."""

    def __init__(self, game):
        self.game, self.table = game, game.tables
        self.count, self.width = len(self.table.blank), self.table.width
        codes, shapes = np.array(self.table.codes), np.array(self.table.shapes)
        self.piece = (shapes >> 35)[codes >> 10]
        covered = np.full((len(shapes), 5), NOWHERE)
        for orientation, word in enumerate(shapes):
            for k in range(SIZES[word >> 35]):
                covered[orientation, k] = (word >> (7 * k)) & 127
        tables = (
            covered,
            self.offsets(self.table.edge_starts, self.table.edges, 12),
            self.offsets(self.table.corner_starts, self.table.corners, 8),
        )
        self.squares = []
        for table in tables:
            places = table[codes >> 10] + (codes & 1023)[:, None]
            places[places < 0] = self.count
            self.squares.append(places)
        self.away = np.append(np.array(self.table.away), -1)

    @staticmethod
    def offsets(starts, offsets, most):
        rows = np.full((len(starts) - 1, most), NOWHERE)
        for k in range(len(starts) - 1):
            found = np.array(offsets[starts[k] : starts[k + 1]])
            rows[k, : len(found)] = found
        return rows

    def beside(self, mask):
        """Return the cells adjacent to one of these."""
        found = np.zeros_like(mask)
        for step in (-1, 1, -self.width, self.width):
            found |= np.roll(mask, step)
        return found

    def around(self, mask):
        """Return the number of these among the 25 cells around, divided by ten."""
        total = np.zeros(len(mask), np.float32)
        for down in range(-2, 3):
            for right in range(-2, 3):
                total += np.roll(mask, down * self.width + right)
        return total / 10

    def distances(self, free, corner):
        """Return the steps from the open corners; 9 for more than five."""
        found, edge = np.where(corner, 1, 9), corner
        for step in range(2, 6):
            edge = self.beside(edge) & free & (found == 9)
            found[edge] = step
        return found

    def features(self, state, legal):
        """Return a row of features for each placement."""
        colours, mover = self.game.colours, state.mover
        bits = np.append(np.array(state._board), 15).astype(int)
        inside, empty = self.away >= 0, bits >> 8 == 0
        blocked = [bits >> (mover + k) % colours & 1 == 1 for k in range(colours)]
        corner = [
            (bits >> 4 + (mover + k) % colours & 1 == 1) & ~blocked[k] & inside
            for k in range(colours)
        ]
        theirs = np.any(corner[1:], axis=0)
        near = self.beside(theirs) & ~theirs & inside & empty
        nearby = self.beside(near) & ~near & ~theirs & inside & empty
        unable = sum(each.astype(int) for each in blocked[1:])
        free, own = ~blocked[0] & inside, corner[0]
        new = free & ~own
        nobody = np.zeros_like(free)
        others = (corner[1:] + [nobody] * 3)[:3]
        of_covered = [*others, near, nearby, own, unable * free]
        of_beside = [
            free, own, theirs & empty, theirs & free, ~empty & (bits >> 8 != mover + 1) & inside,
        ]  # fmt: skip
        of_corners = [
            new, new & theirs, new & near, new & (unable == colours - 1), own, new & (unable > 0),
        ]  # fmt: skip
        everybody = [~each & inside for each in blocked]
        steps = [self.distances(*pair) for pair in zip(everybody, corner, strict=True)]
        nearest = np.min(steps[1:], axis=0)
        room = sum(
            own_corner * self.around(own_free)
            for own_corner, own_free in zip(corner[1:], everybody[1:], strict=True)
        )
        also_covered = [
            sum(each <= 3 for each in steps[1:]) * free,
            room * free,
            (nearest < steps[0]) & free,
        ]
        also_corners = [
            new * self.around(free & (steps[0] > 3)), new & (steps[0] == 9), new & (nearest <= 2),
        ]  # fmt: skip
        parts = []
        groups = (of_covered, of_beside, of_corners, also_covered, also_corners)
        for places, values in zip([self.squares[k] for k in (0, 1, 2, 0, 2)], groups, strict=True):
            table = np.stack(values, 1).astype(np.float32)
            table[~inside] = 0
            parts.append(table[places[legal]].sum(1))
        places = self.squares[0][legal]
        away = np.where(places < self.count, self.away[places], 10**6).min(1)
        pieces = np.eye(PIECES, dtype=np.float32)[self.piece[legal]]
        columns = [*parts[:3], away[:, None] / 10, *parts[3:], pieces]
        return np.concatenate(columns, 1).astype(np.float32)


class Positions:
    """The sampled positions and the played placements.

    A training position has the LIKELY placements by the old weights and DRAWN others as a sample of
    the
    rest, which is many times faster and learns as well.
    """

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.rows, self.before, self.offsets, self.played = [], [], [], []
        self.laid, self.held = [], []

    def read(self, path, variant, positions, seed):
        game = parlour.game("blokus", variant=variant)
        extractor, rng = Extractor(game), random.Random(seed)
        opened = lzma.open if str(path).endswith(".xz") else open
        with opened(path, "rt") as file:
            for line in file:
                data = json.loads(line)
                if data["variant"] != variant:
                    continue
                state, moves = game.start(), data["moves"]
                held = rng.random() < HELD_BACK
                stops = set(rng.sample(range(len(moves)), min(positions, len(moves))))
                for ply, (_, text) in enumerate(moves):
                    action = game.action_from_text(state, text)
                    if ply in stops:
                        self.add(extractor, state, action, held)
                    state = state.play(action)
        return self

    def add(self, extractor, state, action, held):
        legal = state.legal_actions()
        if len(legal) < 2:
            return
        before, played = (
            np.array(parlour.heuristics(state.game).priors(state, legal)),
            list(legal).index(action),
        )
        chosen, offsets = np.arange(len(legal)), np.zeros(len(legal))
        if not held and len(legal) > LIKELY + DRAWN:
            order = np.argsort(-before)
            drawn = self.rng.choice(order[LIKELY:], DRAWN, replace=False)
            if played not in order[:LIKELY] and played not in drawn:
                drawn[0] = played
            chosen = np.concatenate([order[:LIKELY], drawn])
            offsets = np.zeros(len(chosen))
            offsets[LIKELY:] = np.log((len(legal) - LIKELY) / DRAWN)
        self.rows.append(extractor.features(state, np.array(legal)[chosen]))
        self.before.append(before[chosen])
        self.offsets.append(offsets)
        self.played.append(int(np.flatnonzero(chosen == played)[0]))
        self.laid.append(state.pieces_laid(state.mover))
        self.held.append(held)


def softmax(logs, starts, sizes):
    grown = np.exp(logs - np.repeat(np.maximum.reduceat(logs, starts), sizes))
    return grown / np.repeat(np.add.reduceat(grown, starts), sizes)


def joined(rows, played):
    sizes = np.array([len(row) for row in rows])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return np.concatenate(rows), starts, sizes, starts + np.array(played)


def learn(rows, offsets, played, steps=300, shrink=1e-3):
    """Fit the weights by maximum likelihood."""
    table, starts, sizes, chosen = joined(rows, played)
    others = np.concatenate(offsets)
    weights = np.zeros(table.shape[1])
    mean, square, goal = np.zeros_like(weights), np.zeros_like(weights), table[chosen].sum(0)
    for step in range(1, steps + 1):
        odds = softmax(table @ weights + others, starts, sizes).astype(np.float32)
        slope = (goal - odds @ table) / len(starts) - shrink * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights += 0.05 * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-6)
    return weights


def prediction(logs, played):
    """Return the mean log-likelihood, and the top-1 and top-10 accuracy."""
    flat, starts, sizes, chosen = joined(logs, played)
    likely = np.log(softmax(flat, starts, sizes)[chosen]).mean()
    ranks = np.array([(row > row[k]).sum() for row, k in zip(logs, played, strict=True)])
    return f"{likely:6.3f}, first {np.mean(ranks == 0):.1%}, among ten {np.mean(ranks < 10):.1%}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", type=Path)
    parser.add_argument("--variant", default="classic", choices=["classic", "duo"])
    parser.add_argument("--positions", type=int, default=20, help="positions per game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    found = Positions(chosen.seed)
    found.read(chosen.games, chosen.variant, chosen.positions, chosen.seed)
    result = []
    for phase, begin in enumerate(PHASES):
        end = (*PHASES, PIECES + 1)[phase + 1]
        here = [k for k, laid in enumerate(found.laid) if begin <= laid < end]
        taught = [k for k in here if not found.held[k]]
        weights = learn(
            *([numbers[k] for k in taught] for numbers in (found.rows, found.offsets, found.played))
        )
        result.append(weights)
        tested = [k for k in here if found.held[k]]
        played = [found.played[k] for k in tested]
        print(f"{begin} to {end - 1} pieces laid, {len(here)} positions")
        print("  before:", prediction([found.before[k] for k in tested], played))
        print(
            "  now:   ", prediction([found.rows[k] @ weights for k in tested], played), flush=True
        )
    if chosen.write:
        data = json.loads(FILE.read_text()) if FILE.exists() else {}
        table = np.round(np.array(result), 3)
        weights = {name: table[:, k].tolist() for k, name in enumerate(NAMES)}
        weights["pieces"] = table[:, len(NAMES) :].ravel().tolist()
        data[chosen.variant] = {"phases": PHASES, "weights": weights}
        lines = [f'"{name}": {json.dumps(data[name])}' for name in sorted(data)]
        FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
