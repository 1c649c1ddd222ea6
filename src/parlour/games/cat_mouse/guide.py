"""How Cat and Mouse is played, for people, and how each start is won."""

from functools import lru_cache

from parlour.core.game import Game, State
from parlour.core.guide import CoachStep, Guide, Section
from parlour.games.cat_mouse.layout import PLAYING
from parlour.games.cat_mouse.rules import CatMouseState
from parlour.games.cat_mouse.scene import remark
from parlour.games.cat_mouse.solver import shortest_win

RULES = (
    Section(
        "You are the cat",
        "The grid has 25 by 25 cells, some of which are obstacles. On your turn, step up, down, "
        "left or right; then the mouse steps. Neither of you may stay in place.",
    ),
    Section(
        "The mouse",
        "The mouse steps to the cell that is farthest from you, counted in rows and columns. "
        "Among equally good cells it prefers up, then down, left and right. It never steps onto "
        "you.",
    ),
    Section(
        "How the game ends",
        "You win by stepping onto the mouse, or by leaving it without a step. Every start can be "
        "won; par is the number of steps of the shortest win. You lose when the limit of steps "
        "is reached.",
    ),
)


class CatMouseGuide(Guide):
    """Rules, first steps, par and the solution."""

    def __init__(self, game: Game) -> None:
        """The rules are the same for all options."""
        super().__init__(game, RULES)

    def coach(self, start: State) -> tuple[CoachStep, ...]:
        """The animals, the mouse's habit, and par."""
        assert isinstance(start, CatMouseState)
        return (
            CoachStep("You are the cat. Step onto a neighbouring cell.", (start.cat,)),
            CoachStep(
                "The mouse always runs to where it is farthest from you: drive it into a corner.",
                (start.mouse,),
            ),
            CoachStep("Par is the number of steps of the shortest win. Can you reach it?"),
        )

    def solution(self, state: State) -> list[int] | None:
        """A shortest win within the steps that are left, or `None`."""
        assert isinstance(state, CatMouseState)
        if state.outcome != PLAYING:
            return None
        moves = _shortest(state)
        if moves is None or state.plies + len(moves) > self.game.max_plies:
            return None
        return list(moves)

    def remark(self, start: State, state: State, seat: int | None) -> str:
        """The steps made beside par."""
        assert isinstance(start, CatMouseState)
        assert isinstance(state, CatMouseState)
        moves = _shortest(start)
        return remark(state, None if moves is None else start.plies + len(moves))


@lru_cache(maxsize=4)
def _shortest(state: CatMouseState) -> tuple[int, ...] | None:
    """Kept for the start of a game, which every remark asks about."""
    moves = shortest_win(state.layout, state.cat, state.mouse)
    return None if moves is None else tuple(moves)
