"""Interface and row types of the store.

The event log of each game is authoritative; other tables are derived from it or control access.
The log is append-only while the game is kept. A `Change` is one transaction: all or nothing.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple, Protocol

from parlour.core.errors import ParlourError
from parlour.core.game import OVER
from parlour.protocol.errors import StoreUnavailable
from parlour.table.errors import StaleEvents
from parlour.table.events import Event

WAITING = "waiting"
"""Waiting for people to take the open seats."""
PERSON_TO_ACT = "person"
AGENT_TO_ACT = "agent"
ENDED = "over"
LISTED_PER_OWNER = 10
"""Maximum listed games of one owner that are not over."""
PAIRING = "pairing"
"""Visibility of tables that quick pairing fills."""
MAX_BROADCAST = 7000
"""Maximum bytes of a message to other processes."""


class StoreRefused(ParlourError):
    """The store cannot be used; the message gives the reason and what to do."""

    code: ClassVar[str] = "bad_store"


class DamagedGame(ParlourError):
    """The stored log of a game has holes, so that the game cannot continue."""

    code: ClassVar[str] = "damaged_game"


class Outdated(StaleEvents):
    """Another request changed this game first."""


class InDoubt(StoreUnavailable):
    """A commit whose outcome is unknown, because the database was lost during it.

    Reload the game before using it again. Repeating the request is safe: it runs only once.
    """


class GameRow(NamedTuple):
    """A game: its set-up and its current standing."""

    id: str
    game: str
    options: str
    """As JSON."""
    seed: int
    chance_key: bytes
    control: str
    visibility: str
    created_at: int
    """Milliseconds since 1970, like every time in the store."""
    v: int = 0
    ply: int = 0
    status: str = WAITING
    actor: int = OVER
    """The seat to act."""
    touched_at: int = 0
    deadline: int | None = None
    """When a player's clock runs out."""
    rematch_of: str = ""
    rematch: str = ""
    """The table of the rematch."""
    owner: str = ""
    """Pseudonym of the address that created it."""


class SeatRow(NamedTuple):
    """The holder of a seat."""

    seat: int
    kind: str
    """`open`, `person` or `agent`."""
    agent: str = ""
    """The agent's specification."""
    name: str = ""
    nonce: str = ""
    epoch: int = 0
    """Tokens of other epochs are invalid."""
    left: bool = False
    """Whether the player left and an agent took over."""


class RequestRow(NamedTuple):
    """An executed request, kept so that repeating it returns the same response."""

    seat: int
    epoch: int
    req: str
    body: bytes
    """Hash of the request."""
    v: int


class TokenRow(NamedTuple):
    """Hash of a token or claim, and its seat."""

    hash: bytes
    seat: int
    epoch: int


class Change(NamedTuple):
    """One transaction on a game. `before` is the version that it is based on."""

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
    """Set if the key was unknown until now."""
    request: RequestRow | None = None
    seats: Sequence[SeatRow] = ()
    """Changed seats."""
    tokens: Sequence[TokenRow] = ()
    claims: Sequence[TokenRow] = ()
    """New invitations, valid while the seat has that epoch."""
    use_claim: bytes = b""
    """A claim that must exist and is deleted."""
    new_game: "NewGame | None" = None
    """The game of a rematch, created in the same transaction."""
    creation: "CreationRow | None" = None
    """The request that claimed a seat."""

    @property
    def after(self) -> int:
        """The version after the change."""
        return self.events[-1].number if self.events else self.before


class NewGame(NamedTuple):
    """A new game with its first events."""

    row: GameRow
    seats: Sequence[SeatRow]
    events: Sequence[Event] = ()
    tokens: Sequence[TokenRow] = ()
    claims: Sequence[TokenRow] = ()
    creation: "CreationRow | None" = None
    """The request that created it."""
    place: "Place | None" = None
    """Where the next person with the same wish finds it."""


class Place(NamedTuple):
    """A new table where a person waits for others with the same wish."""

    kind: bytes
    """Hash of the game, its options and its clock."""
    until: int
    """When the lease ends."""
    expired: int
    """Leases that ended by then are deleted."""
    before: str = ""
    """The table of this kind that it replaces."""


class CreationRow(NamedTuple):
    """A request that created a table or claimed a seat, kept so that it runs only once."""

    req: bytes
    """Hash of its key."""
    body: bytes
    """Hash of its body."""
    answer: str
    """The response as JSON, without secrets, which are derived from the key."""


class KeptGame(NamedTuple):
    """A stored game."""

    row: GameRow
    seats: list[SeatRow]
    events: list[Event]
    requests: list[RequestRow]


class Listing(NamedTuple):
    """A game without its events."""

    row: GameRow
    seats: list[SeatRow]


class Holder(NamedTuple):
    """The seat that a token or claim is for."""

    game: str
    seat: int
    epoch: int


class Run(NamedTuple):
    """A period in which a server was alive."""

    started: int
    heartbeat: int


