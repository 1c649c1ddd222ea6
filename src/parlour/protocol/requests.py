"""The bodies and answers of HTTP, each a JSON object."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from parlour.protocol.messages import Number, TableInfo, WireScene
from parlour.table.events import EventView

Name = Annotated[str, Meta(max_length=40)]
Claim = Annotated[str, Meta(max_length=100)]
Level = Annotated[int, Meta(ge=1, le=9)]
Deeper = Annotated[int, Meta(ge=0, le=3)]
MOST_SHOWN = 50


class SeatWish(Struct):
    """Who is to hold a seat of a new table."""

    kind: Literal["open", "me", "agent"]
    level: Level = 3
    """For an agent: from 1 to 9."""


class NewTable(Struct):
    """What `POST /tables` takes."""

    game: Annotated[str, Meta(max_length=100)] = ""
    """Empty with a `record`."""
    options: dict[str, Any] = {}
    seats: Annotated[list[SeatWish], Meta(max_length=64)] = []
    """In the order of the game's seats; missing ones are open."""
    clock: Annotated[str, Meta(max_length=40)] = ""
    """Like `5m+3`: minutes for each seat and seconds for each action; empty: none."""
    visibility: Literal["link", "listed"] = "link"
    name: Name = ""
    """What to call the one who makes the table."""
    seed: Number | None = None
    """Of the set-up and of chance, for a game that is to be repeated."""
    nonce: Annotated[str, Meta(max_length=200)] = ""
    """What the maker adds to chance."""
    record: Annotated[str, Meta(max_length=262144)] = ""
    """A record to go on with, or a finished one to look at, in place of a game."""


class Invitation(Struct):
    """A link for one person; it can be used once."""

    seat: int
    url: str
    claim: str


class MadeTable(Struct, omit_defaults=True):
    """What `POST /tables` answers."""

    table: str
    watch_url: str
    invitations: list[Invitation] = []
    seat: int | None = None
    token: str = ""


class ClaimSeat(Struct, rename={"from_table": "from"}):
    """What `POST /tables/{table}/seats/{seat}/claim` takes."""

    claim: Claim = ""
    """The invitation's; without one only an open seat of a listed table can be had."""
    name: Name = ""
    nonce: Annotated[str, Meta(max_length=200)] = ""
    from_table: Annotated[str, Meta(max_length=40)] = ""
    """The table before a rematch, with that table's token: then no claim is needed."""


class Seated(Struct):
    """What a claim answers."""

    table: str
    seat: int
    token: str


class ReplaceSeat(Struct):
    """What `POST .../seats/{seat}/replace` takes: an agent of this level plays on."""

    level: Level = 3


class NewClaim(Struct):
    """What `POST .../seats/{seat}/devices` answers: for the same person elsewhere."""

    claim: str
    url: str


class Done(Struct):
    """It is done, and stored."""

    v: int


class TableState(TableInfo, omit_defaults=True):
    """What `GET /tables/{table}` answers: as a spectator sees it, or the seat of the token."""

    v: int = 0
    commitment: str = ""
    scene: WireScene | UnsetType = UNSET


class EventsAfter(Struct):
    """What `GET /tables/{table}/events?after=v` answers, oldest first."""

    v: int
    events: list[EventView]
    more: bool = False
    """Ask again, with the last version here."""


class AskAnalysis(Struct):
    """What `POST /analysis` takes: a position of a table, never a free one."""

    table: Annotated[str, Meta(max_length=40)]
    ply: Number | None = None
    """The last one if missing."""
    level: Level | None = None
    """Who is asked; missing: the best."""
    deeper: Deeper = 0
    """How much longer the best looks: twice the seconds each, of a position that it has been
    asked about before."""
    shown: Annotated[list[int], Meta(max_length=MOST_SHOWN)] = []
    """The actions that the viewer sees already, in that order: they keep it where nothing is
    clearly better."""


class ChoiceFound(Struct, omit_defaults=True):
    """A choice, with what is expected after it."""

    action: int
    text: str
    words: list[str]
    """The choice and the expected play, for people."""
    value: float
    """From -1, a loss for the seat to act, to 1."""
    value_words: str
    cells: tuple[int, ...] = ()


class AnalysisFound(Struct):
    """What `POST /analysis` answers."""

    ply: int
    choices: list[ChoiceFound]
    work: int
    is_final: bool = False
    """Whether a deeper look would say the same."""


class OptionInfo(Struct, omit_defaults=True):
    """An option of a game."""

    name: str
    kind: str
    """`integer`, `fraction`, `flag`, `choice` or `text`."""
    default: Any
    help: str
    low: float | UnsetType = UNSET
    high: float | UnsetType = UNSET
    choices: tuple[str, ...] = ()
    seats: dict[str, tuple[str, ...]] = {}
    """The names of the seats by the option's value, where it changes them."""


class RuleSection(Struct):
    """A part of the rules: a title, which may be empty, and plain paragraphs."""

    title: str
    text: str


class GameInfo(Struct, omit_defaults=True):
    """A game that can be played here, with its default options."""

    name: str
    title: str
    seats: int
    options: list[OptionInfo]
    rules: list[RuleSection]
    has_chance: bool
    has_secrets: bool
    draw_offers: bool
    has_frames: bool
    """Whether actions have steps to be shown one after another."""
    levels: int
    scene: WireScene
    """How it looks after some play, for a picture; the seats are called as at the start."""


class Games(Struct):
    """What `GET /games` answers."""

    games: list[GameInfo]


class GameTexts(Struct):
    """What `GET /games/NAME/languages/LANGUAGE` answers."""

    texts: dict[str, str]
    """From English texts, and templates with {placeholders}, to that language."""


class TableList(Struct):
    """What `GET /tables?listed` and `GET /tables?mine` answer."""

    tables: list[TableInfo]


class Refusal(Struct, omit_defaults=True):
    """Every answer that is not a success."""

    code: str
    message: str
    v: int | None = None
    ply: int | None = None
    retry_after: float | None = None


class Health(Struct):
    """What `GET /healthz` answers."""

    status: str
    version: str
