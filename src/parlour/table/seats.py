"""Who holds the seats of a table, and who may take one."""

from collections.abc import Sequence

from parlour.agents.isolation import vetted
from parlour.core.game import CHANCE, Game
from parlour.table.errors import TableError
from parlour.table.events import Replace
from parlour.table.notes import PERSON
from parlour.table.standing import Standing


def checked_seats(game: Game, seats: Sequence[str]) -> tuple[str, ...]:
    """Who holds each seat; missing ones are persons'.

    `TableError` for too many, `AgentError` or `OptionError` for a wrong agent.
    """
    if len(seats) > game.seats:
        raise TableError(f"{game.title} has {game.seats} seats, not {len(seats)}")
    held = [who.strip() for who in seats] + [PERSON] * (game.seats - len(seats))
    return tuple(who if who == PERSON else vetted(who, game) for who in held)


def who_takes(game: Game, standing: Standing, asker: int, request: Replace) -> str:
    """Who holds the seat if that is asked for by the seat `asker`, or by the owner: CHANCE.

    `TableError` if the asker may not give it away, or like `checked_seats`.
    """
    seat, who, held = request.seat, request.who.strip(), standing.seats
    if not 0 <= seat < game.seats:
        raise TableError(f"the seats are 0 to {game.seats - 1}, not {seat}")
    if seat in standing.gone:
        raise TableError("this seat was given up: an agent plays it to the end")
    if asker != CHANCE and held[asker] != PERSON:
        raise TableError("an agent does not say who holds a seat")
    if held[seat] == PERSON and who == PERSON:
        raise TableError("a person holds this seat already")
    if held[seat] == PERSON and asker not in (CHANCE, seat):
        raise TableError("this is the seat of another person")
    return who if who == PERSON else vetted(who, game)
