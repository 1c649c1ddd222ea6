"""The result of a match as text for people."""

import math

from parlour.arena.intervals import PERCENT, Estimate
from parlour.arena.results import MatchResult
from parlour.arena.statistics import elo_text
from parlour.core.result import GENERAL

MOST_FAULTS = 10


def match_report(result: MatchResult) -> str:
    """Return the match as text: a row per agent, then notes on the duel, faults and duplicates."""
    lines = [_heading(result), ""]
    rows = _rows(result)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    notes = [*_duel_lines(result), *_fault_lines(result), *_repeat_lines(result)]
    return "\n".join([*lines, *([""] if notes else []), *notes])


def _heading(result: MatchResult) -> str:
    game = result.game
    options = " ".join(
        f"{option.name}={option.to_text(game.options[option.name])}"
        for option in type(game).OPTIONS
    )
    done = len(result.games)
    of = "" if done == result.planned else f" of {result.planned}"
    count = f"{done}{of} game{'s' * (result.planned != 1)}"
    starts = len(result.groups)
    name = f"{game.title} ({options})" if options else game.title
    return f"{name}, {count} from {starts} start{'s' * (starts != 1)}, seed {result.seed}"


def _rows(result: MatchResult) -> list[list[str]]:
    teams = result.game.num_teams
    is_general = result.game.utility == GENERAL
    first = {1: "won", 2: "points"}.get(teams, "first")
    heads = ["agent", "games", *(["return", PERCENT] if is_general else [first, PERCENT])]
    heads += ["place", PERCENT] * (teams != 2)
    has_scores = any(standing.score for standing in result.standings)
    heads += ["score", PERCENT] * has_scores
    heads += ["plies", PERCENT] * (teams == 1)
    heads += ["faults"]
    rows = [heads]
    for standing in result.standings:
        row = [standing.agent, str(standing.games)]
        row += _number(standing.returns) if is_general else _share(standing.first)
        if teams != 2:
            row += _number(standing.place)
        if has_scores:
            row += _number(standing.score) if standing.score else ["-", ""]
        if teams == 1:
            row += _number(standing.plies)
        rows.append([*row, str(standing.faults or "-")])
    return rows


def _share(share: Estimate) -> list[str]:
    return [f"{share.mean:.1%}", f"[{100 * share.low:.1f}, {100 * share.high:.1f}]"]


def _number(value: Estimate) -> list[str]:
    if not (math.isfinite(value.low) and math.isfinite(value.high)):
        return [f"{value.mean:.2f}", "-"]
    return [f"{value.mean:.2f}", f"[{value.low:.2f}, {value.high:.2f}]"]


def _duel_lines(result: MatchResult) -> list[str]:
    duel = result.duel
    if duel is None:
        return []
    one, two = result.names
    lines = [
        f"{one}: {duel.won} won, {duel.drawn} drawn, {duel.lost} lost; "
        f"pairs with 0, ½, 1, 1½, 2 points: {', '.join(map(str, duel.pairs))}",
        f"Elo of {one} over {two}: {elo_text(duel.elo.mean)} "
        f"[{elo_text(duel.elo.low)}, {elo_text(duel.elo.high)}]",
    ]
    state = result.sprt_state
    if state is not None and result.sprt is not None:
        verdict = f"{state.verdict} accepted" if state.verdict else "undecided"
        lines.append(
            f"SPRT {result.sprt.to_text()}: {verdict}, "
            f"LLR {state.llr:z.2f} of [{state.lower:.2f}, {state.upper:.2f}]"
        )
    return lines


def _fault_lines(result: MatchResult) -> list[str]:
    counts = result.fault_counts
    lines = [f"lost by {name}: {count} x {reason}" for name, reason, count in counts[:MOST_FAULTS]]
    if len(counts) > MOST_FAULTS:
        lines.append(f"and {len(counts) - MOST_FAULTS} other reasons: see games.jsonl")
    return lines


def _repeat_lines(result: MatchResult) -> list[str]:
    if result.repeats == 0:
        return []
    return [
        f"{result.repeats} of {len(result.groups)} starts are duplicates of others, move for move: "
        "they add no evidence, and the intervals are too narrow"
    ]
