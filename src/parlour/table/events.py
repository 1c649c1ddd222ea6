"""Events, the numbered changes of a table, and the requests that cause them.

The events define a live game completely: a table that accepts the same events in the same order
reaches the same standing. They contain no states, and no secrets except the actions.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, NamedTuple


class EventKind(StrEnum):
    """The kind of an event.

    >>> EventKind("resign")
    <EventKind.RESIGN: 'resign'>
    """

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
"""Kinds of events that are actions in the game."""


ASIDE: Final = frozenset(("seat", "join", "leave", "start", "rematch", "decline_rematch", "say"))
"""Kinds of events that concern the table and not the game; `say` stands for chat."""


class Start(NamedTuple):
    """The settings with which a game starts on a server.

    >>> Start(("person", "level:3"), nonces=("", ""), seed=8).seats
    ('person', 'level:3')
    """

    seats: tuple[str, ...]
    """The holder of each seat: PERSON or an agent's text."""
    nonces: tuple[str, ...]
    """Each player's nonce."""
    seed: int


class Event(NamedTuple):
    """One change of a table. Tables, stores and processes exchange the same value.

    >>> event = Event(1, EventKind.PLAY, seat=0, ply=1, action=8)
    >>> event.number, event.kind.value
    (1, 'play')
    """

    number: int
    """Counts up from 1 and never decreases."""
    kind: EventKind
    seat: int
    """The seat that caused it, or CHANCE."""
    ply: int = 0
    """The number of actions after it; a takeback reduces it."""
    action: int = -1
    """The action or outcome, otherwise -1."""
    left: tuple[float, ...] = ()
    """The seconds left to each seat after it, if the game has clocks."""
    who: str = ""
    """The new holder of the seat: PERSON or an agent's text.

    After a resignation or a timeout with three or more seats, the agent that takes over.
    """
    at: int = 0
    """The time in milliseconds since 1970, on a server."""
    text: str = ""
    """The name of the person who joins, the id of the rematch's table, or the operator's reason
    for ending the game."""
    start: Start | None = None
    """Only for START."""


class Play(NamedTuple):
    """Play an action, given as its id or its text.

    >>> Play("1,1")
    Play(action='1,1')
    """

    action: object


class Undo(NamedTuple):
    """Take back the last action of a person and the agents' replies to it.

    >>> from parlour import game
    >>> from parlour.table import Table
    >>> table = Table(game("octa", size=1), seed=8)
    >>> table.play("1,1")[0].ply, table.request(0, Undo())[0].ply
    (1, 0)
    """


class AskTakeback(NamedTuple):
    """Ask to take back your last action, or agree to another player's request.

    The takeback happens when every other person agrees. It also removes all later actions.

    >>> AskTakeback(accept=True)
    AskTakeback(accept=True)
    """

    accept: bool = False
    """Only agree to an existing request; fail if there is none."""


class Redo(NamedTuple):
    """Repeat the actions of the last takeback, if nothing else happened since.

    >>> Redo()
    Redo()
    """


class OfferDraw(NamedTuple):
    """Offer a draw, or accept the other players' offer.

    >>> OfferDraw()
    OfferDraw(accept=False)
    """

    accept: bool = False
    """Only accept an existing offer; fail if there is none."""


class Decline(NamedTuple):
    """Decline an offer, or withdraw your own.

    >>> Decline("draw")
    Decline(offer='draw')
    """

    offer: Literal["draw", "takeback"]


class Resign(NamedTuple):
    """Resign. With three or more seats, an agent takes over the seat.

    >>> from parlour import game
    >>> from parlour.table import Table
    >>> table = Table(game("octa", size=1), seed=8)
    >>> table.request(0, Resign()) and table.outcome_words()
    'Player 1 resigned.'
    """


class ClaimTime(NamedTuple):
    """Claim that the seat to act has run out of time. It loses, or leaves as if it resigned.

    >>> ClaimTime()
    ClaimTime()
    """


class Abandon(NamedTuple):
    """End an abandoned game. Only the owner of the table may do this.

    >>> from parlour import game
    >>> from parlour.table import Table
    >>> table = Table(game("octa", size=1), seed=8)
    >>> table.request(-1, Abandon()) and table.outcome_words()
    'The game was abandoned.'
    """


class Replace(NamedTuple):
    """Give a seat to PERSON or to an agent.

    >>> Replace(seat=1, who="level:3")
    Replace(seat=1, who='level:3')
    """

    seat: int
    who: str


Request = (
    Play | Undo | AskTakeback | Redo | OfferDraw | Decline | Resign | ClaimTime | Abandon | Replace
)


@dataclass(frozen=True, slots=True)
class EventView:
    """An event as one viewer may see it. Servers send this type."""

    v: int
    """The event's number."""
    kind: str
    """An `EventKind`; newer servers may send other values."""
    seat: int
    """The seat that caused it; -1 is chance or the server."""
    name: str
    """The seat's display name: `player 2 (level:3)`."""
    words: str
    """The event in words: `L5 at e14`, `a card`, `resigns`. For a takeback, the removed actions."""
    sentence: str
    """The name and the words: `player 2 (level:3): 1,1`."""
    ply: int = 0
    """The number of actions after it."""
    action: int | None = None
    """The action's id, if there is one and the viewer may see it."""
    text: str | None = None
    """The action's exact text, under the same conditions."""
    cells: tuple[int, ...] = ()
    """The cells that the action touched, as far as the viewer may see them."""
    at: int = 0
    """The time in milliseconds since 1970; 0 without a server."""

    @property
    def is_aside(self) -> bool:
        """Whether it concerns the table, such as a new holder of a seat, and not the game.

        >>> EventView(1, "play", 0, "player 1", "1,1", "player 1: 1,1").is_aside
        False
        """
        return self.kind in ASIDE
