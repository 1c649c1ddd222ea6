"""The lines between the points of a board, as characters."""

from collections.abc import Sequence

from parlour.core.scene import Board

Place = tuple[int, int]
"""A column and a line."""

CROSSINGS = {frozenset("─│"): "┼", frozenset("╱╲"): "╳"}
"""What two signs in one place look like; others hide the earlier one."""
CROSSED = frozenset(CROSSINGS.values())


def link_signs(board: Board, places: Sequence[Place]) -> dict[Place, str]:
    """Return the sign in each place that a link crosses; `places` are those of the points."""
    signs: dict[Place, str] = {}
    for one, two in board.links:
        for place, sign in _line(places[one], places[two]):
            before = signs.get(place, sign)
            if before not in CROSSED:
                signs[place] = CROSSINGS.get(frozenset((before, sign)), sign)
    return {place: sign for place, sign in signs.items() if place not in places}


def _line(start: Place, end: Place) -> list[tuple[Place, str]]:
    """Return the places strictly between two, with the sign that continues the line there."""
    (x, y), (right, down) = start, (end[0] - start[0], end[1] - start[1])
    steps = max(abs(right), abs(down))
    ats = [(x + round(right * n / steps), y + round(down * n / steps)) for n in range(steps + 1)]
    drawn = []
    for before, at, after in zip(ats, ats[1:], ats[2:], strict=False):
        across, along = after[0] - before[0], after[1] - before[1]
        if along == 0:
            sign = "─"
        elif across == 0:
            sign = "│"
        else:
            sign = "╲" if (across > 0) == (along > 0) else "╱"
        drawn.append((at, sign))
    return drawn
