"""Texts for players of Cat and Mouse, and the shortest win from each start."""

from functools import lru_cache

from parlour.core.game import Game, State
from parlour.core.guide import CoachStep, Guide, Section
from parlour.core.scene import Scene
from parlour.games.cat_mouse.layout import PLAYING, SIDE
from parlour.games.cat_mouse.rules import CatMouseState
from parlour.games.cat_mouse.scene import remark
from parlour.games.cat_mouse.solver import shortest_win
from parlour.grids import cut

SUMMARY = "Drive a clever mouse into a corner and catch it."

RULES = (
    Section(
        "You are the cat",
        "The grid has 25 by 25 cells, and some of them are obstacles. On your turn, step up, down, "
        "left or right. Then the mouse steps. Neither of you may stay in place.",
    ),
    Section(
        "The mouse",
        "The mouse steps to the cell that is farthest from you, counted in rows and columns. If "
        "several cells are equally far, it prefers up, then down, then left, then right. It never "
        "steps onto you.",
    ),
    Section(
        "How the game ends",
        "You win by stepping onto the mouse, or by trapping it so that it cannot step. Every "
        "start can be won, and par is the number of steps in the shortest win. You lose if you "
        "reach the step limit first.",
    ),
)


SHOWN_SEED = 1
SHOWN_CELLS = 11
"""Rows and columns of the part of the grid that pictures show."""


class CatMouseGuide(Guide):
    """Rules, first steps, par and the solution."""

    def __init__(self, game: Game) -> None:
        """Use the same rules for all options."""
        super().__init__(game, RULES, SUMMARY, 5)

    def scenes(self, section: Section) -> tuple[Scene, ...]:
        """Return the first steps of a hunt beside the cat or the mouse, and the last ones."""
        start = self.game.start(SHOWN_SEED)
        line: list[State] = [start]
        for action in self.solution(start) or ():
            line.append(line[-1].apply(action))
        shown = line[-7:] if section == RULES[2] else line[:7]
        middle = shown[len(shown) // 2]
        assert isinstance(middle, CatMouseState)
        row, col = divmod(middle.cat if section == RULES[0] else middle.mouse, SIDE)
        half = SHOWN_CELLS // 2
        return tuple(
            [cut(s.scene(None), row - half, col - half, SHOWN_CELLS, SHOWN_CELLS) for s in shown]
        )

    def coach(self, start: State) -> tuple[CoachStep, ...]:
        """Return three steps: the cat, how the mouse flees, and par."""
        assert isinstance(start, CatMouseState)
        return (
            CoachStep("You are the cat. Step to a neighbouring cell.", (start.cat,)),
            CoachStep(
                "The mouse always steps as far away from you as it can. Drive it into a corner.",
                (start.mouse,),
            ),
            CoachStep("Par is the number of steps in the shortest win. Can you match it?"),
        )

    def solution(self, state: State) -> list[int] | None:
        """Return a shortest win within the remaining steps, or `None`."""
        assert isinstance(state, CatMouseState)
        if state.outcome != PLAYING:
            return None
        moves = _shortest(state)
        if moves is None or state.plies + len(moves) > self.game.max_plies:
            return None
        return list(moves)

    def remark(self, start: State, state: State, seat: int | None) -> str:
        """Return the steps taken, compared with par."""
        assert isinstance(start, CatMouseState)
        assert isinstance(state, CatMouseState)
        moves = _shortest(start)
        rest = self.solution(state)
        return remark(
            state,
            None if moves is None else start.plies + len(moves),
            None if rest is None else state.plies + len(rest),
        )


@lru_cache(maxsize=64)
def _shortest(state: CatMouseState) -> tuple[int, ...] | None:
    """Cache the solutions of starts, which every remark needs."""
    moves = shortest_win(state.layout, state.cat, state.mouse)
    return None if moves is None else tuple(moves)
