"""Shapes on a square grid: cells moved to the top left, turned and mirrored."""

from collections.abc import Iterable

Shape = tuple[tuple[int, int], ...]
"""(row, column) pairs, rows growing downwards; sorted, the smallest row and column 0."""


def normalise(cells: Iterable[tuple[int, int]]) -> Shape:
    """The same shape with its smallest row and column at 0, sorted."""
    ordered = sorted(cells)
    top = ordered[0][0]
    left = min([col for _, col in ordered])
    return tuple([(row - top, col - left) for row, col in ordered])


def mirrored(shape: Shape) -> Shape:
    """Left and right exchanged."""
    return normalise((row, -col) for row, col in shape)


def turned(shape: Shape) -> Shape:
    """A quarter turn clockwise as seen on the screen: (r, c) becomes (c, -r)."""
    return normalise((col, -row) for row, col in shape)
