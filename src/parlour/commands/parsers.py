"""What the commands share that read their arguments themselves, without any extra."""

import argparse
from collections.abc import Sequence
from typing import NoReturn

from parlour.commands.settings import named_game, settings_from


class OneLineParser(argparse.ArgumentParser):
    """Complains in one line."""

    def error(self, message: str) -> NoReturn:
        """Status 2."""
        self.exit(2, f"parlour: {message}; '{self.prog} --help' says more\n")

    def flags(self) -> list[str]:
        """What begins with `--`."""
        words = self.format_usage().replace("[", " ").replace("]", " ").split()
        return ["--help", *(word for word in words if word.startswith("--"))]


def parse_with_options(
    parser: OneLineParser, words: Sequence[str]
) -> tuple[argparse.Namespace, list[str]]:
    """What the parser reads, and the options of the game that stands among the words.

    `OptionError` for a flag that neither the command nor the game has.
    """
    settings, rest = settings_from(named_game(words), words, parser.flags())
    chosen = parser.parse_intermixed_args(rest)
    return chosen, [*chosen.set, *settings]


def examples_parser(prog: str, description: str, examples: str) -> OneLineParser:
    """A parser whose help ends with examples as they are written."""
    return OneLineParser(
        prog=prog,
        description=description,
        allow_abbrev=False,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_option_argument(parser: argparse.ArgumentParser) -> None:
    """Declare `--set`, which `parse_with_options` needs."""
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the game; --NAME VALUE does the same",
    )


def add_contest_arguments(parser: argparse.ArgumentParser, whose_agents: str) -> None:
    """Declare the game, the agents that meet in it, the seed and the game's options."""
    parser.add_argument("game", help="a name that 'parlour games' lists")
    parser.add_argument(
        "agents",
        nargs="+",
        metavar="AGENT",
        help="an agent with its settings, such as mcts:sims=500, or your own: module:Class"
        + whose_agents,
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="the seed of starts, chance and agents (0)"
    )
    add_option_argument(parser)


def add_place_arguments(parser: argparse.ArgumentParser, what: str, parent: str) -> None:
    """Declare where games are played, and where what comes of them is kept."""
    parser.add_argument(
        "--processes", type=int, metavar="N", help="worker processes; one per processor if missing"
    )
    parser.add_argument(
        "--on",
        metavar="PLACE",
        help="where the games are played: local, ray, ray:ADDRESS, dask or dask:ADDRESS (local)",
    )
    parser.add_argument(
        "--folder", metavar="DIR", help=f"where the {what} are kept; below {parent}/ if missing"
    )


def add_condition_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what holds in every game of a match or a tournament, and their export."""
    parser.add_argument(
        "--export", metavar="FILE", help="write the records of all games into one file"
    )
    parser.add_argument("--tc", metavar="TIME", help="a clock for each seat: 10+0.1, 1m, 5m+3")
    parser.add_argument(
        "--margin",
        type=float,
        metavar="SECONDS",
        help="how far a clock may be overdrawn before the game is lost (0)",
    )
    parser.add_argument(
        "--openings", metavar="FILE", help="begin with these actions, or from these records"
    )
    parser.add_argument(
        "--resign",
        metavar="OPINIONxN",
        help="0.95x6: who expects -0.95 or less in 6 decisions in a row has lost",
    )
    parser.add_argument(
        "--draw",
        metavar="OPINIONxN",
        help="0.02x10: drawn where both expect at most 0.02 either way in 10 decisions in a row",
    )
    parser.add_argument(
        "--max-plies", type=int, metavar="N", help="drawn after so many decisions; alone, lost"
    )
