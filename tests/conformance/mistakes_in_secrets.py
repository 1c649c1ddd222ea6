"""Mistakes in what is hidden from whom."""

from goofspiel import Goofspiel, GoofspielState
from kuhn import CARDS, FACES, Kuhn, KuhnState
from mistaken import Mistake, described, goofspiel, guided, kuhn, nim
from nim import Nim, NimState

from parlour import CHANCE, OVER, Game, Rng, State


def of_two(state, seat, rng):
    """Leaks: after the first bet never the card that the other really has."""
    if state.actor == OVER or len(state.cards) < 2 or not state.bets:
        return KuhnState.determinize(state, seat, rng)
    (other,) = set(CARDS) - set(state.cards)
    own = state.cards[seat]
    return KuhnState(state.game, own + other if seat == 0 else other + own, state.bets)


def kings_bet(state):
    """Holders of a king must bet first, so one who passed has none."""
    is_first = state.actor == 0 and not state.bets
    return [1] if is_first and state.cards[0] == "K" else KuhnState.legal_actions(state)


def of_those_who_may_pass(state, seat, rng):
    if state.actor == OVER or len(state.cards) < 2:
        return KuhnState.determinize(state, seat, rng)
    own = state.cards[seat]
    has_passed = seat == 1 and state.bets.startswith("p")
    left = [card for card in CARDS if card != own and not (card == "K" and has_passed)]
    other = left[rng.below(len(left))]
    return KuhnState(state.game, own + other if seat == 0 else other + own, state.bets)


def of_low_cards(state, seat, rng):
    one, two = (KuhnState.determinize(state, seat, rng) for _ in range(2))
    return min(one, two, key=lambda drawn: [CARDS.index(card) for card in drawn.cards])


def of_all_cards(state, seat, rng):
    if seat == 0 or state.actor != 1:
        return state
    first, second = state.bids
    bid = rng.below(state.game.cards) + 1
    return GoofspielState(state.game, state.prizes, ((*first[:-1], bid), second))


def both_redrawn(state, seat, rng):
    """Forgets what the seat itself holds."""
    if state.actor == OVER or len(state.cards) < 2:
        return KuhnState.determinize(state, seat, rng)
    first = rng.below(3)
    second = (first + 1 + rng.below(2)) % 3
    return KuhnState(state.game, CARDS[first] + CARDS[second], state.bets)


def dealt_at_the_start(game, seed=0):
    rng = Rng(seed)
    first = rng.below(3)
    return KuhnState(game, CARDS[first] + CARDS[(first + 1 + rng.below(2)) % 3], "")


def shown_to_spectators(game, state, seat):
    """A spectator sees the first seat's card."""
    return Kuhn.scene(game, state, 0 if seat is None else seat)


def telling_status(game, state, seat):
    return Kuhn.scene(game, state, seat)._replace(status=f"The cards are {state.cards}.")


def revealing_words(game, state, action, seat):
    if state.actor == CHANCE:
        return f"the {FACES[action]}"
    return Kuhn.action_words(game, state, action, seat)


ALL_SEEN = {"can_see": lambda g, s, a, seat: True}

