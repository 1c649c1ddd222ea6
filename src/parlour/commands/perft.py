"""The command `parlour perft`."""

import time
from typing import Any

import click

from parlour.commands.game_command import GameCommand
from parlour.commands.parameters import SourceName
from parlour.commands.position import position
from parlour.commands.shared_options import SOURCE_HELP, position_options
from parlour.core import perft as counts_of
from parlour.core.game import State


@click.command(cls=GameCommand, epilog=SOURCE_HELP)
@click.argument("source", type=SourceName())
@position_options
@click.option(
    "--depth", type=click.IntRange(1), default=3, metavar="N", help="Number of decisions."
)
@click.option("--divide", is_flag=True, help="Print the count below each action.")
def perft(depth: int, divide: bool, **where: Any) -> int:
    """Count the lines of play from a position."""
    return print_perft(position(**where), depth, divide)


def print_perft(state: State, depth: int, divided: bool) -> int:
    """Print the number of lines of play up to a depth."""
    started = time.perf_counter()
    if divided:
        counts = counts_of.divide(state, depth)
        for text, count in counts.items():
            print(f"{text} {count}")
        total = sum(counts.values())
    else:
        total = 0
        for plies in range(1, depth + 1):
            total = counts_of.perft(state, plies)
            print(f"depth {plies}: {total}", flush=True)
    print(f"{total} in {time.perf_counter() - started:.2f} s")
    return 0
