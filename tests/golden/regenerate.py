"""Regenerate the golden files with `make golden`, then review the diff.

For each registered game: the starts of some seeds, perft figures, and one whole random
game as a record with the hash of every position. A change here means that records of
earlier releases no longer mean what they meant.
"""

import hashlib
import json
from pathlib import Path

import parlour
from parlour.protocol.documents import files

FOLDER = Path(__file__).parent
DOCUMENTS = FOLDER.parent.parent / "docs" / "protocol"
SEEDS = (0, 1, 2, -1, 2**63, 2**64 - 1, -(2**63))
PERFT_DEPTHS = range(1, 4)
PERFT_MOST = 200_000


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def random_record(game, seed):
    state, rng, actions = game.start(seed), parlour.Rng(seed), []
    while state.actor != parlour.OVER:
        actions.append(state.sample(rng))
        state = state.play(actions[-1])
    return parlour.Record(game, seed, actions)


def perfts(state):
    counts = []
    for depth in PERFT_DEPTHS:
        if counts and counts[-1] * len(state.legal_actions()) > PERFT_MOST:
            break
        counts.append(parlour.perft(state, depth))
    return counts


def trace(name):
    """Return the contents of a game's golden file."""
    game = parlour.game(name)
    record = random_record(game, 11)
    return {
        "starts": {str(seed): digest(game.state_to_text(game.start(seed))) for seed in SEEDS},
        "start_of_seed_1": game.state_to_text(game.start(1)).splitlines(),
        "perft_of_seed_1": perfts(game.start(1)),
        "record": record.to_text().splitlines(),
        "positions": [digest(game.state_to_text(state)) for state in record.states],
    }


def path(name):
    return FOLDER / f"{name}.json"


def main():
    for name in parlour.game_names():
        path(name).write_text(json.dumps(trace(name), indent=1, ensure_ascii=False) + "\n", "utf-8")
        print(f"wrote {path(name).name}")
    for name, document in files().items():
        (DOCUMENTS / name).write_bytes(document)
        print(f"wrote {name}")


if __name__ == "__main__":
    main()
