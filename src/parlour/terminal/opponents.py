"""Opponents: the holders of the seats that the player does not take."""

from collections.abc import Mapping

from parlour.agents.isolation import vetted
from parlour.agents.registry import check_name, is_built_in
from parlour.core.game import Game
from parlour.table.errors import TableError
from parlour.table.notes import PERSON

DEFAULT_OPPONENT = "level:3"


def seats_for(
    played: Game,
    *,
    mine: int = 1,
    other: str = DEFAULT_OPPONENT,
    given: Mapping[int, str] | None = None,
) -> tuple[str, ...]:
    """Return the holder of each seat. Raise `TableError` or `AgentError` for invalid ones.

    `mine` is the player's seat, counted from 1 (0 for none), `other` holds the other seats, and
    `given` names the holders of single seats, counted from 0.
    """
    if not 0 <= mine <= played.seats:
        raise TableError(f"{played.title} has seats 1 to {played.seats}, not {mine}")
    seats = [PERSON if seat == mine else other for seat in range(1, played.seats + 1)]
    for seat, who in (given or {}).items():
        seats[seat] = who
    for who in seats:
        if who != PERSON and is_built_in(who):
            vetted(who, played)
        elif who != PERSON:
            check_name(who)  # its process checks the settings
    return tuple(seats)
