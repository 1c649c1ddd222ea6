"""Messages between a server and its `--admin` command, outside the public protocol.

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
    """Time of the last event."""
    v: int
    ply: int
    to_act: int = -1
    """The seat to act."""
    control: str = ""
    listed: bool = False
    rematch_of: str = ""
    rematch: str = ""


class AdminTables(Struct):
    """A page of tables, in the order of their names."""

    tables: list[AdminTable]
    after: str = ""
    """Pass this as `after` to get the next page; empty on the last page."""


class EndTable(Struct):
    """The reason for ending a game, shown to everyone at the table."""

    reason: Annotated[str, Meta(max_length=200)]


class EndedTable(Struct):
    """The version at which a game ended."""

    table: str
    v: int


class RunningGame(Struct):
    """Export of a running game, limited to the spectators' view."""

    table: AdminTable
    events: list[EventView]


class TrustedClock(Struct):
    """The trusted time before and after the operator confirmed the clock, in milliseconds."""

    before: int
    now: int


class LimitState(Struct):
    """The current value of a limit."""

    name: str
    value: str
    source: str
    """`default`, `command line` or `tuned`."""
    untuned: str
    """The value without tuning."""


class LimitList(Struct):
    """All limits that can be tuned."""

    limits: list[LimitState]


class SetLimits(Struct):
    """Limits to set, as text; `null` restores the value of the command line."""

    limits: Annotated[dict[str, str | None], Meta(min_length=1, max_length=20)]
