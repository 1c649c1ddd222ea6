"""The GTP dialect of Pentobi and similar programs: colours, variants and points."""

from parlour.core.errors import ActionTextError, OptionError
from parlour.core.game import Game, State
from parlour.games.blokus.rules import BlokusState
from parlour.games.blokus.ruleset import NOBODY, BlokusRuleset
from parlour.interchange import GtpDialect, place_text

GAME_NAMES = {
    "classic": "Blokus",
    "two-player": "Blokus Two-Player",
    "three-player": "Blokus Three-Player",
    "duo": "Blokus Duo",
}
"""Pentobi's names of the variants, in `set_game` and in its files."""

TWO_COLOURS = (("b", "blue", "black"), ("w", "green", "white"))
FOUR_COLOURS = (("1", "blue"), ("2", "yellow"), ("3", "red"), ("4", "green"))
"""The words for each colour, the usual one first."""

SQUARES_OF_A_SET = 89


def variant_of(name: str) -> str:
    """Return our name of one of Pentobi's variants. Raises `OptionError` for unknown ones."""
    for variant, known in GAME_NAMES.items():
        if name == known:
            return variant
    raise OptionError(
        f"the game must be one of {', '.join(GAME_NAMES.values())}, not {name[:40]!r}"
    )


class BlokusGtp(GtpDialect):
    """Pentobi's dialect. Sides are colours instead of seats, as a seat may play two colours."""

    def __init__(self, game: BlokusRuleset) -> None:
        """Use the names of the game's variant."""
        super().__init__(game)
        self.name = GAME_NAMES[str(game.options["variant"])]
        self._words = TWO_COLOURS if len(game.starts) == 2 else FOUR_COLOURS

    def sides(self) -> tuple[str, ...]:
        """Return `b` and `w`, or `1` to `4`."""
        return tuple(words[0] for words in self._words)

    def side(self, state: State) -> str:
        """Return the colour to move, or the first one after the end."""
        assert isinstance(state, BlokusState)
        return self.sides()[max(state.mover, 0)]

    def is_side(self, state: State, word: str) -> bool:
        """Whether the word is a name of the colour to move."""
        assert isinstance(state, BlokusState)
        return state.mover != NOBODY and self._colour(word) == state.mover

    def _colour(self, word: str) -> int:
        for colour, words in enumerate(self._words):
            if word.lower() in words:
                return colour
        sides = ", ".join(self.sides())
        raise ActionTextError(f"a colour must be one of {sides}, not {word[:20]!r}")

    def configured(self, command: str, argument: str) -> Game | None:
        """Return the variant of a `set_game` command, or `None` for other commands."""
        if command != "set_game":
            return None
        return type(self.game)(variant=variant_of(argument))  # type: ignore[call-arg]

    def turned_to(self, state: State, word: str) -> State:
        """Return the position with that colour to move, to query its moves."""
        assert isinstance(state, BlokusState)
        colour = self._colour(word)
        return state if colour == state.mover else state.turned_to(colour)

    def final_score(self, state: State) -> str:
        """Return `B+3`, `W+3` or `0` for two seats, otherwise the points of each colour."""
        points = self._points(state)
        if self.game.seats > 2:
            return " ".join(map(str, points))
        lead = sum(points[::2]) - sum(points[1::2])
        return f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "0"

    def place(self, state: State, word: str) -> str:
        """Return the place by the points of the colour, or of both colours of its seat."""
        points = self._points(state)
        colour = self._colour(word)
        if self.game.seats == 2 and len(points) == 4:
            points, colour = [sum(points[::2]), sum(points[1::2])], colour % 2
        return place_text(points[: self.game.seats], colour) if colour < len(points) else ""

    def _points(self, state: State) -> list[int]:
        """Return the points as Pentobi counts them: squares placed plus the bonus."""
        assert isinstance(state, BlokusState)
        colours = range(len(self._words))
        return [SQUARES_OF_A_SET + int(state.score(colour)) for colour in colours]
