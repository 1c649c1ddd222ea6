"""The playable game of Octa: its options and its balanced start."""

import json
from functools import cache
from importlib.resources import files

from parlour.core.grid import CLOCKWISE, neighbour_table
from parlour.core.options import check_options, choice, flag, integer
from parlour.core.rng import Rng
from parlour.core.scene import ActionView, Scene
from parlour.games.octa import notation
from parlour.games.octa.evaluation import NAMES
from parlour.games.octa.guide import OctaGuide
from parlour.games.octa.heuristics import OctaHeuristics
from parlour.games.octa.notation import cell_at
from parlour.games.octa.observer import OctaObserver
from parlour.games.octa.rules import NEUTRAL, PLAYER_1, PLAYER_2, OctaRules, OctaState, pack_cell
from parlour.games.octa.scene import board, frames, scene

BY_MAJORITY = "turn-limit-majority"
BY_ELIMINATION = "elimination"

PLIES_PER_CELL = 10


@cache
def fitted_weights() -> list[list[float]]:
    """What stands in `evaluation.json`, which `bench/strength/fit_octa.py` wrote."""
    text = files("parlour.games.octa").joinpath("evaluation.json").read_text(encoding="utf-8")
    return [[float(quarter[name]) for name in NAMES] for quarter in json.loads(text)]


class OctaGame(OctaRules):
    """Octa on a square board of side 2 * size + 1."""

    OPTIONS = (
        integer("size", 4, 1, 20, "the board reaches from -size to size on both axes"),
        choice(
            "win_condition",
            BY_MAJORITY,
            (BY_MAJORITY, BY_ELIMINATION),
            "most cells at the turn limit, or the other player's last cell",
        ),
        integer(
            "turn_limit",
            None,
            1,
            100_000,
            "turns until most cells win; auto: one less than the cells with "
            f"{BY_MAJORITY}, {PLIES_PER_CELL} per cell with {BY_ELIMINATION}",
        ),
        flag("stop_on_enemy", False, "a chain stops at the opponent's cells"),
    )

    def __init__(self, **options: object) -> None:
        """Check the options; `OptionError` names the right ones."""
        values = check_options("octa", self.OPTIONS, options)
        size = values["size"]
        side = 2 * size + 1
        limit = values["turn_limit"]
        if limit is None:
            by_majority = values["win_condition"] == BY_MAJORITY
            limit = side * side - 1 if by_majority else PLIES_PER_CELL * side * side
            values["turn_limit"] = limit
        links = list(neighbour_table(side, side, CLOCKWISE))
        stops = values["stop_on_enemy"] is True
        super().__init__("Octa", values, links, limit, stops, board(size))
        self.size = size

    def start(self, seed: int = 0) -> OctaState:
        """Two cells each at half way to the corners, under arrows that favour nobody.

        A quarter turn of the board, arrows turning with it, gives the same arrows and
        swaps the players. Only the centre's arrow is free of that.
        """
        rng = Rng(seed)
        size = self.size
        arrows = [0] * self.num_actions
        arrows[cell_at(size, 0, 0)] = rng.below(8)
        for north in range(size + 1):
            for east in range(1, size + 1):
                arrow = rng.below(8)
                x, y = east, north
                for quarter in range(4):
                    arrows[cell_at(size, x, y)] = (arrow + 2 * quarter) % 8
                    x, y = y, -x
        half = (size + 1) // 2
        owners = [NEUTRAL] * self.num_actions
        owners[cell_at(size, half, half)] = owners[cell_at(size, -half, -half)] = PLAYER_1
        owners[cell_at(size, half, -half)] = owners[cell_at(size, -half, half)] = PLAYER_2
        cells = bytes(pack_cell(owner, arrow) for owner, arrow in zip(owners, arrows, strict=True))
        return self.position(cells, PLAYER_1, 0)

    def action_to_text(self, state: OctaState, action: int) -> str:
        """`x,y`."""
        return notation.action_to_text(self.size, action)

    def action_from_text(self, state: OctaState, text: str) -> int:
        """The cell at `x,y`; `ActionTextError` if that is not a cell of the board."""
        return notation.action_from_text(self.size, text)

    def state_to_text(self, state: OctaState) -> str:
        """Turn, player to move, and the board with north on top."""
        return notation.state_to_text(self.size, state)

    def state_from_text(self, text: str) -> OctaState:
        """The position that the text describes."""
        return notation.state_from_text(self, self.size, text)

    def action_view(self, state: OctaState, action: int) -> ActionView:
        """Chosen by its cell."""
        return ActionView(action, self.action_to_text(state, action), (action,))

    def action_at(self, state: OctaState, cells: tuple[int, ...], group: str = "") -> int | None:
        """The cell is the action, whoever owns it."""
        return cells[0] if len(cells) == 1 and not group else None

    def observer(self) -> OctaObserver:
        """Its planes stand in docs/observations.md."""
        return OctaObserver(self)

    def heuristics(self) -> OctaHeuristics:
        """The fitted evaluation."""
        return OctaHeuristics(self, fitted_weights())

    def guide(self) -> OctaGuide:
        """How Octa is played."""
        return OctaGuide(self)

    def scene(self, state: OctaState, seat: int | None) -> Scene:
        """The board; everybody sees all of it."""
        return scene(state)

    def frames(self, state: OctaState, action: int, seat: int | None = None) -> list[Scene]:
        """The chain, one more changed cell in each scene."""
        return frames(self, state, action, seat)
