"""Each level of a game against the one below it; in games for one, all of them side by side.

python bench/strength/levels.py octa --levels 2 3 4 5 6 7 --games 40
python bench/strength/levels.py blokus --set variant=duo
python bench/strength/levels.py cat_mouse --games 100
"""

import argparse
import json
from pathlib import Path

import parlour
from parlour.arena import match_report, run_match
from parlour.core.registry import game_with

RESULTS = Path(__file__).parents[1] / "results"


def against_the_one_below(game, level, games, processes):
    """Return the match's table; with four seats each level has two of them."""
    agents = [f"level:{level}", f"level:{level - 1}"] * (game.seats // 2)
    return match_report(run_match(game, agents, games, processes=processes)).splitlines()


def side_by_side(game, starts, processes):
    """Return the match's table of all levels."""
    agents = [f"level:{level}" for level in range(1, 10)]
    result = run_match(game, agents, starts * len(agents), processes=processes)
    return match_report(result).splitlines()


def tables(game, levels, games, processes):
    """Yield the tables as they are played, each with the key under which it is stored."""
    if game.seats == 1:
        yield "all", side_by_side(game, games, processes)
        return
    for level in levels:
        yield str(level), against_the_one_below(game, level, games, processes)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("game", choices=parlour.game_names())
    parser.add_argument("--levels", type=int, nargs="+", default=list(range(2, 8)))
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--games", type=int, default=40, help="games, or starts in a game for one")
    parser.add_argument("--processes", type=int, default=1)
    chosen = parser.parse_args()
    path = RESULTS / f"levels_{'_'.join([chosen.game, *chosen.set])}.json"
    done = json.loads(path.read_text()) if path.exists() else {}
    game = game_with(chosen.game, chosen.set)
    for key, table in tables(game, chosen.levels, chosen.games, chosen.processes):
        print("\n".join(table), "\n", flush=True)
        done[key] = table
        path.write_text(json.dumps(done, indent=1) + "\n")


if __name__ == "__main__":
    main()
