"""Matches on a local cluster of two workers; test_clusters.py runs it as a separate process.

    python cluster_games.py ray|dask FOLDER

Writes FOLDER/answer.json: the hash of the export of a match during which a worker was killed, and
the
error messages of failing matches.
"""

import hashlib
import json
import os
import signal
import sys
import types
from pathlib import Path

import parlour
from parlour.agents import Agent, Analysis
from parlour.arena import MatchError, run_match, runner_of
from parlour.arena.export import export_games

AGENTS = ["mcts:sims=12", "odd_agents:Slow"]
GAMES = 24


def local_cluster(place):
    """Start a cluster with two workers; return the text of its runner."""
    if place == "ray":
        import ray

        ray.init(num_cpus=2, logging_level="ERROR", log_to_driver=False)
        return "ray"
    import distributed

    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    return f"dask:{cluster.scheduler_address}"


def children():
    """Return the descendants of this process by their names."""
    parents, names = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                names[int(entry.name)] = (entry / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
    found, size = {os.getpid()}, 0
    while size != len(found):
        size = len(found)
        found |= {child for child, parent in parents.items() if parent in found}
    return {child: names[child] for child in found}


def a_worker(place):
    """Return a worker process; ray may have none between two batches."""
    if place == "ray":
        playing = (number for number, name in children().items() if name.startswith("ray::play"))
        return next(playing, None)
    import distributed

    return next(iter(distributed.default_client().run(os.getpid).values()))


def export_hash(folder):
    export_games(folder, f"{folder}.export")
    return hashlib.sha256(Path(f"{folder}.export").read_bytes()).hexdigest()


def said(**arguments):
    try:
        run_match(**arguments)
    except MatchError as error:
        return str(error)
    return None


def main():
    place, folder = sys.argv[1], Path(sys.argv[2])
    game = parlour.game("octa", size=1)
    killed = []

    def on_progress(progress):
        if progress.done >= 3 and not killed and (worker := a_worker(place)) is not None:
            killed.append(worker)
            os.kill(worker, signal.SIGKILL)

    runner = runner_of(local_cluster(place))
    run_match(
        game,
        AGENTS,
        GAMES,
        seed=5,
        runner=runner,
        folder=folder / place,
        on_progress=on_progress,
    )
    module = types.ModuleType("only_here")
    module.Mine = type("Mine", (Agent,), {"analyse": lambda self, state: Analysis((), 0, 0.0)})
    sys.modules["only_here"] = module
    here = said(game=game, agents=["only_here:Mine", "random"], games=2, runner=runner)
    dying = said(
        game=game,
        agents=["odd_agents:Dying", "random"],
        games=2,
        runner=runner,
        folder=folder / "dying",
    )
    answer = {
        "killed": len(killed),
        "export": export_hash(folder / place),
        "not importable": here,
        "dying": dying,
    }
    (folder / "answer.json").write_text(json.dumps(answer), "utf-8")


if __name__ == "__main__":
    main()