class StoredMoves(NamedTuple):
    """Actions that another process has stored, for processes that are at version `before`."""

    before: int
    events: Sequence[Event]
    requests: Sequence[RequestRow]
    deadline: int | None


class Notification(NamedTuple):
    """A change or message of another process."""

    game: str
    v: int
    """The stored version. 0 for a new game without events, or for a message, which stores
    nothing."""
    words: bytes = b""
    """The message, if it is one."""
    moves: StoredMoves | None = None
    """The whole change, if it consists of actions; others must be read from the store."""


class Store(Protocol):
    """Storage of games. Every method may raise `StoreUnavailable`.

    When `commit` or `create` returns, the data is on disk. When it raises, nothing was stored,
    except with `InDoubt`, where the outcome is unknown.
    """

    IS_SHARED: ClassVar[bool]
    """Whether several processes can share the store."""

    async def create(self, new: NewGame) -> None:
        """Store a new game."""

    async def commit(self, change: Change) -> None:
        """Store a change completely or not at all.

        Raise `Outdated` unless the game is at `change.before`, and `ClaimUsed` if the claim does
        not exist.
        """

    async def load(self, game: str, after: int = 0) -> KeptGame | None:
        """Return a game and its events after a version, or `None`."""

    async def find_creation(self, request: bytes) -> CreationRow | None:
        """Return the request with that key hash, if it created a table or claimed a seat."""

    async def secret(self) -> bytes:
        """Return the store's secret of 32 bytes."""

    async def holder(self, token_hash: bytes) -> Holder | None:
        """Return the seat that a token is for; the caller must check the epoch."""

    async def claim_seat(self, claim_hash: bytes) -> Holder | None:
        """Return the seat that an unused claim is for; the caller must check the epoch."""

    async def listed(self, most: int) -> list[Listing]:
        """Return listed games that are not over, newest first."""

    async def some(self, games: Sequence[str]) -> list[Listing]:
        """Return those of the given games that exist."""

    async def tables(self, status: str | None, after: str, most: int) -> list[Listing]:
        """Return a page of games in the order of their ids, after the id `after`."""

    async def versions(self, games: Sequence[str]) -> dict[str, int]:
        """Return the stored versions of those of the given games that exist."""

    async def lease(self, game: str, v: int, now: int, until: int) -> bool:
        """Lease the agent's turn of a game at version `v` to this process, until `until`.

        Return false if another process holds an unexpired lease, or if the game is not at `v`.
        The holder may renew its lease. Any event in the game ends it.
        """

    # Quick pairing.

    async def find_place(self, kind: bytes, now: int) -> tuple[str, bool]:
        """Return the table of a kind, and whether a person waits there; an empty text if none."""

    async def hold_places(self, held: Sequence[tuple[bytes, str]], until: int) -> list[str]:
        """Renew the leases of waiting tables, given by kind. Return the tables that lost theirs."""

    async def release_places(self, now: int, game: str = "") -> None:
        """End the lease of a table now, or the leases of all tables."""

    async def orphans(self, expired: int) -> dict[str, int]:
        """Return the versions of waiting tables whose lease ended by `expired`."""

    # Games that need attention, each with its version.

    async def unleased(self, status: str, now: int) -> dict[str, int]:
        """Return the games of a status whose agent's turn is not leased."""

    async def due(self, now: int) -> dict[str, int]:
        """Return games whose deadline has passed."""

    async def idle(self, before: int) -> dict[str, int]:
        """Return unfinished games without events since `before`."""

    async def erase(self, before: int) -> list[str]:
        """Delete games without events since `before`, with all names, and return their ids.

        They are deleted a few at a time, so that other changes are stored in between.
        """

    async def count(self) -> dict[str, int]:
        """Return the number of games per status."""

    async def beat(self, now: int, is_trusted: bool = False) -> None:
        """Store a heartbeat of this process; if its clock is trusted, also as the trusted time."""

    async def trusted_time(self) -> int:
        """Return the last time that a trusted clock showed."""

    async def trust(self, now: int) -> None:
        """Store `now` as the trusted time."""

    async def runs(self) -> list[Run]:
        """Return the periods in which servers were alive, including this one."""

    def listen(self, received: Callable[[Notification], None]) -> None:
        """Call `received` in the event loop for changes and messages of other processes.

        Notifications may be lost, so poll `versions` as well.
        """

    async def broadcast(self, game: str, words: bytes) -> None:
        """Broadcast a transient message of at most `MAX_BROADCAST` bytes to other processes.

        Delivery is not guaranteed.
        """

    def watch(self, stored: Callable[[int, float], object]) -> None:
        """Call `stored` after every transaction with the number of changes and the seconds.

        It may be called in any thread.
        """

    async def settings(self) -> dict[str, str]:
        """Return the tuned limits, which apply to all processes."""

    async def set_setting(self, name: str, value: str | None) -> None:
        """Store a tuned limit; `None` deletes it."""

    async def close(self) -> None:
        """Store pending changes and close the connections."""
