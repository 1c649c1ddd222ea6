"""The command `parlour replay`."""

import sys
import time
from importlib.util import find_spec
from pathlib import Path

import click

from parlour.agents.isolation import vetted
from parlour.commands.console import can_show_full_screen, is_interactive
from parlour.commands.parameters import AgentText, Number, RecordName
from parlour.commands.shared_options import RECORD_HELP, theme_option
from parlour.core.checks import counted, printable
from parlour.core.errors import GameNotInstalled, ParlourError, RecordError
from parlour.core.game import CHANCE
from parlour.core.record import Record
from parlour.drawing.review import REVIEWER
from parlour.drawing.text import draw
from parlour.exit_codes import NEGATIVE
from parlour.table import Notes, load, verify
from parlour.table.locations import find_record
from parlour.terminal.pace import Pace
from parlour.terminal.replay import SECONDS, Replay


@click.command(
    epilog=f"""{RECORD_HELP}

\b
Examples:
  parlour replay game.parlour               full screen, with an evaluation graph
  parlour replay game.parlour --delay 0.5   automatic replay
  parlour replay game.parlour --plain       one action for each Enter
  parlour replay game.parlour --check       exit status 1 if a line is invalid
"""
)
@click.argument("record", type=RecordName())
@click.option("--check", is_flag=True, help="Only check the record; print the first invalid line.")
@click.option(
    "--commitment", metavar="HEX", help="The commitment from before the game, with --check."
)
@click.option(
    "--delay",
    type=Number(0, 3600),
    metavar="SECONDS",
    help="Replay automatically, with this many seconds between actions.",
)
@click.option("--at", type=int, metavar="N", help="Print only the position after action N.")
@click.option(
    "--agent", type=AgentText(), help="The agent that analyses the game.", show_default=REVIEWER
)
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
        raise ParlourError("--check covers every line: leave out --delay and --at")
    if check:
        return check_record(find_record(record), commitment)
    if commitment is not None:
        raise ParlourError("--commitment needs --check")
    if (plain or at is not None) and (agent or theme):
        flag = "--agent" if agent else "--theme"
        raise ParlourError(f"{flag} is for the full screen: leave out --plain and --at")
    return show_record(find_record(record), delay, at, plain, theme, agent)


def check_record(path: Path, commitment: str | None = None) -> int:
    """Replay a record. Return 0 if every line is valid; otherwise print the first invalid one.

    `commitment` is the one that the player noted before the game. Only with it does the record
    prove that chance was fixed beforehand.
    """
    try:
        record = load(path)
        notes = Notes.of(record)
    except GameNotInstalled:
        raise  # the record cannot be checked here
    except RecordError as error:
        print(printable(f"parlour: {error}"), file=sys.stderr)
        return NEGATIVE
    print(f"{path}: valid. {summary(record)}")
    if notes.key is None:
        if commitment is None:
            return 0
        print("parlour: this record contains no chance key to check", file=sys.stderr)
        return NEGATIVE
    wrong = verify(record, commitment or notes.commitment, notes.key, notes.nonces)
    if wrong is not None:
        print(f"parlour: chance was not as promised: {wrong}", file=sys.stderr)
        return NEGATIVE
    if commitment is not None:
        print("The key drew every random event, and it was fixed before the game.")
    elif record.game.has_chance:
        print(
            "The key drew every random event, so the file is consistent. Add --commitment to "
            "check that the key was fixed before the game."
        )
    return 0


def has_full_screen() -> bool:
    """Return whether the packages for the full screen are installed."""
    return find_spec("textual") is not None


def on_full_screen(
    record: Record, delay: float | None, theme: str | None, reviewer: str | None
) -> int:
    """Show the full screen until the viewer quits; with a delay it plays automatically."""
    from parlour.terminal.replay_screen import ReplayApp  # it needs an extra

    pace = Pace(SECONDS if delay is None else delay, is_paused=delay is None)
    app = ReplayApp(Replay(record, pace), theme, reviewer or REVIEWER)
    status = app.run()
    return app.return_code or status or 0


def summary(record: Record) -> str:
    """Return the game, its length and its end in a sentence or two."""
    final = record.final
    ending = Notes.of(record).ending
    end = final.scene(None).status
    if ending is not None:
        end = f"{ending.reason[:1].upper()}{ending.reason[1:]}."
    return printable(f"{record.game.title}, {counted(len(record.actions), 'action')}. {end}")


def show_record(
    path: Path,
    delay: float | None,
    at: int | None,
    plain: bool = False,
    theme: str | None = None,
    reviewer: str | None = None,
) -> int:
    """Show a record in full screen, while `reviewer` analyses it.

    In `plain` mode, or without a full screen, print all of it with a delay, one action for each
    line of input, or one position. From a pipe and without a delay, print everything at once.
    """
    record = load(path)
    states = record.states
    if at is not None:
        print(draw(record.state_at(at).scene(None)))
        return 0
    if reviewer is not None:
        vetted(reviewer, record.game)
    if not plain and can_show_full_screen() and has_full_screen():
        return on_full_screen(record, delay, theme, reviewer)
    asks = delay is None and is_interactive()
    print(summary(record))
    print("\n" + draw(states[0].scene(None)))
    for number, action in enumerate(record.actions, 1):
        if asks:
            print("Press Enter for the next action, q to quit: ", end="", flush=True)
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
