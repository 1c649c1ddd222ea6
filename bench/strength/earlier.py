"""An agent of this tree against one of an earlier commit, which is installed elsewhere.

    git worktree add ../earlier COMMIT
    python -m venv ../earlier/.venv && ../earlier/.venv/bin/pip install ../earlier
    python bench/strength/earlier.py octa ../earlier/.venv/bin/python --games 100 --time 0.1

Both have the same seconds per move and think one at a time; the earlier one answers through a pipe.
It works for games without chance whose rules and notation are the same in both versions.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import parlour
from parlour import options
from parlour.agents import Agent, Analysis, Choice
from parlour.arena import match_report, run_match
from parlour.core.registry import game_with

# Runs under the earlier version: a line with the game, one with the agent, then positions.
SERVICE = r"""
import json, sys, parlour
name, settings, text = json.loads(sys.stdin.readline())
game, player = parlour.game(name, **settings), None
for line in sys.stdin:
    position = json.loads(line)
    if player is None:
        player = parlour.agent(text)
        player.begin(game.state_from_text(position), 0)
    print(player.choose(game.state_from_text(position)), flush=True)
"""


class Earlier(Agent):
    """An agent of another installation."""

    SETTINGS = (
        options.text("python", None, "the interpreter of the other installation"),
        options.text("by", "best", "the agent there"),
        options.integer("seed", 0, 0, 2**32 - 1, "its seed"),
    )

    def __init__(self, python: str | None = None, by: str = "best", seed: int = 0) -> None:
        """Set the interpreter and the agent; the first question starts the process."""
        super().__init__(seed)
        self.python = python
        self.text = f"{by}{',' if ':' in by else ':'}seed={seed}"
        self._process: subprocess.Popen[str] | None = None

    def begin(self, start: parlour.State, seat: int) -> None:
        """Restart the process."""
        self.close()
        clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        self._process = subprocess.Popen(
            [self.python, "-c", SERVICE], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env=clean, cwd="/",
        )  # fmt: skip
        self._send(json.dumps([start.game.name, dict(start.game.options), self.text]))

    def _send(self, line: str) -> None:
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def analyse(self, state: parlour.State) -> Analysis:
        """Return the chosen action as the only choice."""
        self._send(json.dumps(state.game.state_to_text(state)))
        action = int(self._process.stdout.readline())
        text = state.game.action_to_text(state, action)
        return Analysis((Choice(action, text, 0.0, 0, 0, (text,)),), 1, 0.0)

    def close(self) -> None:
        """Stop the process."""
        if self._process is not None:
            self._process.stdin.close()
            self._process.stdout.close()
            self._process.wait()
            self._process = None


def main() -> None:
    """Play the match and print its table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game", choices=parlour.game_names())
    parser.add_argument("python", type=Path, help="the interpreter of the earlier installation")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--time", type=float, default=0.1, help="seconds per move")
    parser.add_argument(
        "--agent", default="best", help="the agent of this tree, which must take a time"
    )
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="the folder of the match, from which it resumes")
    chosen = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent))
    python = os.path.abspath(chosen.python)
    ours = f"{chosen.agent}{',' if ':' in chosen.agent else ':'}time={chosen.time}"
    theirs = f"earlier:Earlier:python={python},by=best:time={chosen.time}"
    game = game_with(chosen.game, chosen.set)
    result = run_match(
        game, [ours, theirs], chosen.games, seed=chosen.seed, processes=0, folder=chosen.folder
    )
    print(match_report(result))


if __name__ == "__main__":
    main()
