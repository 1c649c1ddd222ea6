"""A tournament as text for people and as JSON for programs."""

from typing import TYPE_CHECKING, Any

from parlour.arena.intervals import PERCENT
from parlour.arena.rating_report import aligned, rating_json
from parlour.arena.report import MOST_FAULTS
from parlour.arena.statistics import elo_text, points_text
from parlour.arena.tournament import TournamentResult
from parlour.core.errors import MissingExtra

if TYPE_CHECKING:
    from parlour.arena.rating import Ratings

MOST_CROSSED = 16
"""The largest number of agents for which the crosstable is printed; the HTML report has all."""


def ratings_of(result: TournamentResult) -> "Ratings | None":
    """Return the ratings if there are games and the extra [rating] is installed."""
    if not result.tally.outcomes.groups:
        return None
    try:
        from parlour.arena.rating import rate
    except MissingExtra:
        return None
    return rate(result.tally.outcomes)


def heading(result: TournamentResult) -> str:
    """Return the game and the number of games played."""
    game = result.game
    options = " ".join(
        f"{option.name}={option.to_text(game.options[option.name])}"
        for option in type(game).OPTIONS
    )
    of = "" if result.done == result.planned else f" of {result.planned}"
    name = f"{game.title} ({options})" if options else game.title
    return f"{name}, {result.style}, {result.done}{of} games, seed {result.seed}"


def tournament_report(result: TournamentResult, ratings: "Ratings | None") -> str:
    """Return the standings with ratings, the crosstable and the faults."""
    lines = [heading(result), "", *standing_lines(result, ratings), ""]
    names = [row.agent for row in result.tally.rows]
    if len(names) <= MOST_CROSSED:
        lines += [*_cross_lines(result, names), ""]
    if ratings is None:
        lines.append("ratings: pip install 'parlour[rating]'")
    else:
        lines += _seat_lines(ratings)
    lines += _fault_lines(result)
    return "\n".join(lines).rstrip()


def standing_lines(result: TournamentResult, ratings: "Ratings | None" = None) -> list[str]:
    """Return a row for each agent, best first."""
    rows = result.tally.rows
    elo = {each.agent: each for each in ratings.agents} if ratings else {}
    has_scores = any(row.score is not None for row in rows)
    heads = ["", "agent", "games", "points", "share", PERCENT]
    heads += ["Elo", PERCENT] * bool(elo) + ["score"] * has_scores + ["faults"]
    table = [heads]
    for place, row in enumerate(rows, 1):
        share = row.share
        cells = [str(place), row.agent, str(row.games), points_text(row.points)]
        if row.games:
            cells += [f"{share.mean:.1%}", f"[{100 * share.low:.1f}, {100 * share.high:.1f}]"]
        else:
            cells += ["-", ""]
        if elo:
            rated = elo.get(row.agent)
            cells += (
                [
                    elo_text(rated.elo.mean),
                    f"[{elo_text(rated.elo.low)}, {elo_text(rated.elo.high)}]",
                ]
                if rated
                else ["-", ""]
            )
        if has_scores:
            cells.append("-" if row.score is None else f"{row.score:.2f}")
        table.append([*cells, str(row.faults or "-")])
    return aligned(table)


def _cross_lines(result: TournamentResult, names: list[str]) -> list[str]:
    rows = [["points against", *(str(number) for number in range(1, len(names) + 1))]]
    for number, one in enumerate(names, 1):
        cells = [cross_text(result, one, two) for two in names]
        rows.append([f"{number} {one}", *cells])
    return aligned(rows, left=1)


def cross_text(result: TournamentResult, one: str, two: str) -> str:
    """Return the points of one agent against another: `3.5/4`, or a dot if they have not met."""
    if one == two:
        return "-"
    points, games = result.tally.against(one, two)
    return f"{points_text(points)}/{games}" if games else "."


def _seat_lines(ratings: "Ratings") -> list[str]:
    lines = []
    if len(ratings.seats) > 1:
        seats = ", ".join(map(elo_text, ratings.seats))
        lines.append(f"advantage of the seats in Elo: {seats}")
    if ratings.parts > 1:
        lines.append(f"{ratings.parts} parts have not met: their ratings are not comparable")
    return lines


def _fault_lines(result: TournamentResult) -> list[str]:
    faults = result.tally.faults.most_common()
    lines = [f"lost by {name}: {count} x {reason}" for (name, reason), count in faults]
    if len(lines) > MOST_FAULTS:
        lines[MOST_FAULTS:] = [f"and {len(lines) - MOST_FAULTS} other reasons: see games.jsonl"]
    return lines


def tournament_json(result: TournamentResult, ratings: "Ratings | None") -> dict[str, Any]:
    """Return everything in the report, for programs."""
    rows = result.tally.rows
    return {
        "format": "parlour tournament results 1",
        "game": result.game.name,
        "options": dict(result.game.options),
        "style": result.style,
        "seed": result.seed,
        "planned": result.planned,
        "games": result.done,
        "standings": [
            {
                "agent": row.agent,
                "games": row.games,
                "points": row.points,
                "share": row.share._asdict(),
                "score": row.score,
                "faults": row.faults,
                "against": {
                    other.agent: dict(zip(("points", "games"), against, strict=True))
                    for other in rows
                    if (against := result.tally.against(row.agent, other.agent))[1]
                },
            }
            for row in rows
        ],
        "ratings": rating_json(ratings) if ratings else None,
        "lengths": {str(plies): count for plies, count in sorted(result.tally.lengths.items())},
        "reasons": dict(sorted(result.tally.reasons.items())),
        "faults": [
            {"agent": name, "reason": reason, "games": count}
            for (name, reason), count in sorted(result.tally.faults.items())
        ],
    }
