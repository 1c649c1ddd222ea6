"""Shapes on a square grid: cells moved to the top left, turned and mirrored."""

from collections.abc import Iterable

Shape = tuple[tuple[int, int], ...]
"""(row, column) pairs, rows growing downwards; sorted, the smallest row and column 0."""


def normalise(cells: Iterable[tuple[int, int]]) -> Shape:
    """Return the cells moved so that the smallest row and column are 0, and sorted.

    >>> normalise([(3, 5), (3, 4)])
    ((0, 0), (0, 1))
    """
    ordered = sorted(cells)
    top = ordered[0][0]
    left = min([col for _, col in ordered])
    return tuple([(row - top, col - left) for row, col in ordered])


def mirrored(shape: Shape) -> Shape:
    """Return the shape with left and right swapped.

    >>> mirrored(((0, 0), (1, 0), (1, 1)))
    ((0, 1), (1, 0), (1, 1))
    """
    return normalise((row, -col) for row, col in shape)


def turned(shape: Shape) -> Shape:
    """Return the shape after a clockwise quarter turn: (r, c) becomes (c, -r).

    >>> turned(((0, 0), (0, 1)))
    ((0, 0), (1, 0))
    """
    return normalise((col, -row) for row, col in shape)
