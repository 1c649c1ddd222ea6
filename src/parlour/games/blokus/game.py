"""The playable game of Blokus and its variants."""

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from parlour.core.options import check_options, choice
from parlour.core.scene import ActionView, Scene
from parlour.games.blokus import notation
from parlour.games.blokus.gtp import BlokusGtp
from parlour.games.blokus.guide import BlokusGuide
from parlour.games.blokus.heuristics import BlokusHeuristics
from parlour.games.blokus.observer import BlokusObserver
from parlour.games.blokus.pieces import ORIENTATION_OF, ORIENTATIONS, PIECE_NAMES
from parlour.games.blokus.priors import Priors
from parlour.games.blokus.rules import BlokusState, blank_state
from parlour.games.blokus.ruleset import SHARED, BlokusRuleset
from parlour.games.blokus.scene import placement_views, scene, seat_names
from parlour.games.blokus.setup import position
from parlour.games.blokus.sgf import BlokusSgf
from parlour.shapes import normalise

CORNERS = ((0, 0), (0, 19), (19, 19), (19, 0))
COLOURS = ("blue", "yellow", "red", "green")


class Variant(NamedTuple):
    """A board, its colours in the order of play, and the seat that plays each."""

    title: str
    side: int
    starts: tuple[tuple[int, int], ...]
    colours: tuple[str, ...]
    seats: int
    players: tuple[int, ...]


CLASSIC = "classic"
DUO = "duo"

VARIANTS = {
    CLASSIC: Variant("Blokus", 20, CORNERS, COLOURS, 4, (0, 1, 2, 3)),
    "two-player": Variant("Blokus for two", 20, CORNERS, COLOURS, 2, (0, 1, 0, 1)),
    "three-player": Variant("Blokus for three", 20, CORNERS, COLOURS, 3, (0, 1, 2, SHARED)),
    DUO: Variant("Blokus Duo", 14, ((4, 4), (9, 9)), ("purple", "orange"), 2, (0, 1)),
}


@cache
def learned_priors(variant: str) -> Priors:
    """What `priors.json` has for the classic board or for Duo."""
    text = files("parlour.games.blokus").joinpath("priors.json").read_text(encoding="utf-8")
    learned = json.loads(text)[variant]
    return Priors(learned["phases"], learned["weights"])


class BlokusGame(BlokusRuleset):
    """Blokus: `classic`, or one of its variants."""

    OPTIONS = (
        choice(
            "variant",
            CLASSIC,
            tuple(VARIANTS),
            "four players; two with two colours each; three who share the fourth colour; "
            "or two on a board of 14 by 14",
        ),
    )

    FORMATS = (BlokusSgf(),)

    def __init__(self, **options: object) -> None:
        """Check the options; `OptionError` names the right ones."""
        values = check_options("blokus", self.OPTIONS, options)
        title, side, starts, colours, seats, players = VARIANTS[str(values["variant"])]
        super().__init__(title, values, side, starts, seats, players, colours)
        self._views = placement_views(self.tables)

    def dialect(self, protocol: str) -> BlokusGtp | None:
        """Pentobi's."""
        return BlokusGtp(self) if protocol == "gtp" else None

    def start(self, seed: int = 0) -> BlokusState:
        """The empty board; a seed is checked but changes nothing, for nothing is random."""
        return blank_state(self)

    def position(self, cells: bytes, mover: int, small: int) -> BlokusState:
        """The state with these cells; `InvalidState` if it cannot be."""
        return position(self, cells, mover, small)

    def action_to_text(self, state: BlokusState, action: int) -> str:
        """The cells, from the bottom row up: `a18,a19,a20,b20,c20`."""
        return self._views.view(action).text

    def action_from_text(self, state: BlokusState, text: str) -> int:
        """The placement that covers these cells, in any order; `ActionTextError` if none does."""
        return notation.action_from_text(self.tables, text)

    def state_to_text(self, state: BlokusState) -> str:
        """Whose turn it is, and the board."""
        return notation.state_to_text(self, state)

    def state_from_text(self, text: str) -> BlokusState:
        """The position that the text describes."""
        return notation.state_from_text(self, text)

    def action_words(self, state: BlokusState, action: int, seat: int | None) -> str:
        """`L5 at e14`."""
        return self._views.words(action)

    def action_view(self, state: BlokusState, action: int) -> ActionView:
        """The cells that the piece covers."""
        return self._views.view(action)

    def action_at(self, state: BlokusState, cells: tuple[int, ...], group: str = "") -> int | None:
        """The placement that covers these cells, if they are that piece's."""
        places = [divmod(cell, self.side) for cell in cells]
        orientation = ORIENTATION_OF.get(normalise(places)) if places else None
        if orientation is None or group != PIECE_NAMES[ORIENTATIONS[orientation].piece]:
            return None
        top, left = min(row for row, _ in places), min(col for _, col in places)
        return self.tables.action(orientation, top, left)

    def seat_names(self, state: BlokusState) -> tuple[str, ...]:
        """By colour where each seat has one."""
        return seat_names(self)

    def observer(self) -> BlokusObserver:
        """Its planes stand in docs/observations.md."""
        return BlokusObserver(self)

    def heuristics(self) -> BlokusHeuristics:
        """With priors learned on the classic board, or on that of Duo."""
        return BlokusHeuristics(
            self, learned_priors(DUO if self.options["variant"] == DUO else CLASSIC)
        )

    def guide(self) -> BlokusGuide:
        """How Blokus is played, and the pieces."""
        return BlokusGuide(self)

    def scene(self, state: BlokusState, seat: int | None) -> Scene:
        """The board and the pieces left; everybody sees all of it."""
        return scene(self, state)
