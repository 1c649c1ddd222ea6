"""The messages on a socket, each a JSON object whose `t` names its type.

`ClientMessage` is what a client may send, `ServerMessage` what it must be ready to hear. A
client ignores types and fields that it does not know.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from parlour.core.result import ZERO_SUM
from parlour.table.events import EventView

Number = Annotated[int, Meta(ge=0, lt=2**53)]
"""Also taken as 3.0: the JSON of some languages has no other numbers."""
Id = Annotated[str, Meta(min_length=1, max_length=64)] | Number
"""A client's own mark for a request: the same one again is the same request again."""
Action = Annotated[str, Meta(min_length=1, max_length=200)] | Number
"""An action's text, or its id."""
TableId = Annotated[str, Meta(max_length=40)]
Token = Annotated[str, Meta(max_length=100)]
OfferName = Literal["draw", "takeback", "rematch"]
SaidText = Annotated[str, Meta(min_length=1, max_length=200)]


# What a client sends.


class Hello(Struct, tag_field="t", tag="hello", forbid_unknown_fields=False):
    """The first message: which table, as whom, and the last version that the client knows.

    With `lobby` it is the list of tables instead, and `tokens` are those of one's own seats.
    """

    protocol: Number = 0
    """The version of the protocol that the client speaks; another one is refused."""
    table: TableId = ""
    token: Token = ""
    v: Number | None = None
    lobby: bool = False
    tokens: Annotated[list[Token], Meta(max_length=100)] = []


class Play(Struct, tag_field="t", tag="play"):
    """Make an action, which was chosen when the game stood at `ply`."""

    id: Id
    ply: Number
    action: Action


class Resign(Struct, tag_field="t", tag="resign"):
    """Give the game up."""

    id: Id


class Draw(Struct, tag_field="t", tag="draw", omit_defaults=True):
    """Offer a draw, or agree to it."""

    id: Id
    accept: bool = False
    """Only agree to an open offer of another seat; refused if it is gone."""


class Takeback(Struct, tag_field="t", tag="takeback", omit_defaults=True):
    """Ask to take one's own last action back, or agree to that."""

    id: Id
    accept: bool = False
    """As in `draw`."""


class Rematch(Struct, tag_field="t", tag="rematch", omit_defaults=True):
    """After the end: ask for another game, or agree to it."""

    id: Id
    accept: bool = False
    """As in `draw`."""


class Decline(Struct, tag_field="t", tag="decline"):
    """Decline an offer, or withdraw one's own."""

    id: Id
    offer: OfferName


class Say(Struct, tag_field="t", tag="say"):
    """Say something to those who sit at the table."""

    id: Id
    text: SaidText


class Premove(Struct, tag_field="t", tag="premove"):
    """What to play as soon as it is this seat's turn, if it is legal then; `null`: nothing."""

    id: Id
    action: Action | None


class AskPreview(Struct, tag_field="t", tag="preview"):
    """Which cells would change their owner if this seat played that now?"""

    id: Id
    action: Action


class AskWhy(Struct, tag_field="t", tag="why"):
    """Why can these cells not be touched, or that piece not be laid there?"""

    id: Id
    cells: Annotated[list[Number], Meta(max_length=64)]
    group: Annotated[str, Meta(max_length=100)] = ""


class AskFrames(Struct, tag_field="t", tag="frames"):
    """How did the action of that version come about, step by step?"""

    id: Id
    v: Number


class Ping(Struct, tag_field="t", tag="ping"):
    """Are you there? `at` comes back."""

    at: float = 0


Query = AskPreview | AskWhy | AskFrames
"""What changes nothing; its answer has the same type and id."""
ClientMessage = (
    Hello | Play | Resign | Draw | Takeback | Rematch | Decline | Say | Premove | AskPreview
    | AskWhy | AskFrames | Ping
)  # fmt: skip
SeatRequest = Play | Resign | Draw | Takeback | Rematch | Decline | Say | Premove
"""What is asked for a seat, on a socket or by `POST .../actions`."""


# Parts of what a server sends.


class WireCell(Struct, omit_defaults=True):
    """What can be seen in a cell; equal ones are sent once, in a palette."""

    glyph: str
    label: str
    owner: int = -1
    colour: str = ""
    face: str = ""
    sign: str = ""
    marks: tuple[str, ...] = ()
    piece: int = 0


