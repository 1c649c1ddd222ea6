"""The command `parlour replay`."""

import sys
import time
from importlib.util import find_spec
from pathlib import Path

import click

from parlour.agents.isolation import vetted
from parlour.commands.console import is_interactive
from parlour.commands.exit_codes import NEGATIVE
from parlour.commands.parameters import AgentText, Number, RecordName
from parlour.commands.shared_options import RECORD_HELP, theme_option
from parlour.core.checks import printable
from parlour.core.errors import GameNotInstalled, ParlourError, RecordError
from parlour.core.game import CHANCE
from parlour.core.record import Record
from parlour.drawing.review import REVIEWER
from parlour.drawing.text import draw
from parlour.table import Notes, load, verify
from parlour.table.locations import find_record
from parlour.terminal.pace import Pace
from parlour.terminal.replay import SECONDS, Replay


@click.command(
    epilog=f"""{RECORD_HELP}

\b
Examples:
  parlour replay game.parlour               full screen, with an evaluation graph
  parlour replay game.parlour --delay 0.5   as a film
  parlour replay game.parlour --plain       one action for each Enter
  parlour replay game.parlour --check       exit status 1 if a line is wrong
"""
)
@click.argument("record", type=RecordName())
@click.option("--check", is_flag=True, help="Only check the record, and name the first wrong line.")
@click.option(
    "--commitment", metavar="HEX", help="With --check: the commitment you noted before the game."
)
@click.option("--delay", type=Number(0, 3600), metavar="SECONDS", help="Seconds between actions.")
@click.option("--at", type=int, metavar="N", help="Print only the position after action N.")
@click.option("--agent", type=AgentText(), help="Who analyses the game.", show_default=REVIEWER)
@click.option("--plain", is_flag=True, help="Print the record line by line.")
@theme_option
def replay(
    record: str,
    check: bool,
    commitment: str | None,
    delay: float | None,
    at: int | None,
    agent: str | None,
    plain: bool,
    theme: str | None,
) -> int:
    """Step through a record, or check it."""
    if check and (delay is not None or at is not None):
        raise ParlourError("--check goes without --delay and --at: it looks at every line")
    if check:
        return check_record(find_record(record), commitment)
    if commitment is not None:
        raise ParlourError("--commitment goes with --check")
    if (plain or at is not None) and (agent or theme):
        flag = "--agent" if agent else "--theme"
        raise ParlourError(f"{flag} is for the full screen, without --plain and --at")
    return show_record(find_record(record), delay, at, plain, theme, agent)


def check_record(path: Path, commitment: str | None = None) -> int:
    """Play a record again. Return 0 if every line is right; otherwise print the first wrong one.

    `commitment` is what the player noted before the game: only with it the record proves that
    chance was fixed beforehand.
    """
    try:
        record = load(path)
        notes = Notes.of(record)
    except GameNotInstalled:
        raise  # whether the record is right, nobody can tell here
    except RecordError as error:
        print(printable(f"parlour: {error}"), file=sys.stderr)
        return NEGATIVE
    print(f"{path}: right. {summary(record)}")
    if notes.key is None:
        if commitment is None:
            return 0
        print("parlour: there is no chance key in this record to check", file=sys.stderr)
        return NEGATIVE
    wrong = verify(record, commitment or notes.commitment, notes.key, notes.nonces)
    if wrong is not None:
        print(f"parlour: chance was not as promised: {wrong}", file=sys.stderr)
        return NEGATIVE
    if commitment is not None:
        print("Every random event is the one that the key draws, and the key was fixed before.")
    elif record.game.has_chance:
        print(
            "Every random event is the one that the key draws. The file agrees with itself; "
            "whether the key was fixed before the game, only --commitment can tell."
        )
    return 0


def has_full_screen() -> bool:
    """Whether what the full screen needs is installed."""
    return find_spec("textual") is not None


def on_full_screen(
    record: Record, delay: float | None, theme: str | None, reviewer: str | None
) -> int:
    """Until the viewer leaves; with a delay it plays by itself."""
    from parlour.terminal.replay_screen import ReplayApp  # what it needs is an extra

    pace = Pace(SECONDS if delay is None else delay, is_paused=delay is None)
    app = ReplayApp(Replay(record, pace), theme, reviewer or REVIEWER)
    status = app.run()
    return app.return_code or status or 0


def summary(record: Record) -> str:
    """The game, its length and its end in a sentence or two."""
    final = record.final
    ending = Notes.of(record).ending
    end = final.scene(None).status
    if ending is not None:
        end = f"{ending.reason[:1].upper()}{ending.reason[1:]}."
    return printable(f"{record.game.title}, {len(record.actions)} actions. {end}")


def show_record(
    path: Path,
    delay: float | None,
    at: int | None,
    plain: bool = False,
    theme: str | None = None,
    reviewer: str | None = None,
) -> int:
    """Show a record on the full screen of a terminal, while `reviewer` thinks about it.

    Where it is `plain`, or there is no full screen: all of it with a delay, one action for each
    line of input, or one position. From a pipe, and without a delay, everything is printed at
    once.
    """
    record = load(path)
    states = record.states
    if at is not None:
        print(draw(record.state_at(at).scene(None)))
        return 0
    if reviewer is not None:
        vetted(reviewer, record.game)
    if not plain and is_interactive() and has_full_screen():
        return on_full_screen(record, delay, theme, reviewer)
    asks = delay is None and is_interactive()
    print(summary(record))
    print("\n" + draw(states[0].scene(None)))
    for number, action in enumerate(record.actions, 1):
        if asks:
            print("Enter for the next action, q to leave: ", end="", flush=True)
            line = sys.stdin.readline()
            if not line or line.strip().lower().startswith("q"):
                return 0
        elif delay:
            time.sleep(delay)
        before = states[number - 1]
        words = record.game.action_words(before, action, None)
        who = "Chance" if before.actor == CHANCE else record.game.seat_names(before)[before.actor]
        print(printable(f"\n{number}. {who}: {words}"))
        print(draw(states[number].scene(None)), flush=True)
    return 0
