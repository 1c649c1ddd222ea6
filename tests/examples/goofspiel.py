"""Goofspiel: an example of a game with simultaneous bids, made in turn and kept secret."""

import re

from parlour import (
    CHANCE,
    OVER,
    Actions,
    ActionTextError,
    ActionView,
    Board,
    Cell,
    Game,
    Result,
    Scene,
    SeatView,
    State,
    StateTextError,
)
from parlour.options import check_options, choice, integer


class Goofspiel(Game):
    """For each prize both seats bid a card that they spend; the higher bid takes the prize."""

    OPTIONS = (
        integer("cards", 5, 2, 13, "prizes, and cards of each player"),
        choice("prizes", "random", ("random", "descending"), "the order of the prizes"),
        choice("ties", "discard", ("discard", "split"), "what equal bids do to the prize"),
    )

    def __init__(self, **options):
        values = check_options("goofspiel", self.OPTIONS, options)
        self.cards = values["cards"]
        numbers = tuple(str(card) for card in range(1, self.cards + 1))
        super().__init__(
            name="goofspiel",
            title="Goofspiel",
            seats=2,
            num_actions=self.cards,
            max_plies=2 * self.cards,
            options=values,
            has_chance=values["prizes"] == "random",
            has_secrets=True,
            board=Board(3, self.cards, ("prizes", "1", "2"), numbers),
        )

    def start(self, seed=0):
        return GoofspielState(self, self.known_prizes(), ((), ()))

    def known_prizes(self):
        """The prizes that are up at the start: all of them if their order is fixed."""
        return () if self.has_chance else tuple(range(self.cards, 0, -1))

    def action_to_text(self, state, action):
        return f"={action + 1}" if state.actor == CHANCE else str(action + 1)

    def action_from_text(self, state, text):
        word = text.strip()
        for action in state.legal_actions() if state.actor == CHANCE else range(self.cards):
            if self.action_to_text(state, action) == word:
                return action
        raise ActionTextError(f"{word[:20]!r} is not an action: bid a card from 1 to {self.cards}")

    def action_words(self, state, action, seat):
        if state.actor == CHANCE:
            return f"the prize {action + 1}"
        seen = seat is not None and self.can_see(state, action, seat)
        return f"the {action + 1}" if seen or state.actor == 1 else "a card"

    def can_see(self, state, action, seat):
        """The first bid is secret until the second, which is shown together with it."""
        return state.actor != 0 or seat == 0

    def action_view(self, state, action):
        """By the card in the hand of the seat that bids."""
        cells = () if state.actor < 0 else ((state.actor + 1) * self.cards + action,)
        return ActionView(action, self.action_to_text(state, action), cells)

    def action_at(self, state, cells, group=""):
        if len(cells) != 1 or group or state.actor < 0:
            return None
        row, card = divmod(cells[0], self.cards)
        return card if row == state.actor + 1 else None

    def state_to_text(self, state):
        parts = (state.prizes, *state.bids)
        return " ".join(
            f"{word} {','.join(map(str, part)) or '-'}"
            for word, part in zip(("prizes", "first", "second"), parts, strict=True)
        )

    def state_from_text(self, text):
        match = re.fullmatch(r"prizes ([0-9,]+|-) first ([0-9,]+|-) second ([0-9,]+|-)", text)
        if match is None:
            raise StateTextError(f"expected 'prizes 3,1 first 2 second 5', not {text[:30]!r}")
        prizes, first, second = (self.read_cards(part) for part in match.groups())
        rounds = len(second)
        if len(first) - rounds not in (0, 1):
            raise StateTextError("the first player has as many bids as the second, or one more")
        is_right = len(first) <= len(prizes) <= rounds + 1
        if not self.has_chance:
            is_right = prizes == self.known_prizes()
        if not is_right:
            raise StateTextError(f"these are not the prizes of round {rounds + 1}")
        return GoofspielState(self, prizes, (first, second))

    def read_cards(self, text):
        words = [] if text == "-" else text.split(",")
        known = [str(card) for card in range(1, self.cards + 1)]
        if len(set(words)) < len(words) or not set(words) <= set(known):
            raise StateTextError(f"expected different cards from 1 to {self.cards}, not {text!r}")
        return tuple(int(word) for word in words)

    def scene(self, state, seat):
        """A bid that is pending is marked for who made it; to others it is still in the hand."""
        numbers = range(1, self.cards + 1)
        gone = state.prizes[: len(state.bids[1])]
        cells = [self.prize_cell(card, card in gone, card == state.prize()) for card in numbers]
        for holder in (0, 1):
            played = state.bids[holder][: len(state.bids[1])]
            pending = state.bids[holder][len(played) :] if seat == holder else ()
            for card in numbers:
                if card in played:
                    cells.append(Cell("·", f"the {card} is spent"))
                else:
                    marks = ("x-bid",) if card in pending else ()
                    cells.append(Cell(str(card), f"the {card}", holder, marks=marks))
        views = tuple(SeatView(score=f"{points:g}") for points in state.points())
        return Scene(tuple(cells), views, state.status())

    def prize_cell(self, card, is_gone, is_up):
        if is_gone:
            return Cell("·", f"the prize {card} is gone")
        marks = ("goal",) if is_up else ()
        return Cell(str(card), f"the prize {card}", marks=marks)


