"""The playable game of Blokus and its variants."""

from parlour.core.game import State
from parlour.core.options import check_options, choice
from parlour.core.scene import Scene
from parlour.games.blokus.rules import BlokusBase, BlokusState

CORNERS = ((0, 0), (0, 19), (19, 19), (19, 0))


class BlokusGame(BlokusBase):
    OPTIONS = (choice("variant", "classic", ("classic",), "x"),)

    def __init__(self, **options: object) -> None:
        values = check_options("blokus", self.OPTIONS, options)
        super().__init__(
            "Blokus", values, 20, CORNERS, 4, (0, 1, 2, 3), ("blue", "yellow", "red", "green")
        )

    def position(self, cells: bytes, mover: int, small: int) -> BlokusState:
        raise NotImplementedError

    def state_to_text(self, state: State) -> str:
        return ""

    def state_from_text(self, text: str) -> BlokusState:
        raise NotImplementedError

    def scene(self, state: State, seat: int | None) -> Scene:
        raise NotImplementedError
