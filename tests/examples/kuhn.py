"""Kuhn poker: an example of a game with cards that only their holder sees."""

import re

from parlour import (
    CHANCE,
    OVER,
    Actions,
    ActionTextError,
    Board,
    Cell,
    Game,
    Guide,
    Result,
    Scene,
    SeatView,
    State,
    StateTextError,
)
from parlour.cards import redeal
from parlour.options import check_options

PASS, BET = 0, 1
WORDS = ("pass", "bet")
CARDS = "JQK"
FACES = ("jack", "queen", "king")
NONE = "-"
ENDS = ("pp", "pbp", "pbb", "bp", "bb")


class Kuhn(Game):
    """Three cards, one each, a chip each in the pot; bet one more, or pass and hope.

    The holder of the higher card wins unless it passed when the other bet.
    """

    def __init__(self, **options):
        super().__init__(
            name="kuhn",
            title="Kuhn poker",
            seats=2,
            num_actions=2,
            max_plies=3,
            options=check_options("kuhn", self.OPTIONS, options),
            has_chance=True,
            has_secrets=True,
            board=Board(1, 2, ("cards",), ("1", "2")),
            faces=(*FACES, "back"),
        )

    def start(self, seed=0):
        return KuhnState(self, "", "")

    def action_to_text(self, state, action):
        return f"={CARDS[action]}" if state.actor == CHANCE else WORDS[action]

    def action_from_text(self, state, text):
        word = text.strip()
        if state.actor == CHANCE and word in [f"={CARDS[card]}" for card in state.deck()]:
            return CARDS.index(word[1])
        if state.actor != CHANCE and word in WORDS:
            return WORDS.index(word)
        raise ActionTextError(f"{word[:20]!r} is not an action: pass, bet, or a card such as =K")

    def action_words(self, state, action, seat):
        if state.actor != CHANCE:
            return WORDS[action]
        is_own = seat is not None and self.can_see(state, action, seat)
        return f"the {FACES[action]}" if is_own else "a card"

    def can_see(self, state, action, seat):
        """A card is dealt to one seat; bets are made aloud."""
        return state.actor != CHANCE or len(state.cards) == seat

    def state_to_text(self, state):
        return f"cards {state.cards:{NONE}<2} bets {state.bets or NONE}"

    def state_from_text(self, text):
        match = re.fullmatch(r"cards ([JQK]?[JQK]?)(-{0,2}) bets (-|[pb]{1,3})", text)
        if match is None or len(match[1] + match[2]) != 2:
            raise StateTextError(f"expected 'cards KQ bets pb', not {text[:20]!r}")
        cards, bets = match[1], match[3].replace(NONE, "")
        if len(set(cards)) < len(cards):
            raise StateTextError(f"there is one card of each kind, not {cards}")
        if bets and (len(cards) < 2 or not any(end.startswith(bets) for end in ENDS)):
            raise StateTextError(f"the bets {bets!r} are impossible with the cards {cards!r}")
        return KuhnState(self, cards, bets)

    def guide(self):
        return Guide(
            self,
            "There are a jack, a queen and a king. Each player puts a chip into the pot and gets "
            "a card that the other does not see. In turn they bet a further chip or pass. Who "
            "passes after a bet loses the pot; otherwise the higher card wins it.",
        )

    def scene(self, state, seat):
        """Show each card to its holder, and both to all viewers at the end."""
        cells = []
        for holder in (0, 1):
            if len(state.cards) <= holder:
                cells.append(Cell("·", "no card yet", holder))
            elif seat == holder or state.actor == OVER:
                card = state.cards[holder]
                face = FACES[CARDS.index(card)]
                cells.append(Cell(card, f"the {face}", holder, face=face))
            else:
                cells.append(
                    Cell("?", "a card face down", holder, face="back", marks=("face-down",))
                )
        pot = tuple(SeatView(score=f"{chips} in the pot") for chips in state.chips())
        return Scene(tuple(cells), pot, state.status())


class KuhnState(State):
    def __init__(self, game, cards, bets):
        super().__init__(game)
        self.cards = cards
        self.bets = bets

    def deck(self):
        return [card for card in range(3) if CARDS[card] not in self.cards]

    def chips(self):
        """Return what each seat has put into the pot."""
        return tuple(1 + ("b" in self.bets[seat::2]) for seat in (0, 1))

    @property
    def actor(self):
        if len(self.cards) < 2:
            return CHANCE
        return OVER if self.bets in ENDS else len(self.bets) % 2

    def legal_actions(self):
        if self.actor == CHANCE:
            return Actions(self.deck())
        return Actions([] if self.actor == OVER else [PASS, BET])

    def chance_outcomes(self):
        if self.actor != CHANCE:
            return []
        deck = self.deck()
        return [(card, 1 / len(deck)) for card in deck]

    def apply(self, action):
        if self.actor == CHANCE:
            return KuhnState(self.game, self.cards + CARDS[action], self.bets)
        return KuhnState(self.game, self.cards, self.bets + "pb"[action])

    def winner(self):
        if self.bets.endswith("bp"):
            return len(self.bets) % 2
        return 0 if CARDS.index(self.cards[0]) > CARDS.index(self.cards[1]) else 1

    def result(self):
        if self.actor != OVER:
            return None
        won = float(min(self.chips()))
        scores = (won, -won) if self.winner() == 0 else (-won, won)
        reason = "passed after a bet" if self.bets.endswith("bp") else "the higher card"
        return Result(tuple(chips / 2 for chips in scores), scores, reason)

    def status(self):
        if self.actor == CHANCE:
            return "The cards are dealt."
        if self.actor == OVER:
            return f"Player {self.winner() + 1} wins {min(self.chips())}."
        return f"Player {self.actor + 1} passes or bets."

    def determinize(self, seat, rng):
        """The other's card is any but the seat's own; at the end all cards are on the table."""
        if self.actor == OVER or not self.cards[1 - seat : 2 - seat]:
            return self
        own = self.cards[seat : seat + 1]
        (other,), _ = redeal(CARDS.replace(own, ""), [1, 2 - len(own)], lambda *_: True, rng)
        return KuhnState(self.game, own + other if seat == 0 else other + own, self.bets)

    def key(self):
        return (self.cards, self.bets)
