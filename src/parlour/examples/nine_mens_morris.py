"""Nine Men's Morris: a board of points and lines.

1. In turn each player lays one of nine men on an empty point.
2. Then a man moves along a line to the next point; a player with three men may jump anywhere.
3. Three men in a line are a mill. Its owner removes an enemy man, one in a mill only if all are.
4. You lose with fewer than three men, or if you cannot move. 60 moves without a mill are a draw.
"""

import re

from parlour import (
    OVER,
    ActionTextError,
    ActionView,
    Board,
    Cell,
    Game,
    Guide,
    InvalidState,
    Result,
    Scene,
    SeatView,
    State,
    StateTextError,
    grids,
)
from parlour.options import check_options

NAMES, SIGNS, MEN, POINTS, QUIET = ("white", "black"), "WB", 9, 24, 60
KINDS = {
    ".": Cell("·", "empty"),
    "W": Cell("W", "white", 0, "white", "man"),
    "B": Cell("B", "black", 1, "black", "man"),
}
PLACES = re.findall("..", "a7d7g7b6d6f6c5d5e5a4b4c4e4f4g4c3d3e3b2d2f2a1d1g1")
UPWARDS = re.findall("..", "a1a4a7b2b4b6c3c4c5d1d2d3d5d6d7e3e4e5f2f4f6g1g4g7")
LINES = [*range(POINTS), *map(PLACES.index, UPWARDS)]
MILLS = [tuple(LINES[at : at + 3]) for at in range(0, len(LINES), 3)]
LINKS = [pair for one, two, three in MILLS for pair in ((one, two), (two, three))]
BOARD = Board.points([("abcdefg".index(at[0]), -int(at[1])) for at in PLACES], LINKS, PLACES)
TEXT = re.compile(r"([WB.]{24}) (white|black) (moves|removes), (\d+) laid, (\d+) quiet")


