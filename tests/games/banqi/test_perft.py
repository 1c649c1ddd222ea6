"""Perft: known numbers of positions."""

from collections import Counter

import pytest

import parlour
from parlour.games.banqi import BanqiGame, BanqiSetup, BanqiState

PRESETS = ("house", "taiwan", "olympiad")
SIGNS = "KGMRHCPkgmrhcp"


def open_position(pieces: str, turn: int) -> BanqiState:
    """Return a position from a list written for 8 rows of 4 columns, the transposed board."""
    squares = [-1] * 32
    for word in pieces.split():
        index, sign = word.split(":")
        row, col = divmod(int(index), 4)
        squares[col * 8 + row] = SIGNS.index(sign)
    return BanqiSetup(tuple(squares), (0,) * 14, turn=turn, seat_0=0).build(BanqiGame())


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(("depth", "lines"), [(0, 1), (1, 448)])
def test_perft_of_the_start(rules: str, depth: int, lines: int) -> None:
    assert parlour.perft(BanqiGame(rules=rules).start(), depth) == lines


@pytest.mark.parametrize("rules", PRESETS)
def test_perft_of_the_start_to_depth_2(rules: str) -> None:
    first_turns = first_turns_by_symmetry(BanqiGame(rules=rules).start())
    assert sum(8 * parlour.perft(state, 1) for state in first_turns) == 192_448


@pytest.mark.parametrize("rules", PRESETS)
def test_perft_of_the_start_to_depth_3(rules: str) -> None:
    assert count_by_symmetry(BanqiGame(rules=rules).start(), 3) == 78_989_568


def lines_of_one(state: BanqiState) -> int:
    """Return perft 1 without playing: a flip counts once for each piece it can reveal."""
    actions = state.legal_actions()
    flips = sum(action < 32 for action in actions)
    return len(actions) - flips + flips * sum(number > 0 for number in state.hidden())


def first_turns_by_symmetry(start: BanqiState) -> list[BanqiState]:
    """Return one of four mirror images of each first flip, in red; each stands for eight."""
    return [
        start.apply(square).apply(piece)
        for square in (0, 1, 2, 3, 8, 9, 10, 11)
        for piece in range(7)
    ]


def count_by_symmetry(start: BanqiState, depth: int) -> int:
    """Return perft of the start from depth 2 on, merging transpositions."""
    level = Counter(dict.fromkeys(first_turns_by_symmetry(start), 8))
    for _ in range(depth - 2):
        following: Counter[BanqiState] = Counter()
        for state, times in level.items():
            for action in state.legal_actions():
                after = state.apply(action)
                ends = (
                    [after.apply(piece) for piece in after.legal_actions()]
                    if after.actor == parlour.CHANCE
                    else [after]
                )
                for end in ends:
                    following[end] += times
        level = following
    return sum(times * lines_of_one(state) for state, times in level.items())


@pytest.mark.parametrize(
    ("pieces", "turn", "counts"),
    [
        ("0:C 4:p 8:k 9:R 22:h", 0, (5, 34, 184, 1383, 7477, 58156)),
        (
            "0:K 5:G 10:C 31:P 1:p 20:c 26:r 30:m",
            1,
            (10, 105, 1160, 10348, 113059, 1039615),
        ),
        ("0:P 31:k", 0, (2, 4, 12, 36, 108, 324, 1062)),
    ],
)
def test_perft_of_open_positions(pieces: str, turn: int, counts: tuple[int, ...]) -> None:
    state = open_position(pieces, turn)
    for depth, lines in enumerate(counts, 1):
        assert walk(state, depth) == lines
        if lines < 10_000:
            assert parlour.perft(state, depth) == lines


def walk(state: BanqiState, depth: int) -> int:
    """Return perft level by level, merging transpositions."""
    level = Counter({state: 1})
    for _ in range(depth - 1):
        following: Counter[BanqiState] = Counter()
        for position, times in level.items():
            for action in position.legal_actions():
                following[position.apply(action)] += times
        level = following
    return sum(times * len(position.legal_actions()) for position, times in level.items())


def test_divide_sums_to_perft() -> None:
    state = open_position("0:C 4:p 8:k 9:R 22:h", 0)
    assert sum(parlour.divide(state, 4).values()) == parlour.perft(state, 4) == 1383
