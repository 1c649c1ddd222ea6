"""Ratings as text, as Markdown between markers, and as JSON."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parlour.arena.errors import MatchError
from parlour.arena.intervals import PERCENT
from parlour.arena.statistics import elo_text
from parlour.files import write_atomically

if TYPE_CHECKING:
    from parlour.arena.rating import Rated, Ratings

MOST_IN_MATRIX = 12
"""The largest number of agents for which the matrix is printed."""

_BEGIN = "<!-- ratings {name} -->"
_END = "<!-- end of ratings -->"


def rating_report(ratings: "Ratings", game: str) -> str:
    """Return the ratings as a table for people."""
    count = f"{ratings.games} game{'s' * (ratings.games != 1)}"
    lines = [f"{game + ', ' if game else ''}{count}, Elo with {PERCENT} intervals", ""]
    for part in range(ratings.parts):
        inside = [each for each in ratings.agents if each.part == part]
        if ratings.parts > 1:
            lines += [f"part {part + 1} of {ratings.parts}, not comparable with the others", ""]
        lines += aligned([["", "agent", "Elo", PERCENT, "games"], *map(_row, enumerate(inside, 1))])
        lines.append("")
        lines += _matrix(ratings, [each.agent for each in inside])
    if len(ratings.seats) > 1:
        seats = ", ".join(map(elo_text, ratings.seats))
        lines.append(f"advantage of the seats in Elo: {seats}")
    if ratings.draws is not None:
        lines.append(f"draws between equals: {ratings.draws:.0%}")
    return "\n".join(lines).rstrip()


def _row(numbered: "tuple[int, Rated]") -> list[str]:
    place, each = numbered
    elo = each.elo
    interval = f"[{elo_text(elo.low)}, {elo_text(elo.high)}]"
    return [str(place), each.agent, elo_text(elo.mean), interval, str(each.games)]


def _matrix(ratings: "Ratings", names: list[str]) -> list[str]:
    """Return the probabilities in percent that each agent is stronger than each other."""
    if not 2 <= len(names) <= MOST_IN_MATRIX:
        return []
    rows = [["stronger than", *(str(number) for number in range(1, len(names) + 1))]]
    for number, one in enumerate(names, 1):
        cells = [
            "-" if one == two else f"{100 * ratings.superiority[one, two]:.0f}" for two in names
        ]
        rows.append([f"{number} {one}", *cells])
    return [*aligned(rows, left=1), ""]


def aligned(rows: list[list[str]], left: int = 2) -> list[str]:
    """Return the rows with aligned columns: the first `left` to the left, others right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def rating_json(ratings: "Ratings") -> dict[str, Any]:
    """Return the ratings for programs."""
    return {
        "games": ratings.games,
        "parts": ratings.parts,
        "agents": [
            {
                "agent": each.agent,
                "elo": round(each.elo.mean, 2),
                "low": round(each.elo.low, 2),
                "high": round(each.elo.high, 2),
                "games": each.games,
                "part": each.part + 1,
                "stronger_than": {
                    two: round(value, 4)
                    for (one, two), value in sorted(ratings.superiority.items())
                    if one == each.agent
                },
            }
            for each in ratings.agents
        ],
        "seats": [round(value, 2) for value in ratings.seats],
        "draws": None if ratings.draws is None else round(ratings.draws, 4),
    }


def markdown_table(ratings: "Ratings") -> str:
    """Return the ratings as a Markdown table."""
    lines = [f"| agent | Elo | {PERCENT} | games |", "| --- | ---: | --- | ---: |"]
    for each in ratings.agents:
        part = f" (part {each.part + 1})" if ratings.parts > 1 else ""
        _, _, mean, interval, games = _row((0, each))
        lines.append(f"| `{each.agent}`{part} | {mean} | {interval} | {games} |")
    return "\n".join(lines)


def write_between_markers(page: Path, name: str, table: str) -> bool:
    """Write a table between the markers of this name in a page; return whether it changed.

    The markers are `<!-- ratings NAME -->` and `<!-- end of ratings -->`. Raises `MatchError` if
    they are missing or the page cannot be read or written.
    """
    begin = _BEGIN.format(name=name)
    try:
        text = page.read_text("utf-8")
        pattern = re.compile(re.escape(begin) + r"\n.*?" + re.escape(_END), re.DOTALL)
        if len(pattern.findall(text)) != 1:
            raise MatchError(f"{page} needs one line '{begin}' followed by one '{_END}'")
        new = pattern.sub(lambda _: f"{begin}\n\n{table}\n\n{_END}", text)
        if new != text:
            write_atomically(page, new)
    except UnicodeDecodeError:
        raise MatchError(f"{page} is not text") from None
    except OSError as error:
        raise MatchError(f"{page}: {error.strerror}") from error
    return new != text
