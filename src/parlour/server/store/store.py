"""What a server keeps, and the promise of whoever keeps it.

The truth is a log of events for each game; everything else in the store can be found in it,
or says who may do what. Nothing in the log is ever changed or deleted while the game is
kept. One `Change` is one transaction: all of it is stored, or nothing.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple, Protocol

from parlour.core.errors import ParlourError
from parlour.core.game import OVER
from parlour.protocol.errors import StoreUnavailable
from parlour.table.errors import StaleEvents
from parlour.table.events import Event

WAITING = "waiting"
"""For people to take the open seats."""
PERSON_TO_ACT = "person"
AGENT_TO_ACT = "agent"
ENDED = "over"
MOST_WHISPERED = 7000
"""Bytes that can be told in passing."""


class StoreRefused(ParlourError):
    """A store that cannot be used at all: the text says why, and what to do."""

    code: ClassVar[str] = "bad_store"


class Outdated(StaleEvents):
    """Somebody else has stored something for this game in between."""


class InDoubt(StoreUnavailable):
    """It may be stored, or not: the database was lost while it was being committed.

    Whoever holds something of that game in memory reads it anew. The same request again is
    carried out once: it is found if it was stored.
    """


class GameRow(NamedTuple):
    """A game: what was decided when its table was made, and where it stands."""

    id: str
    game: str
    options: str
    """As JSON."""
    seed: int
    chance_key: bytes
    control: str
    visibility: str
    created_at: int
    """Milliseconds since 1970, like every moment in the store."""
    v: int = 0
    ply: int = 0
    status: str = WAITING
    actor: int = OVER
    """The seat to act."""
    touched_at: int = 0
    deadline: int | None = None
    """When something will have happened if nobody does anything: a clock has run out."""
    rematch_of: str = ""
    rematch: str = ""
    """The table of the game after this one."""


class SeatRow(NamedTuple):
    """Who holds a seat."""

    seat: int
    kind: str
    """`open`, `person` or `agent`."""
    agent: str = ""
    """The agent's text."""
    name: str = ""
    nonce: str = ""
    epoch: int = 0
    """Tokens of other epochs are not valid."""
    left: bool = False
    """Given up."""


class RequestRow(NamedTuple):
    """A request that was done, so that the same one again gets the same answer."""

    seat: int
    epoch: int
    req: str
    body: bytes
    """A hash of what was asked for."""
    v: int


class TokenRow(NamedTuple):
    """A token's hash, and what it is for."""

    hash: bytes
    seat: int
    epoch: int


class Change(NamedTuple):
    """One transaction: what happens to one game. `before` is the version that it follows."""

    game: str
    before: int
    events: Sequence[Event] = ()
    status: str | None = None
    actor: int | None = None
    ply: int | None = None
    at: int = 0
    deadline: int | None = None
    rematch: str = ""
    chance_key: bytes = b""
    """If it becomes known only now."""
    request: RequestRow | None = None
    seats: Sequence[SeatRow] = ()
    """As they are from now on."""
    tokens: Sequence[TokenRow] = ()
    claims: Sequence[TokenRow] = ()
    """New invitations, each for a seat as long as it has that epoch."""
    use_claim: bytes = b""
    """A claim that must be there, and is gone afterwards."""
    new_game: "NewGame | None" = None
    """Another game that begins in the same moment."""
    creation: "CreationRow | None" = None
    """The request that took a seat."""

    @property
    def after(self) -> int:
        """The version that it leads to."""
        return self.events[-1].number if self.events else self.before


class NewGame(NamedTuple):
    """A game that begins, with its first events."""

    row: GameRow
    seats: Sequence[SeatRow]
    events: Sequence[Event] = ()
    tokens: Sequence[TokenRow] = ()
    claims: Sequence[TokenRow] = ()
    creation: "CreationRow | None" = None
    """The request that made it."""


class CreationRow(NamedTuple):
    """A request that made a table or took a seat, so that it is carried out once."""

    req: bytes
    """The hash of its key."""
    body: bytes
    """The hash of its body."""
    answer: str
    """What was answered, as JSON, without the secrets in it: those follow from the key."""


class KeptGame(NamedTuple):
    """A game as it is kept."""

    row: GameRow
    seats: list[SeatRow]
    events: list[Event]
    requests: list[RequestRow]


