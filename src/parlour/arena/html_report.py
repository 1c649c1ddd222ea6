"""A tournament as one HTML file: standings, ratings, crosstable and game lengths.

It needs no network and has no scripts. Charts are inline SVG without text, so they can be
stretched to any width; all text is HTML.
"""

import math
from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from parlour.arena.intervals import PERCENT
from parlour.arena.statistics import elo_text, points_text
from parlour.arena.tournament import TournamentResult
from parlour.arena.tournament_report import cross_text, heading
from parlour.core.checks import printable

if TYPE_CHECKING:
    from parlour.arena.rating import Ratings

MOST_BARS = 48
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)

STYLE = """
:root { color-scheme: light dark; --page: #fbfaf7; --ink: #22252b; --quiet: #61666f;
  --line: #dcd9d2; --bar: #2f6db3; --band: #b9d2ec; --win: #cfe8d4; --loss: #f3d5cf; }
@media (prefers-color-scheme: dark) { :root { --page: #15171b; --ink: #e8e6e1;
  --quiet: #9aa0aa; --line: #33373f; --bar: #7cb4f0; --band: #2b4a6d; --win: #1f4a2b;
  --loss: #5a2a24; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 3rem; background: var(--page);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { color: var(--quiet); margin: .25rem 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; }
th { font-weight: 600; color: var(--quiet); }
.name { text-align: left; font-weight: 500; color: var(--ink); }
th.name { min-width: 8rem; white-space: normal; overflow-wrap: anywhere; }
.cross .name { position: sticky; left: 0; background: var(--page); }
.cross td[style] { background: color-mix(in srgb, var(--win) calc(var(--s) * 100%), var(--loss)); }
.rating { display: grid; grid-template-columns: minmax(6rem, max-content) max-content 1fr;
  gap: .35rem .8rem; align-items: center; font-variant-numeric: tabular-nums; }
.rating > .name { overflow-wrap: anywhere; }
.rating > .elo { text-align: right; white-space: nowrap; color: var(--quiet); }
.rating > .elo b { color: var(--ink); }
svg { display: block; width: 100%; }
.plot { height: 1.4rem; min-width: 6rem; }
.axis { display: flex; justify-content: space-between; color: var(--quiet); font-size: .85rem; }
.rating .axis { grid-column: 3; }
.hist { height: 9rem; border-bottom: 1px solid var(--line); }
.grid { stroke: var(--line); vector-effect: non-scaling-stroke; }
.zero { stroke: var(--quiet); stroke-dasharray: 3 3; vector-effect: non-scaling-stroke; }
.band { fill: var(--band); }
.bar { fill: var(--bar); }
@media (max-width: 40rem) { .rating { grid-template-columns: 1fr max-content; }
  .rating .plot, .rating .axis { grid-column: 1 / -1; } th, td { padding: .3rem .4rem; } }
"""


def html_report(result: TournamentResult, ratings: "Ratings | None") -> str:
    """Return the whole file, without ratings if there are none."""
    title = _text(heading(result))
    parts = [
        f"<h1>{_text(result.game.title)}, {result.style}</h1>",
        f"<p>{title}</p>",
        _standings(result),
        _ratings(ratings) if ratings else "",
        _crosstable(result),
        _lengths(result.tally.lengths),
        _endings(result),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">\n"
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(part for part in parts if part)
        + "\n</body>\n</html>\n"
    )


def _text(text: str) -> str:
    return escape(printable(text))


def _standings(result: TournamentResult) -> str:
    rows = result.tally.rows
    has_scores = any(row.score is not None for row in rows)
    heads = ["", "agent", "games", "points", "share", PERCENT, *["score"] * has_scores, "faults"]
    lines = []
    for place, row in enumerate(rows, 1):
        share = row.share
        cells = [str(place), "", str(row.games), points_text(row.points)]
        cells += [f"{share.mean:.1%}", f"{100 * share.low:.1f} to {100 * share.high:.1f}"]
        if has_scores:
            cells.append("–" if row.score is None else f"{row.score:.2f}")
        cells.append(str(row.faults or "–"))
        made = [f"<td>{cell}</td>" for cell in cells]
        made[1] = f'<th scope="row" class="name">{_text(row.agent)}</th>'
        lines.append(f"<tr>{''.join(made)}</tr>")
    head = "".join(
        f'<th scope="col"{" class=name" * (name == "agent")}>{name}</th>' for name in heads
    )
    return f"<h2>Standings</h2>\n{_scrolled('', head, lines)}"


