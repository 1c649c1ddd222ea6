"""The specification's types of a match, which include the face-down pieces.

All values are immutable, hashable, picklable, and checked on creation.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from parlour.games.banqi.bits import SQUARES
from parlour.games.banqi.pieces import KINDS, SET, SET_SIZES
from parlour.games.banqi.scene import FACE_DOWN_CELL, piece_cell


class Color(StrEnum):
    """The colour of a piece."""

    RED = "red"
    BLACK = "black"

    @property
    def opponent(self) -> "Color":
        """The other colour."""
        return Color.BLACK if self is Color.RED else Color.RED


class PieceKind(StrEnum):
    """The seven kinds, highest rank first."""

    KING = "King"
    GUARD = "Guard"
    MINISTER = "Minister"
    ROOK = "Rook"
    HORSE = "Horse"
    CANNON = "Cannon"
    PAWN = "Pawn"

    @property
    def rank(self) -> int:
        """The rank, from 7 for the King to 1 for the Pawn."""
        return KINDS - KIND_ORDER.index(self)

    @property
    def number(self) -> int:
        """The number of pieces of this kind in a set."""
        return SET_SIZES[KIND_ORDER.index(self)]


class MatchStatus(StrEnum):
    """The status of a match."""

    WAITING_FIRST_FLIP = "waiting-first-flip"
    IN_PROGRESS = "in-progress"
    ENDED = "ended"


COLOR_ORDER = tuple(Color)
KIND_ORDER = tuple(PieceKind)


def member_of(kind: type[StrEnum], name: str, value: object) -> StrEnum:
    """Return the member with this value. Raises `ValueError` if there is none."""
    for member in kind:
        if isinstance(value, str) and value == member:
            return member
    known = ", ".join(repr(member.value) for member in kind)
    raise ValueError(f"{name} must be one of {known}, not {value!r}")


def check_flag(name: str, value: object) -> None:
    """Raise `ValueError` unless the value is a bool."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, not {value!r}")


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece. Raises `ValueError` for an unknown kind or colour."""

    kind: PieceKind
    color: Color
    is_revealed: bool = False
    is_dead: bool = False

    def __post_init__(self) -> None:
        """Check the fields, and convert plain strings to enum members."""
        object.__setattr__(self, "kind", member_of(PieceKind, "kind", self.kind))
        object.__setattr__(self, "color", member_of(Color, "color", self.color))
        check_flag("is_revealed", self.is_revealed)
        check_flag("is_dead", self.is_dead)

    def to_dict(self) -> dict[str, Any]:
        """Return a dict for JSON, with the specification's names."""
        return {
            "kind": self.kind.value,
            "color": self.color.value,
            "isRevealed": self.is_revealed,
            "isDead": self.is_dead,
        }

    def _repr_svg_(self) -> str:
        """Return a picture for notebooks; the back if the piece is face-down."""
        number = KINDS * COLOR_ORDER.index(self.color) + KIND_ORDER.index(self.kind)
        return (piece_cell(number) if self.is_revealed else FACE_DOWN_CELL)._repr_svg_()

    @staticmethod
    def from_dict(data: object) -> "Piece":
        """Return the piece that `to_dict` wrote. Raises `ValueError`."""
        fields = _fields("a piece", data, ("kind", "color", "isRevealed", "isDead"), ())
        return Piece(fields["kind"], fields["color"], fields["isRevealed"], fields["isDead"])


