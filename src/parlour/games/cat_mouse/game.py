"""The playable game of Cat and Mouse: its options and its start."""

from parlour.core.grid import DOWN, LEFT, RIGHT, UP
from parlour.core.options import check_options, fraction, integer
from parlour.core.scene import ActionView, Scene
from parlour.games.cat_mouse import notation
from parlour.games.cat_mouse.guide import CatMouseGuide
from parlour.games.cat_mouse.heuristics import CatMouseHeuristics
from parlour.games.cat_mouse.layout import PLAYING, SIDE
from parlour.games.cat_mouse.observer import CatMouseObserver
from parlour.games.cat_mouse.placement import place
from parlour.games.cat_mouse.rules import DIRECTIONS, CatMouseRules, CatMouseState
from parlour.games.cat_mouse.scene import json_fields, scene

PLY_CAP = 500


class CatMouseGame(CatMouseRules):
    """A game for one seat: the cat hunts a mouse that answers each step."""

    OPTIONS = (
        fraction(
            "density",
            None,
            0,
            1,
            "the share of cells that are obstacles; auto: 0.15 to 0.2",
            "Obstacles",
        ),
        integer(
            "ply_cap", PLY_CAP, 1, 1_000_000, "the cat loses after this many steps", "Step limit"
        ),
    )

    def __init__(self, **options: object) -> None:
        """Check the options. Raises `OptionError`, which lists the valid ones."""
        values = check_options("cat_mouse", self.OPTIONS, options)
        ply_cap = values["ply_cap"]
        density = values["density"]
        super().__init__("Cat and Mouse", values, ply_cap)
        self.density = density

    def start(self, seed: int = 0) -> CatMouseState:
        """Return the start of a seed, which can always be won. Raises `PlacementError`."""
        layout, cat, mouse = place(seed, self.density)
        return CatMouseState(self, layout, cat, mouse, 0, PLAYING)

    def action_to_text(self, state: CatMouseState, action: int) -> str:
        """Return up, down, left or right."""
        return DIRECTIONS[action]

    def action_from_text(self, state: CatMouseState, text: str) -> int:
        """Return the direction's id. Raises `ActionTextError` for any other text."""
        return notation.action_from_text(text)

    def state_to_text(self, state: CatMouseState) -> str:
        """Return the steps, the outcome and the grid."""
        return notation.state_to_text(state)

    def state_from_text(self, text: str) -> CatMouseState:
        """Return the position. Raises `StateTextError` or `InvalidState`."""
        return notation.state_from_text(self, text)

    def action_view(self, state: CatMouseState, action: int) -> ActionView:
        """Return the view of a step, which is chosen by the cell it leads to."""
        return ActionView(action, DIRECTIONS[action], (state.layout.step(state.cat, action),))

    def action_at(
        self, state: CatMouseState, cells: tuple[int, ...], group: str = ""
    ) -> int | None:
        """Return the step from the cat to a neighbouring cell, even if that is an obstacle."""
        if len(cells) != 1 or group:
            return None
        row, col = (to - at for to, at in zip(_place(cells[0]), _place(state.cat), strict=True))
        return STEPS.index((row, col)) if (row, col) in STEPS else None

    def seat_names(self, state: CatMouseState) -> tuple[str, ...]:
        """Return the name of the only seat."""
        return ("cat",)

    def observer(self) -> CatMouseObserver:
        """Return the observer; docs/observations.md lists its planes."""
        return CatMouseObserver(self)

    def heuristics(self) -> CatMouseHeuristics:
        """Return heuristics that name the exact solver as the best agent."""
        return CatMouseHeuristics(self)

    def guide(self) -> CatMouseGuide:
        """Return the texts for players, with par and the solution."""
        return CatMouseGuide(self)

    def scene(self, state: CatMouseState, seat: int | None) -> Scene:
        """Return the grid, which is the same for every viewer."""
        return scene(state)

    def json_fields(self, state: CatMouseState, seed: int, seat: int | None) -> dict[str, object]:
        """Return the fields of the specification's `GameState`."""
        return json_fields(state, seed)


STEPS = (UP, DOWN, LEFT, RIGHT)
"""The change of (row, column) by action."""


def _place(cell: int) -> tuple[int, int]:
    return divmod(cell, SIDE)
