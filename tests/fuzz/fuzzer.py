"""Fuzzer for all inputs that come from untrusted sources.

    python tests/fuzz/fuzzer.py --seconds 60 --seed 1

Each target derives an input from a valid one and passes it in. It may raise a `ParlourError`; any
other error is a bug, printed with the target, the seed and the number of the input, so that it can
be reproduced.
"""

import argparse
import io
import json
import random
import sys
import time
import traceback
from pathlib import Path

import parlour
from parlour import ParlourError, Record
from parlour.commands.play import given_seats
from parlour.core.registry import game_with
from parlour.server.store.log_rows import event_values, read_log
from parlour.table import Notes, Table, TimeControl
from parlour.table.opening import GameSetup
from parlour.terminal.jsonl import JsonGame

RECORDS = [
    path.read_text("utf-8")
    for path in sorted((Path(__file__).parent.parent / "golden" / "records").glob("*.parlour"))
]
GAMES = [
    parlour.game("octa:size=2"),
    parlour.game("banqi:rules=olympiad"),
    parlour.game("blokus:variant=duo"),
    parlour.game("cat_mouse"),
]
WORDS = [
    *("", " ", "\n", "=", ":", ",", "-1", "0", "9" * 40, "1e400", "nan", "inf", "None", "true"),
    *("é", "☃", "\x00", "\x1b[2J", "\udcff", "帥", "a" * 300, "../..", "%s", "{}", "[]", "()"),
]


def position(rng, game):
    """Return a position of a random game."""
    state, numbers = game.start(rng.randrange(5)), parlour.Rng(rng.randrange(2**32))
    for _ in range(rng.randrange(30)):
        if state.actor == parlour.OVER:
            break
        state = state.apply(state.sample(numbers))
    return state


def mangled(rng, text):
    """Return a text with a few random changes."""
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.randrange(12))
        text = rng.choice(
            [
                text[:at] + text[to:],
                text[:at] + rng.choice(WORDS) + text[at:],
                text[:at] + chr(rng.randrange(1, 0x250)) + text[to:],
                text[:to] + text[at:],
                text[at:] + text[:at],
                text.replace(rng.choice("0123456789 "), rng.choice(WORDS), 1),
            ]
        )
    return text


def nonsense(rng):
    """Return a value of a random type."""
    return rng.choice(
        [None, True, 1.5, b"x", [], {}, (), object(), 2**70, -(2**70), rng.choice(WORDS)]
    )


def records(rng):
    """Read and resume a record file."""
    record = Record.from_text(mangled(rng, rng.choice(RECORDS)))
    Notes.of(record)
    Table.resume(record)


def notes(rng):
    """Read invalid notes with a valid checksum."""
    record = Record.from_text(rng.choice(RECORDS))
    lines = dict(record.notes)
    for _ in range(rng.randrange(1, 4)):
        key = rng.choice([*lines, "seat.1", "offer", "nonce.2", "saved", "clock", "left"])
        lines[key] = mangled(rng, lines.get(key, "1"))
    Table.resume(record.with_notes(lines))


def states(rng):
    """Parse the text of a position."""
    game = rng.choice(GAMES)
    state = game.state_from_text(mangled(rng, game.state_to_text(position(rng, game))))
    state.scene()
    state.legal_actions()


def actions(rng):
    """Parse an action: a text, an id or something else."""
    state = position(rng, rng.choice(GAMES))
    texts = [state.game.action_to_text(state, a) for a in list(state.legal_actions())[:5]] or ["x"]
    tried = rng.choice([mangled(rng, rng.choice(texts)), nonsense(rng)])
    assert state.refusal(tried) is None or isinstance(state.refusal(tried), str)
    state.play(tried)


def options(rng):
    """Create a game with options, by keyword and by text."""
    name = rng.choice(parlour.game_names())
    declared = [option.name for option in parlour.game_class(name).OPTIONS]
    given = {rng.choice([*declared, "self", "nothing"]): nonsense(rng)}
    if rng.random() < 0.5:
        parlour.game(mangled(rng, f"{name}:{declared[0]}=1"), **given)
    else:
        game_with(name, [mangled(rng, f"{rng.choice(declared)}=1")])


