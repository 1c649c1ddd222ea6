"""Games with partners, with a common goal, with general utilities, and with rewards."""

from parlour import OVER, Game, Result, Scene, SeatView, State, StateTextError
from parlour.options import check_options


class LineGame(Game):
    """A game whose position is the list of its actions."""

    STATE = State

    def start(self, seed=0):
        return self.STATE(self, ())

    def state_to_text(self, state):
        return " ".join(["played:", *map(str, state.line)])

    def state_from_text(self, text):
        head, *words = text.split(" ") if isinstance(text, str) else [""]
        state = self.start()
        for word in words:
            if not (word.isascii() and word.isdigit()) or state.refusal(int(word)):
                break
            state = state.apply(int(word))
        if head != "played:" or self.state_to_text(state) != text:
            raise StateTextError("expected the actions in turn, such as 'played: 0 1'")
        return state

    def scene(self, state, seat):
        views = tuple(SeatView(score=f"{value:g}") for value in state.rewards())
        return Scene((), views, f"{len(state.line)} actions so far.")


class LineState(State):
    """Seats act in turn."""

    def __init__(self, game, line):
        super().__init__(game)
        self.line = line

    @property
    def actor(self):
        return OVER if self.result() else len(self.line) % self.game.seats

    def legal_actions(self):
        return [] if self.result() else list(range(self.game.num_actions))

    def apply(self, action):
        return type(self)(self.game, (*self.line, int(action)))

    def key(self):
        return self.line


class PartnersState(LineState):
    def result(self):
        if sum(self.line) + len(self.line) < 10:
            return None
        winner = (len(self.line) - 1) % 2
        return Result(tuple(1.0 if seat % 2 == winner else -1.0 for seat in range(4)), None, "ten")


class Partners(LineGame):
    """Count on by one or two; the team that reaches ten wins."""

    STATE = PartnersState

    def __init__(self, **options):
        check_options(type(self).__name__.lower(), self.OPTIONS, options)
        super().__init__(
            name="partners",
            title="Partners",
            seats=4,
            num_actions=2,
            max_plies=10,
            teams=(0, 1, 0, 1),
        )


class LadderState(LineState):
    def result(self):
        if len(self.line) > 1 and self.line[-1] == self.line[-2]:
            return Result((-1.0, -1.0), None, "repeated")
        return Result((1.0, 1.0), None, "reached the top") if len(self.line) == 6 else None


class Ladder(LineGame):
    """Choose one of three six times without a repetition: all win, or all lose."""

    STATE = LadderState

    def __init__(self, **options):
        check_options(type(self).__name__.lower(), self.OPTIONS, options)
        super().__init__(
            name="ladder", title="Ladder", seats=2, num_actions=3, max_plies=6, utility="common"
        )


class CentipedeState(LineState):
    def result(self):
        rounds = len(self.line)
        if rounds == 0 or (self.line[-1] == 1 and rounds < 6):
            return None
        pot = rounds / 6
        mine, other = (pot, pot / 4) if self.line[-1] == 0 else (pot / 2, pot / 2)
        returns = (mine, other) if rounds % 2 else (other, mine)
        return Result(returns, None, "took the pot" if self.line[-1] == 0 else "shared the pot")


class Centipede(LineGame):
    """Take most of the pot, or pass and let it grow."""

    STATE = CentipedeState

    def __init__(self, **options):
        check_options(type(self).__name__.lower(), self.OPTIONS, options)
        super().__init__(
            name="centipede",
            title="Centipede",
            seats=2,
            num_actions=2,
            max_plies=6,
            utility="general",
        )


class CoinsState(LineState):
    COINS = (3, 1, 4, 1, 5, 2)

    def _ahead(self):
        coins, ahead = list(self.COINS), 0
        for ply, side in enumerate(self.line):
            coin = coins.pop(0 if side == 0 else -1)
            ahead += coin if ply % 2 == 0 else -coin
        return ahead / sum(self.COINS)

    def rewards(self):
        return (self._ahead(), -self._ahead())

    def result(self):
        if len(self.line) < len(self.COINS):
            return None
        return Result(self.rewards(), None, "all coins taken")


class Coins(LineGame):
    """Take the first or the last coin of the row; every coin is a reward at once."""

    STATE = CoinsState

    def __init__(self, **options):
        check_options(type(self).__name__.lower(), self.OPTIONS, options)
        super().__init__(name="coins", title="Coins", seats=2, num_actions=2, max_plies=6)