class Listing(NamedTuple):
    """A game without its events."""

    row: GameRow
    seats: list[SeatRow]


class Holder(NamedTuple):
    """What a token or a claim is for."""

    game: str
    seat: int
    epoch: int


class Run(NamedTuple):
    """A time in which a server was alive."""

    started: int
    heartbeat: int


class Heard(NamedTuple):
    """What another process has stored or said."""

    game: str
    v: int
    """The version that is stored now; 0: nothing has happened yet in a game that was just made,
    or nothing was stored and `words` is a message in passing."""
    words: bytes = b""
    """What was whispered."""


class Store(Protocol):
    """Keeps games. Every method may raise `StoreUnavailable`.

    What `commit` and `create` have returned from is on the disk, whatever happens next. What
    they have refused is not; only where that cannot be known is it `InDoubt`.
    """

    IS_SHARED: ClassVar[bool]
    """Whether several processes may use it at the same time."""

    async def create(self, new: NewGame) -> None:
        """Keep a new game."""

    async def commit(self, change: Change) -> None:
        """Keep what happened: all of it, or nothing.

        `Outdated` unless the game is at `change.before`; `ClaimUsed` for a claim that is gone.
        """

    async def load(self, game: str, after: int = 0) -> KeptGame | None:
        """A game with everything that happened after a version, or `None`."""

    async def find_creation(self, request: bytes) -> CreationRow | None:
        """The request with a key of that hash, which made a table or took a seat."""

    async def secret(self) -> bytes:
        """32 bytes that belong to this store and that nobody else knows."""

    async def holder(self, token_hash: bytes) -> Holder | None:
        """What a token is for; whether its epoch is the seat's is for the caller to see."""

    async def claim_seat(self, claim_hash: bytes) -> Holder | None:
        """What a claim that was not used is for; its epoch is for the caller to see."""

    async def listed(self, most: int) -> list[Listing]:
        """Listed games that wait or are played, the latest first."""

    async def some(self, games: Sequence[str]) -> list[Listing]:
        """These games, as far as they are there."""

    async def tables(self, status: str | None, after: str, most: int) -> list[Listing]:
        """Games in the order of their ids, after that id: all of them, page by page."""

    async def versions(self, games: Sequence[str]) -> dict[str, int]:
        """The stored versions of these games, as far as they are there."""

    async def lease(self, game: str, v: int, now: int, until: int) -> bool:
        """Take the agent's turn of a game that is at `v` for this process, until then.

        False if another process has it and its time is not over, or the game is not at `v`.
        The one that holds it may prolong it. It ends with whatever happens in the game.
        """

    # Games that something has to be done with, each with the version for which that holds.

    async def leaseless(self, status: str, now: int) -> dict[str, int]:
        """The games of that status whose turn no process has taken, or whose lease is over."""

    async def due(self, now: int) -> dict[str, int]:
        """Games whose deadline is over."""

    async def idle(self, before: int) -> dict[str, int]:
        """Games that are not over, and to which nothing has happened since."""

    async def erase(self, before: int) -> list[str]:
        """Erase games to which nothing has happened since, with all names; which ones."""

    async def count(self) -> dict[str, int]:
        """How many games have each status."""

    async def beat(self, now: int) -> None:
        """Say that this server is alive."""

    async def runs(self) -> list[Run]:
        """When servers were alive, this run included."""

    def listen(self, heard: Callable[[Heard], None]) -> None:
        """From now on call `heard`, in the event loop, for what others store or whisper.

        A wake-up only: one may be lost, so `versions` is asked from time to time as well.
        """

    async def whisper(self, game: str, words: bytes) -> None:
        """Tell the other processes something that is not kept, at most `MOST_WHISPERED` bytes.

        Nobody need hear it.
        """

    def watch(self, stored: Callable[[int, float], object]) -> None:
        """From now on tell `stored` of every transaction: how many changes, and its seconds.

        It is called in whichever thread that was.
        """

    async def settings(self) -> dict[str, str]:
        """What operators have tuned while servers ran; every process reads it."""

    async def set_setting(self, name: str, value: str | None) -> None:
        """Keep what an operator has tuned; `None` removes it."""

    async def close(self) -> None:
        """Store what is waiting, and let go."""
