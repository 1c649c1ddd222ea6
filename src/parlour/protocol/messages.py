"""Messages on the WebSocket: JSON objects whose `t` names their type.

Clients send a `ClientMessage` and must handle every `ServerMessage`. They ignore unknown types
and fields.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from parlour.core.result import ZERO_SUM
from parlour.protocol.limits import ACTION_LENGTH, CHAT_LENGTH
from parlour.table.events import EventView

Number = Annotated[int, Meta(ge=0, lt=2**53)]
"""Also accepted as 3.0, because some languages have only floats in JSON."""
Id = Annotated[str, Meta(min_length=1, max_length=64)] | Number
"""Request id chosen by the client. Requests are idempotent: the same id runs once."""
Action = Annotated[str, Meta(min_length=1, max_length=ACTION_LENGTH)] | Number
"""An action's text, or its id."""
TableId = Annotated[str, Meta(max_length=40)]
Token = Annotated[str, Meta(max_length=100)]
OfferName = Literal["draw", "takeback", "rematch"]
SaidText = Annotated[str, Meta(min_length=1, max_length=CHAT_LENGTH)]


# Messages from client to server.


class Hello(Struct, tag_field="t", tag="hello", forbid_unknown_fields=False):
    """First message: the table, the token and the last version that the client has.

    With `lobby`, subscribe to the list of tables instead; `tokens` are those of your seats.
    """

    protocol: Number = 0
    """The client's protocol version; the server refuses any other than its own."""
    table: TableId = ""
    token: Token = ""
    v: Number | None = None
    lobby: bool = False
    tokens: Annotated[list[Token], Meta(max_length=100)] = []


class Play(Struct, tag_field="t", tag="play"):
    """Play an action that was chosen at `ply`."""

    id: Id
    ply: Number
    action: Action


class Resign(Struct, tag_field="t", tag="resign"):
    """Resign the game."""

    id: Id


class Draw(Struct, tag_field="t", tag="draw", omit_defaults=True):
    """Offer a draw, or accept an offer."""

    id: Id
    accept: bool = False
    """Only accept an open offer; refused if there is none."""


class Takeback(Struct, tag_field="t", tag="takeback", omit_defaults=True):
    """Ask to take back your last action, or accept such a request."""

    id: Id
    accept: bool = False
    """As in `draw`."""


class Rematch(Struct, tag_field="t", tag="rematch", omit_defaults=True):
    """Ask for another game after the end, or accept such a request."""

    id: Id
    accept: bool = False
    """As in `draw`."""


class Decline(Struct, tag_field="t", tag="decline"):
    """Decline an offer, or withdraw your own."""

    id: Id
    offer: OfferName


class Say(Struct, tag_field="t", tag="say"):
    """Send a chat message to the players at the table."""

    id: Id
    text: SaidText


class Premove(Struct, tag_field="t", tag="premove"):
    """Set the action to play, if legal, when this seat's turn comes; `null` clears it."""

    id: Id
    action: Action | None


class AskPreview(Struct, tag_field="t", tag="preview"):
    """Ask which cells would change if this seat played that action now."""

    id: Id
    action: Action


class AskWhy(Struct, tag_field="t", tag="why"):
    """Ask why these cells cannot be selected, or why that piece cannot be placed there."""

    id: Id
    cells: Annotated[list[Number], Meta(max_length=64)]
    group: Annotated[str, Meta(max_length=100)] = ""


class AskFrames(Struct, tag_field="t", tag="frames"):
    """Ask for the steps of the action of that version."""

    id: Id
    v: Number


class AskCoach(Struct, tag_field="t", tag="coach"):
    """Ask for the first steps that introduce the game on the board of its start."""

    id: Id


class Ping(Struct, tag_field="t", tag="ping"):
    """Check the connection; `at` is sent back."""

    at: float = 0


Query = AskPreview | AskWhy | AskFrames | AskCoach
"""A request that changes nothing. The response has the same type and id."""
ClientMessage = (
    Hello | Play | Resign | Draw | Takeback | Rematch | Decline | Say | Premove | AskPreview
    | AskWhy | AskFrames | AskCoach | Ping
)  # fmt: skip
SeatRequest = Play | Resign | Draw | Takeback | Rematch | Decline | Say | Premove
"""A request for a seat, over the WebSocket or `POST .../actions`."""


# Parts of messages from server to client.


class WireCell(Struct, omit_defaults=True):
    """The look of a cell; equal cells are sent once, in a palette."""

    glyph: str
    label: str
    owner: int = -1
    colour: str = ""
    face: str = ""
    sign: str = ""
    marks: tuple[str, ...] = ()
    piece: int = 0
    number: int = 0