class WireBoard(Struct, omit_defaults=True):
    """The geometry of the board."""

    rows: int
    cols: int
    row_names: tuple[str, ...]
    col_names: tuple[str, ...]
    shape: str = "square"
    """`square`, `hex`, or `points`: then the board is one row of points, which `col_names` name."""
    holes: tuple[int, ...] = ()
    points: tuple[tuple[float, float], ...] = ()
    """With `points`: where each point is, x to the right and y downwards, from 0 to 1."""
    links: tuple[tuple[int, int], ...] = ()
    """With `points`: pairs of points with a line between them."""


class WireSeat(Struct, omit_defaults=True):
    """What stands beside the board for a seat."""

    name: str
    score: str = ""
    tray: tuple[str | WireCell, ...] = ()
    """What it holds or has taken: each a text, or a cell with a face, such as a card."""


WireAction = tuple[int, str, tuple[int, ...], str, tuple[int, ...]]
"""id, text, cells, group, also: as in `parlour.ActionView`."""


class WireScene(Struct, omit_defaults=True):
    """All that one viewer sees: `cells` are indices into `palette`, in reading order."""

    palette: list[WireCell]
    cells: list[int]
    seats: list[WireSeat]
    actor: int
    """The seat to act; -1 chance, -2 nobody any more."""
    status: str
    actions: list[WireAction] = []
    """What this viewer may do now; empty unless it is its turn."""
    board: WireBoard | UnsetType = UNSET
    actors: tuple[int, ...] = ()
    """All seats to act, where several choose at once; missing: `actor` alone."""


class Diff(Struct, omit_defaults=True, rename={"palette_more": "palette+"}):
    """What has changed since the scene of the version before; what is missing has not."""

    palette_more: list[WireCell] = []
    """Added at the end of the palette."""
    cells: list[tuple[int, int]] = []
    """Pairs of a cell and its index in the palette."""
    seats: list[WireSeat] | UnsetType = UNSET
    actor: int | UnsetType = UNSET
    status: str | UnsetType = UNSET
    actions: list[WireAction] | UnsetType = UNSET
    actors: tuple[int, ...] | UnsetType = UNSET


class ClockTimes(Struct):
    """The seconds left to each seat at the moment of sending, and whose clock runs."""

    left: list[float]
    running: int | None


class SeatInfo(Struct, omit_defaults=True):
    """Who holds a seat."""

    kind: str
    """`open`, `person` or `agent`."""
    name: str = ""
    """The person's name."""
    level: int = 0
    """The agent's, from 1 to 9."""
    left: bool = False
    """Given up: an agent plays on."""


class Outcome(Struct):
    """How the game ended."""

    returns: list[float]
    words: str
    """In a sentence."""
    remark: str = ""
    """The game's own closing word."""
    key: str = ""
    """The chance key in hex, in a game with chance: with the record everything can be verified."""


class Offers(Struct, omit_defaults=True, frozen=True):
    """The open offers: the seats that made each or agree to it, its maker first."""

    draw: tuple[int, ...] = ()
    takeback: tuple[int, ...] = ()
    rematch: tuple[int, ...] = ()


NO_OFFERS = Offers()


class StandingView(Struct, omit_defaults=True):
    """Where the game stands, whole: a client stores it in place of the one before.

    Missing fields have their defaults; nothing is carried over.
    """

    v: int
    """The number of the last event."""
    ply: int
    """How many actions there are."""
    status: str
    """`waiting` for people, `playing` or `over`."""
    seats: list[SeatInfo]
    actor: int = -2
    """The seat to act; -2: nobody."""
    actors: tuple[int, ...] = ()
    """All seats to act, where several choose at once; missing: `actor` alone."""
    offers: Offers = NO_OFFERS
    clocks: ClockTimes | None = None
    ending: Outcome | None = None
    rematch: str = ""
    """The table of the next game, once everybody wants one."""
    position: str | None = None
    """In a game with secrets: a position that this seat cannot tell from the true one."""


class Spoken(Struct):
    """Something that was said at the table."""

    seat: int
    name: str
    text: str


# What a server sends.


