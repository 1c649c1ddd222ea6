"""The command `parlour engine`: our agents for whoever speaks an engine protocol."""

import sys

from parlour.core.game import Game
from parlour.engines import offer


def run_engine(protocol: str, game: Game, agent: str, start_seed: int) -> int:
    """Answer on the standard streams until the host quits; the exit status."""
    for stream in (sys.stdin, sys.stdout):
        # One encoding and one line end on every system: hosts are not terminals.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    offer(protocol, game, agent, sys.stdin, sys.stdout, start_seed=start_seed)
    return 0
