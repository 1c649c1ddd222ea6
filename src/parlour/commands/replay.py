"""`replay`: a record step by step, or checked line by line."""

import sys
import time
from pathlib import Path

from parlour.commands.console import is_interactive
from parlour.commands.exit_codes import NEGATIVE
from parlour.core.checks import printable
from parlour.core.errors import RecordError
from parlour.core.game import CHANCE
from parlour.core.record import Record
from parlour.scenes.text import draw
from parlour.table import Notes, load, verify


def check(path: Path) -> int:
    """Play a record again: 0 if every line is right, else 1 and the first that is not."""
    try:
        record = load(path)
        notes = Notes.of(record)
    except RecordError as error:
        print(printable(f"parlour: {error}"), file=sys.stderr)
        return NEGATIVE
    print(f"{path}: right. {summary(record)}")
    if notes.key is not None and notes.commitment:
        return _check_chance(record, notes.commitment, notes.key)
    return 0


def _check_chance(record: Record, commitment: str, key: bytes) -> int:
    """Whether the notes' key drew every random event."""
    wrong = verify(record, commitment, key)
    if wrong is not None:
        print(f"parlour: chance was not as promised: {wrong}", file=sys.stderr)
        return NEGATIVE
    if record.game.has_chance:
        print("Every random event is the one that the key draws.")
    return 0


def summary(record: Record) -> str:
    """The game, its length and its end in a sentence or two."""
    final = record.final
    ending = Notes.of(record).ending
    end = final.scene(None).status
    if ending is not None:
        end = f"{ending.reason[:1].upper()}{ending.reason[1:]}."
    return printable(f"{record.game.title}, {len(record.actions)} actions. {end}")


def replay(path: Path, delay: float | None, at: int | None) -> int:
    """Show a record: all of it with a delay, one action for each line of input, or one position.

    From a pipe, and without a delay, everything is printed at once.
    """
    record = load(path)
    states = record.states
    if at is not None:
        print(draw(record.state_at(at).scene(None)))
        return 0
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
