"""Observations of a game that has no observer of its own, made from its scenes.

Whatever a scene shows to a seat, the seat may know: so every game can be trained on as it is,
those with secrets too. An observer of the game's own is much quicker and says more clearly
what matters.
"""

from typing import Final
from zlib import crc32

from librt.vecs import vec
from mypy_extensions import i64, u8

from parlour.core.colours import COLOURS
from parlour.core.game import Game, State
from parlour.core.observer import Observer
from parlour.core.scene import MARKS, Cell

MOST: Final = 255

TRAY_BUCKETS: Final = 16


class SceneObserver(Observer):
    """Owners, colours, marks and faces of the cells, their texts as numbers, and the trays."""

    def __init__(self, game: Game) -> None:
        """Planes for all that a cell of this game can say."""
        seats = ["own", *(f"seat {k} further" for k in range(1, game.seats))]
        planes = [*seats, *(f"colour {colour}" for colour in COLOURS)]
        planes += [*(f"mark {mark}" for mark in MARKS), "mark x-"]
        planes += [*(f"face {face}" for face in game.faces), "number", "text"]
        extras = ["to act"]
        for seat in seats:
            extras.append(f"tray of {seat}: size")
            extras += [f"tray of {seat}: bucket {k}" for k in range(TRAY_BUCKETS)]
        super().__init__(game, tuple(planes) if game.board.size else (), tuple(extras))
        first = game.seats
        self._colours = {colour: first + k for k, colour in enumerate(COLOURS)}
        first += len(COLOURS)
        self._marks = {mark: first + k for k, mark in enumerate(MARKS)}
        self._own_mark = first + len(MARKS)
        first = self._own_mark + 1
        self._faces = {face: first + k for k, face in enumerate(game.faces)}
        self._number = first + len(game.faces)

    def write(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """What the seat's scene says of each cell."""
        seats: i64 = self.game.seats
        cells = self.game.scene(state, seat).cells
        step: i64 = len(cells)
        place = at
        for cell in cells:
            owner: i64 = cell.owner
            if owner >= 0:
                out[place + step * ((owner - seat + seats) % seats)] = 1
            for plane in self._said(cell):
                out[place + step * plane] = 1
            out[place + step * self._number] = u8(_number(cell))
            out[place + step * (self._number + 1)] = u8(_checksum(cell))
            place += 1

    def _said(self, cell: Cell) -> list[int]:
        """The planes of the cell's colour, marks and face."""
        planes = [self._marks.get(mark, self._own_mark) for mark in cell.marks]
        if cell.colour in self._colours:
            planes.append(self._colours[cell.colour])
        if cell.face in self._faces:
            planes.append(self._faces[cell.face])
        return planes

    def write_extras(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Whether it is this seat's turn, and what is in the trays, own first."""
        seats: i64 = self.game.seats
        if state.actor == seat:
            out[at] = 1
        for number, view in enumerate(self.game.scene(state, seat).seats):
            further = (i64(number) - seat + seats) % seats
            start = at + 1 + (TRAY_BUCKETS + 1) * further
            out[start] = u8(min(len(view.tray), MOST))
            for word in view.tray_texts():
                bucket = start + 1 + crc32(_encoded(word)) % TRAY_BUCKETS
                if i64(out[bucket]) < MOST:
                    out[bucket] = u8(i64(out[bucket]) + 1)


def _number(cell: Cell) -> int:
    """The glyph where it is a number, otherwise 0."""
    glyph = cell.glyph.strip()
    return min(int(glyph), MOST) if glyph.isascii() and glyph.isdecimal() else 0


def _checksum(cell: Cell) -> int:
    """1 to 255, by what the cell's glyph, label and marks say: cells that differ, differ here."""
    return 1 + crc32(_encoded("\n".join([cell.glyph, cell.label, *cell.marks]))) % MOST


def _encoded(text: str) -> bytes:
    """Any text as bytes, even half of a pair of surrogates."""
    return text.encode("utf-8", "replace")
