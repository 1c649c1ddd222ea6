"""Deal what a seat does not know again, for `State.determinize`.

from parlour.cards import redeal

hands = redeal(unknown, [13, 13], lambda card, hand: suit(card) not in voids[hand], rng)
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from math import comb
from typing import Any, TypeVar

from parlour.core.errors import ContractError
from parlour.core.rng import Rng

__all__ = ["redeal"]

Card = TypeVar("Card")
Sizes = tuple[int, ...]

TRIES = 16
"""Random deals that are tried before possible deals are counted, which takes longer."""


def redeal(
    unknown: Iterable[Card],
    sizes: Sequence[int],
    allowed: Callable[[Card, int], bool],
    rng: Rng,
) -> list[list[Card]]:
    """Return sorted hands of these sizes from the unknown cards, all possible deals equally likely.

    `allowed(card, hand)` says whether that hand may hold the card. The cards are sorted first, so
    their order cannot leak. Raises `ContractError` if the sizes do not add up to the number of
    cards, or if no deal is possible.

    >>> from parlour import Rng
    >>> redeal("KQJ", [1, 2], lambda card, hand: card != "J" or hand == 0, Rng(1))
    [['J'], ['K', 'Q']]
    """
    listed: list[Any] = list(unknown)
    cards = sorted(listed)
    if sum(sizes) != len(cards) or min(sizes, default=0) < 0:
        raise ContractError(f"hands of {list(sizes)} cards cannot hold {len(cards)} cards")
    hands = range(len(sizes))
    for _ in range(TRIES):
        shuffled = cards.copy()
        rng.shuffle(shuffled)
        starts = [sum(sizes[:hand]) for hand in hands]
        dealt = [shuffled[starts[hand] : starts[hand] + sizes[hand]] for hand in hands]
        if all(allowed(card, hand) for hand in hands for card in dealt[hand]):
            return [sorted(hand) for hand in dealt]
    return _counted(cards, tuple(sizes), allowed, rng)


def _counted(
    cards: list[Any], sizes: Sizes, allowed: Callable[[Any, int], bool], rng: Rng
) -> list[list[Any]]:
    """Deal one kind of cards after the other, in proportion to the deals that remain.

    Cards are of a kind if the same hands may hold them.
    """
    kinds: dict[Sizes, list[Any]] = {}
    for card in cards:
        kinds.setdefault(tuple(h for h in range(len(sizes)) if allowed(card, h)), []).append(card)
    groups = sorted(kinds.items())

    @cache
    def ways(number: int, left: Sizes) -> int:
        """Return how many deals of the groups from this number on fill hands of these sizes."""
        if number == len(groups):
            return 1
        who, group = groups[number]
        return sum(
            _arrangements(shares) * ways(number + 1, _minus(left, who, shares))
            for shares in _shares(len(group), [left[hand] for hand in who])
        )

    if not ways(0, sizes):
        raise ContractError("no deal of the unknown cards is allowed")
    hands: list[list[Any]] = [[] for _ in sizes]
    left = sizes
    for number, (who, group) in enumerate(groups):
        point, after = _below(rng, ways(number, left)), left
        shares: Sizes = ()
        for shares in _shares(len(group), [left[hand] for hand in who]):
            after = _minus(left, who, shares)
            point -= _arrangements(shares) * ways(number + 1, after)
            if point < 0:
                break
        left = after
        rng.shuffle(group)
        for hand, share in zip(who, shares, strict=True):
            hands[hand] += group[:share]
            group = group[share:]
    return [sorted(hand) for hand in hands]


def _shares(count: int, most: Sequence[int]) -> Iterator[Sizes]:
    """Yield every way to divide a number of cards among hands that can take so many each."""
    if not most:
        if count == 0:
            yield ()
        return
    for share in range(max(0, count - sum(most[1:])), min(count, most[0]) + 1):
        for rest in _shares(count - share, most[1:]):
            yield (share, *rest)


def _arrangements(shares: Sizes) -> int:
    """Return how many ways there are to divide different cards into shares of these sizes."""
    total = 1
    for number, share in enumerate(shares):
        total *= comb(sum(shares[number:]), share)
    return total


def _minus(left: Sizes, who: Sizes, shares: Sizes) -> Sizes:
    taken = dict(zip(who, shares, strict=True))
    return tuple(space - taken.get(hand, 0) for hand, space in enumerate(left))


def _below(rng: Rng, bound: int) -> int:
    """Return a uniformly random number below a bound of any size."""
    bits = bound.bit_length()
    while True:
        number = 0
        for _ in range(0, bits, 32):
            number = number << 32 | rng.next32()
        number >>= -bits % 32
        if number < bound:
            return number
