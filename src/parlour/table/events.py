"""What happens to a table, as plain numbered data, and what can be asked of it.

Events are the whole truth about a live game: a table that accepts them one after another
stands where the table stood that made them. They hold no states and no secrets but the
actions themselves.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, NamedTuple


class EventKind(StrEnum):
    """What an event is about."""

    PLAY = "play"
    CHANCE = "chance"
    TAKEBACK = "takeback"
    ASK = "ask"
    OFFER = "offer"
    DRAW = "draw"
    DECLINE_DRAW = "decline_draw"
    DECLINE_TAKEBACK = "decline_takeback"
    RESIGN = "resign"
    TIME_UP = "time_up"
    ABANDON = "abandon"
    SEAT = "seat"
    JOIN = "join"
    LEAVE = "leave"
    START = "start"
    REMATCH = "rematch"
    DECLINE_REMATCH = "decline_rematch"


ACTIONS: Final = frozenset((EventKind.PLAY, EventKind.CHANCE))
"""Kinds of events that are actions of the game."""


ASIDE: Final = frozenset(("seat", "join", "leave", "start", "rematch", "decline_rematch", "say"))
"""Kinds of events that are about the table; `say` is made of chat."""


class Start(NamedTuple):
    """How a game begins on a server."""

    seats: tuple[str, ...]
    """Who holds each seat: PERSON or an agent's text."""
    nonces: tuple[str, ...]
    """The nonce that each player added to chance."""
    seed: int


class Event(NamedTuple):
    """One thing that happened: the same value in a table, in a store and between processes."""

    number: int
    """Counts everything from 1 on; never goes back."""
    kind: EventKind
    seat: int
    """Who did it, or CHANCE."""
    ply: int = 0
    """How many actions there are after it; shrinks at a takeback."""
    action: int = -1
    """The action or outcome, otherwise -1."""
    left: tuple[float, ...] = ()
    """The seconds left to each seat after it, in a game with clocks."""
    who: str = ""
    """The new holder of the seat, PERSON or an agent's text, if the seat changes hands.

    With a resignation or a clock that has run out, in a game of three or more seats, the
    agent that plays on for the seat.
    """
    at: int = 0
    """When, in milliseconds since 1970, on a server."""
    text: str = ""
    """The name of a person who joins, the table of a rematch, or the reason why the operator
    ended the game."""
    start: Start | None = None
    """With START alone."""


class Play(NamedTuple):
    """Make an action: its id, or its text."""

    action: object


class Undo(NamedTuple):
    """Take the last action of a person back, and what agents answered."""


class AskTakeback(NamedTuple):
    """Take the own last action back if every other person agrees; or agree to that.

    What came after it goes with it, other people's actions too.
    """

    accept: bool = False
    """Only accept what another seat asks for; refused if nobody does any more."""


class Redo(NamedTuple):
    """Make again what the last takeback took, if nothing else was done since."""


class OfferDraw(NamedTuple):
    """Offer a draw, or accept the offer of others."""

    accept: bool = False
    """Only accept the offer of another seat; refused if it is gone."""


class Decline(NamedTuple):
    """Decline an offer, or withdraw one's own."""

    offer: Literal["draw", "takeback"]


class Resign(NamedTuple):
    """Give the game up; with three and more seats an agent plays on for this one."""


class ClaimTime(NamedTuple):
    """The seat to act has no time left: it loses, or leaves like one that resigns."""


class Abandon(NamedTuple):
    """End the game because nobody plays it any more; for the owner of the table alone."""


class Replace(NamedTuple):
    """Let somebody else hold a seat: PERSON, or the agent of a text."""

    seat: int
    who: str


Request = (
    Play | Undo | AskTakeback | Redo | OfferDraw | Decline | Resign | ClaimTime | Abandon | Replace
)


@dataclass(frozen=True, slots=True)
class EventView:
    """An event as one viewer may see it; servers send this very type."""

    v: int
    """The event's number."""
    kind: str
    """An `EventKind`; newer servers may send others."""
    seat: int
    """Who did it; -1 is chance, or the server."""
    name: str
    """What to call them: `player 2 (level:3)`."""
    words: str
    """What they did, for people: `L5 at e14`, `a card`, `resigns`; what they took back."""
    sentence: str
    """Who did what: `player 2 (level:3): 1,1`."""
    ply: int = 0
    """How many actions there are after it."""
    action: int | None = None
    """Missing where there was none, or the viewer may not know it."""
    text: str | None = None
    """The action's exact text, like `action`."""
    cells: tuple[int, ...] = ()
    """The cells that the action touched, as far as the viewer may know them."""
    at: int = 0
    """When, in milliseconds since 1970; 0 away from servers."""

    @property
    def is_aside(self) -> bool:
        """Whether it is about the table, such as a new holder of a seat, and not about the game."""
        return self.kind in ASIDE
