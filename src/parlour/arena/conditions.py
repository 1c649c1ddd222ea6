"""Conditions of a match besides the rules: clocks and adjudication."""

import re
from typing import Any, NamedTuple

from parlour.arena.errors import MatchError
from parlour.arena.plan import check_duel
from parlour.core.checks import shown
from parlour.core.game import Game
from parlour.table.clock import TimeControl

LARGEST_MARGIN = 60.0
MOST_DECISIONS = 1000

_STREAK = re.compile(r"([01](?:\.[0-9]{1,6})?)x([0-9]{1,4})")


class Streak(NamedTuple):
    """A number of decisions in a row with an opinion beyond a threshold: `0.95x6`."""

    value: float
    decisions: int

    @staticmethod
    def from_text(name: str, text: str) -> "Streak":
        """Parse `0.95x6`; raises `MatchError` with the option's `name`."""
        found = _STREAK.fullmatch(text.strip())
        value, count = (float(found[1]), int(found[2])) if found else (2.0, 0)
        if not (value <= 1.0 and 1 <= count <= MOST_DECISIONS):
            raise MatchError(
                f"{name} must look like 0.95x6: an opinion from 0 to 1, an x, and the decisions "
                f"in a row, from 1 to {MOST_DECISIONS}; not {shown(text)}"
            )
        return Streak(value, count)

    def to_text(self) -> str:
        """Return the text that `from_text` parses."""
        return f"{self.value:g}x{self.decisions}"


class Conditions(NamedTuple):
    """The clock of each seat, and adjudication rules."""

    control: TimeControl | None = None
    margin: float = 0.0
    """Seconds by which a clock may be exceeded before the game is lost."""
    resign: Streak | None = None
    """Resignation: a seat loses after this many opinions at or below minus the value."""
    draw: Streak | None = None
    """Adjudicated draw: both seats have had this many opinions within the value around 0."""
    max_plies: int | None = None
    """Draw after this many decisions; a loss in games for one."""

    @staticmethod
    def from_texts(
        tc: str | None = None,
        margin: float | None = None,
        resign: str | None = None,
        draw: str | None = None,
        max_plies: int | None = None,
    ) -> "Conditions":
        """Parse command-line arguments; raises `MatchError` or `ClockError`."""
        if margin is not None and tc is None:
            raise MatchError("--margin needs --tc: without clocks no game is lost on time")
        return Conditions(
            None if tc is None else TimeControl.from_text(tc),
            0.0 if margin is None else margin,
            None if resign is None else Streak.from_text("--resign", resign),
            None if draw is None else Streak.from_text("--draw", draw),
            max_plies,
        )

    def checked(self, game: Game) -> "Conditions":
        """Return itself; raises `MatchError` if the conditions do not fit the game."""
        if not 0.0 <= self.margin <= LARGEST_MARGIN:
            raise MatchError(
                f"the margin must be from 0 to {LARGEST_MARGIN:g} seconds, not {shown(self.margin)}"
            )
        if self.resign and game.num_teams > 1:
            check_duel("--resign", game)
        if self.draw:
            check_duel("--draw", game)
        if self.max_plies is not None and not (type(self.max_plies) is int and self.max_plies >= 1):
            raise MatchError(f"--max-plies must be 1 or more, not {shown(self.max_plies)}")
        return self

    def to_json(self) -> dict[str, Any]:
        """Return the conditions that are set, for a file."""
        found: dict[str, Any] = {}
        if self.control:
            found["tc"] = self.control.to_text()
            found["margin"] = self.margin
        if self.resign:
            found["resign"] = self.resign.to_text()
        if self.draw:
            found["draw"] = self.draw.to_text()
        if self.max_plies is not None:
            found["max_plies"] = self.max_plies
        return found


RULES_ALONE = Conditions()
"""No clocks and no adjudication."""