def agents(rng):
    """Parse an agent and create its seats."""
    text = mangled(rng, rng.choice(["mcts:sims=20,seed=1", "level:5", "search:depth=2", "best"]))
    if rng.random() < 0.3:
        given_seats(GAMES[0], [mangled(rng, f"2={text}")])
    elif ":" not in text or text.partition(":")[0] in parlour.agent_names():
        parlour.agent(text)


def clocks(rng):
    """Parse a clock, play with it and resume."""
    control = TimeControl.from_text(mangled(rng, rng.choice(["5m+3", "300h", "0.5", "90s+0.5s"])))
    table = Table(GAMES[0], seed=1, control=control)
    table.play(table.state.legal_actions()[0])
    again = Table.resume(Record.from_text(table.snapshot().to_text()))
    assert again.clocks.control == control


def parts(rng):
    """Load a tampered pickle."""
    state = position(rng, rng.choice(GAMES))
    rebuild, arguments = state.__reduce__()[:2]
    damaged = rebuild(*(tampered(rng, part) for part in arguments))
    if isinstance(damaged, parlour.State):
        damaged.legal_actions()
        damaged.result()
        damaged.game.state_to_text(damaged)


def tampered(rng, part):
    """Change a number, some bytes, or the elements of a tuple."""
    if isinstance(part, bool) or rng.random() < 0.3:
        return part
    if isinstance(part, int):
        return rng.choice([part ^ 1 << rng.randrange(64), -part, part + 1, 2**63, -1, 0])
    if isinstance(part, bytes) and part:
        at = rng.randrange(len(part))
        return part[:at] + bytes([rng.randrange(256)]) + part[at + rng.randrange(2) :]
    if isinstance(part, tuple):
        return tuple(tampered(rng, each) for each in part)
    return part


def events(rng):
    """Read the rows of a stored log."""
    table = Table(GAMES[1], seed=1)
    table.play("c2")
    rows = [list(event_values(event)) for event in table.log]
    row = rng.choice(rows)
    at = rng.randrange(len(row))
    row[at] = str(nonsense(rng)) if isinstance(row[at], str) else rng.randrange(-5, 2000)
    try:
        log, _ = read_log(rows)
    except ValueError:
        return
    Table(GAMES[1], seed=1, chance=table.chance, log=log)


def lines(rng):
    """Send JSON lines; each must get one JSON response."""
    good = ['"1,1"', '{"action": 4}', '{"command": "undo"}', '{"command": "scene"}', "[[[]]]"]
    sent = [mangled(rng, rng.choice(good)).replace("\n", " ") for _ in range(6)]
    sent = [line for line in sent if line.strip() and "quit" not in line]
    sent = [line for line in sent if "hint" not in line and "analyse" not in line]
    out = io.StringIO()
    text = "".join(f"{line}\n" for line in sent)
    JsonGame(GameSetup(GAMES[0], (), 1).live, io.StringIO(text), out).run()
    # Only line feeds end lines, whatever Unicode defines.
    answers = [json.loads(line) for line in out.getvalue().split("\n") if line]
    assert len(answers) == len([line for line in text.split("\n") if line.strip()]) + 1
    assert all(isinstance(answer, dict) for answer in answers)


TARGETS = {
    target.__name__: target
    for target in (
        *(records, notes, states, actions, options),
        *(agents, clocks, parts, events, lines),
    )
}


def run_target(name, seed, number):
    """Feed one input to a target; any error but `ParlourError` propagates."""
    rng = random.Random(f"{name}/{seed}/{number}")
    try:
        TARGETS[name](rng)
    except ParlourError as error:
        text = str(error)
        assert text, "the error has no message"
        assert len(text) < 3000, "the error message repeats the whole input"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    end, number, found = time.monotonic() + chosen.seconds, 0, 0
    while time.monotonic() < end:
        for name in TARGETS:
            try:
                run_target(name, chosen.seed, number)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                found += 1
                print(f"{name}, seed {chosen.seed}, number {number}:", flush=True)
                traceback.print_exc()
        number += 1
    print(f"{number} inputs for each of {len(TARGETS)} targets, {found} bugs")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
