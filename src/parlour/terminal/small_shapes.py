"""Pieces of several cells as small text pictures."""

from functools import cache

from parlour.shapes import Shape, turned

HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}

DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of a braille character, four rows of two."""


def flat(shape: Shape) -> Shape:
    """Return a piece turned so that it is at least as wide as high."""
    is_high = max(row for row, _ in shape) > max(col for _, col in shape)
    return turned(shape) if is_high else shape


@cache
def small_shape(shape: Shape, lies_down: bool = True) -> tuple[str, ...]:
    """Return a piece in half blocks: one column and half a line for each cell."""
    shape = flat(shape) if lies_down else shape
    cells = frozenset(shape)
    rows = max(row for row, _ in shape) + 1
    cols = max(col for _, col in shape) + 1
    return tuple(
        "".join(HALVES[(row, col) in cells, (row + 1, col) in cells] for col in range(cols))
        for row in range(0, rows, 2)
    )


@cache
def shape_lines(shape: Shape) -> list[str]:
    """Return a piece as a small drawing."""
    rows = max(row for row, _ in shape) + 1
    cols = max(col for _, col in shape) + 1
    return [
        "".join("██" if (row, col) in shape else "  " for col in range(cols)) for row in range(rows)
    ]


@cache
def dotted_shape(shape: Shape) -> str:
    """Return a piece in braille dots within one line; empty if it is taller than four cells."""
    if not shape or max(row for row, _ in shape) >= len(DOTS):
        return ""
    signs = [0] * (max(col for _, col in shape) // 2 + 1)
    for row, col in shape:
        signs[col // 2] |= DOTS[row][col % 2]
    return "".join(chr(0x2800 + bits) for bits in signs)
