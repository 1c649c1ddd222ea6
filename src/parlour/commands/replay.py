"""`replay`: a record step by step, or checked line by line."""

import sys
import time
from pathlib import Path

from parlour.commands.console import is_interactive
from parlour.commands.exit_codes import NEGATIVE
from parlour.core.errors import ParlourError, RecordError
from parlour.core.game import CHANCE
from parlour.core.record import Record
from parlour.scenes.text import draw
from parlour.table import load, verify


def check(path: Path) -> int:
    """Play a record again: 0 if every line is right, else 1 and the first that is not."""
    try:
        record = load(path)
    except RecordError as error:
        print(f"parlour: {error}", file=sys.stderr)
        return NEGATIVE
    print(f"{path}: right. {summary(record)}")
    if "key" in record.notes and "commitment" in record.notes:
        return _check_chance(record)
    return 0


def _check_chance(record: Record) -> int:
    """Whether the notes' key drew every random event."""
    try:
        wrong = verify(record, record.notes["commitment"], bytes.fromhex(record.notes["key"]))
    except (ParlourError, ValueError):
        wrong = "the key in the notes is damaged"
    if wrong is not None:
        print(f"parlour: chance was not as promised: {wrong}", file=sys.stderr)
        return NEGATIVE
    if record.game.has_chance:
        print("Every random event is the one that the key draws.")
    return 0


def summary(record: Record) -> str:
    """The game, its length and its end in a sentence or two."""
    final = record.final
    ending = record.notes.get("ending", "").partition(": ")[2]
    end = f"{ending[:1].upper()}{ending[1:]}." if ending else final.scene(None).status
    return f"{record.game.title}, {len(record.actions)} actions. {end}"


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
        text = record.game.action_to_text(before, action)
        who = "Chance" if before.actor == CHANCE else before.scene(None).seats[before.actor].name
        print(f"\n{number}. {who}: {text}")
        print(draw(states[number].scene(None)), flush=True)
    return 0
