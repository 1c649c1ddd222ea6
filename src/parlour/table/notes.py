"""How a table is stored in a record's notes. Only this module writes and reads them.

note seat.1 person                  the holder of each seat, counted from 1
note seat.2 mcts:sims=500,seed=3
note commitment 75877bb4...         the hash of the chance key
note key 02020202...                the key itself: after the end, and in a snapshot
note nonce.1 swordfish              a player's nonce
note saved 2026-11-16T14:05:09.123456Z  when a snapshot was written
note clock 300+3                    the time control
note left 295.000 296.214           the seconds left to each seat
note offer 1                        the seats that offer a draw, counted from 1
note gone 3                         the seats that were given up
note scripted yes                   a program played the seats of people
note ending -1 1: player 1 resigned     how the players ended the game
"""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from parlour.core.errors import ParlourError, RecordError
from parlour.core.game import Game
from parlour.core.record import Record
from parlour.table.chance import ChanceSource
from parlour.table.clock import TimeControl

PERSON = "person"


def without_seed(who: str) -> str:
    """Return an agent's text as it is displayed."""
    return re.sub(r"[:,]seed=-?[0-9]+", "", who)


class Ending(NamedTuple):
    """The result of a game that the players ended before its rules did.

    >>> Ending((-1.0, 1.0), "player 1 resigned").reason
    'player 1 resigned'
    """

    returns: tuple[float, ...]
    reason: str
    """In words, without a capital letter or a full stop."""


class Notes(NamedTuple):
    """The notes of a table as typed values.

    >>> Notes(("person", "level:3")).to_lines()
    {'seat.1': 'person', 'seat.2': 'level:3'}
    """

    seats: tuple[str, ...] = ()
    """PERSON or an agent's text, for each seat."""
    commitment: str = ""
    key: bytes | None = None
    control: TimeControl | None = None
    left: tuple[float, ...] = ()
    draw_offers: tuple[int, ...] = ()
    ending: Ending | None = None
    nonces: tuple[str, ...] = ()
    """Each player's nonce; empty if there are none."""
    saved: str = ""
    """When it was written, in UTC; empty if unknown."""
    gone: tuple[int, ...] = ()
    """The seats that were given up."""
    is_scripted: bool = False
    """Whether a program played the seats of people."""

    def to_lines(self) -> dict[str, str]:
        """Return the notes as a record stores them."""
        lines = {f"seat.{number}": who for number, who in enumerate(self.seats, 1)}
        if self.commitment:
            lines["commitment"] = self.commitment
        if self.key is not None:
            lines["key"] = self.key.hex()
        for number, nonce in enumerate(self.nonces, 1):
            if nonce:
                lines[f"nonce.{number}"] = nonce
        if self.saved:
            lines["saved"] = self.saved
        if self.control is not None:
            lines["clock"] = self.control.to_text()
            lines["left"] = " ".join(f"{max(0.0, seconds):.3f}" for seconds in self.left)
        if self.draw_offers:
            lines["offer"] = _seats_text(self.draw_offers)
        if self.gone:
            lines["gone"] = _seats_text(self.gone)
        if self.is_scripted:
            lines["scripted"] = "yes"
        if self.ending is not None:
            returns = " ".join(f"{value:g}" for value in self.ending.returns)
            lines["ending"] = f"{returns}: {self.ending.reason}"
        return lines

    @staticmethod
    def of(record: Record) -> "Notes":
        """Parse the notes of a record. Raise `RecordError` if they are not a table's."""
        try:
            return _read(record.notes, record.game)
        except (ParlourError, ValueError) as error:
            raise RecordError(f"the notes of this record cannot be used: {error}") from error


def _read(lines: Mapping[str, str], game: Game) -> Notes:
    control = TimeControl.from_text(lines["clock"]) if "clock" in lines else None
    key = bytes.fromhex(lines["key"]) if "key" in lines else None
    nonces = tuple(lines.get(f"nonce.{number}", "") for number in range(1, game.seats + 1))
    if key is not None:
        ChanceSource(key, nonces)
    return Notes(
        _seats(lines, game.seats),
        lines.get("commitment", ""),
        key,
        control,
        _left(lines, game.seats) if control is not None else (),
        _seat_list(lines.get("offer", ""), game.seats),
        _ending(lines["ending"], game.seats) if "ending" in lines else None,
        nonces if any(nonces) else (),
        lines.get("saved", ""),
        _seat_list(lines.get("gone", ""), game.seats),
        lines.get("scripted") == "yes",
    )


def _seats(lines: Mapping[str, str], count: int) -> tuple[str, ...]:
    return tuple(lines.get(f"seat.{number}", PERSON) for number in range(1, count + 1))


def _left(lines: Mapping[str, str], count: int) -> tuple[float, ...]:
    if "left" not in lines:
        return ()
    left = tuple(float(word) for word in lines["left"].split())
    if len(left) != count or not all(math.isfinite(seconds) for seconds in left):
        raise ValueError("each seat needs one clock")
    return left


def _seats_text(seats: tuple[int, ...]) -> str:
    return " ".join(str(seat + 1) for seat in seats)


def _seat_list(text: str, count: int) -> tuple[int, ...]:
    return tuple(_seat(word, count) for word in text.split())


def _seat(text: str, count: int) -> int:
    seat = int(text) - 1
    if not 0 <= seat < count:
        raise ValueError(f"the seats are 1 to {count}, not {text}")
    return seat


def _ending(text: str, count: int) -> Ending:
    returns, _, reason = text.partition(": ")
    values = tuple(float(value) for value in returns.split())
    if len(values) != count or not all(abs(value) <= 1 for value in values) or not reason:
        raise ValueError("an ending needs a return for each seat, a colon and a reason")
    return Ending(values, reason)


def moment_text(seconds: float) -> str:
    """Format a moment in UTC so that texts sort by time."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def is_unfinished(record: Record) -> bool:
    """Return whether a saved game can be resumed."""
    return "ending" not in record.notes and record.final.result() is None
