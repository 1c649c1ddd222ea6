"""The commands `parlour play` and `parlour watch`."""

import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from parlour.commands.console import can_show_full_screen, full_screen_imports, is_typed
from parlour.commands.game_command import GameCommand, game_options
from parlour.commands.games import loaded_titles
from parlour.commands.parameters import AgentText, GameName, Number, RecordName, SeatText
from parlour.commands.shared_options import display_options, nonce_option
from parlour.core.checks import shown
from parlour.core.errors import OptionError, ParlourError
from parlour.core.game import Game, start_of
from parlour.core.registry import game_class, game_with
from parlour.drawing.text import draw
from parlour.table import PERSON, EventView, LocalGame, Notes, TableError, TimeControl, drive, load
from parlour.table.chance import check_nonce
from parlour.table.locations import find_record, latest_unfinished, records_folder
from parlour.table.notes import is_unfinished
from parlour.table.opening import GameSetup
from parlour.terminal.characters import ARROWS_IN_ASCII, NO_UNICODE
from parlour.terminal.jsonl import JsonGame
from parlour.terminal.line import LineGame
from parlour.terminal.opponents import DEFAULT_OPPONENT, seats_for

WATCHED = "level:5"


seat_option = click.option(
    "--seat",
    "seats",
    type=SeatText(),
    multiple=True,
    metavar="N=AGENT",
    help="Who plays seat N: an agent, or person.",
)
no_keep_option = click.option("--no-keep", is_flag=True, help="Do not save the game.")


@click.command(
    cls=GameCommand,
    epilog="""
\b
Examples:
  parlour play octa --against level:7 --as 2
  parlour play octa --seat 2=mcts:sims=5000 --clock 5m+3
  parlour play cat_mouse --density 0.1 --seed 7
  echo '{"action": "up"}' | parlour play cat_mouse --seed 7 --json

'parlour play GAME --help' also lists the options of a game.
""",
)
@click.argument("game", required=False, type=GameName())
@game_options
@click.option(
    "--against",
    type=AgentText(),
    help="The agent that plays the other seats.",
    show_default=DEFAULT_OPPONENT,
)
@click.option("--people", is_flag=True, help="Let people play every seat.")
@click.option("--as", "mine", type=int, default=1, metavar="SEAT", help="Your seat.")
@seat_option
@click.option("--clock", metavar="TIME", help="Time for each seat: 5m, 5m+3.")
@nonce_option
@click.option(
    "--resume",
    is_flag=False,
    flag_value="",
    type=RecordName(),
    metavar="[RECORD]",
    help="Resume your last game, or this record.",
)
@no_keep_option
@display_options("plain", "words", "json")
def play(game: str | None, **given: Any) -> int:
    """Play a game in the terminal.

    Without a terminal, or with --plain, you play line by line. Without GAME you can choose one.
    """
    return play_game(wish_of(game, given))


@click.command(
    cls=GameCommand,
    epilog="""
\b
Examples:
  parlour watch octa --seat 1=level:2 --seat 2=level:8
  parlour watch octa --size 2 --delay 0 --plain
  parlour watch https://games.example.org/t/TABLE
""",
)
@click.argument("game", required=False, type=GameName())
@game_options
@click.option(
    "--against", type=AgentText(), help="The agent that plays all seats.", show_default=WATCHED
)
@seat_option
@click.option(
    "--delay", type=Number(0, 3600), metavar="SECONDS", default=0.5, help="Seconds between actions."
)
@no_keep_option
@display_options("plain")
def watch(game: str | None, **given: Any) -> int:
    """Watch agents play, or a game on a server.

    Space pauses, the right arrow steps, + and - change the speed. Instead of GAME, give the link of
    a table, or a server's address for its latest public game.
    """
    if game is not None and game.startswith(("http://", "https://")):
        from parlour.commands.join import watch_table  # it needs an extra

        if given["settings"] or given["seats"] or given["against"]:
            raise OptionError("a game on a server has its settings and players: leave them out")
        return watch_table(game, given["display"], given["theme"])
    return watch_game(wish_of(game, given))


@dataclass
class Wish:
    """The choices made on the command line."""

    game: str | None = None
    settings: Sequence[str] = ()
    seed: int | None = None
    seats: Sequence[str] = ()
    mine: int = 1
    against: str | None = None
    people: bool = False
    clock: str | None = None
    nonce: str | None = None
    resume: str | None = None
    keep: bool = True
    display: str = "auto"
    """`auto`, `plain`, `words` or `json`."""
    theme: str | None = None
    delay: float = 0.5


def wish_of(game: str | None, given: dict[str, Any]) -> Wish:
    """Check the given options."""
    if game is not None:
        game_class(game.partition(":")[0])
    if given.get("mine", 1) < 1:
        raise OptionError(
            f"--as needs your seat, 1 or more, not {given['mine']}; use 'parlour watch' to watch"
        )
    if given.get("people") and given["against"] is not None:
        raise OptionError("--people gives every seat to a person: leave out --against")
    given["keep"] = not given.pop("no_keep")
    given["display"] = given["display"] or "auto"
    return Wish(game, **given)


