"""The command `parlour check`: is a game right, what was looked at, and how fast is it?"""

import re
import sys
import time
from collections.abc import Sequence

from parlour._build import build_info
from parlour.commands.bench import Clock, random_plies_per_second
from parlour.commands.exit_codes import NEGATIVE
from parlour.commands.parsers import (
    OneLineParser,
    add_option_argument,
    examples_parser,
    parse_with_options,
)
from parlour.core.checks import printable
from parlour.core.errors import GameLoadError, OptionError, ParlourError, in_one_line
from parlour.core.game import Game
from parlour.core.packages import imported
from parlour.core.registry import game, game_class, game_names, register
from parlour.table.opening import game_with
from parlour.testing import ConformanceError, Report, check_game
from parlour.testing.description import made

OWN = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
"""A game that is not registered, by where its class stands: no text of options looks so."""

EXAMPLES = """\
examples:
  parlour check octa --size 2
  parlour check my_module:MyGame      a class, from the current folder too
  parlour check hopper --seconds 0    without figures of speed

Exit status 0 if every promise is kept, 1 if one is broken.
"""


def check_parser() -> OneLineParser:
    """What reads the command's arguments."""
    about = "Check every promise of the contract in whole games, and measure the game."
    parser = examples_parser("parlour check", about, EXAMPLES)
    parser.add_argument(
        "game", metavar="NAME", help="a name that 'parlour games' lists, or module:Class"
    )
    add_option_argument(parser)
    parser.add_argument(
        "--seconds",
        type=float,
        default=0.5,
        metavar="S",
        help="CPU time for each figure of speed; 0: none (0.5)",
    )
    return parser


def main(arguments: Sequence[str], clock: Clock = time.process_time) -> int:
    """Run the command with these arguments; the exit status. `clock` measures the speed."""
    try:
        words = [_registered(word) if OWN.fullmatch(word) else word for word in arguments]
        chosen, settings = parse_with_options(check_parser(), words)
        if not 0 <= chosen.seconds <= 60:
            raise OptionError(f"--seconds takes a number from 0 to 60, not {chosen.seconds:g}")
        checked = game_with(chosen.game, settings)
        report = check_game(checked)
    except ConformanceError as error:
        print(printable(str(error)))
        return NEGATIVE
    _print_report(checked, report)
    if chosen.seconds:
        print(f"\nRandom plies per CPU second, with {build_info()}:")
        _print_speeds(checked, chosen.seconds, clock)
    return 0


def _print_report(checked: Game, report: Report) -> None:
    print(printable(f"{checked!r} keeps every promise of the contract."))
    ends = ", ".join(f"{count} by {reason!r}" for reason, count in report.reasons.items())
    print(printable(f"\n{report.games} games were played. They ended: {ends}."))
    print(f"The longest had {report.longest} decisions; max_plies is {checked.max_plies}.")
    print(f"{report.states} positions were looked at in full. These laws hold, each so often:")
    for law, count in report.laws.items():
        print(f"{count:7,}  {law}")


def _registered(place: str) -> str:
    """The name of the game whose class stands at `module:Class`, known from now on."""
    try:
        found = imported(place)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module may even end the process
        raise GameLoadError(f"{place} does not load: {in_one_line(error)}") from error
    if not (isinstance(found, type) and issubclass(found, Game)) or found is Game:
        raise GameLoadError(f"{place} is not a subclass of parlour.Game")
    name = made(found).name
    if name not in game_names() or game_class(name) is not found:
        register(name, found)
    return name


def _print_speeds(checked: Game, seconds: float, clock: Clock) -> None:
    """The game, and beside it those of this package with their default options."""
    own = random_plies_per_second(checked, seconds, clock)
    print(f"{own:14,.0f}  {checked.name}")
    for name in game_names():
        try:
            if not game_class(name).__module__.startswith("parlour.") or name == checked.name:
                continue
            rate = random_plies_per_second(game(name), seconds, clock)
        except ParlourError as error:
            print(f"parlour: {error}", file=sys.stderr)
            continue
        print(f"{rate:14,.0f}  {name:12}{_compared(rate, own)}")


def _compared(rate: float, own: float) -> str:
    """How many times as fast the other game is; nothing of one without decisions."""
    if own <= 0:
        return ""
    times = rate / own
    return f"  {times:,.0f} times as fast" if times >= 10 else f"  {times:.2f} times as fast"