class WireBoard(Struct, omit_defaults=True):
    """The geometry of the board."""

    rows: int
    cols: int
    row_names: tuple[str, ...]
    col_names: tuple[str, ...]
    shape: str = "square"
    """`square`, `hex`, or `points`: one row of points, named by `col_names`."""
    holes: tuple[int, ...] = ()
    points: tuple[tuple[float, float], ...] = ()
    """With `points`: the position of each point, x to the right and y down. The longer
    side of the board is from 0 to 1."""
    links: tuple[tuple[int, int], ...] = ()
    """With `points`: pairs of points that a line connects."""
    pieces: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = ()
    """The shape of each piece that trays and actions name: its rows and columns from 0."""


class WireSeat(Struct, omit_defaults=True):
    """A seat's display beside the board."""

    name: str
    score: str = ""
    tray: tuple[str | WireCell, ...] = ()
    """Pieces in hand or captured: each a text, or a cell with a face, such as a card."""


WireAction = tuple[int, str, tuple[int, ...], str, tuple[int, ...]]
"""id, text, cells, group, also: see `parlour.ActionView`."""


class WireScene(Struct, omit_defaults=True):
    """A viewer's whole scene: `cells` are indices into `palette`, in reading order."""

    palette: list[WireCell]
    cells: list[int]
    seats: list[WireSeat]
    actor: int
    """The seat to act; -1 for chance, -2 if the game is over."""
    status: str
    actions: list[WireAction] = []
    """The viewer's legal actions; empty unless it is their turn."""
    board: WireBoard | UnsetType = UNSET
    actors: tuple[int, ...] = ()
    """All seats to act in a simultaneous turn; missing if `actor` acts alone."""


class Diff(Struct, omit_defaults=True, rename={"palette_more": "palette+"}):
    """Changes since the scene of the previous version; missing fields are unchanged."""

    palette_more: list[WireCell] = []
    """Cells appended to the palette."""
    cells: list[tuple[int, int]] = []
    """Pairs of a cell and its palette index."""
    seats: list[WireSeat] | UnsetType = UNSET
    actor: int | UnsetType = UNSET
    status: str | UnsetType = UNSET
    actors: tuple[int, ...] | UnsetType = UNSET
    actions: list[WireAction] | UnsetType = UNSET
    """The last field, so that the messages of all viewers have the same beginning."""


class ClockTimes(Struct):
    """Seconds left for each seat at the time of sending, and the seat whose clock runs."""

    left: list[float]
    running: int | None


class SeatInfo(Struct, omit_defaults=True):
    """The holder of a seat."""

    kind: str
    """`open`, `person` or `agent`."""
    name: str = ""
    """The person's name."""
    level: int = 0
    """The agent's level, from 1 to 9."""
    left: bool = False
    """Whether the player left and an agent took over."""


class Outcome(Struct):
    """The result of the game."""

    returns: list[float]
    words: str
    """The result as a sentence."""
    remark: str = ""
    """The game's closing remark."""
    key: str = ""
    """The chance key in hex, in a game with chance; with the record it verifies all randomness."""


class Offers(Struct, omit_defaults=True, frozen=True):
    """Open offers: for each, the seats that made or accepted it, the offering seat first."""

    draw: tuple[int, ...] = ()
    takeback: tuple[int, ...] = ()
    rematch: tuple[int, ...] = ()


NO_OFFERS = Offers()


class StandingView(Struct, omit_defaults=True):
    """The complete standing of a game, which replaces the previous one.

    Missing fields have their defaults; nothing is carried over.
    """

    v: int
    """The number of the last event."""
    ply: int
    """The number of actions so far."""
    status: str
    """`waiting` for players, `playing` or `over`."""
    seats: list[SeatInfo]
    actor: int = -2
    """The seat to act; -2 if there is none."""
    actors: tuple[int, ...] = ()
    """All seats to act in a simultaneous turn; missing if `actor` acts alone."""
    offers: Offers = NO_OFFERS
    clocks: ClockTimes | None = None
    ending: Outcome | None = None
    remark: str = ""
    """The game's remark on how it is going; after the game, it is in `ending`."""
    rematch: str = ""
    """The table of the next game, once all players accepted a rematch."""
    position: str | None = None
    """In a game with hidden information: a position consistent with what this seat has seen."""


class Spoken(Struct):
    """A chat message."""

    seat: int
    name: str
    text: str


# Messages from server to client.


