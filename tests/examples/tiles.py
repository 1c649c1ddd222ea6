"""Tiles: an example of a game of polyominoes; a player who cannot place a piece loses."""

import re

from parlour import (
    OVER,
    Actions,
    ActionTextError,
    ActionView,
    Cell,
    Game,
    Result,
    SeatView,
    State,
    StateTextError,
    grids,
)
from parlour.options import check_options, integer

PIECES = {"I1": ((0, 0),), "I2": ((0, 0), (0, 1)), "V3": ((0, 0), (1, 0), (1, 1))}
HANDS = tuple(PIECES)
KINDS = {".": Cell("·", "empty"), "0": Cell("X", "one", 0), "1": Cell("O", "two", 1)}


def orientations(shape):
    shapes = set()
    for _ in range(4):
        shape = tuple((col, -row) for row, col in shape)
        for form in (shape, tuple((row, -col) for row, col in shape)):
            top, left = min(r for r, _ in form), min(c for _, c in form)
            shapes.add(tuple(sorted((r - top, c - left) for r, c in form)))
    return sorted(shapes)


def placements(side):
    found = []
    for piece, shape in PIECES.items():
        for form in orientations(shape):
            for row in range(side):
                for col in range(side):
                    cells = [(row + r, col + c) for r, c in form]
                    if all(r < side and c < side for r, c in cells):
                        found.append((piece, tuple(r * side + c for r, c in cells)))
    return found


class Tiles(Game):
    """Each player has the pieces I1, I2 and V3; they may touch anything, but not overlap."""

    OPTIONS = (integer("side", 4, 2, 6, "rows and columns"),)

    def __init__(self, **options):
        values = check_options("tiles", self.OPTIONS, options)
        self.side = values["side"]
        self.placements = placements(self.side)
        super().__init__(
            name="tiles",
            title="Tiles",
            seats=2,
            num_actions=len(self.placements),
            max_plies=6,
            options=values,
            board=grids.board(self.side, self.side),
        )

    def start(self, seed=0):
        return TilesState(self, grids.empty(self.board), (HANDS, HANDS), 0)

    def action_to_text(self, state, action):
        return ",".join(grids.cell_to_text(self.board, cell) for cell in self.placements[action][1])

    def action_from_text(self, state, text):
        wanted = {grids.cell_from_text(self.board, word) for word in text.split(",")}
        for action, (_, cells) in enumerate(self.placements):
            if set(cells) == wanted:
                return action
        raise ActionTextError(f"{text.strip()[:20]!r} is not a placement: name cells like a1,a2")

    def state_to_text(self, state):
        hands = "/".join("+".join(hand) for hand in state.hands)
        rows = grids.board_to_text(self.board, state.board)
        return f"{hands} player {state.seat + 1}\n{rows}"

    def state_from_text(self, text):
        head, _, rows = text.partition("\n")
        match = re.fullmatch(r"([IV123+]*)/([IV123+]*) player ([12])", head)
        if match is None:
            raise StateTextError(f"expected 'I1+I2/V3 player 1' and the board, not {head[:20]!r}")
        hands = tuple(tuple(filter(None, match[n].split("+"))) for n in (1, 2))
        board = grids.board_from_text(self.board, rows, KINDS)
        return TilesState(self, board, hands, int(match[3]) - 1)

    def action_view(self, state, action):
        piece, cells = self.placements[action]
        return ActionView(action, self.action_to_text(state, action), cells, piece)

    def action_at(self, state, cells, group=""):
        for action, (piece, covered) in enumerate(self.placements):
            if piece == group and set(covered) == set(cells):
                return action
        return None

    def seat_names(self, state):
        return ("one", "two")

    def scene(self, state, seat):
        seats = [SeatView(score=f"{len(hand)} left", tray=hand) for hand in state.hands]
        status = "Over." if state.actor == OVER else f"Player {state.seat + 1} lays a piece."
        return grids.scene(state, lambda cell: KINDS[state.board[cell]], status, seats)


class TilesState(State):
    def __init__(self, game, board, hands, seat):
        super().__init__(game)
        self.board = board
        self.hands = hands
        self.seat = seat

    def moves(self):
        return [
            action for action in range(self.game.num_actions) if self.broken_rule(action) is None
        ]

    def broken_rule(self, action):
        piece, cells = self.game.placements[action]
        if any(self.board[cell] != "." for cell in cells):
            return "a piece lies there already"
        if piece not in self.hands[self.seat]:
            return f"the piece {piece} is laid already"
        return None

    @property
    def actor(self):
        return self.seat if self.moves() else OVER

    def legal_actions(self):
        return Actions(self.moves())

    def rule_against(self, action):
        return self.broken_rule(action)

    def apply(self, action):
        piece, cells = self.game.placements[action]
        board = grids.placed(self.board, dict.fromkeys(cells, str(self.seat)))
        hands = list(self.hands)
        hands[self.seat] = tuple(name for name in hands[self.seat] if name != piece)
        return TilesState(self.game, board, tuple(hands), 1 - self.seat)

    def result(self):
        if self.moves():
            return None
        value = -1.0 if self.seat == 0 else 1.0
        return Result((value, -value), None, "cannot lay a piece")

    def key(self):
        return (self.board, self.hands, self.seat)
