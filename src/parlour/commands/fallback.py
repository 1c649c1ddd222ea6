"""The command line without the extra [terminal]: what the bare package can do."""

import argparse
from collections.abc import Sequence
from typing import NoReturn

from parlour._build import build_info
from parlour.commands.games import list_games
from parlour.commands.play import Wish, play
from parlour.core.errors import MissingExtra
from parlour.core.options import did_you_mean

EXTRA = "pip install 'parlour[terminal]'"

EXAMPLES = f"""\
examples:
  parlour games
  parlour play octa --plain
  parlour play octa --plain --set size=2 --seed 7

The other commands and the full screen come with the extra: {EXTRA}
"""


def main(arguments: Sequence[str], others: Sequence[str]) -> int:
    """Run what needs no extra; `MissingExtra` for the commands `others`."""
    if arguments and arguments[0] in others:
        raise MissingExtra(f"{arguments[0]!r} needs the extra: {EXTRA}")
    chosen = _parser(others).parse_args(arguments)
    if chosen.command == "games":
        return list_games()
    if not (chosen.plain or chosen.json):
        chosen.plain = True
    return play(
        Wish(
            chosen.game,
            chosen.set,
            chosen.seed,
            against=chosen.against,
            people=chosen.people,
            resume=chosen.resume,
            display="json" if chosen.json else "plain",
        )
    )


class OneLineParser(argparse.ArgumentParser):
    """Complains in one line."""

    def error(self, message: str) -> NoReturn:
        """Status 2."""
        self.exit(2, f"parlour: {message}\n")


def _parser(others: Sequence[str]) -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog="parlour",
        description="Turn-based grid games for people and for programs.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=str(build_info()))
    known = ("games", "play")
    parser.add_argument("command", type=lambda word: _command(word, known, others))
    parser.add_argument("game", nargs="?", help="a name that 'parlour games' lists")
    parser.add_argument("--seed", type=int, help="the seed of the first game")
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[])
    parser.add_argument("--against", metavar="AGENT", help="who plays the other seats")
    parser.add_argument("--people", action="store_true", help="people play every seat")
    parser.add_argument("--resume", metavar="FILE", nargs="?", const="", help="resume a game")
    parser.add_argument("--plain", action="store_true", help="line by line")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    return parser


def _command(word: str, known: Sequence[str], others: Sequence[str]) -> str:
    if word not in known:
        near = did_you_mean(word, [*known, *others])
        raise argparse.ArgumentTypeError(f"there is no command {word!r}{near}")
    return word
