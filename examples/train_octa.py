"""Learn Octa by self-play: pattern tables trained with TD(lambda).

    python examples/train_octa.py                        minutes; then a match against mcts
    python examples/train_octa.py --games 500 --match 0

The tables are written to `octa_tables.npz` in the current folder. From there they can be used as an
agent, if the folder of this file is on the module path:

    parlour play octa --against train_octa:OctaTables
    parlour match octa train_octa:OctaTables level:5 --games 40
    parlour bot LINK --agent train_octa:OctaTables

The value of a position is a sum over all cells. A cell's pattern is its owner and the chain of
cells
that it leads to: the cell its arrow will point to after a turn, then where that one will point, and
so on. There are tables for chains of two, three and four cells and for each quarter of the game.
Arrows are relative to the first one, so a pattern is learned for all directions at once. After a
move the value of the position before is updated towards that of the position after, and at the end
towards the result.
"""

import argparse
import time
from pathlib import Path

import numpy as np

import parlour
from parlour import options
from parlour.agents import Agent, Analysis, Choice

FILE = "octa_tables.npz"
SIDE = 9
CELLS = SIDE * SIDE
CODES = 26
"""The content of a cell: 8 arrows each for neutral, own and enemy cells, blocked, and off-board."""
BLOCKED, EDGE = 24, 25
QUARTERS = 4
SCALE = 20.0
"""The divisor of the sum over all cells, which keeps weights near 1."""
STEPS = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]


def _targets() -> np.ndarray:
    """Return where each arrow of each cell points after a turn by one eighth."""
    found = np.full((CELLS, CODES), CELLS)
    for cell in range(CELLS):
        for code in range(24):
            step = STEPS[(code + 1) % 8]
            row, col = cell // SIDE + step[0], cell % SIDE + step[1]
            if 0 <= row < SIDE and 0 <= col < SIDE:
                found[cell, code] = row * SIDE + col
    return found


TARGETS = _targets()


LENGTHS = (2, 3, 4)
"""The lengths of the chains that have tables."""
SIZES = [QUARTERS * 4 * CODES ** (length - 1) for length in LENGTHS]


