"""Observations made from scenes, for games that define no observer.

A seat may know everything that its scene shows, so this works for every game, secrets included.
A game's own observer is faster and its planes are more informative.
"""

import re
from typing import Final
from zlib import crc32

from librt.vecs import vec
from mypy_extensions import i64, u8

from parlour.core.colours import COLOURS
from parlour.core.game import Game, State
from parlour.core.observer import Observer
from parlour.core.scene import MARKS, Cell, Scene

MOST: Final = 255

TRAY_BUCKETS: Final = 16

NUMBERS: Final = 4
"""How many numbers of a score or of the status are written."""

_KEPT: Final = 4096


class _Look:
    """What is written for a cell, whatever its place."""

    def __init__(self, cell: Cell, planes: vec[i64], number: u8, text: u8) -> None:
        """Keep the cell, so that its identity stays its own."""
        self.cell: Final = cell
        self.owner: Final[i64] = cell.owner
        self.planes: Final = planes
        self.number: Final = number
        self.text: Final = text


class SceneObserver(Observer):
    """Planes for owners, colours, marks, faces and texts of the cells.

    Extras for trays, scores and the status.
    """

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
        for what in ("status", *(f"score of {seat}" for seat in seats)):
            extras += [f"{what}: number {k + 1}" for k in range(NUMBERS)]
            extras.append(f"{what}: text")
        super().__init__(game, tuple(planes) if game.board.size else (), tuple(extras))
        first = game.seats
        self._colours = {colour: first + k for k, colour in enumerate(COLOURS)}
        first += len(COLOURS)
        self._marks = {mark: first + k for k, mark in enumerate(MARKS)}
        self._own_mark = first + len(MARKS)
        first = self._own_mark + 1
        self._faces = {face: first + k for k, face in enumerate(game.faces)}
        self._number: Final[i64] = first + len(game.faces)
        # By identity, which is found faster than the equal cell that was seen first.
        self._looks: Final[dict[int, _Look]] = {}
        self._equal: Final[dict[Cell, _Look]] = {}
        self._words: Final[dict[str, bytes]] = {}

    def write(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write the properties of each cell in the seat's scene."""
        self._write_cells(self.game.scene(state, seat), seat, out, at)

    def write_extras(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write whether it is this seat's turn, trays, the status and scores, its own first."""
        self._write_words(self.game.scene(state, seat), state.actor == seat, seat, out, at)

    def write_both(
        self, state: State, seat: i64, planes: vec[u8], at: i64, extras: vec[u8], further: i64
    ) -> None:
        """Write both from one scene."""
        scene = self.game.scene(state, seat)
        self._write_cells(scene, seat, planes, at)
        self._write_words(scene, state.actor == seat, seat, extras, further)

    def _write_cells(self, scene: Scene, seat: i64, out: vec[u8], at: i64) -> None:
        seats: i64 = self.game.seats
        cells = scene.cells
        step: i64 = len(cells)
        number = step * self._number
        place = at
        look: _Look | None = None
        for cell in cells:
            if look is None or cell is not look.cell:
                look = self._looks.get(id(cell))
                if look is None:
                    look = self._look_of(cell)
            if look.owner >= 0:
                out[place + step * ((look.owner - seat + seats) % seats)] = 1
            for plane in look.planes:
                out[place + step * plane] = 1
            out[place + number] = look.number
            out[place + number + step] = look.text
            place += 1

    def _look_of(self, cell: Cell) -> _Look:
        """Return what is written for a cell, and keep it for equal ones."""
        look = self._equal.get(cell)
        if look is None:
            if len(self._equal) >= _KEPT:
                self._looks.clear()
                self._equal.clear()
            planes = vec[i64](self._planes_of(cell))
            look = _Look(cell, planes, u8(_number(cell)), u8(_checksum(cell)))
            self._equal[cell] = look
            self._looks[id(cell)] = look
        return look

    def _planes_of(self, cell: Cell) -> list[i64]:
        """Return the planes of the cell's colour, marks and face."""
        planes: list[i64] = [self._marks.get(mark, self._own_mark) for mark in cell.marks]
        if cell.colour in self._colours:
            planes.append(self._colours[cell.colour])
        if cell.face in self._faces:
            planes.append(self._faces[cell.face])
        return planes

    def _write_words(self, scene: Scene, is_to_act: bool, seat: i64, out: vec[u8], at: i64) -> None:
        seats: i64 = self.game.seats
        if is_to_act:
            out[at] = 1
        words = at + 1 + (TRAY_BUCKETS + 1) * seats
        self._write_text(scene.status, out, words)
        words += NUMBERS + 1
        number: i64 = 0
        for view in scene.seats:
            further = (number - seat + seats) % seats
            number += 1
            if view.score:
                self._write_text(view.score, out, words + (NUMBERS + 1) * further)
            if not view.tray:
                continue
            start = at + 1 + (TRAY_BUCKETS + 1) * further
            out[start] = u8(min(len(view.tray), MOST))
            for word in view.tray_texts():
                bucket = start + 1 + crc32(_encoded(word)) % TRAY_BUCKETS
                if i64(out[bucket]) < MOST:
                    out[bucket] = u8(i64(out[bucket]) + 1)

    def _write_text(self, text: str, out: vec[u8], at: i64) -> None:
        """Write the first numbers of a text, and its hash."""
        written = self._words.get(text)
        if written is None:
            if len(self._words) >= _KEPT:
                self._words.clear()
            numbers = [min(int(found), MOST) for found in re.findall("[0-9]{1,9}", text)[:NUMBERS]]
            numbers += [0] * (NUMBERS - len(numbers))
            written = bytes([*numbers, 1 + crc32(_encoded(text)) % MOST])
            self._words[text] = written
        k: i64 = 0
        while k < NUMBERS + 1:
            out[at + k] = u8(written[k])
            k += 1


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