def play_game(wish: Wish) -> int:
    """Play a game and return the exit status."""
    if wish.display == "auto" and not can_show_full_screen():
        wish.display = "plain"
    if wish.display == "auto":
        opening = None if wish.game is None and wish.resume is None else opening_of(wish)
        return full_screen(wish, opening)
    if wish.game is None and wish.resume is None:
        wish.game = ask_for_game()
        if wish.game is None:
            return 0
    opening = opening_of(wish)
    if wish.display == "json":
        return JsonGame(opening.live).run()
    if getattr(sys.stdout, "encoding", "") == "ascii":
        start = start_of(opening.game, opening.seed or 0)
        print(ARROWS_IN_ASCII if "↗" in draw(start.scene(None)) else NO_UNICODE)
    return LineGame(opening.live, in_words=wish.display == "words").run()


def watch_game(wish: Wish) -> int:
    """Let agents play each other and return the exit status."""
    if wish.game is None:
        wish.game = ask_for_game()
        if wish.game is None:
            return 0
    wish.mine = 0
    opening = opening_of(wish)
    if PERSON in opening.seats:
        raise ParlourError("watch is only for agents; to play yourself, use 'parlour play'")
    if wish.display == "auto" and can_show_full_screen():
        return full_screen(wish, opening)
    game = LocalGame(opening.sit_down())
    show(game)

    def report(events: list[EventView]) -> None:
        for view in events:
            print(view.sentence)
        show(game)
        time.sleep(0 if game.is_over else wish.delay)

    try:
        time.sleep(wish.delay)
        drive(game, report)
    finally:
        game.close()
    return 0


def show(game: LocalGame) -> None:
    """Draw the table for a spectator."""
    print("\n" + draw(game.scene()), flush=True)


def full_screen(wish: Wish, opening: GameSetup | None) -> int:
    """Play the requested game, or one from the start screen, until the player quits.

    Return the exit status. Raise `MissingExtra` if Textual is not installed.
    """
    with full_screen_imports():
        from parlour.commands.full_screen import run
    return run(wish, opening)


def print_where(game: LocalGame) -> None:
    """Print where the game that was just left is saved, and how to resume it."""
    where, table = game.where(), game.table
    if where:
        print(where)
    is_saved = table.path is not None and table.path.exists()
    if is_saved and game.has_people and not table.is_over:
        print("To resume it, run 'parlour play --resume'.")


def opening_of(wish: Wish) -> GameSetup:
    """Return the requested setup. Raise `ParlourError` if something is wrong with it."""
    folder = records_folder() if wish.keep else None
    if wish.resume is not None:
        return _resumed(wish, folder)
    assert wish.game is not None
    played = game_with(wish.game, wish.settings)
    if wish.against is not None and played.seats == wish.mine == 1:
        raise ParlourError(
            f"{played.title} has only one seat, which is yours; to see the agent play, run "
            f"'parlour watch {wish.game} --against {wish.against}'"
        )
    seats = seats_of(played, wish)
    control = TimeControl.from_text(wish.clock) if wish.clock else None
    start_of(played, 0 if wish.seed is None else wish.seed)
    nonces: tuple[str, ...] = ()
    if wish.nonce:
        if not played.has_chance:
            raise ParlourError(f"{played.title} has no chance events: leave out --nonce")
        own = wish.mine - 1
        nonces = tuple(wish.nonce if seat == own else "" for seat in range(played.seats))
        check_nonce(wish.nonce)
    is_scripted = wish.display == "json" or (wish.display != "auto" and not is_typed())
    return GameSetup(played, seats, wish.seed, control, folder, nonces, is_scripted=is_scripted)


def seats_of(played: Game, wish: Wish) -> tuple[str, ...]:
    """Return the holder of each seat."""
    usual = DEFAULT_OPPONENT if wish.mine else WATCHED
    other = PERSON if wish.people else usual if wish.against is None else wish.against
    return seats_for(played, mine=wish.mine, other=other, given=given_seats(played, wish.seats))


def given_seats(played: Game, given: Iterable[str]) -> dict[int, str]:
    """Parse N=AGENT for single seats; the result counts seats from 0."""
    seats: dict[int, str] = {}
    for text in given:
        number, equals, who = text.partition("=")
        known = number.isascii() and number.isdecimal() and len(number) < 4
        if not equals or not known or not 1 <= int(number) <= played.seats:
            raise TableError(
                f"--seat needs N=AGENT or N=person with N from 1 to {played.seats}, "
                f"not {shown(text)}"
            )
        seats[int(number) - 1] = who
    return seats


def _resumed(wish: Wish, folder: Path | None) -> GameSetup:
    assert wish.resume is not None
    if wish.resume:
        path = find_record(wish.resume)
    else:
        found = latest_unfinished(records_folder(), wish.game)
        if found is None:
            raise ParlourError(
                f"you have no unfinished game in {records_folder()}; "
                "to resume a game of agents or of a script, name its record"
            )
        path = found
    record = load(path)
    if not is_unfinished(record):
        raise ParlourError(f"{path}: this game is over; to see it, run 'parlour replay'")
    changed = [
        flag
        for flag, given in (
            ("--set", wish.settings),
            ("--seed", wish.seed is not None),
            ("--against", wish.against),
            ("--people", wish.people),
            ("--clock", wish.clock),
            ("--nonce", wish.nonce),
        )
        if given
    ]
    if changed:
        raise ParlourError(f"a resumed game keeps its settings: leave out {changed[0]}")
    return GameSetup(
        record.game,
        Notes.of(record).seats,
        folder=folder,
        given=given_seats(record.game, wish.seats),
        resumed=path,
    )


def ask_for_game() -> str | None:
    """Ask for a game and return its name; `None` at the end of input."""
    titles = loaded_titles()
    names = list(titles)
    for number, (name, title) in enumerate(titles.items(), 1):
        print(f"  {number}. {title} ({name})")
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
