"""What happens to a table, as plain numbered data, and what can be asked of it.

Events are the whole truth about a live game: a table that accepts them one after another
stands where the table stood that made them. They hold no states and no secrets but the
actions themselves.
"""

from enum import StrEnum
from typing import Literal, NamedTuple

from parlour.core.checks import printable


class Kind(StrEnum):
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


class Event(NamedTuple):
    """One thing that happened."""

    number: int
    """Counts everything from 1 on; never goes back."""
    kind: Kind
    seat: int
    """Who did it, or CHANCE."""
    ply: int
    """How many actions there are after it; shrinks at a takeback."""
    action: int = -1
    """What was played or drawn, else -1."""
    left: tuple[float, ...] = ()
    """The seconds left to each seat after it, in a game with clocks."""
    who: str = ""
    """Who holds the seat from now on, where that is what happened: PERSON or an agent's text.

    With a resignation or a clock that has run out, in a game of three and more seats, the
    agent that plays on for the seat.
    """

    def to_data(self) -> dict[str, object]:
        """Plain values, for stores and messages."""
        return {**self._asdict(), "kind": str(self.kind), "left": list(self.left)}

    @staticmethod
    def from_data(data: "dict[str, object]") -> "Event":
        """What `to_data` wrote; `ValueError`, `KeyError` or `TypeError` for anything else."""
        left = data["left"]
        if not isinstance(left, list):
            raise TypeError("the seconds left are a list")
        numbers = [data[name] for name in ("number", "seat", "ply", "action")]
        if not all(type(value) is int for value in numbers):
            raise TypeError("number, seat, ply and action are ints")
        number, seat, ply, action = (int(str(value)) for value in numbers)
        kind, who = Kind(str(data["kind"])), data.get("who", "")
        may_change = kind in (Kind.SEAT, Kind.RESIGN, Kind.TIME_UP)
        if not isinstance(who, str) or (kind is Kind.SEAT and not who) or (who and not may_change):
            raise TypeError("who takes a seat is a text, and nobody does otherwise")
        return Event(number, kind, seat, ply, action, tuple(float(s) for s in left), who)


class Play(NamedTuple):
    """Make an action: its id, or its text."""

    action: object


class Takeback(NamedTuple):
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
    Play
    | Takeback
    | AskTakeback
    | Redo
    | OfferDraw
    | Decline
    | Resign
    | ClaimTime
    | Abandon
    | Replace
)


class EventView(NamedTuple):
    """An event as one viewer is told of it."""

    number: int
    kind: Kind
    seat: int
    """Who did it, or CHANCE."""
    name: str
    """What to call them: `player 2 (level:3)`."""
    action: int | None
    """`None` where there was none, or the viewer may not know it."""
    text: str | None
    """The action's exact text, or `None` like `action`."""
    words: str
    """What they did, for people: `L5 at e14`, `a card`, `resigns`; what they took back."""
    cells: tuple[int, ...]
    """The cells that the action touched, as far as the viewer may know them."""
    ply: int

    def sentence(self) -> str:
        """Who did what: `player 2 (level:3): 1,1`; of chance what it did, where that has words."""
        if self.kind is Kind.TAKEBACK:
            return printable(f"Taken back: {self.words}.")
        if self.kind in (Kind.SEAT, Kind.ABANDON):
            return printable(f"{self.words}.")
        if self.kind is Kind.CHANCE and not self.words.startswith("="):
            return printable(self.words)
        return printable(f"{self.name}: {self.words}")
