"""Pieces of Blokus drawn as text, side by side."""

from collections.abc import Iterable

from parlour.games.blokus.pieces import ORIENTATIONS, PIECE_NAMES, SHAPES, drawing
from parlour.shapes import Shape


def preview(pieces: Iterable[int], width: int = 78) -> str:
    """The pieces over their names, in lines of at most `width`."""
    return _side_by_side([(SHAPES[piece], PIECE_NAMES[piece]) for piece in pieces], width)


def preview_orientations(name: str, width: int = 78) -> str | None:
    """A piece in every orientation, over how to get it; `None` if there is no such piece."""
    captions = [
        (each.cells, f"{name} {'flip ' if each.flip else ''}{each.rotation}")
        for each in ORIENTATIONS
        if PIECE_NAMES[each.piece] == name
    ]
    return _side_by_side(captions, width) if captions else None


def _side_by_side(shapes: list[tuple[Shape, str]], width: int) -> str:
    blocks = []
    for cells, caption in shapes:
        shape = [line.replace("#", "■").replace(".", " ") for line in drawing(cells)]
        breadth = max(len(caption), len(shape[0]))
        blocks.append([f"{line:<{breadth}}" for line in (*shape, caption)])
    lines: list[str] = []
    while blocks:
        used = 0
        taken = 0
        while taken < len(blocks) and used + len(blocks[taken][0]) <= width:
            used += len(blocks[taken][0]) + 2
            taken += 1
        taken = max(taken, 1)
        band, blocks = blocks[:taken], blocks[taken:]
        height = max(map(len, band))
        for block in band:
            block[:0] = [" " * len(block[0])] * (height - len(block))
        lines += ["  ".join(parts).rstrip() for parts in zip(*band, strict=True)]
    return "\n".join(lines)
