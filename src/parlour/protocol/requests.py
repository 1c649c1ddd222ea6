"""Request and response bodies of the HTTP API, each a JSON object."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from parlour.protocol.limits import (
    NAME_LENGTH,
    POSITION_LENGTH,
    RECORD_LENGTH,
    SHOWN_LINES,
    TREE_NODES,
)
from parlour.protocol.messages import Number, Outcome, TableInfo, WireBoard, WireCell, WireScene
from parlour.table.chance import LONGEST_NONCE
from parlour.table.events import EventView

Name = Annotated[str, Meta(max_length=NAME_LENGTH)]
Nonce = Annotated[str, Meta(max_length=LONGEST_NONCE)]
Claim = Annotated[str, Meta(max_length=100)]
Level = Annotated[int, Meta(ge=1, le=9)]
Position = Annotated[str, Meta(max_length=POSITION_LENGTH)]
Deeper = Annotated[int, Meta(ge=0, le=3)]


class SeatWish(Struct):
    """The holder of a seat of a new table."""

    kind: Literal["open", "me", "agent"]
    level: Level = 3
    """The agent's level, from 1 to 9."""


class NewTable(Struct):
    """Request body of `POST /tables`."""

    game: Annotated[str, Meta(max_length=100)] = ""
    """Empty if `record` is set."""
    options: dict[str, Any] = {}
    seats: Annotated[list[SeatWish], Meta(max_length=64)] = []
    """In the order of the game's seats; missing seats are open."""
    clock: Annotated[str, Meta(max_length=40)] = ""
    """For example `5m+3`: minutes per seat plus seconds per action; empty for no clock."""
    visibility: Literal["link", "listed"] = "link"
    name: Name = ""
    """The name of the player who creates the table."""
    seed: Number | None = None
    """Seed of the set-up and of chance, to repeat a game. Refused with hidden information, and with
    random events if a second person may sit."""
    nonce: Nonce = ""
    """The creator's contribution to chance."""
    record: Annotated[str, Meta(max_length=RECORD_LENGTH)] = ""
    """Instead of a game: an unfinished record to resume, or a finished one to view. It may have
    at most 4,000 actions, chance outcomes included."""


class Invitation(Struct):
    """A link that gives one person a seat, once."""

    seat: int
    url: str
    claim: str


class MadeTable(Struct, omit_defaults=True):
    """Response of `POST /tables`."""

    table: str
    watch_url: str
    invitations: list[Invitation] = []
    seat: int | None = None
    token: str = ""


class ClaimSeat(Struct, rename={"from_table": "from"}):
    """Request body of `POST /tables/{table}/seats/{seat}/claim`."""

    claim: Claim = ""
    """The claim of the invitation; open seats of listed tables need none."""
    name: Name = ""
    nonce: Nonce = ""
    from_table: Annotated[str, Meta(max_length=40)] = ""
    """The table before a rematch; with that table's token, no claim is needed."""


class FindGame(Struct):
    """Request body of `POST /pairing`: the game to play with the next people who want the same."""

    game: Annotated[str, Meta(min_length=1, max_length=100)]
    options: dict[str, Any] = {}
    clock: Annotated[str, Meta(max_length=40)] = ""
    """As for a new table; empty for no clock."""
    name: Name = ""
    nonce: Nonce = ""


class Seated(Struct):
    """Response to a claim, and to `POST /pairing`."""

    table: str
    seat: int
    token: str


class ReplaceSeat(Struct):
    """Request body of `POST .../seats/{seat}/replace`: the level of the agent that takes over."""

    level: Level = 3


class NewClaim(Struct):
    """Response of `POST .../seats/{seat}/devices`: an invitation for another device."""

    claim: str
    url: str


class SeatsLink(Struct):
    """Response of `POST /seats/link`: a link that gives another browser your seats, once."""

    code: str
    url: str
    seats: int
    """How many seats it carries: the newest ones, running games first."""
    seconds: int
    """How long it works."""


class SeatsCode(Struct):
    """Request body of `POST /seats/claim` and `POST /seats/revoke`."""

    code: Annotated[str, Meta(min_length=1, max_length=100)]


class SeatsFound(Struct):
    """Response of `POST /seats/claim`."""

    seats: list[Seated]


class SeatsRevoked(Struct):
    """Response of `POST /seats/revoke`: how many seats the link still carried."""

    seats: int


class Done(Struct):
    """The request is done and stored."""

    v: int


class TableState(TableInfo, omit_defaults=True):
    """Response of `GET /tables/{table}`, as seen by the token's seat or a spectator."""

    v: int = 0
    commitment: str = ""
    scene: WireScene | UnsetType = UNSET
    ending: Outcome | UnsetType = UNSET
    """The result of a finished game."""


class EventsAfter(Struct):
    """Response of `GET /tables/{table}/events?after=v`, oldest event first."""

    v: int
    events: list[EventView]
    more: bool = False
    """Whether to ask again, with the last version here as `after`."""


class AskTree(Struct):
    """Request body of `POST /positions`: a game and variations, which the server does not store."""

    game: Annotated[str, Meta(max_length=100)] = ""
    """Empty if `record` is set."""
    options: dict[str, Any] = {}
    seed: Number = 0
    """The seed of the start, if there is no position."""
    position: Position = ""
    """The text of the first position; missing for the start of a game."""
    record: Annotated[str, Meta(max_length=RECORD_LENGTH)] = ""
    """Instead of a game: a record, whose actions come first."""
    moves: Annotated[list[tuple[Number, int]], Meta(max_length=TREE_NODES)] = []
    """Actions to play, each with the number of the node where it is played. Node 0 is the first
    position; every action adds a node."""
    shown: Number | None = None
    """The node whose scene is sent; the last one if missing."""


