"""Texts for players: rules, first steps, help, remarks, a solution.

A game returns its own from `Game.guide`. Displays leave out what a guide does not have.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from parlour.core.game import Game, State

NO_RULES: Final = "This game comes without a text of its rules."


class Section(NamedTuple):
    """A part of the rules: a title and plain paragraphs.

    >>> Section("Goal", "Take the last counter.").title
    'Goal'
    """

    title: str
    text: str


class CoachStep(NamedTuple):
    """One hint for a first game: a sentence, and the cells of the start that it is about.

    >>> CoachStep("Flip any piece.", cells=(0, 1)).cells
    (0, 1)
    """

    text: str
    cells: tuple[int, ...] = ()


class Guide:
    """Texts for players: `Guide(game, "Take one, two or three.")`, or a subclass for more.

    >>> import parlour
    >>> parlour.game("octa").guide().rules()[1].title
    'Your turn'
    """

    def __init__(self, game: Game, rules: str | tuple[Section, ...] = ()) -> None:
        """Take the rules as one text or in sections."""
        self.game: Final = game
        self._rules: Final = (Section("", rules),) if isinstance(rules, str) else rules

    def rules(self) -> tuple[Section, ...]:
        """Return the rules in sections.

        >>> import parlour
        >>> parlour.Guide(parlour.game("octa"), "Move.").rules()
        (Section(title='', text='Move.'),)
        """
        return self._rules

    def coach(self, start: State) -> tuple[CoachStep, ...]:
        """Return about three steps that introduce the game on the board of that start.

        >>> import parlour
        >>> game = parlour.game("octa")
        >>> len(game.guide().coach(game.start()))
        3
        """
        return ()

    def topics(self) -> dict[str, str]:
        """Return the topics of `explain`, each with a line that says what it shows.

        >>> import parlour
        >>> parlour.Guide(parlour.game("octa")).topics()
        {}
        """
        return {}

    def explain(self, state: State, topic: str, seat: int | None) -> str | None:
        """Return the text for `help TOPIC`, or `None` for an unknown topic.

        >>> import parlour
        >>> game = parlour.game("octa")
        >>> game.guide().explain(game.start(), "no such topic", None) is None
        True
        """
        return None

    def remark(self, start: State, state: State, seat: int | None) -> str:
        """Return a sentence on how the game from `start` is going, or how it went; may be empty.

        >>> import parlour
        >>> game = parlour.game("octa")
        >>> parlour.Guide(game).remark(game.start(), game.start(), None)
        ''
        """
        return ""

    def solution(self, state: State) -> list[int] | None:
        """Return the shortest way to win in a solved game, or `None`.

        >>> import parlour
        >>> game = parlour.game("cat_mouse")
        >>> len(game.guide().solution(game.start())) > 0
        True
        """
        return None

    @property
    def has_solver(self) -> bool:
        """Whether `solution` is defined.

        >>> import parlour
        >>> parlour.game("octa").guide().has_solver, parlour.game("cat_mouse").guide().has_solver
        (False, True)
        """
        return type(self).solution is not Guide.solution


def rules_to_text(rules: Iterable[Section]) -> str:
    """Return the rules as plain text, section by section.

    >>> print(rules_to_text([Section("Goal", "Win.")]))
    Goal
    Win.
    """
    return "\n\n".join(
        f"{section.title}\n{section.text}" if section.title else section.text for section in rules
    )
