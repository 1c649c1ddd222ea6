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
    """Return the priors of `priors.json` for the classic board or for Duo."""
    text = files("parlour.games.blokus").joinpath("priors.json").read_text(encoding="utf-8")
    learned = json.loads(text)[variant]
    return Priors(learned["phases"], learned["weights"])


class BlokusGame(BlokusRuleset):
    """Blokus: the classic game or one of its variants."""

    FIXED_VIEWS = True

    OPTIONS = (
        choice(
            "variant",
            CLASSIC,
            tuple(VARIANTS),
            "four players; two players with two colours each; three players who share the fourth "
            "colour; or two players on a board of 14 by 14",
            "Players and board",
            ("Four players", "Two players", "Three players", "Duo, a small board for two"),
        ),
    )

    FORMATS = (BlokusSgf(),)

    def __init__(self, **options: object) -> None:
        """Check the options. Raises `OptionError`, which lists the valid ones."""
        values = check_options("blokus", self.OPTIONS, options)
        title, side, starts, colours, seats, players = VARIANTS[str(values["variant"])]
        super().__init__(title, values, side, starts, seats, players, colours)
        self._views = placement_views(self.tables)

    def dialect(self, protocol: str) -> BlokusGtp | None:
        """Return Pentobi's dialect for `gtp`, otherwise `None`."""
        return BlokusGtp(self) if protocol == "gtp" else None

    def start(self, seed: int = 0) -> BlokusState:
        """Return the empty board. The seed is checked, but nothing is random."""
        return blank_state(self)

    def position(self, cells: bytes, mover: int, small: int) -> BlokusState:
        """Return the state with these cells. Raises `InvalidState` if it is impossible."""
        return position(self, cells, mover, small)

    def action_to_text(self, state: BlokusState, action: int) -> str:
        """Return the cells from the bottom row up: `a18,a19,a20,b20,c20`."""
        return self._views[action].text

    def action_from_text(self, state: BlokusState, text: str) -> int:
        """Return the placement on these cells, in any order. Raises `ActionTextError`."""
        return notation.action_from_text(self.tables, text)

    def state_to_text(self, state: BlokusState) -> str:
        """Return the colour to move and the board."""
        return notation.state_to_text(self, state)

    def state_from_text(self, text: str) -> BlokusState:
        """Return the position. Raises `StateTextError` or `InvalidState`."""
        return notation.state_from_text(self, text)

    def action_words(self, state: BlokusState, action: int, seat: int | None) -> str:
        """Return the piece and its first cell: `L5 at e14`."""
        return self._views.words(action)

    def action_view(self, state: BlokusState, action: int) -> ActionView:
        """Return the view with the cells that the piece covers."""
        return self._views[action]

    def action_at(self, state: BlokusState, cells: tuple[int, ...], group: str = "") -> int | None:
        """Return the placement on these cells if they have the shape of that piece."""
        places = [divmod(cell, self.side) for cell in cells]
        orientation = ORIENTATION_OF.get(normalise(places)) if places else None
        if orientation is None or group != PIECE_NAMES[ORIENTATIONS[orientation].piece]:
            return None
        top, left = min(row for row, _ in places), min(col for _, col in places)
        return self.tables.action(orientation, top, left)

    def seat_names(self, state: BlokusState) -> tuple[str, ...]:
        """Return the colours, or numbers and colours if seats play or share several."""
        return seat_names(self)

    def observer(self) -> BlokusObserver:
        """Return the observer; docs/observations.md lists its planes."""
        return BlokusObserver(self)

    def heuristics(self) -> BlokusHeuristics:
        """Return heuristics with priors learned on the classic board or on Duo's."""
        return BlokusHeuristics(
            self, learned_priors(DUO if self.options["variant"] == DUO else CLASSIC)
        )

    def guide(self) -> BlokusGuide:
        """Return the texts for players, with pictures of the pieces."""
        return BlokusGuide(self)

    def scene(self, state: BlokusState, seat: int | None) -> Scene:
        """Return the board and the remaining pieces, the same for every viewer."""
        return scene(self, state)