class GoofspielState(State):
    def __init__(self, game, prizes, bids):
        super().__init__(game)
        self.prizes = prizes
        self.bids = bids

    def prize(self):
        """What is bid for, or `None` before it is turned up and at the end."""
        up = self.prizes[len(self.bids[1]) :]
        return up[0] if up else None

    @property
    def actor(self):
        if len(self.bids[1]) == self.game.cards:
            return OVER
        if self.prize() is None:
            return CHANCE
        return len(self.bids[0]) - len(self.bids[1])

    def left(self, cards):
        """The ids of those that are not among these cards."""
        return [card - 1 for card in range(1, self.game.cards + 1) if card not in cards]

    def legal_actions(self):
        actor = self.actor
        if actor == OVER:
            return Actions([])
        return Actions(self.left(self.prizes if actor == CHANCE else self.bids[actor]))

    def chance_outcomes(self):
        if self.actor != CHANCE:
            return []
        prizes = self.left(self.prizes)
        return [(prize, 1 / len(prizes)) for prize in prizes]

    def apply(self, action):
        first, second = self.bids
        card = action + 1
        if self.actor == CHANCE:
            return GoofspielState(self.game, (*self.prizes, card), self.bids)
        if self.actor == 0:
            return GoofspielState(self.game, self.prizes, ((*first, card), second))
        return GoofspielState(self.game, self.prizes, (first, (*second, card)))

    def points(self):
        points = [0.0, 0.0]
        for prize, first, second in zip(self.prizes, *self.bids, strict=False):
            if first != second:
                points[first < second] += prize
            elif self.game.options["ties"] == "split":
                points = [own + prize / 2 for own in points]
        return tuple(points)

    def result(self):
        if self.actor != OVER:
            return None
        first, second = self.points()
        value = float((first > second) - (first < second))
        return Result((value, -value), (first, second), "more points" if value else "equal points")

    def status(self):
        if self.actor == OVER:
            return "Over, {:g} to {:g}.".format(*self.points())
        if self.actor == CHANCE:
            return "The next prize is turned up."
        return f"Player {self.actor + 1} bids for the {self.prize()}."

    def determinize(self, seat, rng):
        """To the second seat the pending bid is any card that the first one held."""
        if seat == 0 or self.actor != 1:
            return self
        first, second = self.bids
        held = self.left(first[:-1])
        bid = held[rng.below(len(held))] + 1
        return GoofspielState(self.game, self.prizes, ((*first[:-1], bid), second))

    def key(self):
        return (self.prizes, self.bids)