class Welcome(Struct, tag_field="t", tag="welcome", omit_defaults=True):
    """Everything about the table, as this viewer may know it."""

    protocol: int
    """The version of the protocol that the server speaks."""
    table: str
    you: int | None
    """The seat that this socket speaks for; `null`: it watches."""
    game: str
    title: str
    options: dict[str, Any]
    commitment: str
    """The hash of the chance key."""
    standing: StandingView
    scene: WireScene | UnsetType = UNSET
    """Missing while the game waits for people."""
    history: list[EventView] = []
    """The actions of the game as it stands."""
    missed: list[EventView] = []
    """All events after the version in the hello; none if there are too many."""
    control: str = ""
    start: str | None = None
    """The first position exactly, in a game without secrets."""
    said: list[Spoken] = []
    rematch_of: str = ""
    remark: str = ""
    """The game's own word on how it goes."""
    chat: bool = False
    """Whether seats may chat."""
    can_draw: bool = False
    """Whether the game has draws by agreement."""
    utility: str = ZERO_SUM
    """`zero-sum`, `common` or `general`: how the returns of the seats relate."""
    teams: tuple[int, ...] = ()
    """The team of each seat; missing where every seat plays for itself."""


class Update(Struct, tag_field="t", tag="update", omit_defaults=True):
    """What happened at once, and where the game stands after it.

    The history is then its first `standing.ply - line` entries and the last `line` of `events`.
    """

    events: list[EventView]
    """Numbered without a gap; the first follows the version before."""
    standing: StandingView
    line: int = 0
    """How many of the last events are actions of the game as it stands."""
    diff: Diff | UnsetType = UNSET
    scene: WireScene | UnsetType = UNSET
    """The whole scene; a message has one of the two, or none if nothing has changed."""
    start: str | None = None
    """The first position exactly, if the game begins here and has no secrets."""


class Ack(Struct, tag_field="t", tag="ack"):
    """It is done, and stored; `v` is the last event of it."""

    id: Id
    v: int


class Error(Struct, tag_field="t", tag="error", omit_defaults=True):
    """It was refused, and nothing has changed."""

    code: str
    message: str
    id: Id | None = None
    v: int | None = None
    ply: int | None = None
    retry_after: float | None = None


class Resync(Struct, tag_field="t", tag="resync"):
    """Messages were left out: say hello again."""

    reason: str


class Presence(Struct, tag_field="t", tag="presence"):
    """Who is here."""

    seats: list[bool]
    watchers: int


class Thinking(Struct, tag_field="t", tag="thinking", omit_defaults=True):
    """An agent thinks; `ahead` others are asked before it."""

    seat: int
    ahead: int = 0


class Said(Spoken, tag_field="t", tag="say"):
    """Somebody says something."""


class PremoveState(Struct, tag_field="t", tag="premove", omit_defaults=True):
    """What this seat wants to play when its turn comes; `null`: nothing (any more)."""

    action: int | str | None
    message: str = ""
    """Why it was dropped."""


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
    """One's own seat."""
    your_turn: bool = False
    listed: bool = False


class Preview(Struct, tag_field="t", tag="preview"):
    """The cells whose owner that action would change."""

    id: Id
    cells: tuple[int, ...]


class Why(Struct, tag_field="t", tag="why"):
    """The rule against it; empty if there is none, or these cells mean nothing."""

    id: Id
    message: str


class Frames(Struct, tag_field="t", tag="frames"):
    """The steps of an action, without the position that it led to; each is a board."""

    id: Id
    v: int
    palette: list[WireCell]
    frames: list[list[int]]


class Tables(Struct, tag_field="t", tag="tables"):
    """The lobby: listed tables that wait for people or are played, and one's own."""

    tables: list[TableInfo]
    mine: list[TableInfo] = []


class Turn(Struct, tag_field="t", tag="turn"):
    """It is this person's turn at a table of theirs."""

    table: str


class Closing(Struct, tag_field="t", tag="closing"):
    """The server shuts down, and is back soon."""

    retry_after: float


class Pong(Struct, tag_field="t", tag="pong"):
    """Yes; `now` is the server's time in milliseconds."""

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
    | Tables
    | Turn
    | Closing
    | Pong
)
