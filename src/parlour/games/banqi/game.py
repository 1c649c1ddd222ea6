"""The playable game of Banqi: its options, its presets and its start."""

from typing import NamedTuple

from parlour.core.game import CHANCE
from parlour.core.options import check_options, choice, flag, integer
from parlour.core.scene import ActionView, Scene
from parlour.games.banqi import notation
from parlour.games.banqi.bits import SQUARES
from parlour.games.banqi.engine_texts import BanqiCdc, BanqiUci
from parlour.games.banqi.guide import BanqiGuide
from parlour.games.banqi.heuristics import BanqiHeuristics
from parlour.games.banqi.observer import BanqiObserver
from parlour.games.banqi.pieces import FACE_DOWN, FIRST_MOVE, SET_SIZES
from parlour.games.banqi.rules import BanqiRules, BanqiState
from parlour.games.banqi.scene import action_view, action_words, player_name, scene
from parlour.games.banqi.setup import BanqiSetup
from parlour.games.banqi.transcripts import BanqiCdcFile, BanqiUciFile


class Preset(NamedTuple):
    """The values that a preset gives to options left on auto."""

    first_flip_passes: bool
    quiet_limit: int
    repetition: bool


PRESETS = {
    "house": Preset(False, 60, False),
    "taiwan": Preset(True, 50, False),
    "olympiad": Preset(True, 180, True),
}


class BanqiGame(BanqiRules):
    """Banqi on a board of 4 by 8; options override the rules of the preset."""

    OPTIONS = (
        choice(
            "rules",
            "house",
            tuple(PRESETS),
            "which rules to play; the options below may differ from them",
            "Rules",
            ("House rules", "Taiwan", "Olympiad"),
        ),
        flag(
            "first_flip_passes",
            None,
            "after the first flip, your opponent moves; auto: as in the rules above",
            "First flip passes",
        ),
        integer(
            "quiet_limit",
            None,
            1,
            1000,
            "the game is a draw after this many turns without a flip or capture; auto: "
            + ", ".join(f"{preset.quiet_limit} ({name})" for name, preset in PRESETS.items()),
            "Quiet turn limit",
        ),
        flag(
            "repetition",
            None,
            "the third occurrence of a position is a draw; auto: as in the rules above",
            "Draw by repetition",
        ),
    )

    DRAW_OFFERS = True

    FORMATS = (BanqiCdcFile(), BanqiUciFile())

    def __init__(self, **options: object) -> None:
        """Check the options. Raises `OptionError`, which lists the valid ones."""
        values = check_options("banqi", self.OPTIONS, options)
        preset = PRESETS[str(values["rules"])]
        for name, value in preset._asdict().items():
            if values[name] is None:
                values[name] = value
        limit = values["quiet_limit"]
        super().__init__(
            "Banqi",
            values,
            values["first_flip_passes"] is True,
            limit,
            values["repetition"] is True,
        )

    def dialect(self, protocol: str) -> BanqiCdc | BanqiUci | None:
        """Return the dialect for `cdc` or `uci`, otherwise `None`."""
        if protocol == "cdc":
            return BanqiCdc(self)
        return BanqiUci(self) if protocol == "uci" else None

    def start(self, seed: int = 0) -> BanqiState:
        """Return the board with all 32 pieces face-down.

        It is the same for every seed, because flips are chance events.
        """
        return BanqiSetup((FACE_DOWN,) * SQUARES, SET_SIZES * 2).build(self)

    def action_to_text(self, state: BanqiState, action: int) -> str:
        """Return `c2`, `c2-c3` or `c2xc3`; at CHANCE `=K`."""
        return notation.action_to_text(state, action)

    def action_from_text(self, state: BanqiState, text: str) -> int:
        """Return the id of the action. Raises `ActionTextError`."""
        return notation.action_from_text(state, text)

    def state_to_text(self, state: BanqiState) -> str:
        """Return the turn, the quiet turns, the hidden pieces and the board."""
        return notation.state_to_text(state)

    def state_from_text(self, text: str) -> BanqiState:
        """Return the position. Raises `StateTextError` or `InvalidState`."""
        return notation.state_from_text(self, text)

    def action_words(self, state: BanqiState, action: int, seat: int | None) -> str:
        """Return the action in words, with the piece it reveals or captures."""
        return action_words(state, action)

    def action_view(self, state: BanqiState, action: int) -> ActionView:
        """Return the view: a flip is chosen by its square, a move or capture by both squares."""
        text = notation.action_to_text(state, action)
        return ActionView(action, text) if state.actor == CHANCE else action_view(action, text)

    def action_at(self, state: BanqiState, cells: tuple[int, ...], group: str = "") -> int | None:
        """Return the flip of one square or the move between two, legal or not.

        The square of a face-up piece means no action alone, because its move needs a target.
        """
        if group or state.actor == CHANCE:
            return None
        if len(cells) == 2:
            return FIRST_MOVE + SQUARES * cells[0] + cells[1]
        if len(cells) != 1:
            return None
        is_face_up = 0 <= cells[0] < SQUARES and state.piece(cells[0]) >= 0
        return None if is_face_up else cells[0]

    def seat_names(self, state: BanqiState) -> tuple[str, ...]:
        """Return the names, with colours once they are decided."""
        return player_name(state, 0), player_name(state, 1)

    def observer(self) -> BanqiObserver:
        """Return the observer; docs/observations.md lists its planes."""
        return BanqiObserver(self)

    def heuristics(self) -> BanqiHeuristics:
        """Return heuristics with the tuned weights."""
        return BanqiHeuristics(self)

    def guide(self) -> BanqiGuide:
        """Return the texts for players, with the chosen options."""
        return BanqiGuide(self)

    def scene(self, state: BanqiState, seat: int | None) -> Scene:
        """Return the face-up pieces, the same for every viewer."""
        return scene(self, state)

    def frames(self, state: BanqiState, action: int, seat: int | None = None) -> list[Scene]:
        """Return two scenes for a flip, to show the piece turning, and one for other actions."""
        after = state.apply(action).scene(seat)
        return [after._replace(actions=()), after] if action < FIRST_MOVE else [after]