class Welcome(Struct, tag_field="t", tag="welcome", omit_defaults=True):
    """The table as this viewer may see it."""

    protocol: int
    """The server's protocol version."""
    table: str
    you: int | None
    """The seat of this connection; `null` for a spectator."""
    game: str
    title: str
    options: dict[str, Any]
    commitment: str
    """Hash of the chance key."""
    standing: StandingView
    scene: WireScene | UnsetType = UNSET
    """Missing while the game waits for players."""
    history: list[EventView] = []
    """The actions of the game so far."""
    missed: list[EventView] = []
    """All events after the version in `hello`; empty if there are too many."""
    control: str = ""
    start: str | None = None
    """The exact start position, in a game without hidden information."""
    said: list[Spoken] = []
    rematch_of: str = ""
    chat: bool = False
    """Whether players may chat."""
    can_draw: bool = False
    """Whether the game has draws by agreement."""
    utility: str = ZERO_SUM
    """`zero-sum`, `common` or `general`: how the returns of the seats relate."""
    teams: tuple[int, ...] = ()
    """The team of each seat; missing where every seat plays for itself."""


class Update(Struct, tag_field="t", tag="update", omit_defaults=True):
    """Events that happened together, and the standing after them.

    The new history is the first `standing.ply - line` entries of the old one, followed by the
    last `line` of `events`.
    """

    events: list[EventView]
    """Numbered without gaps, continuing from the previous version."""
    standing: StandingView
    line: int = 0
    """How many of the last events are actions of the current history."""
    start: str | None = None
    """The exact start position, if the game starts here and has no hidden information."""
    scene: WireScene | UnsetType = UNSET
    """The whole scene. A message has `diff` or `scene`, or neither if nothing changed."""
    diff: Diff | UnsetType = UNSET
    """The last field, as `actions` in it."""


class Ack(Struct, tag_field="t", tag="ack"):
    """The request is done and stored; `v` is its last event."""

    id: Id
    v: int


class Error(Struct, tag_field="t", tag="error", omit_defaults=True):
    """The request was refused; nothing has changed."""

    code: str
    message: str
    id: Id | None = None
    v: int | None = None
    ply: int | None = None
    retry_after: float | None = None


class Resync(Struct, tag_field="t", tag="resync"):
    """Messages were dropped: send `hello` again."""

    reason: str


class Presence(Struct, tag_field="t", tag="presence"):
    """Which seats are connected, and the number of spectators."""

    seats: list[bool]
    watchers: int


class Thinking(Struct, tag_field="t", tag="thinking", omit_defaults=True):
    """An agent is thinking; `ahead` requests are queued before it."""

    seat: int
    ahead: int = 0


class Said(Spoken, tag_field="t", tag="say"):
    """A chat message at the table."""


class PremoveState(Struct, tag_field="t", tag="premove", omit_defaults=True):
    """The seat's premove; `null` if there is none."""

    action: int | str | None
    message: str = ""
    """The reason it was dropped."""


class TableInfo(Struct, omit_defaults=True):
    """A table in a list."""

    table: str
    game: str
    title: str
    options: dict[str, Any]
    status: str
    seats: list[SeatInfo]
    created: int
    ply: int
    control: str = ""
    you: int | None = None
    """The viewer's own seat."""
    your_turn: bool = False
    listed: bool = False


class Preview(Struct, tag_field="t", tag="preview", omit_defaults=True):
    """The cells that would change, and how each of them would look."""

    id: Id
    cells: tuple[int, ...]
    looks: tuple[WireCell, ...] = ()


class Why(Struct, tag_field="t", tag="why"):
    """The rule against it; empty if there is none or the cells match no action."""

    id: Id
    message: str


class Frames(Struct, tag_field="t", tag="frames"):
    """The boards of an action's steps, without the final position."""

    id: Id
    v: int
    palette: list[WireCell]
    frames: list[list[int]]


class WireStep(Struct, omit_defaults=True):
    """A sentence of the coach, and the cells that it is about."""

    text: str
    cells: tuple[int, ...] = ()


class Coach(Struct, tag_field="t", tag="coach"):
    """The first steps of a new player; empty if the game has none."""

    id: Id
    steps: tuple[WireStep, ...]


class Tables(Struct, tag_field="t", tag="tables"):
    """The lobby: listed tables that are waiting or playing, and the viewer's own tables."""

    tables: list[TableInfo]
    mine: list[TableInfo] = []


class Turn(Struct, tag_field="t", tag="turn"):
    """It is the viewer's turn at one of their tables."""

    table: str


class Closing(Struct, tag_field="t", tag="closing"):
    """The server is shutting down and will be back soon."""

    retry_after: float


class Pong(Struct, tag_field="t", tag="pong"):
    """Response to `ping`; `now` is the server's time in milliseconds."""

    at: float
    now: int


ServerMessage = (
    Welcome
    | Update
    | Ack
    | Error
    | Resync
    | Presence
    | Thinking
    | Said
    | PremoveState
    | Preview
    | Why
    | Frames
    | Coach
    | Tables
    | Turn
    | Closing
    | Pong
)
