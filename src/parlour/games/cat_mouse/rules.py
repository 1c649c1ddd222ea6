"""The rules of Cat and Mouse, and the positions they act on.

1. The grid has 25 by 25 cells, and some of them are obstacles. The cat and the mouse stand
   on two free cells.
2. In each turn the cat takes one step (up, down, left or right), then the mouse takes one.
   Neither may stay in place.
3. A step leads to a neighbouring cell of the grid that is not an obstacle. The cat may step
   onto the mouse; the mouse may not step onto the cat.
4. The cat wins by catching the mouse: it steps onto the mouse.
5. The cat wins by trapping the mouse: after the cat's step the mouse cannot step. The mouse
   stays in place.
6. If the mouse cannot step before the cat moves, any step of the cat wins.
7. The mouse steps to the cell with the largest Manhattan distance from the cat. Ties are
   broken in the order up, down, left, right.
8. The playable game is lost when the number of the cat's steps reaches the ply cap.

Cells are numbered in reading order:

      0   1   2  ...  24
     25  26  27  ...  49
    ...
    600 601 602  ... 624
"""

from collections.abc import Mapping
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from parlour.core.errors import InvalidState
from parlour.core.game import OVER, Game, State
from parlour.core.options import Value
from parlour.core.result import Result
from parlour.core.scene import Board
from parlour.games.cat_mouse.layout import (
    CAUGHT,
    CELLS,
    EDGE,
    PLAYING,
    SIDE,
    TRAPPED,
    WALL,
    Layout,
)

DIRECTIONS: Final = ("up", "down", "left", "right")

OUT_OF_PLIES: Final = 3

REASONS: Final = ("playing", "caught", "trapped", "ply cap")


def refusal_text(target: i64, direction: str) -> str | None:
    """Return why the cat cannot step to `target` (rule 3), or `None`."""
    if target == WALL:
        return f"the cat cannot go {direction}: an obstacle is in the way"
    if target == EDGE:
        return f"the cat cannot go {direction}: that is the edge of the grid"
    return None


@mypyc_attr(allow_interpreted_subclasses=True)
class CatMouseRules(Game["CatMouseState"]):
    """The parameters of the rules: the ply cap."""

    def __init__(self, title: str, options: Mapping[str, Value], ply_cap: int) -> None:
        """Set up a game with one seat, the cat; the mouse moves within the transition."""
        names = tuple([str(number) for number in range(SIDE)])
        super().__init__(
            name="cat_mouse",
            title=title,
            seats=1,
            num_actions=4,
            max_plies=ply_cap,
            options=options,
            board=Board(SIDE, SIDE, names, names),
            faces=("cat", "mouse", "cat-on-mouse"),
        )

    def position(
        self, walls: bytes, cat: int, mouse: int, plies: int, outcome: int
    ) -> "CatMouseState":
        """Return the state with these parts. Raises `InvalidState` if it is impossible."""
        if len(walls) != CELLS or any(wall > 1 for wall in walls):
            raise InvalidState(f"there must be {CELLS} cells, each free (0) or an obstacle (1)")
        for name, cell in (("cat", cat), ("mouse", mouse)):
            if not 0 <= cell < CELLS:
                raise InvalidState(f"the {name} must stand on the grid")
            if walls[cell]:
                raise InvalidState(f"the {name} must not stand on an obstacle")
        if not 0 <= plies <= self.max_plies:
            raise InvalidState(f"the cat's steps must be 0 to {self.max_plies}, not {plies}")
        if not PLAYING <= outcome <= TRAPPED:
            raise InvalidState(f"the outcome must be {PLAYING} to {TRAPPED}, not {outcome}")
        layout = Layout(walls)
        if (cat == mouse) != (outcome == CAUGHT):
            raise InvalidState(
                "the cat and the mouse must share a cell if and only if the mouse is caught"
            )
        if outcome == TRAPPED and not layout.was_trapped(cat, mouse):
            raise InvalidState("the mouse can step, so it is not trapped")
        if outcome != PLAYING and plies == 0:
            raise InvalidState("the mouse cannot be caught or trapped before the cat's first step")
        if layout.exits(cat) == 0:
            raise InvalidState("the cat must be able to step")
        return CatMouseState(self, layout, cat, mouse, plies, outcome)


class CatMouseState(State):
    """A position: the obstacles, the cat, the mouse, and the number of the cat's steps."""

    def __init__(
        self, rules: CatMouseRules, layout: Layout, cat: i64, mouse: i64, plies: i64, outcome: i64
    ) -> None:
        """Hold the parts, without checks; `CatMouseRules.position` makes them."""
        super().__init__(rules)
        self._rules: Final = rules
        self._layout: Final = layout
        self._cat: Final = cat
        self._mouse: Final = mouse
        self._plies: Final = plies
        self._outcome: Final = outcome
        self._cap: Final[i64] = rules.max_plies

    @property
    def layout(self) -> Layout:
        """The obstacles."""
        return self._layout

    @property
    def cat(self) -> int:
        """The cat's cell."""
        return self._cat

    @property
    def mouse(self) -> int:
        """The mouse's cell."""
        return self._mouse

    @property
    def plies(self) -> int:
        """The number of the cat's steps."""
        return self._plies

    @property
    def outcome(self) -> int:
        """PLAYING, CAUGHT, TRAPPED or OUT_OF_PLIES."""
        if self._outcome == PLAYING and self._plies >= self._cap:
            return OUT_OF_PLIES
        return self._outcome

    @property
    def actor(self) -> i64:
        """Seat 0, or OVER."""
        return OVER if self._outcome != PLAYING or self._plies >= self._cap else 0

    def legal_actions(self) -> vec[i64]:
        """Return the directions in which the cat can step."""
        actions = vec[i64]()
        if self.actor == OVER:
            return actions
        direction: i64 = 0
        while direction < 4:
            if self._layout.step(self._cat, direction) >= 0:
                actions = append(actions, direction)
            direction += 1
        return actions

    def rule_against(self, action: i64) -> str | None:
        """Return why rule 3 forbids the step, or `None`."""
        return refusal_text(self._layout.step(self._cat, action), DIRECTIONS[action])

    def apply(self, action: i64) -> "CatMouseState":
        """Return the state after the cat's step and the mouse's reply."""
        cat = self._layout.step(self._cat, action)
        outcome, mouse = self._layout.turn(self._cat, self._mouse, cat)
        return CatMouseState(self._rules, self._layout, cat, mouse, self._plies + 1, outcome)

    def result(self) -> Result | None:
        """Return a win by catching or trapping, or a loss at the ply cap."""
        outcome = self.outcome
        if outcome == PLAYING:
            return None
        return Result((-1.0 if outcome == OUT_OF_PLIES else 1.0,), None, REASONS[outcome])

    def key(self) -> object:
        """Return the obstacles, both animals, the steps and the outcome."""
        return (self._layout.walls, self._cat, self._mouse, self._plies, self._outcome)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the game and the parts, which is faster than the text."""
        parts = (self._layout.walls, self._cat, self._mouse, self._plies, self._outcome)
        return (CatMouseRules.position, (self._rules, *parts))