class NineMensMorris(Game["MorrisState"]):
    """Close mills of three men in a line, and remove an enemy man for each."""

    def __init__(self, **options: object) -> None:
        super().__init__(
            name="nine_mens_morris",
            title="Nine Men's Morris",
            seats=2,
            num_actions=POINTS + POINTS * POINTS,  # a point, or from one point to another
            max_plies=2 * MEN + 14 + 15 * QUIET,
            options=check_options("nine_mens_morris", self.OPTIONS, options),
            board=BOARD,
            faces=("man",),
        )

    def guide(self) -> Guide:
        return Guide(self, (__doc__ or "").partition("\n\n")[2], summary="Close mills.", minutes=15)

    def start(self, seed: int = 0) -> "MorrisState":
        return MorrisState(self, "." * POINTS)

    def state_to_text(self, state: "MorrisState") -> str:
        verb = "removes" if state.removes else "moves"
        return f"{state.signs} {NAMES[state.seat]} {verb}, {state.laid} laid, {state.quiet} quiet"

    def state_from_text(self, text: str) -> "MorrisState":
        match = TEXT.fullmatch(text.strip())
        if match is None:
            raise StateTextError("expected 24 of W, B and ., then 'white moves, 0 laid, 0 quiet'")
        laid, quiet, removes = int(match[4]), int(match[5]), match[3] == "removes"
        state = MorrisState(self, match[1], NAMES.index(match[2]), removes, laid, quiet)
        extra = [len(state.own(seat)) - (laid + 1 - seat) // 2 for seat in (0, 1)]
        if laid > 2 * MEN or quiet > QUIET or max(extra) > 0:
            raise InvalidState(f"at most {2 * MEN} men are laid, in turn, and {QUIET} moves quiet")
        if laid < 2 * MEN and (quiet or (laid - removes) % 2 != state.seat):
            raise InvalidState("while men are laid, white lays the first, third, ... of them")
        if removes and (quiet or not any(state.is_in_mill(at) for at in state.own())):
            raise InvalidState("a player removes a man only after closing a mill")
        return state

    def action_to_text(self, state: State, action: int) -> str:
        return "-".join(PLACES[point] for point in points_of(action))

    def action_from_text(self, state: State, text: str) -> int:
        words = text.strip().lower().split("-")
        if not set(words) <= set(PLACES) or not 1 <= len(words) <= 2:
            raise ActionTextError(f"{text[:20]!r} is not a point or a move: write d2 or d2-d3")
        return action_of(*[PLACES.index(word) for word in words])

    def action_view(self, state: State, action: int) -> ActionView:
        return ActionView(action, self.action_to_text(state, action), points_of(action))

    def action_at(self, state: State, cells: tuple[int, ...], group: str = "") -> int | None:
        return action_of(*cells) if 1 <= len(cells) <= 2 else None

    def seat_names(self, state: State) -> tuple[str, ...]:
        return NAMES

    def scene(self, state: "MorrisState", seat: int | None) -> Scene:
        name, result = NAMES[state.seat].capitalize(), state.result()
        if result is not None:
            won = "Draw" if result.winner is None else f"{NAMES[1 - state.seat]} wins"
            status = f"{won.capitalize()}: {result.reason}."
        elif state.removes:
            status = f"{name} has closed a mill and removes an enemy man."
        else:
            status = f"{name} {'lays' if state.laid < 2 * MEN else 'moves'} a man."
        hands = [MEN - (state.laid + 1 - each) // 2 for each in (0, 1)]
        views = [SeatView(score=f"{hand} in hand" if hand else "") for hand in hands]
        return grids.scene(state, lambda cell: KINDS[state.signs[cell]], status, views)


def points_of(action: int) -> tuple[int, ...]:
    return (action,) if action < POINTS else divmod(action - POINTS, POINTS)


def action_of(start: int, end: int = -1) -> int:
    return start if end < 0 else POINTS + start * POINTS + end


class MorrisState(State):
    def __init__(
        self,
        game: NineMensMorris,
        signs: str,
        seat: int = 0,
        removes: bool = False,
        laid: int = 0,
        quiet: int = 0,
    ) -> None:
        super().__init__(game)
        self.signs, self.seat, self.removes = signs, seat, removes
        self.laid, self.quiet = laid, quiet
        self.actions_now = [] if self.is_lost() or quiet == QUIET else sorted(self.found())

    def own(self, seat: int | None = None) -> list[int]:
        sign = SIGNS[self.seat if seat is None else seat]
        return [at for at in range(POINTS) if self.signs[at] == sign]

    def is_in_mill(self, point: int) -> bool:
        return any(point in mill and len({self.signs[at] for at in mill}) == 1 for mill in MILLS)

    def is_lost(self) -> bool:
        return self.laid == 2 * MEN and len(self.own()) < 3

    def found(self) -> list[int]:
        empty = [point for point in range(POINTS) if self.signs[point] == "."]
        if self.removes:
            enemies = self.own(1 - self.seat)
            return [each for each in enemies if not self.is_in_mill(each)] or enemies
        if self.laid < 2 * MEN:
            return empty
        own, board = self.own(), self.game.board
        ways = {point: empty if len(own) == 3 else grids.neighbours(board, point) for point in own}
        return [action_of(a, b) for a in own for b in ways[a] if self.signs[b] == "."]

    @property
    def actor(self) -> int:
        return self.seat if self.actions_now else OVER

    def legal_actions(self) -> list[int]:  # type: ignore[override]
        return list(self.actions_now)

    def rule_against(self, action: int) -> str | None:
        if action in self.actions_now:
            return None
        if self.removes:
            return "remove an enemy man, one in a mill only if all are"
        return "lay a man on an empty point" if self.laid < 2 * MEN else "move to a linked point"

    def apply(self, action: int) -> "MorrisState":
        *starts, end = points_of(action)
        if self.removes:
            signs = grids.placed(self.signs, {end: "."})
            return MorrisState(self.game, signs, 1 - self.seat, False, self.laid, 0)
        laid = self.laid + (not starts)
        signs = grids.placed(self.signs, {**dict.fromkeys(starts, "."), end: SIGNS[self.seat]})
        after = MorrisState(self.game, signs, self.seat, True, laid)
        if after.is_in_mill(end) and after.own(1 - self.seat):
            return after
        quiet = self.quiet + 1 if starts else 0  # a man that is laid makes progress
        return MorrisState(self.game, signs, 1 - self.seat, False, laid, quiet)

    def result(self) -> Result | None:
        if self.actions_now:
            return None
        if self.quiet == QUIET and not self.is_lost():
            return Result((0.0, 0.0), None, f"{QUIET} moves without a mill")
        won = 1.0 if self.seat == 1 else -1.0
        reason = "fewer than three men" if self.is_lost() else "no move is left"
        return Result((won, -won), None, reason)

    def key(self) -> object:
        return (self.signs, self.seat, self.removes, self.laid, self.quiet)
