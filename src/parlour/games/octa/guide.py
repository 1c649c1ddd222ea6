"""Texts for players of Octa."""

from parlour.core.game import Game, State
from parlour.core.guide import CoachStep, Guide, Section
from parlour.games.octa.rules import OctaState

RULES = (
    Section(
        "The board",
        "Every cell holds an arrow that points in one of eight directions. Each player owns some "
        "of the cells; the others are neutral.",
    ),
    Section(
        "Your turn",
        "Choose one of your cells. Its arrow turns one eighth clockwise and starts a chain: you "
        "capture the cell that the arrow now points to, that cell's arrow turns too, and the chain "
        "continues from there. A chain captures neutral cells and your opponent's cells alike.",
    ),
    Section(
        "Where a chain stops",
        "A chain stops at the edge of the board, at a blocked cell, and at a cell you already "
        "own. With the option stop_on_enemy it also stops at your opponent's cells. The cell "
        "that stops a chain does not change.",
    ),
    Section(
        "How the game ends",
        "You win at once by capturing your opponent's last cell. Otherwise the game ends at the "
        "turn limit, and the player with more cells wins. Equal numbers are a tie.",
    ),
)


class OctaGuide(Guide):
    """Rules and first steps."""

    def __init__(self, game: Game) -> None:
        """Use the same rules for all options."""
        super().__init__(game, RULES)

    def coach(self, start: State) -> tuple[CoachStep, ...]:
        """Return three steps: your cells, a chain, and what to aim for."""
        assert isinstance(start, OctaState)
        own = tuple(start.legal_actions())
        best = max(own, key=lambda action: len(start.chain(action)), default=0)
        return (
            CoachStep("These cells are yours. On each turn, choose one of them.", own),
            CoachStep(
                "Its arrow turns clockwise and starts a chain, which captures these cells.",
                tuple(start.chain(best)),
            ),
            CoachStep("Look for long chains: the player with more cells at the end wins."),
        )
