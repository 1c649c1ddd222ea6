"""The specification's types of Blokus: pieces, moves, players, board and game state.

The rules themselves are in `rules`; this module converts to and from the engine's state.
"""

import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from parlour.core.checks import as_int
from parlour.core.game import State
from parlour.games.blokus.game import CLASSIC, COLOURS, BlokusGame
from parlour.games.blokus.pieces import (
    ORIENTATION_OF,
    ORIENTATIONS,
    PIECE_NAMES,
    SHAPES,
    oriented,
)
from parlour.games.blokus.rules import BlokusState
from parlour.games.blokus.ruleset import NOBODY
from parlour.shapes import Shape, mirrored, turned

BOARD_SIZE = 20
PLAYER_IDS = (1, 2, 3, 4)
ROTATIONS = (0, 90, 180, 270)


def check_player_id(player_id: object) -> int:
    """Return the id, 1 to 4. Raises `ValueError` for anything else."""
    number = as_int(player_id)
    if number not in PLAYER_IDS:
        raise ValueError(f"Invalid player_id: {player_id}")
    assert number is not None
    return number


def check_rotation(rotation: object) -> int:
    """Return the rotation: 0, 90, 180 or 270. Raises `ValueError` for anything else."""
    number = as_int(rotation)
    if number not in ROTATIONS:
        raise ValueError(f"Invalid rotation: {rotation}")
    assert number is not None
    return number


