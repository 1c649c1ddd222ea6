"""How Octa is played, for people."""

from parlour.core.game import Game, State
from parlour.core.guide import CoachStep, Guide, Section
from parlour.games.octa.rules import OctaState

RULES = (
    Section(
        "The board",
        "Every cell has an arrow in one of eight directions. Each player owns some of the cells; "
        "the others are neutral.",
    ),
    Section(
        "Your turn",
        "Choose one of your cells. Its arrow turns clockwise by one eighth and starts a chain: "
        "the cell that the arrow now points to becomes yours, its arrow turns too, and the chain "
        "continues from there. A chain captures neutral cells and cells of your opponent alike.",
    ),
    Section(
        "Where a chain stops",
        "A chain stops at the edge of the board, at a blocked cell and at a cell that is already "
        "yours. With the option stop_on_enemy it also stops at your opponent's cells. The cell "
        "that stops a chain does not change.",
    ),
    Section(
        "How the game ends",
        "A player without cells loses at once. When the turn limit is reached, the player with "
        "more cells wins; equal numbers are a tie.",
    ),
)


class OctaGuide(Guide):
    """Rules and first steps."""

    def __init__(self, game: Game) -> None:
        """The rules are the same for all options."""
        super().__init__(game, RULES)

    def coach(self, start: State) -> tuple[CoachStep, ...]:
        """Your cells, a chain, and what to look for."""
        assert isinstance(start, OctaState)
        own = tuple(start.legal_actions())
        best = max(own, key=lambda action: len(start.chain(action)), default=0)
        return (
            CoachStep("These cells are yours. Choose one of them on each turn.", own),
            CoachStep(
                "Its arrow turns clockwise and captures the cells along the chain.",
                tuple(start.chain(best)),
            ),
            CoachStep("Look for long chains: whoever owns more cells at the end wins."),
        )