def _scrolled(kind: str, head: str, lines: list[str]) -> str:
    body = "\n".join(lines)
    return (
        f'<div class="scroll" tabindex="0"><table class="{kind}"><thead><tr>{head}</tr></thead>'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _ratings(ratings: "Ratings") -> str:
    """Return a chart with a dot and an interval for each agent."""
    low = min(each.elo.low for each in ratings.agents)
    high = max(each.elo.high for each in ratings.agents)
    step = next((size for size in STEPS if (high - low) / size <= 8), STEPS[-1])
    first, last = math.floor(low / step) * step, math.ceil(high / step) * step
    span = max(1.0, float(last - first))
    ticks = list(range(first, last + 1, step))

    def at(value: float) -> float:
        return round(1000.0 * (value - first) / span, 2)

    grid = "".join(
        f'<line class="{"zero" if tick == 0 else "grid"}" x1="{at(tick)}" x2="{at(tick)}" y1="0" '
        'y2="20"/>'
        for tick in ticks
    )
    lines = []
    for each in ratings.agents:
        elo = each.elo
        part = f" (part {each.part + 1})" if ratings.parts > 1 else ""
        lines.append(
            f'<div class="name">{_text(each.agent)}{part}</div>'
            f'<div class="elo"><b>{elo_text(elo.mean)}</b> '
            f"[{elo_text(elo.low)}, {elo_text(elo.high)}]</div>"
            '<svg class="plot" viewBox="0 0 1000 20" preserveAspectRatio="none" '
            f'aria-hidden="true">{grid}'
            f'<rect class="band" x="{at(elo.low)}" y="7" height="6" '
            f'width="{max(1.0, at(elo.high) - at(elo.low)):.2f}"/>'
            f'<rect class="bar" x="{at(elo.mean) - 3:.2f}" y="3" width="6" height="14"/></svg>'
        )
    axis = f"<span>{first:+d}</span><span>Elo</span><span>{last:+d}</span>"
    notes = [f"The band is the {PERCENT} interval; the mean of all is 0."]
    if len(ratings.seats) > 1:
        seats = ", ".join(map(elo_text, ratings.seats))
        notes.append(f"Advantage of the seats in Elo: {seats}.")
    if ratings.draws is not None:
        notes.append(f"Draws between equals: {ratings.draws:.0%}.")
    if ratings.parts > 1:
        notes.append(f"{ratings.parts} parts have not met: their ratings are not comparable.")
    body = "\n".join(lines)
    return (
        f'<h2>Ratings</h2>\n<div class="rating">\n{body}\n<div class="axis">{axis}</div>\n</div>\n'
        f"<p>{' '.join(notes)}</p>"
    )


def _crosstable(result: TournamentResult) -> str:
    names = [row.agent for row in result.tally.rows]
    head = '<th scope="col" class="name">points of … against</th>' + "".join(
        f'<th scope="col" title="{_text(name)}">{number}</th>'
        for number, name in enumerate(names, 1)
    )
    lines = []
    for number, one in enumerate(names, 1):
        cells = [f'<th scope="row" class="name">{number} {_text(one)}</th>']
        for two in names:
            points, games = result.tally.against(one, two)
            style = f' style="--s:{points / games:.3f}"' if games else ""
            cells.append(f"<td{style}>{cross_text(result, one, two)}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f"<h2>Crosstable</h2>\n{_scrolled('cross', head, lines)}"


def _lengths(lengths: Counter[int]) -> str:
    """Return a histogram of the game lengths in plies."""
    if not lengths:
        return ""
    shortest, longest = min(lengths), max(lengths)
    width = max(1, math.ceil((longest - shortest + 1) / MOST_BARS))
    count = (longest - shortest) // width + 1
    bars = [0] * count
    for plies, games in lengths.items():
        bars[(plies - shortest) // width] += games
    most = max(bars)
    shapes = "".join(
        f'<rect class="bar" x="{at + 0.05:.2f}" width="0.9" '
        f'y="{100 - 100 * games / most:.2f}" height="{100 * games / most:.2f}"/>'
        for at, games in enumerate(bars)
        if games
    )
    total = lengths.total()
    mean = sum(plies * games for plies, games in lengths.items()) / total
    label = f"{total} games of {shortest} to {longest} plies, mean {mean:.1f}"
    axis = f"<span>{shortest}</span><span>plies</span><span>{longest}</span>"
    return (
        f'<h2>Lengths</h2>\n<svg class="hist" viewBox="0 0 {count} 100" role="img" '
        f'aria-label="{label}" preserveAspectRatio="none">{shapes}</svg>\n'
        f'<div class="axis">{axis}</div>\n<p>{label}; each bar is {width} '
        f"{'ply' if width == 1 else 'plies'} wide, the highest is {most} games.</p>"
    )


def _endings(result: TournamentResult) -> str:
    rows = [
        f'<tr><th scope="row" class="name">{_text(reason)}</th><td>{count}</td></tr>'
        for reason, count in result.tally.reasons.most_common()
    ]
    rows += [
        f'<tr><th scope="row" class="name">{_text(f"{name}: {reason}")}</th><td>{count}</td></tr>'
        for (name, reason), count in result.tally.faults.most_common()
    ]
    head = '<th scope="col" class="name">how the games ended</th><th scope="col">games</th>'
    return f"<h2>Endings</h2>\n{_scrolled('', head, rows)}"
