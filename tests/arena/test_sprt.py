"""The sequential test: likelihood ratios, stopping and error rates."""

import math
import random

import pytest

from parlour.arena import MatchError, Sprt
from parlour.arena.sprt import _likeliest, log_likelihood_ratio
from parlour.arena.statistics import expected_share


@pytest.mark.parametrize(("won", "lost"), [(7, 3), (40, 60), (300, 250)])
def test_with_two_scores_the_ratio_is_the_binomial_one(won, lost):
    p0, p1 = expected_share(-10), expected_share(30)
    llr = won * math.log(p1 / p0) + lost * math.log((1 - p1) / (1 - p0))
    assert log_likelihood_ratio((lost, won), -10, 30) == pytest.approx(llr, abs=1e-9)


@pytest.mark.parametrize("counts", [(90, 400, 1000, 430, 100), (0, 210, 600, 190, 0)])
def test_with_many_pairs_the_ratio_is_nearly_the_normal_one(counts):
    total = sum(counts)
    mean = sum(n * k / 4 for k, n in enumerate(counts)) / total
    variance = sum(n * (k / 4 - mean) ** 2 for k, n in enumerate(counts)) / total
    s0, s1 = expected_share(0), expected_share(5)
    normal = total * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert log_likelihood_ratio(counts, 0, 5) == pytest.approx(normal, rel=0.02)


@pytest.mark.parametrize("mean", [0.45, 0.5, 0.6])
def test_each_hypothesis_uses_the_maximum_likelihood_distribution(mean):
    scores = [0.0, 0.25, 0.5, 0.75, 1.0]
    weights = [0.05, 0.2, 0.5, 0.2, 0.05]
    best = _likeliest(scores, weights, mean)
    assert math.fsum(best) == pytest.approx(1.0)
    assert math.fsum(p * s for p, s in zip(best, scores, strict=True)) == pytest.approx(mean)

    def likelihood(chances):
        return math.fsum(w * math.log(p) for w, p in zip(weights, chances, strict=True))

    # Changes that keep both the sum and the mean.
    for move in ((1, -2, 1, 0, 0), (0, 1, -2, 1, 0), (0, 0, 1, -2, 1), (1, -1, 0, -1, 1)):
        for step in (-1e-3, 1e-3):
            other = [p + step * m for p, m in zip(best, move, strict=True)]
            assert likelihood(other) < likelihood(best)


def test_the_bounds_are_those_of_wald():
    state = Sprt().state([])
    assert state.llr == 0.0
    assert (state.lower, state.upper) == pytest.approx((-math.log(19), math.log(19)))
    state = Sprt(alpha=0.01, beta=0.1).state([0] * 5)
    assert (state.lower, state.upper) == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


def pairs_until_verdict(sprt, draw, limit=100_000):
    counts = [0] * 5
    for pair in range(1, limit):
        counts[draw()] += 1
        verdict = sprt.state(counts).verdict
        if verdict:
            return verdict, pair
    raise AssertionError("no verdict")


def test_it_stops_when_all_is_won_or_lost():
    assert pairs_until_verdict(Sprt(), lambda: 4)[0] == "elo1"
    assert pairs_until_verdict(Sprt(), lambda: 0)[0] == "elo0"


def test_it_takes_longer_for_a_difference_that_is_harder_to_see():
    lengths = [pairs_until_verdict(Sprt(0, elo), lambda: 3)[1] for elo in (100, 50, 20)]
    assert lengths == sorted(lengths)


@pytest.mark.parametrize(("elo", "right"), [(0.0, "elo0"), (80.0, "elo1")])
def test_the_error_rate_is_about_five_percent(elo, right):
    generator = random.Random(11)
    sprt = Sprt(0, 80)
    share = expected_share(elo)

    def draw():
        # Pairs of games without draws.
        return 2 * sum(generator.random() < share for _ in range(2))

    verdicts = [pairs_until_verdict(sprt, draw)[0] for _ in range(60)]
    assert verdicts.count(right) >= 52


def test_sprt_texts_round_trip():
    assert Sprt.from_text("") == Sprt() == Sprt.from_text("elo0=0,elo1=20,alpha=0.05,beta=0.05")
    sprt = Sprt.from_text("elo1=7.5, elo0=-2,beta=0.1")
    assert sprt == Sprt(-2.0, 7.5, 0.05, 0.1)
    assert Sprt.from_text(sprt.to_text()) == sprt


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("elo3=1", r"sprt has no setting 'elo3' \(did you mean 'elo"),
        ("greedy", "write it like elo0=0,elo1=20,alpha=0.05,beta=0.05"),
        ("elo0=x", "elo0 must be a number, not 'x'"),
        ("elo1=5,elo1=9", "elo1 is given twice"),
        ("elo0", "elo0 must be a number, not ''"),
        ("elo0=20,elo1=20", "elo0 must be less than elo1"),
        ("elo1=nan", "elo0 must be less than elo1"),
        ("elo1=inf", "both from -1000 to 1000"),
        ("alpha=0", "alpha and beta must be between 0 and 0.5"),
        ("beta=0.5", "alpha and beta must be between 0 and 0.5"),
    ],
)
def test_an_invalid_sprt_is_refused(text, message):
    with pytest.raises(MatchError, match=message):
        Sprt.from_text(text)
