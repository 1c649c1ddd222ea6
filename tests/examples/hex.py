"""Hex: an example of a board of hexagons, and of a game without draws."""

from parlour import (
    OVER,
    Actions,
    ActionView,
    Cell,
    Game,
    Guide,
    InvalidState,
    Result,
    SeatView,
    State,
    grids,
)
from parlour.options import check_options, integer

NAMES = ("red", "blue")
SIGNS = "RB"
KINDS = {
    ".": Cell("·", "empty"),
    "R": Cell("R", "red", 0, "red", "red-stone"),
    "B": Cell("B", "blue", 1, "blue", "blue-stone"),
}


class Hex(Game):
    """Place a stone each turn; red connects top and bottom, blue connects left and right."""

    OPTIONS = (integer("size", 11, 2, 19, "rows and columns"),)

    def __init__(self, **options):
        values = check_options("hex", self.OPTIONS, options)
        self.size = size = values["size"]
        super().__init__(
            name="hex",
            title="Hex",
            seats=2,
            num_actions=size**2,
            max_plies=size**2,
            options=values,
            board=grids.board(size, size, shape="hex"),
            faces=tuple(cell.face for cell in KINDS.values() if cell.face),
        )

    def start(self, seed=0):
        return HexState(self, grids.empty(self.board))

    def guide(self):
        return Guide(
            self,
            "In turn each player lays a stone onto any empty cell. Red wins with an unbroken "
            "chain of stones from the top to the bottom, blue with one from left to right.",
        )

    def action_to_text(self, state, action):
        return grids.cell_to_text(self.board, action)

    def action_from_text(self, state, text):
        return grids.cell_from_text(self.board, text)

    def state_to_text(self, state):
        return grids.board_to_text(self.board, state.stones)

    def state_from_text(self, text):
        stones = grids.board_from_text(self.board, text, KINDS)
        if not 0 <= stones.count("R") - stones.count("B") <= 1:
            raise InvalidState("red must have as many stones as blue, or one more")
        state = HexState(self, stones)
        if state.has_won(state.seat):
            raise InvalidState(f"{NAMES[state.seat]} has won and cannot be to move")
        return state

    def action_view(self, state, action):
        return ActionView(action, self.action_to_text(state, action), (action,))

    def action_at(self, state, cells, group=""):
        return cells[0] if len(cells) == 1 else None

    def seat_names(self, state):
        return NAMES

    def scene(self, state, seat):
        result = state.result()
        if result is not None:
            status = f"{NAMES[result.winner].capitalize()} wins: its chain joins both sides."
        elif state.seat == 0:
            status = "Red to move: join top and bottom."
        else:
            status = "Blue to move: join left and right."
        stones = [state.stones.count(sign) for sign in SIGNS]
        seats = [SeatView(score=f"{n} stone" + "s" * (n != 1)) for n in stones]
        return grids.scene(state, lambda cell: KINDS[state.stones[cell]], status, seats)


class HexState(State):
    def __init__(self, game, stones):
        super().__init__(game)
        self.stones = stones
        self.has_ended = self.has_won(1 - self.seat)

    @property
    def seat(self):
        """The seat to move, ignoring the end of the game."""
        return self.stones.count("R") - self.stones.count("B")

    @property
    def actor(self):
        return OVER if self.has_ended else self.seat

    def has_won(self, seat):
        """Whether a chain of that seat connects its two sides."""
        size, sign = self.game.size, SIGNS[seat]
        first = range(size) if seat == 0 else range(0, size**2, size)
        chain = [cell for cell in first if self.stones[cell] == sign]
        seen = set(chain)
        while chain:
            cell = chain.pop()
            if divmod(cell, size)[seat] == size - 1:
                return True
            for near in grids.neighbours(self.game.board, cell):
                if self.stones[near] == sign and near not in seen:
                    chain.append(near)
                    seen.add(near)
        return False

    def legal_actions(self):
        if self.actor == OVER:
            return Actions([])
        return Actions(cell for cell, sign in enumerate(self.stones) if sign == ".")

    def rule_against(self, action):
        return None if self.stones[action] == "." else "a stone lies there already"

    def apply(self, action):
        return HexState(self.game, grids.placed(self.stones, {action: SIGNS[self.seat]}))

    def result(self):
        if self.actor != OVER:
            return None
        value = -1.0 if self.seat == 0 else 1.0
        return Result((value, -value), None, "joined both sides")

    def key(self):
        return self.stones