@dataclass(frozen=True, slots=True)
class Piece:
    """One of the 21 pieces, initially in its default orientation."""

    name: str
    is_placed: bool = False
    coordinates: Shape = field(init=False)
    """Sorted (row, col) pairs; the smallest row and column are 0."""

    def __post_init__(self) -> None:
        """Check the fields. Raises `ValueError` for an unknown name."""
        if not isinstance(self.name, str) or self.name not in PIECE_NAMES:
            raise ValueError(f"Unknown piece: {self.name!r}; use one of {', '.join(PIECE_NAMES)}")
        if not isinstance(self.is_placed, bool):
            raise ValueError(f"is_placed must be True or False, not {self.is_placed!r}")
        object.__setattr__(self, "coordinates", SHAPES[PIECE_NAMES.index(self.name)])

    @property
    def size(self) -> int:
        """The number of squares."""
        return len(self.coordinates)

    def flip(self) -> "Piece":
        """Return a new piece, mirrored left to right."""
        return self._with(mirrored(self.coordinates))

    def rotate(self, degrees: int = 90) -> "Piece":
        """Return a new piece, rotated clockwise."""
        cells = self.coordinates
        for _ in range(check_rotation(degrees) // 90):
            cells = turned(cells)
        return self._with(cells)

    def _repr_svg_(self) -> str:
        """Return a picture for notebooks."""
        from parlour.drawing.svg import shape_to_svg  # here, because only notebooks need it

        return shape_to_svg(self.coordinates, "grey", self.name)

    def _with(self, cells: Shape) -> "Piece":
        piece = Piece(self.name, self.is_placed)
        object.__setattr__(piece, "coordinates", cells)
        return piece


@dataclass(frozen=True, slots=True, repr=False)
class Move:
    """A placement with its orientation, or a pass.

    `position` is the place of the top-left corner of the oriented piece's bounding box. The
    piece is flipped first, then rotated. Immutable, hashable, equal by value. Raises
    `ValueError` for a wrong field.

    `piece` is always in its default orientation. A piece that was flipped or rotated before
    is replaced, and its orientation is added to `flip` and `rotation`: both fields may differ
    from the arguments, but the covered cells stay the same.
    """

    piece: Piece | None
    position: tuple[int, int] | None
    rotation: int
    player_id: int
    is_pass: bool = False
    flip: bool = False

    def __post_init__(self) -> None:
        """Check the fields in the specification's order."""
        for name in ("is_pass", "flip"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} must be True or False, not {getattr(self, name)!r}")
        if self.piece is not None and not isinstance(self.piece, Piece):
            raise ValueError(f"piece must be a Piece or None, not {self.piece!r}")
        if not self.is_pass and self.piece is None:
            raise ValueError("Move must specify piece unless passing")
        if self.piece is not None and self.piece.is_placed:
            raise ValueError("Cannot place already-placed piece")
        if not self.is_pass and self.position is None:
            raise ValueError("Move must specify position unless passing")
        if self.position is not None:
            object.__setattr__(self, "position", _checked_position(self.position))
        object.__setattr__(self, "rotation", check_rotation(self.rotation))
        object.__setattr__(self, "player_id", check_player_id(self.player_id))
        if self.is_pass and self.piece is not None:
            raise ValueError("A pass must not specify a piece")
        if self.is_pass and self.position is not None:
            raise ValueError("A pass must not specify a position")
        if self.piece is not None:
            self._fold_orientation(self.piece)

    def _fold_orientation(self, piece: Piece) -> None:
        """Replace an oriented piece by its default, and adapt `flip` and `rotation`."""
        default = Piece(piece.name)
        if piece == default:
            return
        _, flip, rotation, _ = ORIENTATIONS[ORIENTATION_OF[piece.coordinates]]
        # A mirror image turns the other way round.
        turned_by = self.rotation + (-rotation if self.flip else rotation)
        object.__setattr__(self, "piece", default)
        object.__setattr__(self, "rotation", turned_by % 360)
        object.__setattr__(self, "flip", self.flip != flip)

    def __repr__(self) -> str:
        """Return the specification's form."""
        if self.piece is None:
            return f"Move(player={self.player_id}, action=pass)"
        return (
            f"Move(player={self.player_id}, piece={self.piece.name}, position={self.position}, "
            f"rotation={self.rotation}°, flip={self.flip})"
        )

    def to_dict(self) -> dict[str, object]:
        """Return the fields as a dict for JSON, with the name of the piece."""
        return {
            "piece": None if self.piece is None else self.piece.name,
            "position": None if self.position is None else list(self.position),
            "rotation": self.rotation,
            "player_id": self.player_id,
            "is_pass": self.is_pass,
            "flip": self.flip,
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> "Move":
        """Return the move that `to_dict` wrote; a missing `flip` or `is_pass` means `False`."""
        if not isinstance(data, Mapping):
            raise ValueError(f"a move must be a mapping of its fields, not {data!r}")
        known = ("piece", "position", "rotation", "player_id", "is_pass", "flip")
        for name in data:
            if name not in known:
                raise ValueError(f"a move has no field {name!r}; its fields are {', '.join(known)}")
        for name in known[:4]:
            if name not in data:
                raise ValueError(f"the field {name!r} is missing")
        piece = data["piece"]
        return Move(
            piece=None if piece is None else Piece(piece),
            position=data["position"],
            rotation=data["rotation"],
            player_id=data["player_id"],
            is_pass=data.get("is_pass", False),
            flip=data.get("flip", False),
        )


def _checked_position(position: object) -> tuple[int, int]:
    row = col = None
    if isinstance(position, tuple | list) and len(position) == 2:
        row, col = as_int(position[0]), as_int(position[1])
    if row is None or col is None:
        raise ValueError(f"Position must be (row, col), two whole numbers, not {position!r}")
    if not (0 <= row < BOARD_SIZE and 0 <= col < BOARD_SIZE):
        raise ValueError("Position out of board bounds")
    return row, col


@dataclass(frozen=True, slots=True)
class Player:
    """A player with the unplaced pieces and the official score."""

    player_id: int
    color: str
    pieces: tuple[Piece, ...]
    score: int


@dataclass(frozen=True, slots=True)
class Board:
    """The cells: `board[row, col]` is 0 or the id of the player who occupies the cell."""

    cells: bytes
    size: int = BOARD_SIZE

    def __getitem__(self, place: tuple[int, int]) -> int:
        """Return a cell. Raises `IndexError` off the board and `TypeError` for other keys."""
        if not isinstance(place, tuple) or len(place) != 2:
            raise TypeError(f"write board[row, col], not board[{place!r}]")
        row, col = (operator.index(number) for number in place)
        if not (0 <= row < self.size and 0 <= col < self.size):
            raise IndexError(f"rows and columns go from 0 to {self.size - 1}, not {place!r}")
        return self.cells[row * self.size + col]

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield the rows from the top."""
        for row in range(self.size):
            yield tuple(self.cells[row * self.size : (row + 1) * self.size])

    def __str__(self) -> str:
        """Return a line for each row, with `.` for an empty cell."""
        return "\n".join(" ".join(str(cell or ".") for cell in row) for row in self)


class GameState:
    """A position of the classic game. Immutable, equal by value, hashable, picklable."""

    __slots__ = ("_board", "_players", "_state")

    def __init__(self, state: BlokusState) -> None:
        """Wrap the engine's state; use `GameState.new()` for a new game."""
        if not isinstance(state, BlokusState) or state.game.options["variant"] != CLASSIC:
            raise ValueError(f"state must be a state of classic Blokus, not {state!r}")
        self._state = state
        self._board: Board | None = None
        self._players: Mapping[int, Player] | None = None

    @staticmethod
    def new() -> "GameState":
        """Return the empty board with player 1 to move."""
        return GameState(BlokusGame().start())

    @property
    def engine_state(self) -> BlokusState:
        """The underlying state of the engine."""
        return self._state

    @property
    def board(self) -> Board:
        """The cells."""
        if self._board is None:
            self._board = Board(self._state.cells())
        return self._board

    @property
    def players(self) -> Mapping[int, Player]:
        """The four players by id."""
        if self._players is None:
            self._players = MappingProxyType(
                {number: self._player(number) for number in PLAYER_IDS}
            )
        return self._players

    def _player(self, player_id: int) -> Player:
        hand = self._state.hand(player_id - 1)
        pieces = tuple(Piece(name) for k, name in enumerate(PIECE_NAMES) if hand >> k & 1)
        return Player(player_id, COLOURS[player_id - 1], pieces, self._state.score(player_id - 1))

    @property
    def current_player(self) -> int | None:
        """The id of the player to move, who can always place a piece; `None` after the end."""
        return None if self._state.mover == NOBODY else self._state.mover + 1

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: no player can place a piece."""
        return self._state.mover == NOBODY

    def play(self, move: Move) -> "GameState":
        """Return the state after the move. Raises `ValueError` with the broken rule.

        A pass is legal for a player who cannot place a piece, and changes nothing.
        """
        reason = refusal(self, move)
        if reason is not None:
            raise ValueError(reason)
        if move.is_pass:
            return self
        after: State = self._state.apply(action_of(self, move))
        assert isinstance(after, BlokusState)
        return GameState(after)

    def __eq__(self, other: object) -> bool:
        """Whether both are the same position."""
        return isinstance(other, GameState) and self._state == other._state

    def __hash__(self) -> int:
        """Return a hash that is consistent with equality."""
        return hash(self._state)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the engine's state."""
        return (GameState, (self._state,))

    def _repr_svg_(self) -> str:
        """Return a picture for notebooks."""
        return self._state._repr_svg_()

    def __repr__(self) -> str:
        """Return the current player and the board."""
        return f"<GameState, current_player={self.current_player}\n{self.board}>"


def action_of(game_state: GameState, move: Move) -> int:
    """Return the engine's id of a placement, or -1 if it does not fit on the board."""
    assert move.piece is not None
    assert move.position is not None
    cells = oriented(move.piece.coordinates, move.flip, move.rotation)
    table = game_state.engine_state.rules.tables
    return table.action(ORIENTATION_OF[cells], *move.position)


def move_of(game_state: GameState, player_id: int, action: int) -> Move:
    """Return the move of an engine's id, with the first (flip, rotation) that fits its cells."""
    table = game_state.engine_state.rules.tables
    orientation = table.orientation(action)
    piece, flip, rotation, _ = ORIENTATIONS[orientation]
    return Move(Piece(PIECE_NAMES[piece]), table.corner(action), rotation, player_id, False, flip)


def refusal(game_state: GameState, move: object) -> str | None:
    """Return why `play(move)` would fail, or `None`. Never raises, whatever the type."""
    if not isinstance(move, Move):
        return f"a move must be a Move, not {type(move).__name__}"
    state = game_state.engine_state
    colour = move.player_id - 1
    if move.piece is None:
        if state.can_lay(colour):
            return f"Player {move.player_id} can place a piece and must not pass"
        return None
    if move.piece not in game_state.players[move.player_id].pieces:
        # A `Move` has its piece in the default orientation, unless it was altered later.
        if state.hand(colour) >> PIECE_NAMES.index(move.piece.name) & 1:
            return "Player does not own this piece"
        return "Piece is already placed"
    action = action_of(game_state, move)
    if action < 0:
        return "Position out of bounds"
    if state.mover == NOBODY:
        return "The game is over"
    if state.mover != colour:
        return f"It is player {state.mover + 1}'s turn, not player {move.player_id}'s"
    return state.rule_against(action)
