"""The command `parlour check`."""

import re
import sys
import time

import click

from parlour._build import build_info
from parlour.commands.bench import Clock, random_plies_per_second
from parlour.commands.game_command import GameCommand, settings_option
from parlour.commands.parameters import GameName, Number
from parlour.core import registry
from parlour.core.checks import printable
from parlour.core.errors import GameLoadError, ParlourError, in_one_line
from parlour.core.game import Game
from parlour.core.packages import imported
from parlour.exit_codes import NEGATIVE
from parlour.testing import ConformanceError, Report, check_game
from parlour.testing.description import made

SPEED_SECONDS = 0.5
"""CPU seconds for each measurement of speed."""

OWN = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
"""The import path of an unregistered game's class. No other argument looks like this."""


class CheckCommand(GameCommand):
    """A command whose game may be an unregistered class."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Register such a class first, because its options become options of the command."""
        if not ctx.resilient_parsing:
            try:
                args = [_registered(word) if OWN.fullmatch(word) else word for word in args]
            except ConformanceError as error:
                print(printable(str(error)))
                ctx.exit(NEGATIVE)
        return super().parse_args(ctx, args)


@click.command(
    cls=CheckCommand,
    epilog="""
The exit status is 0 if the game keeps the contract, 1 if it does not.

\b
Examples:
  parlour check octa --size 2
  parlour check my_module:MyGame      a class, also from the current folder
  parlour check hopper --games 500    more games than needed for 300 positions
  parlour check hopper --no-speed     without measuring the speed
""",
)
@click.argument("game", type=GameName())
@settings_option()
@click.option(
    "--games",
    type=click.IntRange(0, 1_000_000),
    default=0,
    metavar="GAMES",
    help="Play at least this many games.",
)
@click.option(
    "--seconds",
    type=Number(0, 86_400),
    default=0,
    metavar="SECONDS",
    help="Play further games for this many CPU seconds.",
)
@click.option("--speed/--no-speed", default=True, help="Measure the speed, too.")
def check(game: str, settings: tuple[str, ...], games: int, seconds: float, speed: bool) -> int:
    """Check that a game keeps the contract.

    GAME is a name from 'parlour games', or module:Class. The command plays whole games until every
    promise was checked at 300 positions, then measures the speed.
    """
    made = registry.game_with(game, settings)
    return print_check(made, games, seconds, SPEED_SECONDS if speed else 0.0)


def print_check(
    checked: Game,
    games: int,
    seconds: float,
    speed_seconds: float,
    clock: Clock = time.process_time,
) -> int:
    """Check a game and measure it. Return the exit status."""
    try:
        report = check_game(checked, games=games, seconds=seconds)
    except ConformanceError as error:
        print(printable(str(error)))
        return NEGATIVE
    _print_report(checked, report)
    if speed_seconds:
        print(f"\nRandom plies per CPU second, with {build_info()}:")
        _print_speeds(checked, speed_seconds, clock)
    return 0


def _print_report(checked: Game, report: Report) -> None:
    print(printable(f"{checked!r} keeps every promise of the contract."))
    ends = ", ".join(f"{count} by {reason!r}" for reason, count in report.reasons.items())
    print(printable(f"\n{report.games} games were played. They ended: {ends}."))
    print(f"The longest had {report.longest} decisions; max_plies is {checked.max_plies}.")
    print(f"{report.states} positions were checked in full. These laws hold (number of checks):")
    for law, count in report.laws.items():
        print(f"{count:7,}  {law}")
    for note in report.notes:
        print(printable(f"\nNote: {note}"))


def _registered(place: str) -> str:
    """Register the game class at `module:Class` and return its name."""
    try:
        found = imported(place)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module may even exit the process
        raise GameLoadError(f"{place} does not load: {in_one_line(error)}") from error
    if not (isinstance(found, type) and issubclass(found, Game)) or found is Game:
        raise GameLoadError(f"{place} is not a subclass of parlour.Game")
    name = made(found).name
    if name not in registry.game_names() or registry.game_class(name) is not found:
        registry.register(name, found)
    return name


def _print_speeds(checked: Game, seconds: float, clock: Clock) -> None:
    """Print the speed of the game, and of the built-in games with default options."""
    own = random_plies_per_second(checked, seconds, clock)
    print(f"{own:14,.0f}  {checked.name}")
    for name in registry.game_names():
        try:
            if (
                not registry.game_class(name).__module__.startswith("parlour.")
                or name == checked.name
            ):
                continue
            rate = random_plies_per_second(registry.game(name), seconds, clock)
        except ParlourError as error:
            print(f"parlour: {error}", file=sys.stderr)
            continue
        print(f"{rate:14,.0f}  {name:12}{_compared(rate, own)}")


def _compared(rate: float, own: float) -> str:
    """Return how many times as fast the other game is; empty for a game without decisions."""
    if own <= 0:
        return ""
    times = rate / own
    return f"  {times:,.0f} times as fast" if times >= 10 else f"  {times:.2f} times as fast"
