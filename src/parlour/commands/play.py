"""`play` and `watch`: choose the display, find the game, sit down."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from parlour.commands.console import is_interactive
from parlour.commands.games import loaded_titles
from parlour.core.errors import MissingExtra, ParlourError
from parlour.core.game import start_of
from parlour.core.registry import game_class
from parlour.scenes.text import draw
from parlour.table import PERSON, EventView, LocalGame, Notes, TimeControl, drive, load
from parlour.table.chance import check_nonce
from parlour.table.locations import find_record, latest_unfinished, records_folder
from parlour.table.notes import is_unfinished
from parlour.table.opening import GameSetup, game_with, given_seats, seats_for
from parlour.terminal.jsonl import JsonGame
from parlour.terminal.line import LineGame

WATCHED = "level:5"


@dataclass
class Wish:
    """What the command line asked for."""

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


def play(wish: Wish) -> int:
    """Play; the exit status."""
    display = wish.display
    if display == "auto" and not is_interactive():
        display = "plain"
    if display == "auto":
        opening = None if wish.game is None and wish.resume is None else opening_of(wish)
        return full_screen(wish, opening)
    if wish.game is None and wish.resume is None:
        wish.game = ask_for_game()
        if wish.game is None:
            return 0
    opening = opening_of(wish)
    if display == "json":
        return JsonGame(opening.live).run()
    return LineGame(opening.live, in_words=display == "words").run()


def watch(wish: Wish) -> int:
    """Let agents play each other; the exit status."""
    if wish.game is None:
        wish.game = ask_for_game()
        if wish.game is None:
            return 0
    wish.mine = 0
    opening = opening_of(wish, WATCHED)
    if PERSON in opening.seats:
        raise ParlourError("watch is for agents; 'parlour play' lets people sit down")
    if wish.display == "auto" and is_interactive():
        return full_screen(wish, opening)
    game = LocalGame(opening.sit_down())
    show(game)

    def tell(events: list[EventView]) -> None:
        for view in events:
            print(view.sentence)
        show(game)
        time.sleep(0 if game.is_over else wish.delay)

    try:
        time.sleep(wish.delay)
        drive(game, tell)
    finally:
        game.close()
    return 0


def show(game: LocalGame) -> None:
    """Draw a table that nobody sits at."""
    print("\n" + draw(game.scene()), flush=True)


def full_screen(wish: Wish, opening: GameSetup | None) -> int:
    """Play what was asked for, or what the start screen brings, until the player leaves.

    The exit status. `MissingExtra` if Textual is not installed.
    """
    try:
        from parlour.commands.full_screen import run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("textual", "rich"):
            raise
        raise MissingExtra(
            "the full screen needs the extra: pip install 'parlour[terminal]', or add --plain"
        ) from None
    return run(wish, opening)


def tell_where(game: LocalGame) -> None:
    """Say where the game is kept that was just left."""
    table = game.table
    if table.save_problem:
        print(table.save_problem)
    elif table.path is not None and table.path.exists():
        print(f"The game is kept in {table.path}.")
        if not table.is_over:
            print("'parlour play --resume' resumes it.")


def opening_of(wish: Wish, others: str | None = None) -> GameSetup:
    """The opening that was asked for; `ParlourError` says what is wrong with it."""
    folder = records_folder() if wish.keep else None
    if wish.resume is not None:
        return _resumed(wish, folder)
    assert wish.game is not None
    played = game_with(wish.game, wish.settings)
    if wish.against is not None and played.seats == wish.mine == 1:
        raise ParlourError(
            f"{played.title} has one seat, and it is yours; "
            f"'parlour watch {wish.game} --against {wish.against}' shows how the agent plays"
        )
    seats = seats_for(
        played,
        mine=wish.mine,
        against=wish.against,
        people=wish.people,
        given=wish.seats,
        **({} if others is None else {"others": others}),
    )
    control = TimeControl.from_text(wish.clock) if wish.clock else None
    start_of(played, 0 if wish.seed is None else wish.seed)
    nonces: tuple[str, ...] = ()
    if wish.nonce:
        if not played.has_chance:
            raise ParlourError(f"{played.title} has no chance that --nonce could add to")
        own = wish.mine - 1
        nonces = tuple(wish.nonce if seat == own else "" for seat in range(played.seats))
        check_nonce(wish.nonce)
    return GameSetup(played, seats, wish.seed, control, folder, nonces)


def _resumed(wish: Wish, folder: Path | None) -> GameSetup:
    assert wish.resume is not None
    if wish.resume:
        path = find_record(wish.resume)
    else:
        found = latest_unfinished(records_folder(), wish.game)
        if found is None:
            raise ParlourError(f"there is no unfinished game in {records_folder()}")
        path = found
    record = load(path)
    if not is_unfinished(record):
        raise ParlourError(f"{path}: this game is over; 'parlour replay' shows it")
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
        raise ParlourError(f"a game that is resumed goes on as it was, without {changed[0]}")
    return GameSetup(
        record.game,
        Notes.of(record).seats,
        folder=folder,
        given=given_seats(record.game, wish.seats),
        resumed=path,
    )


def ask_for_game() -> str | None:
    """The name that the player picks, or `None` at the end of input."""
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
