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
from parlour.games.octa.scene import action_view, board, frames, scene

BY_MAJORITY = "turn-limit-majority"
BY_ELIMINATION = "elimination"

PLIES_PER_CELL = 10


@cache
def fitted_weights() -> list[list[float]]:
    """Return the weights of `evaluation.json`, which `bench/strength/fit_octa.py` writes."""
    text = files("parlour.games.octa").joinpath("evaluation.json").read_text(encoding="utf-8")
    return [[float(quarter[name]) for name in NAMES] for quarter in json.loads(text)]


class OctaGame(OctaRules):
    """Octa on a square board of side 2 * size + 1."""

    FIXED_VIEWS = True

    OPTIONS = (
        integer(
            "size",
            4,
            1,
            20,
            "cells from the centre to the edge; 4 makes a board of 9 by 9",
            "Board size",
        ),
        choice(
            "win_condition",
            BY_MAJORITY,
            (BY_MAJORITY, BY_ELIMINATION),
            "own most cells at the turn limit, or capture the opponent's last cell",
            "How to win",
            ("Most cells at the end", "Capture every cell"),
        ),
        integer(
            "turn_limit",
            None,
            1,
            100_000,
            "the game ends after this many turns; auto: one less than there are cells, or "
            f"{PLIES_PER_CELL} for each cell if you must capture every cell",
            "Turns",
        ),
        flag("stop_on_enemy", False, "chains stop at the opponent's cells", "Stop at opponents"),
    )

    def __init__(self, **options: object) -> None:
        """Check the options. Raises `OptionError`, which lists the valid ones."""
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
        """Return a balanced start: two cells each, half way to the corners, and random arrows.

        A quarter turn of the board, arrows included, gives the same arrows and swaps the
        players. Only the arrow in the centre is independent.
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
        """Return `x,y`."""
        return notation.action_to_text(self.size, action)

    def action_from_text(self, state: OctaState, text: str) -> int:
        """Return the cell at `x,y`. Raises `ActionTextError` for anything else."""
        return notation.action_from_text(self.size, text)

    def state_to_text(self, state: OctaState) -> str:
        """Return the turn, the player to move, and the board with north on top."""
        return notation.state_to_text(self.size, state)

    def state_from_text(self, text: str) -> OctaState:
        """Return the position. Raises `StateTextError` or `InvalidState`."""
        return notation.state_from_text(self, self.size, text)

    def action_view(self, state: OctaState, action: int) -> ActionView:
        """Return the view of an action, which is chosen by its cell."""
        return action_view(self.size, action)

    def action_at(self, state: OctaState, cells: tuple[int, ...], group: str = "") -> int | None:
        """Return the cell as the action, whether or not the mover owns it."""
        return cells[0] if len(cells) == 1 and not group else None

    def observer(self) -> OctaObserver:
        """Return the observer; docs/observations.md lists its planes."""
        return OctaObserver(self)

    def heuristics(self) -> OctaHeuristics:
        """Return heuristics with the fitted weights."""
        return OctaHeuristics(self, fitted_weights())

    def guide(self) -> OctaGuide:
        """Return the texts for players."""
        return OctaGuide(self)

    def scene(self, state: OctaState, seat: int | None) -> Scene:
        """Return the board, which is the same for every viewer."""
        return scene(state)

    def frames(self, state: OctaState, action: int, seat: int | None = None) -> list[Scene]:
        """Return the chain, with one more changed cell in each scene."""
        return frames(self, state, action, seat)
