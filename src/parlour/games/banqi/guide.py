"""Texts for players of Banqi."""

from parlour.core.game import State
from parlour.core.guide import CoachStep, Guide, Section
from parlour.games.banqi.rules import BanqiRules


class BanqiGuide(Guide):
    """Rules for the chosen options, and first steps."""

    def __init__(self, game: BanqiRules) -> None:
        """Write the rules of the first flip and of draws for the options."""
        super().__init__(game, _rules(game))

    def coach(self, start: State) -> tuple[CoachStep, ...]:
        """Return three steps: flips, captures, and the exceptions."""
        return (
            CoachStep(
                "All pieces start face-down. Flip one to find out which colour you play.",
                tuple(range(start.game.board.size)),
            ),
            CoachStep("Your pieces move one square. They capture pieces of equal or lower rank."),
            CoachStep(
                "Pawns capture the King, and Cannons capture by jumping over exactly one piece."
            ),
        )


def _rules(game: BanqiRules) -> tuple[Section, ...]:
    next_turn = "Your opponent moves next" if game.first_flip_passes else "You move again"
    repeated = ", or when the same position occurs for the third time" if game.repetition else ""
    return (
        Section(
            "The board",
            "Banqi is played with the 32 pieces of Chinese chess on 4 rows of 8 squares. All "
            "pieces start face-down. On your turn, flip a piece, move one of your pieces, or "
            "capture with one. If you make the first flip, you play the colour it reveals. "
            f"{next_turn}.",
        ),
        Section(
            "Moves and captures",
            "A piece moves one square up, down, left or right, onto an empty square. It "
            "captures a face-up enemy piece on a neighbouring square if that piece has the same "
            "rank or a lower one. The ranks, from highest to lowest: King, Guard, Minister, "
            "Rook, Horse, Cannon, Pawn. Exception: a Pawn captures the King, and the King "
            "cannot capture a Pawn.",
        ),
        Section(
            "The Cannon",
            "A Cannon moves like any other piece, but captures by jumping in a straight line over "
            "exactly one piece. That piece may be of either colour, face-up or face-down, with "
            "any number of empty squares in between. A Cannon captures a face-up piece of any "
            "rank, but never a piece next to it.",
        ),
        Section(
            "How the game ends",
            "You win by capturing every enemy piece, or by leaving your opponent without a "
            f"legal move. The game is a draw after {game.quiet_limit} turns in a row without a "
            f"flip or capture{repeated}.",
        ),
    )
