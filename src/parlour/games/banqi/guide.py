"""How Banqi is played, for people."""

from parlour.core.game import State
from parlour.core.guide import CoachStep, Guide, Section
from parlour.games.banqi.rules import BanqiRules


class BanqiGuide(Guide):
    """Rules with the chosen options, and first steps."""

    def __init__(self, game: BanqiRules) -> None:
        """The first flip and the draws depend on the options."""
        super().__init__(game, _rules(game))

    def coach(self, start: State) -> tuple[CoachStep, ...]:
        """Flip, capture, and the exceptions."""
        return (
            CoachStep(
                "All pieces lie face-down. Flip one: its colour is yours from then on.",
                tuple(range(start.game.board.size)),
            ),
            CoachStep("Your pieces move one square, and capture pieces of the same rank or lower."),
            CoachStep("Pawns capture the King. A Cannon jumps over exactly one piece to capture."),
        )


def _rules(game: BanqiRules) -> tuple[Section, ...]:
    next_turn = "Then it is your opponent's turn" if game.first_flip_passes else "You go again"
    repeated = ", or when the same position occurs for the third time" if game.repetition else ""
    return (
        Section(
            "The board",
            "Banqi is played with the 32 pieces of Chinese chess on 4 rows of 8 squares. All "
            "pieces start face-down. On your turn, flip a piece, move one of yours, or "
            "capture with one of yours. If you make the first flip, you play the colour that "
            f"it shows. {next_turn}.",
        ),
        Section(
            "Moves and captures",
            "A piece moves one square up, down, left or right, onto an empty square. It "
            "captures in the same way if the other piece is face-up and has the same rank or "
            "a lower one. The ranks, from the highest: King, Guard, Minister, Rook, Horse, "
            "Cannon, Pawn. But a Pawn captures the King, and the King never captures a Pawn.",
        ),
        Section(
            "The Cannon",
            "A Cannon captures by jumping in a straight line over exactly one piece, of "
            "either colour, face-up or face-down, with any number of empty squares between. "
            "It takes a piece of any rank, but nothing on the next square.",
        ),
        Section(
            "How the game ends",
            "You win by capturing every enemy piece, or by leaving your opponent without a "
            f"flip, move or capture. The game is a draw after {game.quiet_limit} turns in a "
            f"row without a flip or a capture{repeated}.",
        ),
    )
