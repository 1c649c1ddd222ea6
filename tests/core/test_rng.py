"""The generator gives the same bits for ever, in both builds."""

import copy
import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour import Rng
from parlour.core.rng import SEED_MAX, SEED_MIN, fold_seed

PINNED_BITS = [1071765330, 2917328270, 3479074130, 1727666173]
PINNED_DIGITS = [2, 7, 5, 4, 5, 2, 2, 3, 0, 3, 3, 2]
PINNED_FLOATS = [0.873931856237962, 0.3659938230509485]


def test_the_bits_of_a_seed_are_pinned():
    rng = Rng(7)
    assert [rng.next32() for _ in range(4)] == PINNED_BITS
    assert [rng.below(10) for _ in range(12)] == PINNED_DIGITS
    assert [rng.random() for _ in range(2)] == PINNED_FLOATS


def reference_sfc32(seed):
    """The published generator, with arbitrary precision and a mask after every step."""
    word = seed + 2**63
    a, b, c, counter = word % 2**32, word // 2**32 % 2**32, word // 2**64, 1
    number = 0
    while True:
        t = (a + b + counter) % 2**32
        counter = (counter + 1) % 2**32
        a = b ^ b >> 9
        b = (c + c * 8) % 2**32
        c = ((c * 2**21 % 2**32 | c >> 11) + t) % 2**32
        number += 1
        if number > 12:
            yield t


@given(st.integers(SEED_MIN, SEED_MAX))
def test_the_generator_is_sfc32(seed):
    rng, reference = Rng(seed), reference_sfc32(seed)
    assert [rng.next32() for _ in range(20)] == [next(reference) for _ in range(20)]


@given(st.integers(), st.integers(1, 2**31 - 1))
def test_below_stays_below(seed, n):
    rng = Rng(seed)
    assert all(0 <= rng.below(n) < n for _ in range(20))


@pytest.mark.parametrize("n", [3, 7, 2**31 - 1, 3 * 2**29])
def test_below_draws_every_part_of_the_range_equally_often(n):
    rng = Rng(1)
    parts = min(n, 7)
    drawn = Counter(rng.below(n) * parts // n for _ in range(1000 * parts))
    assert all(abs(drawn[part] - 1000) < 150 for part in range(parts))


def generator_that_gives(first):
    """A generator whose next number is `first`, made from a state of its words."""
    rebuild, _ = Rng(0).__reduce__()
    rng = rebuild(first, 0, 12345, 0)
    assert copy.copy(rng).next32() == first
    return rng


@pytest.mark.parametrize(
    ("n", "first"),
    [
        # 2**32 % n numbers are too many to share out equally: the products that end in
        # less than that are drawn again.
        (3, 0),
        (6, 0),
        (2**31 - 1, 0),
        (3 * 2**29, 0),
    ],
)
def test_below_rejects_draws_that_would_be_biased(n, first):
    rng, other = generator_that_gives(first), generator_that_gives(first)
    assert first * n % 2**32 < 2**32 % n
    other.next32()
    assert rng.below(n) == other.next32() * n // 2**32
    assert rng.next32() == other.next32()


@pytest.mark.parametrize(
    ("n", "first"),
    [
        (1, 0),
        (2, 0),
        (2**30, 0),
        # The product ends in 4, below n and not below 2**32 % n.
        (6, 2 * pow(3, -1, 2**31) % 2**31),
        (7, 2**32 - 1),
        (2**31 - 1, 2**32 - 1),
    ],
)
def test_below_draws_once_if_that_is_unbiased(n, first):
    rng, other = generator_that_gives(first), generator_that_gives(first)
    assert first * n % 2**32 >= 2**32 % n
    assert rng.below(n) == other.next32() * n // 2**32
    assert rng.next32() == other.next32()


def test_below_gives_the_first_and_the_last_of_its_range():
    assert generator_that_gives(2**32 - 1).below(7) == 6
    assert generator_that_gives(2**32 - 1).below(2**31 - 1) == 2**31 - 2
    assert generator_that_gives(1).below(7) == 0
    assert [Rng(seed).below(1) for seed in range(9)] == [0] * 9


@given(st.integers())
def test_random_lies_in_the_unit_interval(seed):
    assert 0.0 <= Rng(seed).random() < 1.0


def test_seeds_that_the_standard_library_confuses_differ():
    streams = {tuple(Rng(seed).next32() for _ in range(3)) for seed in (-1, 1, 2**63, -(2**63), 0)}
    assert len(streams) == 5


def test_negative_seeds_and_their_two_complements_differ():
    assert Rng(-1).next32() != Rng(2**64 - 1).next32()


@given(st.integers())
def test_every_int_folds_into_the_range_and_stays_there(seed):
    folded = fold_seed(seed)
    assert SEED_MIN <= folded <= SEED_MAX
    assert fold_seed(folded) == folded


@given(st.integers(SEED_MIN, SEED_MAX))
def test_a_seed_in_the_range_is_unchanged(seed):
    assert fold_seed(seed) == seed


@pytest.mark.parametrize("seed", [True, False, 1.0, "1", None, b"1", [1]])
def test_a_seed_of_another_type_is_a_type_error(seed):
    with pytest.raises(TypeError, match="a seed is an int"):
        Rng(seed)


@pytest.mark.parametrize("n", [0, -1, 2**31, 2**40])
def test_below_refuses_numbers_out_of_range(n):
    with pytest.raises(ValueError, match="below takes a number from 1 to"):
        Rng(1).below(n)


def test_a_copied_generator_continues_the_stream():
    rng = Rng(9)
    rng.next32()
    copies = [copy.copy(rng), copy.deepcopy(rng), pickle.loads(pickle.dumps(rng))]
    assert {each.next32() for each in copies} == {rng.next32()}


def test_a_seed_with_thousands_of_digits_is_folded_and_an_odd_object_refused():
    assert Rng(10**5000).next32() == Rng(fold_seed(10**5000)).next32()

    class Odd:
        @property
        def __class__(self):
            raise RuntimeError

        def __repr__(self):
            raise RuntimeError

    with pytest.raises(TypeError, match="a seed is an int, not Odd"):
        Rng(Odd())


@given(st.integers(), st.lists(st.integers(), min_size=1))
def test_a_shuffle_keeps_the_items_and_a_choice_is_one_of_them(seed, items):
    shuffled = list(items)
    Rng(seed).shuffle(shuffled)
    assert sorted(shuffled) == sorted(items)
    assert Rng(seed).choice(items) in items


def test_every_order_of_three_items_is_about_equally_likely():
    orders = Counter()
    rng = Rng(1)
    for _ in range(6000):
        items = [1, 2, 3]
        rng.shuffle(items)
        orders[tuple(items)] += 1
    assert len(orders) == 6
    assert all(900 < count < 1100 for count in orders.values())


def test_choice_refuses_an_empty_sequence():
    with pytest.raises(ValueError, match="at least one item"):
        Rng(1).choice([])
