"""The pieces of a seat beside the board: small shapes with their names."""

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple

from parlour.core.scene import Scene, display_width
from parlour.drawing.picker import Picker
from parlour.shapes import Shape
from parlour.terminal.markup import escape
from parlour.terminal.small_shapes import dotted_shape, flat, shape_lines, small_shape


class TrayPiece(NamedTuple):
    """A piece in the tray: its lines without markup, all equally wide; the first is its name."""

    name: str
    lines: tuple[str, ...]


def shapes_of(scene: Scene) -> dict[str, Shape]:
    """Return the shape of each piece of the game by its name."""
    return {name: tuple(shape) for name, shape in scene.board.pieces}


def tray_lines(
    names: Sequence[str], shapes: Mapping[str, Shape], picker: Picker, width: int, space: int
) -> list[str]:
    """Return a tray's pieces, each with its name; pieces that fit can be clicked.

    The shapes are below the names if that takes at most `space` lines, otherwise beside them and
    smaller. No piece is broken at the end of a line.
    """
    lines = _rows([_tall(name, shapes) for name in names], picker, width)
    if len(lines) > space:
        lines = _rows([_low(name, shapes) for name in names], picker, width)
    return lines


def _tall(name: str, shapes: Mapping[str, Shape]) -> TrayPiece:
    drawn = small_shape(shapes[name]) if name in shapes else ()
    wide = max(map(display_width, (name, *drawn)))
    return TrayPiece(name, tuple(part.ljust(wide) for part in (name, *drawn)))


def _low(name: str, shapes: Mapping[str, Shape]) -> TrayPiece:
    picture = dotted_shape(flat(shapes[name])) if name in shapes else ""
    return TrayPiece(name, (f"{name} {picture}".rstrip(),))


def _rows(entries: Sequence[TrayPiece], picker: Picker, width: int) -> list[str]:
    """Return the entries in columns of equal width."""
    if not entries:
        return []
    wide = max(display_width(entry.lines[0]) for entry in entries)
    columns = max(1, (width + 2) // (wide + 2))
    lines: list[str] = []
    for first in range(0, len(entries), columns):
        row = entries[first : first + columns]
        for number in range(max(len(entry.lines) for entry in row)):
            lines.append("  ".join(_part(entry, number, wide, picker) for entry in row))
    return lines


def _part(entry: TrayPiece, number: int, wide: int, picker: Picker) -> str:
    """Return one line of an entry, with markup."""
    text = entry.lines[number] if number < len(entry.lines) else ""
    text = escape(text + " " * (wide - display_width(text)))
    name = entry.name
    if name not in picker.by_group:
        return f"[$text-muted]{text}[/]"
    if name != picker.group:
        return f"[@click=app.take({name!r})]{text}[/]"
    return f"[b {'reverse' if number == 0 else '$text-warning'} @click=app.take({name!r})]{text}[/]"


def hand_lines(picker: Picker, width: int) -> list[str]:
    """Return the piece in hand and the number of its places, or how to take one."""
    if not picker.groups:
        return []
    if not picker.shape:
        return wrap("Take one: its capital letter, Tab or a click.", width)
    count = len(picker.places())
    places = "1 place" if count == 1 else f"{count} places"
    return [
        f"[b]{escape(picker.group)}[/b] in hand: {places}",
        *(f"  [b]{line}[/b]" for line in shape_lines(picker.shape)),
        "[@click=app.do('turn')][b]r[/b] turn[/]  [@click=app.do('flip')][b]f[/b] flip[/]  "
        "[@click=app.do('next_place')][b].[/b] next[/]",
    ]
