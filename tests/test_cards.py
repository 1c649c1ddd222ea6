"""Dealing unknown cards again: right sizes, allowed hands, equal chances, nothing leaked."""

from collections import Counter
from itertools import permutations

import pytest

import parlour
from parlour import ContractError, Rng, cards
from parlour.cards import redeal

SUITS = "CDHS"
DECK = [(suit, rank) for suit in SUITS for rank in range(13)]


def anything(card, hand):
    return True


def allowed(card, hand):
    """The first hand has no a, the second no b."""
    return card != "ab"[hand] if hand < 2 else True


def possible(sizes):
    """Return all deals of abcde that are allowed."""
    first, second = sizes[0], sizes[0] + sizes[1]
    deals = {
        tuple("".join(sorted(part)) for part in (p[:first], p[first:second], p[second:]))
        for p in permutations("abcde")
    }
    return {
        deal
        for deal in deals
        if all(allowed(card, hand) for hand in range(3) for card in deal[hand])
    }


@pytest.mark.parametrize("tries", [16, 0], ids=["by trial", "by counting"])
def test_every_possible_deal_is_equally_likely(monkeypatch, tries):
    monkeypatch.setattr(cards, "TRIES", tries)
    sizes, rng, rounds = (2, 2, 1), Rng(3), 6000
    found = Counter(
        tuple("".join(hand) for hand in redeal("abcde", sizes, allowed, rng)) for _ in range(rounds)
    )
    wanted = possible(sizes)
    assert set(found) == wanted
    mean = rounds / len(wanted)
    chi = sum((count - mean) ** 2 / mean for count in found.values())
    assert chi < 3 * len(wanted)


def test_a_whole_hand_of_voids_is_dealt_as_shown():
    voids = [set("CD"), set("H"), set()]
    unknown = [card for card in DECK if card[0] != "S"]
    dealt = redeal(unknown, [13, 13, 13], lambda card, hand: card[0] not in voids[hand], Rng(1))
    assert dealt[0] == [card for card in DECK if card[0] == "H"]
    assert sorted(dealt[1] + dealt[2]) == [card for card in DECK if card[0] in "CD"]


def test_the_order_of_the_cards_does_not_matter():
    backwards = redeal(reversed(DECK), [26, 26], anything, Rng(5))
    assert backwards == redeal(DECK, [26, 26], anything, Rng(5))


@pytest.mark.parametrize("sizes", [[1, 1], [2, 2], [4, -1], []])
def test_sizes_must_add_up_to_the_cards(sizes):
    with pytest.raises(ContractError, match="cannot hold 3 cards"):
        redeal("abc", sizes, anything, Rng(1))


def test_a_contradiction_is_refused():
    with pytest.raises(ContractError, match="no deal of the unknown cards is allowed"):
        redeal("abc", [1, 2], lambda card, hand: hand == 0, Rng(1))


def test_numbers_below_a_large_bound_are_uniform():
    bound, rng = 3 * 2**70, Rng(1)
    drawn = Counter(cards._below(rng, bound) // 2**70 for _ in range(3000))
    assert set(drawn) == {0, 1, 2}
    assert max(drawn.values()) < 1150


def test_kuhn_poker_redeals_the_other_card():
    from kuhn import Kuhn

    state = Kuhn().start().play("=K").play("=J")
    rng = parlour.Rng(1)
    others = {state.determinize(0, rng).cards for _ in range(40)}
    assert others == {"KJ", "KQ"}