MISTAKES = [
    Mistake(
        "has_secrets is forgotten",
        "can_see is False for seat 1 and action 0, but has_secrets is False",
        kuhn(game=described(Kuhn, has_secrets=False)),
        kuhn(game=described(Kuhn, has_secrets=True)),
    ),
    Mistake(
        "determinize is not written",
        "seat 1 cannot see which action chance made, 0 or 1, but determinize(1) reveals it",
        kuhn(determinize=State.determinize),
        kuhn(determinize=KuhnState.determinize),
    ),
    Mistake(
        "determinize and can_see are not written",
        "has_secrets is True, but determinize() never changed a state",
        kuhn(game=ALL_SEEN, determinize=State.determinize),
        kuhn(),
    ),
    Mistake(
        "can_see is not written",
        "has_secrets is True, but can_see is not written",
        kuhn(game={"can_see": Game.can_see}),
        kuhn(),
    ),
    Mistake(
        "everybody sees every card that is dealt",
        "can_see tells seat 1 which action chance made, 0 or 1, but determinize(1) draws the same",
        kuhn(game=ALL_SEEN),
        kuhn(),
    ),
    Mistake(
        "everybody sees every bid",
        "can_see tells seat 1 which action seat 0 made",
        goofspiel(game=ALL_SEEN),
        goofspiel(),
    ),
    Mistake(
        "determinize never draws the truth",
        "determinize(0) depends on something that the seat does not know",
        kuhn(determinize=of_two),
        kuhn(determinize=KuhnState.determinize),
    ),
    Mistake(
        "determinize redraws the seat's own card",
        "changes what seat 0 itself sees, the cells of its scene",
        kuhn(determinize=both_redrawn),
        kuhn(determinize=KuhnState.determinize),
    ),
    Mistake(
        "determinize forgets that a king would have bet",
        "determinize(1) ignores what seat 1 knows: after action 0 of seat 0 it draws ('KQ', 'p')",
        kuhn(legal_actions=kings_bet),
        kuhn(legal_actions=kings_bet, determinize=of_those_who_may_pass),
    ),
    Mistake(
        "determinize draws cards that were spent",
        "determinize(1) ignores what seat 1 knows: after action",
        goofspiel(determinize=of_all_cards),
        goofspiel(),
    ),
    Mistake(
        "determinize prefers low cards",
        "determinize(1) is biased: in 400 draws after a hidden outcome it gives",
        kuhn(determinize=of_low_cards),
        kuhn(),
    ),
    Mistake(
        "cards are dealt by the seed",
        "seat 0 sees something else at the start than a spectator, but seeds are public",
        kuhn(game={"start": dealt_at_the_start}),
        kuhn(game={"start": Kuhn.start}),
    ),
    Mistake(
        "a spectator sees a hand",
        "a spectator sees something that seat 1 does not know",
        kuhn(game={"scene": shown_to_spectators}),
        kuhn(game={"scene": Kuhn.scene}),
    ),
    Mistake(
        "the status tells the cards",
        "changes what seat 1 itself sees, the status of its scene",
        kuhn(game={"scene": telling_status}),
        kuhn(game={"scene": Kuhn.scene}),
    ),
    Mistake(
        "the words tell which card it was",
        "action_words() reveals a hidden action: 'the jack' or 'the queen'",
        kuhn(game={"action_words": revealing_words}),
        kuhn(game={"action_words": Kuhn.action_words}),
    ),
    Mistake(
        "the fields tell the cards",
        "json_fields() reveals to seat 1 what it does not know: {'cards': 'K'}",
        kuhn(game={"json_fields": lambda g, s, seed, seat: {"cards": s.cards}}),
        kuhn(game={"json_fields": lambda g, s, seed, seat: {"bets": s.bets}}),
    ),
    Mistake(
        "the remark tells the cards",
        "remark() reveals to seat 1 what it does not know: 'K'",
        guided(kuhn, remark=lambda g, start, s, seat: s.cards),
        guided(kuhn, remark=lambda g, start, s, seat: s.bets),
    ),
    Mistake(
        "a seat cannot see its own bid",
        "can_see must be True for the seat that acts: action 0 of seat 0",
        goofspiel(game={"can_see": lambda g, s, a, seat: s.actor != 0}),
        goofspiel(game={"can_see": Goofspiel.can_see}),
    ),
    Mistake(
        "the pending bid is not redrawn",
        "seat 1 cannot see which action seat 0 made, 0 or 1, but determinize(1) reveals it",
        goofspiel(determinize=State.determinize),
        goofspiel(determinize=GoofspielState.determinize),
    ),
    Mistake(
        "an action is hidden where there are no secrets",
        "can_see is False for seat 1 and action 0, but has_secrets is False",
        nim(game={"can_see": lambda g, s, a, seat: seat == s.actor}),
        nim(game={"can_see": Nim.can_see}),
    ),
    Mistake(
        "determinize changes a state without secrets",
        "changes the state to (3, 0), but has_secrets is False",
        nim(determinize=lambda s, seat, rng: NimState(s.game, 3, 0)),
        nim(),
    ),
]
