"""The command `parlour`."""

import argparse
import os
import secrets
import sys
from collections.abc import Sequence

from parlour._build import build_info
from parlour.commands.match import add_match_arguments, run_match_command
from parlour.core.errors import OptionError, ParlourError
from parlour.core.game import Game
from parlour.core.options import find_option
from parlour.core.registry import game, game_class, game_names
from parlour.core.rng import Rng
from parlour.terminal.line import LineGame

EXAMPLES = """\
examples:
  parlour games
  parlour play octa
  parlour play octa --set size=2 --seed 7
  parlour match octa mcts:sims=50 greedy --games 20
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status: 0, or 2 with one line on stderr."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A terminal that cannot show or send a character gets a sign for it, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    chosen = _parser().parse_args(arguments)
    try:
        return int(chosen.run(chosen))
    except ParlourError as error:
        print(f"parlour: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader has gone; point stdout elsewhere so that the exit does not fail too.
        _silence_stdout()
        return 0
    except OSError as error:
        print(f"parlour: cannot go on: {error}", file=sys.stderr)
        _silence_stdout()
        return 1


def _silence_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="parlour",
        description="Turn-based grid games for people and for programs.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=str(build_info()))
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    listing = commands.add_parser("games", help="list the games and their options")
    listing.set_defaults(run=_games)

    play = commands.add_parser("play", help="play a game, line by line")
    play.add_argument(
        "game", nargs="?", help="a name that 'parlour games' lists; asked for if missing"
    )
    play.add_argument("--seed", type=int, help="the seed of the first game; random if missing")
    play.add_argument(
        "--set", metavar="NAME=VALUE", action="append", default=[], help="an option of the game"
    )
    play.set_defaults(run=_play)

    match = commands.add_parser("match", help="let agents play many games, and see who is better")
    add_match_arguments(match)
    match.set_defaults(run=_match)
    return parser


def _games(_: argparse.Namespace) -> int:
    for name in game_names():
        title = _title(name)
        print(f"{name}: {title or 'does not load'}")
        if title is None:
            continue
        for option in game_class(name).OPTIONS:
            default = option.to_text(option.default)
            print(f"  {option.name} ({option.expectation()}; {default}): {option.help}")
    return 0


def _title(name: str) -> str | None:
    """The game's title; `None`, and a line on stderr, if it does not load."""
    try:
        return game(name).title
    except ParlourError as error:
        print(f"parlour: {error}", file=sys.stderr)
        return None


def _play(chosen: argparse.Namespace) -> int:
    name = chosen.game or _ask_for_game()
    if name is None:
        return 0
    return LineGame(_game_with(name, chosen.set), Rng(secrets.randbits(64))).run(chosen.seed)


def _match(chosen: argparse.Namespace) -> int:
    return run_match_command(_game_with(chosen.game, chosen.set), chosen)


def _game_with(name: str, settings: Sequence[str]) -> Game:
    """The game with the options of `--set NAME=VALUE`."""
    options: dict[str, object] = {}
    for setting in settings:
        option, equals, value = setting.partition("=")
        if not equals:
            raise OptionError(f"--set takes NAME=VALUE, for instance size=2, not {setting!r}")
        options[option] = find_option(name, game_class(name).OPTIONS, option).from_text(value)
    return game(name, **options)


def _ask_for_game() -> str | None:
    """The name that the player picks, or `None` at the end of input."""
    names = [name for name in game_names() if _title(name)]
    for number, name in enumerate(names, 1):
        print(f"  {number}. {_title(name)} ({name})")
    while True:
        print(f"Which game? 1 to {len(names)}, or its name: ", end="", flush=True)
        line = sys.stdin.readline() if sys.stdin else ""
        if not line:
            print()
            return None
        word = line.strip()
        if word in map(str, range(1, len(names) + 1)):
            return names[int(word) - 1]
        try:
            game_class(word)
        except ParlourError as error:
            print(f"{error}.")
        else:
            return word


if __name__ == "__main__":
    sys.exit(main())
