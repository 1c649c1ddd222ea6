"""The command line without the extra [terminal]: what the bare package can do."""

import textwrap
from collections.abc import Sequence

from parlour._build import build_info
from parlour.commands.games import list_games
from parlour.commands.parsers import OneLineParser, add_option_argument, parse_with_options
from parlour.commands.play import Wish, play
from parlour.commands.records import list_records
from parlour.core.errors import MissingExtra, OptionError, ParlourError
from parlour.core.options import did_you_mean

EXTRA = "pip install 'parlour[terminal]'"

ELSEWHERE = ("match", "tournament", "rate", "tune", "new", "check")
"""The commands of the bare package that have a parser, and a module, of their own."""

OVERVIEW = """\
Turn-based grid games for people and for programs.

What there is:
  parlour games                        the games and their options
  parlour play octa                    play line by line, against level 3
  parlour play octa --size 2 --people  two people at one keyboard
  parlour play --resume                resume the game that was left
  parlour records                      the games that are kept
  parlour match octa mcts greedy       many games between agents
  parlour tournament octa mcts greedy  the same for any number of agents
  parlour rate FOLDER                  ratings, from the folders of both
  parlour tune banqi                   better weights for an evaluation
  parlour new NAME                     a package of your own, with a game
  parlour check NAME                   is a game right, and how fast is it?
  parlour --version                    which build this is

'parlour COMMAND --help' says more. An extra that is not installed brings the
full screen and these commands:
  {others}
It is there after:
  {extra}
"""


def main(arguments: Sequence[str], others: Sequence[str]) -> int:
    """Run what needs no extra; `MissingExtra` for the commands `others`."""
    command, *words = arguments or ["--help"]
    if command in ("-h", "--help"):
        listed = textwrap.fill(", ".join(others), 78, subsequent_indent="  ")
        print(OVERVIEW.format(others=listed, extra=EXTRA), end="")
        return 0
    if command == "--version":
        print(build_info())
        return 0
    if command in others:
        raise MissingExtra(f"{command!r} needs the extra: {EXTRA}")
    known = {"games": _games, "play": _play, "records": _records}
    if command not in known:
        kind = "option" if command.startswith("-") else "command"
        near = did_you_mean(command, [*known, *ELSEWHERE, *others, "--help", "--version"])
        raise ParlourError(f"there is no {kind} {command!r}{near}; 'parlour --help' shows them")
    return known[command](words)


def _games(words: Sequence[str]) -> int:
    parser = OneLineParser(prog="parlour games", description="The games and their options.")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    return list_games(parser.parse_args(words).json)


def _records(words: Sequence[str]) -> int:
    OneLineParser(
        prog="parlour records", description="The games that are kept, the latest first."
    ).parse_args(words)
    return list_records()


def _play(words: Sequence[str]) -> int:
    parser = OneLineParser(
        prog="parlour play",
        description="Play a game line by line.",
        epilog=f"The full screen comes with the extra: {EXTRA}",
        allow_abbrev=False,
    )
    parser.add_argument("game", nargs="?", help="a name that 'parlour games' lists")
    parser.add_argument("--seed", type=int, help="the seed of the set-up; random if missing")
    add_option_argument(parser)
    parser.add_argument("--against", metavar="AGENT", help="who plays the other seats (level:3)")
    parser.add_argument("--people", action="store_true", help="people play every seat")
    parser.add_argument("--as", dest="mine", type=int, default=1, metavar="SEAT", help="your seat")
    parser.add_argument(
        "--seat",
        dest="seats",
        metavar="N=AGENT",
        action="append",
        default=[],
        help="who plays seat N",
    )
    parser.add_argument("--clock", metavar="TIME", help="time for each seat: 5m, 5m+3")
    parser.add_argument("--nonce", metavar="TEXT", help="what you add to chance")
    parser.add_argument(
        "--resume",
        metavar="RECORD",
        nargs="?",
        const="",
        help="resume a game: the last one, or a file or name that 'parlour records' lists",
    )
    parser.add_argument("--no-keep", action="store_true", help="keep no record")
    displays = parser.add_mutually_exclusive_group()
    for name, about in (
        ("plain", "line by line; so it is anyway"),
        ("words", "line by line, boards in words"),
        ("json", "one JSON object a line"),
    ):
        displays.add_argument(
            f"--{name}", dest="display", action="store_const", const=name, help=about
        )
    chosen, settings = parse_with_options(parser, words)
    if chosen.mine < 1:
        raise OptionError(f"--as takes your seat, from 1 on, not {chosen.mine}")
    return play(
        Wish(
            chosen.game,
            settings,
            chosen.seed,
            seats=chosen.seats,
            mine=chosen.mine,
            against=chosen.against,
            people=chosen.people,
            clock=chosen.clock,
            nonce=chosen.nonce,
            resume=chosen.resume,
            keep=not chosen.no_keep,
            display=chosen.display or "plain",
        )
    )
