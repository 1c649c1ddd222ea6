"""Texts for players: a summary, rules, first steps, help, remarks, a solution.

A game returns its own from `Game.guide`. Displays leave out what a guide does not have.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from parlour.core.game import Game, State
from parlour.core.scene import Cell, Scene

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

    def __init__(
        self,
        game: Game,
        rules: str | tuple[Section, ...] = (),
        summary: str = "",
        minutes: int = 0,
    ) -> None:
        """Take the rules as one text or in sections, and what lists of games show.

        `summary` is one line that says what the game is; `minutes` is how long a game usually
        takes, or 0 if unknown.
        """
        self.game: Final = game
        self.summary: Final = summary
        self.minutes: Final = minutes
        self._rules: Final = (Section("", rules),) if isinstance(rules, str) else rules

    def rules(self) -> tuple[Section, ...]:
        """Return the rules in sections.

        >>> import parlour
        >>> parlour.Guide(parlour.game("octa"), "Move.").rules()
        (Section(title='', text='Move.'),)
        """
        return self._rules

    def scenes(self, section: Section) -> tuple[Scene, ...]:
        """Return positions that illustrate a section of the rules, in order.

        Displays show them one after another as a small moving picture. All have the same board,
        which may be a part of the game's: see `parlour.grids.cut`.

        >>> import parlour
        >>> guide = parlour.game("octa").guide()
        >>> len(guide.scenes(guide.rules()[1])) > 1
        True
        """
        return ()

    def coach(self, start: State) -> tuple[CoachStep, ...]:
        """Return about three steps that introduce the game on the board of that start.

        >>> import parlour
        >>> game = parlour.game("octa")
        >>> len(game.guide().coach(game.start()))
        3
        """
        return ()

    def legend(self) -> tuple[Cell, ...]:
        """Return the cells that the help explains by their labels, best known first.

        By default the help shows the cells that are on the board.

        >>> import parlour
        >>> parlour.game("banqi").guide().legend()[0].label
        'Red King, rank 1'
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
