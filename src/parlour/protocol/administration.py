"""What passes between a server and its operator's command; no part of what clients are promised.

None of these Structs has a field for a token, a key or a seed.
"""

from typing import Annotated, Any

from msgspec import Meta, Struct

from parlour.protocol.messages import SeatInfo
from parlour.table.events import EventView

ADMIN = "/admin/v1"


class AdminTable(Struct, omit_defaults=True):
    """A table as its operator sees it."""

    table: str
    game: str
    options: dict[str, Any]
    status: str
    """`waiting`, `playing` or `over`."""
    seats: list[SeatInfo]
    created: int
    """Milliseconds since 1970, like `touched`."""
    touched: int
    """When something happened last."""
    v: int
    ply: int
    to_act: int = -1
    """The seat."""
    control: str = ""
    listed: bool = False
    rematch_of: str = ""
    rematch: str = ""


class AdminTables(Struct):
    """A page of tables, in the order of their names."""

    tables: list[AdminTable]
    after: str = ""
    """Ask for those after this one; empty: these were the last."""


class EndTable(Struct):
    """Why a game is ended: everybody at the table reads it."""

    reason: Annotated[str, Meta(min_length=1, max_length=200)]


class EndedTable(Struct):
    """The version with which a game has ended."""

    table: str
    v: int


class RunningGame(Struct):
    """What may be exported of a game that is not over: what its spectators know."""

    table: AdminTable
    events: list[EventView]


class LimitState(Struct):
    """A limit as it is in force."""

    name: str
    value: str
    source: str
    """`default`, `command line` or `tuned`."""
    untuned: str
    """What it is without being tuned."""


class LimitList(Struct):
    """All limits that can be tuned."""

    limits: list[LimitState]


class SetLimits(Struct):
    """Limits to be set, as they are typed; `null` gives one back to the command line."""

    limits: Annotated[dict[str, str | None], Meta(min_length=1, max_length=20)]