class NodeFound(Struct, omit_defaults=True):
    """A position of a tree, and the action that led to it."""

    position: str
    """The text of the position, from which to go on."""
    parent: int = -1
    action: int = -1
    text: str = ""
    words: str = ""
    seat: int = -2
    """The seat that acted; -1 for chance."""
    cells: tuple[int, ...] = ()
    actor: int = -2
    """The seat to act; -1 for chance, -2 at the end."""
    returns: tuple[float, ...] = ()
    """The result, at the end of the game."""


class TreeFound(Struct, omit_defaults=True):
    """Response of `POST /positions`."""

    game: str
    title: str
    options: dict[str, Any]
    nodes: list[NodeFound]
    shown: int
    scene: WireScene
    """The shown position as the seat to act sees it, with its legal actions. Chance outcomes are
    actions without cells."""
    teams: tuple[int, ...]
    has_two_sides: bool
    """Whether a value for one team is the negated value for the other."""
    can_set_up: bool
    """Whether positions may be written: not in games with hidden information."""


class AskAnalysis(Struct):
    """Request body of `POST /analysis`: a position of a table, or of a game by its text."""

    table: Annotated[str, Meta(max_length=40)] = ""
    ply: Number | None = None
    """The current position of the table if missing."""
    game: Annotated[str, Meta(max_length=100)] = ""
    """Instead of a table: the game of `position`."""
    options: dict[str, Any] = {}
    position: Position = ""
    played: int | None = None
    """An action to judge."""
    brief: bool = False
    """Whether to think for a fraction of the time, for the review of a whole game."""
    level: Level | None = None
    """The agent's level; missing for the strongest agent."""
    deeper: Deeper = 0
    """Each step doubles the thinking time of the strongest agent, for a position it has already
    analysed."""
    shown: Annotated[list[int], Meta(max_length=SHOWN_LINES)] = []
    """The actions on display, in order. They keep their order unless another one is clearly
    better."""


class ChoiceFound(Struct, omit_defaults=True):
    """A choice and the expected continuation."""

    action: int
    text: str
    words: list[str]
    """The choice and the expected continuation, in words."""
    value: float
    """From -1 (the seat to act loses) to 1."""
    value_words: str
    cells: tuple[int, ...] = ()


class Judgement(Struct, omit_defaults=True):
    """A played action, compared with the best one."""

    choice: ChoiceFound
    lost: float = 0.0
    """The difference to the value of the best action; from 0 to 2."""
    mark: str = ""
    """`?` for a mistake, `??` for a blunder."""


class AnalysisFound(Struct):
    """Response of `POST /analysis`."""

    ply: int
    """The number of actions before the position; 0 without a table."""
    choices: list[ChoiceFound]
    work: int
    is_final: bool = False
    """Whether a deeper analysis would give the same result."""
    played: Judgement | UnsetType = UNSET
    """The judgement of the action that was asked for."""


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
    label: str = ""
    """What forms call the option."""
    choice_labels: tuple[str, ...] = ()
    """What forms call the choices, in the same order; empty for the choices themselves."""
    seats: dict[str, tuple[str, ...]] = {}
    """The seats' names per value of the option, if it changes them."""


class RuleSection(Struct):
    """A section of the rules: a title, which may be empty, and plain paragraphs."""

    title: str
    text: str


class GameInfo(Struct, omit_defaults=True):
    """A game of this server, with its default options."""

    name: str
    title: str
    seats: int
    options: list[OptionInfo]
    rules: list[RuleSection]
    has_chance: bool
    has_secrets: bool
    draw_offers: bool
    has_frames: bool
    """Whether actions have steps that can be animated."""
    levels: int
    scene: WireScene
    """A sample position for a picture, with the seats named as at the start."""
    summary: str = ""
    """One line that says what the game is."""
    minutes: int = 0
    """How long a game usually takes; 0 if unknown."""
    puzzles: int = 0
    """How many puzzles come with the game."""


class Games(Struct):
    """Response of `GET /games`."""

    games: list[GameInfo]


class GamePreview(Struct, omit_defaults=True):
    """Response of `GET /games/NAME/preview`: a short game between agents, seen by a spectator."""

    palette: list[WireCell]
    """The cells of all positions."""
    cells: list[int]
    """The first position, as indices into the palette; empty if there is no preview."""
    changes: list[list[tuple[int, int]]]
    """For each later position the changed cells, with their new indices into the palette."""
    board: WireBoard | UnsetType = UNSET


class GameExamples(Struct):
    """Response of `GET /games/NAME/examples`: moving pictures of the rules."""

    examples: list[GamePreview]
    """One for each section of the rules; without cells if the section has no picture."""


class PuzzleFound(Struct):
    """A position in which one action is clearly the best."""

    options: dict[str, Any]
    position: str
    best: int


class GamePuzzles(Struct):
    """Response of `GET /games/NAME/puzzles`."""

    puzzles: list[PuzzleFound]


class GameTexts(Struct):
    """What `GET /games/NAME/languages/LANGUAGE` answers."""

    texts: dict[str, str]
    """From English texts, and templates with {placeholders}, to that language."""


class TableList(Struct):
    """Response of `GET /tables?listed` and `GET /tables?mine`."""

    tables: list[TableInfo]


class Refusal(Struct, omit_defaults=True):
    """Body of every error response."""

    code: str
    message: str
    v: int | None = None
    ply: int | None = None
    retry_after: float | None = None


class Health(Struct):
    """Response of `GET /healthz`."""

    status: str
    version: str