class Tables:
    """The values of patterns for the seat that has just moved."""

    def __init__(self) -> None:
        """Start with zero weights."""
        self.weights = np.zeros(sum(SIZES), dtype=np.float32)

    def patterns(self, obs: np.ndarray, left: np.ndarray) -> np.ndarray:
        """Return the indices of all patterns, for observations (n, 11, 9, 9) and the time left."""
        n = len(obs)
        planes = obs.reshape(n, 11, CELLS)
        owner = (planes[:, 0] + 2 * planes[:, 1] + 3 * planes[:, 2]).astype(np.int64)
        codes = np.full((n, CELLS + 1), EDGE, dtype=np.int64)
        codes[:, :CELLS] = np.where(owner == 3, BLOCKED, planes[:, 3:].argmax(axis=1) + 8 * owner)
        rows = np.arange(n)[:, None]
        first = codes[:, :CELLS]
        quarter = np.minimum((255 - left.astype(np.int64)) * QUARTERS // 256, QUARTERS - 1)
        index = quarter[:, None] * 4 + owner
        place = np.broadcast_to(np.arange(CELLS), (n, CELLS))
        code, found, offset = first, [], 0
        for size in SIZES:
            place = TARGETS[np.minimum(place, CELLS - 1), code]
            code = codes[rows, place]
            turned = (code & ~7) | ((code - first) & 7)
            index = index * CODES + np.where(code < BLOCKED, turned, code)
            found.append(offset + index)
            offset += size
        return np.concatenate(found, axis=1)

    def values(self, patterns: np.ndarray) -> np.ndarray:
        """Return values from -1 to 1."""
        return np.tanh(self.weights[patterns].sum(axis=1) / SCALE)

    def learn(self, patterns: np.ndarray, amounts: np.ndarray) -> None:
        """Add to the weights of each position's patterns."""
        np.add.at(self.weights, patterns, amounts[:, None].astype(np.float32))

    def save(self, path: Path) -> None:
        """Write the weights to a file."""
        np.savez_compressed(path, weights=self.weights.astype(np.float16))

    def load(self, path: Path) -> "Tables":
        """Read a file written by `save`."""
        with np.load(path, allow_pickle=False) as data:
            self.weights = data["weights"].astype(np.float32)
        return self


def after(state: parlour.State, seat: int, watching) -> tuple[list, list]:
    """Return the finished games among the next positions, and all as the seat sees them."""
    ends, seen = [], []
    for place, action in enumerate(state.legal_actions()):
        position = state.apply(action)
        result = position.result()
        if result is not None:
            ends.append((place, result.returns[seat]))
        seen.append(watching.observe(position, seat))
    return ends, seen


def judged(tables: Tables, states: list, watching) -> list:
    """Return for each state the value of every legal action, and the patterns after it."""
    all_seen, all_ends, sizes = [], [], []
    for state in states:
        ends, seen = after(state, state.actor, watching)
        all_ends.append(ends)
        all_seen += seen
        sizes.append(len(seen))
    obs = np.frombuffer(b"".join(planes for planes, _ in all_seen), dtype=np.uint8)
    left = np.frombuffer(b"".join(extras[:1] for _, extras in all_seen), dtype=np.uint8)
    patterns = tables.patterns(obs.reshape(-1, 11, SIDE, SIDE), left)
    values = tables.values(patterns)
    found, at = [], 0
    for size, ends in zip(sizes, all_ends, strict=True):
        mine = values[at : at + size].copy()
        for place, value in ends:
            mine[place] = value
        found.append((mine, patterns[at : at + size]))
        at += size
    return found


def train(
    games: int, seed: int = 1, side_by_side: int = 64, rate: float = 0.002, trace: float = 0.7,
    epsilon: float = 0.05, report=None,
) -> Tables:  # fmt: skip
    """Learn by self-play; `epsilon` is the share of random moves."""
    tables, rng = Tables(), np.random.default_rng(seed)
    batch = parlour.Batch("octa", side_by_side, seed, observe=False, mask=False)
    watching = batch.observer
    finished = 0
    # The eligibility trace of each game: patterns and value after its moves, newest last.
    past: list[list[tuple[np.ndarray, float]]] = [[] for _ in range(side_by_side)]
    while finished < games:
        states = [batch.state(i) for i in range(side_by_side)]
        actions, changes, amounts = [], [], []
        step = rate * (1.0 - 0.9 * finished / games)
        for i, (values, patterns) in enumerate(judged(tables, states, watching)):
            best = int(values.argmax())
            is_random = rng.random() < epsilon
            chosen = int(rng.integers(len(values))) if is_random else best
            actions.append(states[i].legal_actions()[chosen])
            # The best value that we can reach is the target for the opponent's last move.
            _pull(past[i], -float(values[best]), step, trace, changes, amounts)
            if is_random:
                past[i].clear()
            past[i].append((patterns[chosen], float(values[chosen])))
        batch.step(np.array(actions))
        for i in np.flatnonzero(np.asarray(batch.done)):
            finished += 1
            acted = batch.acted[int(i)]
            _pull(past[i], batch.returns.tolist()[int(i)][acted], step, trace, changes, amounts)
            past[i].clear()
        if changes:
            tables.learn(np.array(changes), np.array(amounts))
        if report is not None:
            report(finished)
    return tables


def _pull(past, target: float, step: float, trace: float, changes: list, amounts: list) -> None:
    """Update the values of past positions towards the target, the latest most."""
    if not past:
        return
    error = target - past[-1][1]
    weight = 1.0
    for patterns, value in reversed(past[-8:]):
        changes.append(patterns)
        amounts.append(step * weight * error * (1.0 - value * value))
        # One ply back the value is the opponent's.
        weight *= -trace


class OctaTables(Agent):
    """Plays the action with the highest value in the tables."""

    SETTINGS = (options.integer("seed", 0, 0, 2**32 - 1, "seed of the random choices"),)

    def __init__(self, seed: int = 0, tables: Tables | None = None) -> None:
        """Load the tables from the current folder."""
        super().__init__(seed=seed, blunder=0.0)
        self.tables = tables or Tables().load(Path(FILE))

    def check_game(self, game: parlour.Game) -> None:
        """Raise `AgentError` unless the game is Octa on a board of the trained size."""
        if game.name != "octa" or game.num_actions != CELLS:
            raise parlour.AgentError(f"these tables play Octa on {SIDE} x {SIDE} cells only")

    def analyse(self, state: parlour.State) -> Analysis:
        """Return every action, best first."""
        began = time.perf_counter()
        [(values, _)] = judged(self.tables, [state], parlour.observer(state.game))
        legal = state.legal_actions()
        choices = []
        for place in np.argsort(-values, kind="stable"):
            text = state.game.action_to_text(state, legal[place])
            choices.append(Choice(legal[place], text, float(values[place]), 0, 1, (text,)))
        return Analysis(tuple(choices), len(choices), time.perf_counter() - began)


def main() -> None:
    """Train, save and play a match."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000, help="self-play games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--match", type=int, default=100, help="games against mcts:sims=100")
    chosen = parser.parse_args()
    shown = 0

    def report(finished: int) -> None:
        nonlocal shown
        if finished >= shown + chosen.games / 20:
            shown = finished
            print(f"{finished} games, {time.process_time():.0f} s of CPU", flush=True)

    tables = train(chosen.games, chosen.seed, report=report)
    tables.save(Path(FILE))
    print(f"Trained in {time.process_time():.0f} s of CPU, written to {FILE}.")
    if chosen.match:
        from parlour.arena import match_report, run_match

        texts = ["train_octa:OctaTables", "mcts:sims=100"]
        print(match_report(run_match("octa", texts, chosen.match, seed=chosen.seed)))


if __name__ == "__main__":
    main()
