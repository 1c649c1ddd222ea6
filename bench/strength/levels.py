"""Each level of a game against the one below it.

python bench/strength/levels.py octa --levels 2 3 4 5 6 7 --games 40
"""

import argparse
import json
from pathlib import Path

import parlour
from parlour.arena import run_match

RESULTS = Path(__file__).parents[1] / "results"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("game", choices=parlour.game_names())
    parser.add_argument("--levels", type=int, nargs="+", default=list(range(2, 8)))
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--processes", type=int, default=1)
    chosen = parser.parse_args()
    path = RESULTS / f"levels_{chosen.game}.json"
    done = json.loads(path.read_text()) if path.exists() else {}
    game = parlour.game(chosen.game)
    for level in chosen.levels:
        agents = [f"level:{level}", f"level:{level - 1}"]
        if game.seats == 4:
            agents = [agents[0], agents[1], agents[0], agents[1]]
        result = run_match(game, agents, chosen.games, processes=chosen.processes)
        print(f"level {level} against {level - 1}\n{result.table()}\n", flush=True)
        done[str(level)] = result.table().splitlines()
        path.write_text(json.dumps(done, indent=1) + "\n")


if __name__ == "__main__":
    main()
