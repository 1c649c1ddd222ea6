"""Statistics agree with known values."""

import math
import random

import pytest

from parlour.arena.intervals import mean_estimate, share_estimate, student_quantile
from parlour.arena.statistics import (
    elo_difference,
    elo_estimate,
    elo_text,
    expected_share,
    first_shares,
    pair_counts,
    places,
    points_text,
)


@pytest.mark.parametrize(
    ("share", "elo"),
    [(0.5, 0.0), (0.75, 190.848), (0.64, 99.951), (10 / 11, 400.0), (0.25, -190.848)],
)
def test_elo_follows_the_logistic_curve(share, elo):
    assert elo_difference(share) == pytest.approx(elo, abs=0.001)
    assert expected_share(elo) == pytest.approx(share, abs=1e-5)


def test_elo_is_infinite_where_all_or_nothing_was_won():
    assert elo_difference(0.0) == -math.inf
    assert elo_difference(1.0) == math.inf


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        (1, 12.7062),
        (2, 4.3027),
        (3, 3.1824),
        (4, 2.7764),
        (5, 2.5706),
        (9, 2.2622),
        (29, 2.0452),
        (99, 1.9842),
    ],
)
def test_students_quantile_is_that_of_the_printed_tables(freedom, quantile):
    assert student_quantile(freedom) == pytest.approx(quantile, rel=0.002)


def test_a_mean_has_students_interval():
    # Mean 5, standard deviation 2.1381, of 8 values; t with 7 degrees of freedom is 2.3646.
    estimate = mean_estimate([2, 4, 4, 4, 5, 5, 7, 9])
    assert estimate == pytest.approx((5.0, 3.2126, 6.7874), abs=0.001)


def test_the_interval_of_one_value_is_the_whole_range():
    assert mean_estimate([3.0]) == (3.0, -math.inf, math.inf)
    assert mean_estimate([3.0], 1.0, 4.0) == (3.0, 1.0, 4.0)
    assert mean_estimate([1.0, 4.0], 1.0, 4.0) == (2.5, 1.0, 4.0)


def test_a_share_has_the_normal_interval_with_two_added_pairs():
    # In 60 of 100 pairs both games were won, in the others both lost: 61 of 102.
    share = share_estimate([1.0] * 60 + [0.0] * 40)
    middle = 61 / 102
    half = 1.95996 * math.sqrt(middle * (1 - middle) / 101)
    assert share == pytest.approx((0.6, middle - half, middle + half), abs=1e-5)


def test_split_pairs_give_a_narrower_interval():
    split = share_estimate([0.5] * 100)
    swept = share_estimate([0.0, 1.0] * 50)
    assert split.high - split.low < 0.3 * (swept.high - swept.low)


@pytest.mark.parametrize("pairs", [1, 10, 100])
def test_the_interval_of_a_perfect_score_is_not_empty(pairs):
    share = share_estimate([1.0] * pairs)
    assert share.mean == share.high == 1.0
    assert share.low < 1.0 - 1.0 / (pairs + 2)
    elo = elo_estimate(share)
    assert elo.mean == elo.high == math.inf
    assert elo.low < math.inf


def test_share_intervals_have_95_percent_coverage():
    generator = random.Random(5)
    for wins, draws in ((0.5, 0.0), (0.4, 0.2), (0.7, 0.1), (0.9, 0.05)):
        truth = wins + draws / 2
        held = 0
        for _ in range(400):
            points = generator.choices((1, 0.5, 0), (wins, draws, 1 - wins - draws), k=100)
            share = share_estimate([(a + b) / 2 for a, b in zip(*[iter(points)] * 2, strict=True)])
            held += share.low <= truth <= share.high
        assert 0.92 <= held / 400 <= 0.995


def test_equal_seats_share_their_places():
    assert places([1.0, -1.0]) == (1, 2)
    assert places([0.0, 0.0]) == (1.5, 1.5)
    assert places([-1.0, 1 / 3, 1 / 3, 1 / 3]) == (4, 2, 2, 2)
    assert places([0.3]) == (1,)


def test_equal_seats_share_the_first_place():
    assert first_shares([0.5, 0.5, -1.0]) == (0.5, 0.5, 0.0)
    assert first_shares([1.0, -1.0]) == (1.0, 0.0)


def test_pairs_are_counted_by_their_five_scores():
    assert pair_counts([0, 0.25, 0.25, 0.5, 0.75, 1, 1, 1]) == (1, 2, 1, 1, 3)


def test_points_are_written_out_and_zero_has_no_minus_sign():
    assert [points_text(value) for value in (0, 3.5, 11 / 3, 12, 1234567.5)] == [
        "0",
        "3.5",
        "3.67",
        "12",
        "1234567.5",
    ]
    assert [elo_text(value) for value in (-0.4, 0.4, -35.2, math.inf, -math.inf)] == [
        "+0",
        "+0",
        "-35",
        "+inf",
        "-inf",
    ]
