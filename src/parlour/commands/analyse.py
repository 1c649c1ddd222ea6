"""The command `parlour analyse`."""

import json
import sys
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from parlour.agents import AgentFault, agent, hints
from parlour.agents.guard import analysis_of
from parlour.commands.game_command import GameCommand
from parlour.commands.parameters import AgentText, SourceName
from parlour.commands.position import position, refuse_secrets
from parlour.commands.shared_options import SOURCE_HELP, json_option, position_options
from parlour.core.checks import printable, shown
from parlour.core.errors import ParlourError
from parlour.core.game import CHANCE, OVER, State
from parlour.core.registry import game_names
from parlour.drawing.choices import advice_lines, advice_of
from parlour.drawing.review import MUCH, REVIEWER, SOME
from parlour.drawing.status_line import StatusLine, progress_bar
from parlour.drawing.text import draw
from parlour.exit_codes import NEGATIVE
from parlour.table import load
from parlour.table.locations import find_record
from parlour.terminal.replay import Replay


@click.command(cls=GameCommand, epilog=SOURCE_HELP)
@click.argument("source", type=SourceName())
@position_options
@click.option(
    "--agent",
    type=AgentText(),
    help="The agent that analyses.",
    show_default=f"{hints.ADVISER}; with --whole {REVIEWER}",
)
@click.option(
    "--most", type=click.IntRange(1), default=8, metavar="N", help="The number of choices to print."
)
@click.option("--whole", is_flag=True, help="Analyse every decision of a record.")
@json_option
@click.pass_context
def analyse(
    ctx: click.Context, /, agent: str | None, most: int, whole: bool, as_json: bool, **where: Any
) -> int:
    """Print an agent's evaluation of a position.

    With --whole you see how much each decision of a game lost.
    """
    if whole:
        refused = ["--set"] if where["settings"] else []
        for name in ("at", "seed", "most"):
            if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT:
                refused.append(f"--{name}")
        if refused:
            raise ParlourError(f"--whole covers every decision of a record: leave out {refused[0]}")
        if where["source"].partition(":")[0] in game_names():
            raise ParlourError(
                f"--whole analyses a saved game, and {shown(where['source'])} is the name of a "
                "game: name a record ('parlour records' lists them)"
            )
        return print_review(find_record(where["source"]), agent, as_json)
    return print_analysis(position(**where), agent, as_json, most)


def print_analysis(state: State, adviser: str | None, as_json: bool, most: int) -> int:
    """Print an agent's evaluation of a position; return 1 if there is nothing to decide."""
    if state.actor in (OVER, CHANCE):
        print("There is nothing to decide here: " + state.scene(None).status)
        return NEGATIVE
    refuse_secrets(state)
    analysis = hints.analyse(state, adviser=adviser or hints.ADVISER)
    if as_json:
        for choice in analysis.choices[:most]:
            print(json.dumps(choice._asdict(), ensure_ascii=False))
        return 0
    print(draw(state.scene(None)) + "\n")
    print(printable("\n".join(advice_lines(advice_of(state, analysis, None), most))))
    print(f"{analysis.work} positions or simulations in {analysis.seconds:.2f} s")
    return 0


def print_review(path: Path, adviser: str | None, as_json: bool) -> int:
    """Print an agent's evaluation of every decision in a record, and what each one lost.

    On a terminal, a status line shows the progress.
    """
    replay = Replay(load(path))
    if not replay.is_open:
        refuse_secrets(replay.record.states[0])
    think(replay, adviser or REVIEWER)
    lines = json_lines(replay) if as_json else review_lines(replay)
    print("\n".join(lines))
    return 0


def think(replay: Replay, adviser: str) -> None:
    """Analyse every decision. Raise `AgentFault` if the agent fails."""
    player, line = agent(adviser), StatusLine(sys.stderr)
    planned = len(replay.review.decisions)

    def show(done: int) -> None:
        line.show(lambda: f"Analysing {progress_bar(done, planned)}")

    try:
        show(0)
        steps = replay.review.steps(lambda state: analysis_of(player, state))
        for done, _ in enumerate(steps, 1):
            show(done)
    except AgentFault as fault:
        raise fault.of(adviser) from fault
    finally:
        line.close()


def review_lines(replay: Replay) -> list[str]:
    """Return a line for each move: what it lost, and the evaluation after it."""
    moves = [(f"{at}. {move.sentence}", move) for at, move in enumerate(replay.moves, 1)]
    width = max((len(text) for text, _ in moves), default=0)
    lines = []
    for text, move in moves:
        verdict = replay.review.verdict(move.ply)
        mark = verdict.mark if verdict else ""
        standing = replay.review.words(move.number)
        words = (replay.verdict_words(verdict), f"{standing[:1].upper()}{standing[1:]}.")
        review = " ".join(word for word in words if word and word != ".")
        lines.append(printable(f"{text:<{width}}  {mark:<2}  {review}".rstrip()))
    return [*lines, *total_lines(replay)]


def total_lines(replay: Replay) -> list[str]:
    """Return how many mistakes each seat made."""
    verdicts = [replay.review.verdict(ply) for ply in replay.review.decisions]
    lines = []
    for seat, name in enumerate(replay.names):
        marks = [verdict.mark for verdict in verdicts if verdict and verdict.seat == seat]
        lines.append(f"{name}: {marks.count(MUCH)} blunders, {marks.count(SOME)} mistakes.")
    return lines


def json_lines(replay: Replay) -> list[str]:
    """Return a JSON object for each decision, in plain values."""
    record, lines = replay.record, []
    for ply in replay.review.decisions:
        verdict = replay.review.verdict(ply)
        assert verdict is not None
        text = record.game.action_to_text(record.states[ply], record.actions[ply])
        found = {
            "number": ply + 1,
            "seat": verdict.seat,
            "action": text,
            "value": verdict.played,
            "best": verdict.best.choice.text,
            "best_value": verdict.best.choice.value,
            "lost": verdict.lost,
        }
        lines.append(json.dumps(found, ensure_ascii=False))
    return lines
