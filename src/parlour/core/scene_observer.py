"""Observations made from scenes, for games that define no observer.

A seat may know everything that its scene shows, so this works for every game, secrets included.
A game's own observer is much faster and its planes are more informative.
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
    """Planes for owners, colours, marks, faces and texts of the cells; extras for the trays."""

    def __init__(self, game: Game) -> None:
        """Name a plane for every property that a cell of this game can have."""
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
        """Write the properties of each cell in the seat's scene."""
        seats: i64 = self.game.seats
        cells = self.game.scene(state, seat).cells
        step: i64 = len(cells)
        place = at
        for cell in cells:
            owner: i64 = cell.owner
            if owner >= 0:
                out[place + step * ((owner - seat + seats) % seats)] = 1
            for plane in self._planes_of(cell):
                out[place + step * plane] = 1
            out[place + step * self._number] = u8(_number(cell))
            out[place + step * (self._number + 1)] = u8(_checksum(cell))
            place += 1

    def _planes_of(self, cell: Cell) -> list[int]:
        """Return the planes of the cell's colour, marks and face."""
        planes = [self._marks.get(mark, self._own_mark) for mark in cell.marks]
        if cell.colour in self._colours:
            planes.append(self._colours[cell.colour])
        if cell.face in self._faces:
            planes.append(self._faces[cell.face])
        return planes

    def write_extras(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write whether it is this seat's turn, and the trays, its own first."""
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
    """Return the number of the cell, or its glyph as a number, or 0."""
    if cell.number:
        return min(cell.number, MOST)
    glyph = cell.glyph.strip()
    return min(int(glyph), MOST) if glyph.isascii() and glyph.isdecimal() else 0


def _checksum(cell: Cell) -> int:
    """Return a hash from 1 to 255 of the cell's glyph, label and marks."""
    return 1 + crc32(_encoded("\n".join([cell.glyph, cell.label, *cell.marks]))) % MOST


def _encoded(text: str) -> bytes:
    """Return any text as bytes, lone surrogates included."""
    return text.encode("utf-8", "replace")
