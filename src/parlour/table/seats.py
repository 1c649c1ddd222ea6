"""The holders of a table's seats, and who may change them."""

from collections.abc import Sequence

from parlour.agents.isolation import vetted
from parlour.core.game import CHANCE, Game
from parlour.table.errors import TableError
from parlour.table.events import Replace
from parlour.table.notes import PERSON
from parlour.table.standing import Standing


def checked_seats(game: Game, seats: Sequence[str]) -> tuple[str, ...]:
    """Return the holder of each seat; missing ones are people's.

    Raise `TableError` for too many seats, and `AgentError` or `OptionError` for an invalid agent.
    """
    if len(seats) > game.seats:
        raise TableError(f"{game.title} has {game.seats} seats, not {len(seats)}")
    held = [who.strip() for who in seats] + [PERSON] * (game.seats - len(seats))
    return tuple(who if who == PERSON else vetted(who, game) for who in held)


def new_holder(game: Game, standing: Standing, asker: int, request: Replace) -> str:
    """Return the new holder of a seat. `asker` is a seat, or CHANCE for the owner.

    Raise `TableError` if the asker may not give the seat away, and otherwise as `checked_seats`.
    """
    seat, who, held = request.seat, request.who.strip(), standing.seats
    if not 0 <= seat < game.seats:
        raise TableError(f"the seats are 0 to {game.seats - 1}, not {seat}")
    if seat in standing.gone:
        raise TableError("this seat was given up; an agent plays it to the end")
    if asker != CHANCE and held[asker] != PERSON:
        raise TableError("an agent cannot give a seat away")
    if held[seat] == PERSON and who == PERSON:
        raise TableError("a person already holds this seat")
    if held[seat] == PERSON and asker not in (CHANCE, seat):
        raise TableError("this seat belongs to another person")
    return who if who == PERSON else vetted(who, game)