@dataclass(frozen=True, slots=True)
class Match:
    """A snapshot of a match. Raises `ValueError` if it breaks an invariant.

    Sequences become tuples, and plain strings become enum members. The pieces on the board and
    the captured pieces may be fewer than a full set, but not more. An ended match may have no
    winner.
    """

    board: tuple[Piece | None, ...]
    status: MatchStatus
    current_turn: Color | None = None
    red_captured: tuple[Piece, ...] = ()
    """The black pieces that red has captured."""
    black_captured: tuple[Piece, ...] = ()
    winner: Color | None = None
    first_flip_passes: bool = False
    """Whether the turn passes to the other player after the first flip."""

    def __post_init__(self) -> None:
        """Check the fields."""
        object.__setattr__(self, "board", _pieces("board", self.board))
        object.__setattr__(self, "status", member_of(MatchStatus, "status", self.status))
        for name in ("current_turn", "winner"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, member_of(Color, name, value))
        for name in ("red_captured", "black_captured"):
            object.__setattr__(self, name, _pieces(name, getattr(self, name)))
        check_flag("first_flip_passes", self.first_flip_passes)
        self._check_board()
        self._check_captured("red_captured", self.red_captured, Color.BLACK)
        self._check_captured("black_captured", self.black_captured, Color.RED)
        self._check_numbers()
        self._check_status()

    def _check_board(self) -> None:
        if len(self.board) != SQUARES:
            raise ValueError(f"board must have {SQUARES} squares, not {len(self.board)}")
        for index, piece in enumerate(self.board):
            if piece is not None and piece.is_dead:
                raise ValueError(f"board: the piece at index {index} must not be dead")

    def _check_captured(self, name: str, pieces: tuple[Piece | None, ...], color: Color) -> None:
        for piece in pieces:
            if piece is None or piece.color is not color:
                raise ValueError(f"{name} must hold {color} pieces only, not {piece!r}")
            if not (piece.is_dead and piece.is_revealed):
                raise ValueError(
                    f"{name}: a captured piece must be dead and revealed, not {piece!r}"
                )

    def _check_numbers(self) -> None:
        pieces = [
            piece
            for piece in (*self.board, *self.red_captured, *self.black_captured)
            if piece is not None
        ]
        for color in Color:
            kinds = [piece.kind for piece in pieces if piece.color is color]
            if len(kinds) > SET:
                raise ValueError(f"there are {len(kinds)} {color} pieces; a set has {SET}")
            for kind in PieceKind:
                if kinds.count(kind) > kind.number:
                    raise ValueError(
                        f"there are {kinds.count(kind)} {color} {kind}s; a set has {kind.number}"
                    )

    def _check_status(self) -> None:
        if self.status is not MatchStatus.ENDED and self.winner is not None:
            raise ValueError(f"a match that is {self.status} must not have a winner")
        if self.status is MatchStatus.IN_PROGRESS and self.current_turn is None:
            raise ValueError("a match in progress must have a current_turn")
        if self.status is MatchStatus.WAITING_FIRST_FLIP:
            if self.current_turn is not None:
                raise ValueError("current_turn must be None before the first flip")
            if self.red_captured or self.black_captured:
                raise ValueError("nothing can be captured before the first flip")
            pieces = [piece for piece in self.board if piece is not None]
            if not pieces or any(piece.is_revealed for piece in pieces):
                raise ValueError(
                    "before the first flip the board must have pieces, all of them face-down"
                )

    def to_dict(self) -> dict[str, Any]:
        """Return a dict for JSON, with the specification's names."""
        return {
            "board": [None if piece is None else piece.to_dict() for piece in self.board],
            "status": self.status.value,
            "currentTurn": None if self.current_turn is None else self.current_turn.value,
            "redCaptured": [piece.to_dict() for piece in self.red_captured],
            "blackCaptured": [piece.to_dict() for piece in self.black_captured],
            "winner": None if self.winner is None else self.winner.value,
            "firstFlipPasses": self.first_flip_passes,
        }

    def _repr_svg_(self) -> str:
        """Return a picture for notebooks, as both players see it."""
        from parlour.games.banqi.spec.moves import public_state  # here to avoid an import cycle

        return public_state(self)._repr_svg_()

    @staticmethod
    def from_dict(data: object) -> "Match":
        """Return the match that `to_dict` wrote. Raises `ValueError`.

        `currentTurn`, `winner` and `firstFlipPasses` may be missing.
        """
        fields = _fields(
            "a match",
            data,
            ("board", "status", "redCaptured", "blackCaptured"),
            ("currentTurn", "winner", "firstFlipPasses"),
        )
        for name in ("board", "redCaptured", "blackCaptured"):
            if not isinstance(fields[name], list | tuple):
                raise ValueError(f"{name} must be a list, not {fields[name]!r}")
        return Match(
            board=tuple(
                None if item is None else Piece.from_dict(item) for item in fields["board"]
            ),
            status=fields["status"],
            current_turn=fields.get("currentTurn"),
            red_captured=tuple(Piece.from_dict(item) for item in fields["redCaptured"]),
            black_captured=tuple(Piece.from_dict(item) for item in fields["blackCaptured"]),
            winner=fields.get("winner"),
            first_flip_passes=fields.get("firstFlipPasses", False),
        )


def _pieces(name: str, pieces: object) -> tuple[Piece | None, ...]:
    if isinstance(pieces, str) or not isinstance(pieces, Iterable):
        raise ValueError(f"{name} must be a sequence of pieces, not {pieces!r}")
    made = tuple(pieces)
    for piece in made:
        if piece is not None and not isinstance(piece, Piece):
            raise ValueError(f"{name} must hold Piece values, not {piece!r}")
    return made


def required_fields(what: str, data: object, required: tuple[str, ...]) -> Mapping[str, Any]:
    """Return the dict. Raises `ValueError` if it is not one, or if a field is missing."""
    if not isinstance(data, Mapping):
        raise ValueError(f"{what} must be a dict, not {data!r}")
    for name in required:
        if name not in data:
            raise ValueError(f"{what} must have {name!r}")
    return data


def _fields(
    what: str, data: object, required: tuple[str, ...], optional: tuple[str, ...]
) -> Mapping[str, Any]:
    for name in required_fields(what, data, required):
        if name not in required and name not in optional:
            raise ValueError(f"{what} has no {name!r}; it has {', '.join(required + optional)}")
    assert isinstance(data, Mapping)
    return data
