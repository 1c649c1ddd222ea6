"""What a game tells the people who play it: rules, first steps, help, remarks, a solution.

A game returns its own by `Game.guide`. Displays show what is there and leave out what is not.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from parlour.core.game import Game, State

NO_RULES: Final = "This game comes without a text of its rules."


class Section(NamedTuple):
    """A part of the rules: a title and plain paragraphs."""

    title: str
    text: str


class CoachStep(NamedTuple):
    """One hint for a first game: a sentence, and the cells of the start that it is about."""

    text: str
    cells: tuple[int, ...] = ()


class Guide:
    """Texts for players: `Guide(game, "Take one, two or three.")`, or a subclass for more.

    >>> import parlour
    >>> parlour.game("octa").guide().rules()[1].title
    'Your turn'
    """

    def __init__(self, game: Game, rules: str | tuple[Section, ...] = ()) -> None:
        """Give the rules as one text, or in sections."""
        self.game: Final = game
        self._rules: Final = (Section("", rules),) if isinstance(rules, str) else rules

    def rules(self) -> tuple[Section, ...]:
        """Return the rules in sections."""
        return self._rules

    def coach(self, start: State) -> tuple[CoachStep, ...]:
        """Return about three steps that introduce the game on the board of that start."""
        return ()

    def topics(self) -> dict[str, str]:
        """Return the topics that `explain` knows, each with a line that says what it shows."""
        return {}

    def explain(self, state: State, topic: str, seat: int | None) -> str | None:
        """Return the text for `help TOPIC`, or `None` for an unknown topic."""
        return None

    def remark(self, start: State, state: State, seat: int | None) -> str:
        """Return a sentence on how the game from `start` is going, or how it went; may be empty."""
        return ""

    def solution(self, state: State) -> list[int] | None:
        """Return the shortest way to win in a solved game, or `None`."""
        return None

    @property
    def has_solver(self) -> bool:
        """Whether the game is solved, so that `solution` can be asked."""
        return type(self).solution is not Guide.solution


def rules_to_text(rules: Iterable[Section]) -> str:
    """Return the rules as plain text, section by section."""
    return "\n\n".join(
        f"{section.title}\n{section.text}" if section.title else section.text for section in rules
    )
