"""The specification's results of Banqi: verdicts, ends, and sets of legal actions.

`to_dict` writes the specification's names. Fields that are not set are absent. `from_dict`
ignores unknown keys, reads `null` as absent, and raises `ValueError` for wrong values.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from parlour.core.checks import as_int, shown
from parlour.games.banqi.bits import SQUARES
from parlour.games.banqi.spec.match import Color, check_flag, member_of, required_fields


class WinReason(StrEnum):
    """The reason for the end of a match."""

    CAPTURE_ALL = "capture-all"
    STALEMATE = "stalemate"


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """Whether an action is legal, and the error if it is not."""

    is_valid: bool
    error: str | None = None

    def __post_init__(self) -> None:
        """Check the types. Raises `ValueError`."""
        check_flag("isValid", self.is_valid)
        if self.error is not None and not isinstance(self.error, str):
            raise ValueError(f"error must be a str, not {shown(self.error)}")

    def to_dict(self) -> dict[str, Any]:
        """Return `isValid`, and `error` if there is one."""
        return _present(isValid=self.is_valid, error=self.error)

    @staticmethod
    def from_dict(data: object) -> "ValidationResult":
        """Return the result that `to_dict` wrote. Raises `ValueError`."""
        fields = required_fields("a validation result", data, ("isValid",))
        return ValidationResult(fields["isValid"], fields.get("error"))


@dataclass(frozen=True, slots=True)
class WinResult:
    """Whether a match has ended, the winner, and the reason."""

    has_ended: bool
    winner: Color | None = None
    reason: WinReason | None = None

    def __post_init__(self) -> None:
        """Convert plain strings to enum members. Raises `ValueError` for others."""
        check_flag("hasEnded", self.has_ended)
        for name, kind in (("winner", Color), ("reason", WinReason)):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, member_of(kind, name, value))

    def to_dict(self) -> dict[str, Any]:
        """Return `hasEnded`, and `winner` and `reason` if they are set."""
        return _present(
            hasEnded=self.has_ended,
            winner=None if self.winner is None else self.winner.value,
            reason=None if self.reason is None else self.reason.value,
        )

    @staticmethod
    def from_dict(data: object) -> "WinResult":
        """Return the result that `to_dict` wrote. Raises `ValueError`."""
        fields = required_fields("a win result", data, ("hasEnded",))
        return WinResult(fields["hasEnded"], fields.get("winner"), fields.get("reason"))


@dataclass(frozen=True, slots=True)
class MoveAction:
    """A step to an empty square."""

    from_index: int
    to_index: int

    def __post_init__(self) -> None:
        """Convert integers of any kind. Raises `ValueError` for what is not a square."""
        object.__setattr__(self, "from_index", _square("fromIndex", self.from_index))
        object.__setattr__(self, "to_index", _square("toIndex", self.to_index))

    def to_dict(self) -> dict[str, Any]:
        """Return `fromIndex` and `toIndex`."""
        return {"fromIndex": self.from_index, "toIndex": self.to_index}

    @staticmethod
    def from_dict(data: object) -> "MoveAction":
        """Return the move that `to_dict` wrote. Raises `ValueError`."""
        return MoveAction(*_indices("a move", data))


@dataclass(frozen=True, slots=True)
class CaptureAction:
    """A capture."""

    from_index: int
    to_index: int

    def __post_init__(self) -> None:
        """Convert integers of any kind. Raises `ValueError` for what is not a square."""
        object.__setattr__(self, "from_index", _square("fromIndex", self.from_index))
        object.__setattr__(self, "to_index", _square("toIndex", self.to_index))

    def to_dict(self) -> dict[str, Any]:
        """Return `fromIndex` and `toIndex`."""
        return {"fromIndex": self.from_index, "toIndex": self.to_index}

    @staticmethod
    def from_dict(data: object) -> "CaptureAction":
        """Return the capture that `to_dict` wrote. Raises `ValueError`."""
        return CaptureAction(*_indices("a capture", data))


@dataclass(frozen=True, slots=True)
class LegalMoveSet:
    """Every legal action, by kind, in ascending order."""

    flips: tuple[int, ...]
    moves: tuple[MoveAction, ...]
    captures: tuple[CaptureAction, ...]

    def __post_init__(self) -> None:
        """Convert lists to tuples. Raises `ValueError` for flips that are not squares."""
        flips = tuple(_square("flips", index) for index in self.flips)
        for name, value in (
            ("flips", flips),
            ("moves", tuple(self.moves)),
            ("captures", tuple(self.captures)),
        ):
            object.__setattr__(self, name, value)

    def to_dict(self) -> dict[str, Any]:
        """Return `flips`, `moves` and `captures` as lists."""
        return {
            "flips": list(self.flips),
            "moves": [move.to_dict() for move in self.moves],
            "captures": [capture.to_dict() for capture in self.captures],
        }

    @staticmethod
    def from_dict(data: object) -> "LegalMoveSet":
        """Return the set that `to_dict` wrote. Raises `ValueError`."""
        names = ("flips", "moves", "captures")
        fields = required_fields("a set of legal moves", data, names)
        for name in names:
            if not isinstance(fields[name], list | tuple):
                raise ValueError(f"{name} must be a list, not {shown(fields[name])}")
        return LegalMoveSet(
            tuple(fields["flips"]),
            tuple(MoveAction.from_dict(item) for item in fields["moves"]),
            tuple(CaptureAction.from_dict(item) for item in fields["captures"]),
        )


def _present(**fields: object) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _indices(what: str, data: object) -> tuple[int, int]:
    fields = required_fields(what, data, ("fromIndex", "toIndex"))
    return fields["fromIndex"], fields["toIndex"]


def _square(name: str, value: object) -> int:
    number = as_int(value)
    if number is None or not 0 <= number < SQUARES:
        raise ValueError(f"{name} must be an int from 0 to {SQUARES - 1}, not {shown(value)}")
    return number
