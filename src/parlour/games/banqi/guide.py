"""Texts for players of Banqi."""

from parlour.core.game import OVER, State
from parlour.core.guide import CoachStep, Guide, Section
from parlour.core.scene import Cell, Scene
from parlour.games.banqi.pieces import COLOUR_WORDS, KINDS
from parlour.games.banqi.rules import BanqiRules
from parlour.games.banqi.scene import EMPTY_CELL, FACE_DOWN_CELL, piece_cell

SUMMARY = "Dark chess: flip hidden pieces and capture by rank."


EXAMPLES = {
    "The board": (
        "turn: first flip\nquiet: 0\nface-down: KGGMMRRHHCCPPPPPkggmmrrhhccppppp\n"
        + 4 * "? ? ? ? ? ? ? ?\n",
        "c2=R e3=p f2=K",
    ),
    "Moves and captures": (
        "turn: red, seat 1\nquiet: 0\nface-down: -\n"
        ". . . . . . . .\n. R h . . k . .\n. . . . . P . r\n. . . . . . . .\n",
        "b2xc2 h3-h2 f3xf2",
    ),
    "The Cannon": (
        "turn: red, seat 1\nquiet: 0\nface-down: p\n"
        ". . . . . . . .\n. C . ? . . k .\n. . . . . . . .\n. . . r . . . .\n",
        "b2xg2",
    ),
    "How the game ends": (
        "turn: red, seat 1\nquiet: 0\nface-down: -\n"
        ". . . . . . . .\n. . K . . . . .\n. . . . g . . .\n. . . . . . . .\n",
        "c2-d2 e3-e2 d2xe2",
    ),
}
"""For each section of the rules a position and the turns that follow. `c2=R` flips a rook on c2."""


class BanqiGuide(Guide):
    """Rules for the chosen options, and first steps."""

    def __init__(self, game: BanqiRules) -> None:
        """Write the rules of the first flip and of draws for the options."""
        super().__init__(game, _rules(game), SUMMARY, 20)

    def scenes(self, section: Section) -> tuple[Scene, ...]:
        """Return the positions of `EXAMPLES`."""
        if section.title not in EXAMPLES:
            return ()
        text, turns = EXAMPLES[section.title]
        state: State = self.game.state_from_text(text)
        shown = [state.scene(None)]
        for turn in turns.split():
            if state.actor == OVER:
                break  # by the limit of quiet turns
            place, _, piece = turn.partition("=")
            state = state.play(place)
            if piece:
                state = state.play(f"={piece}")
            shown.append(state.scene(None))
        return tuple(shown)

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

    def legend(self) -> tuple[Cell, ...]:
        """Return all pieces with their ranks, from the King down, and the other squares."""
        pieces = [
            piece_cell(colour * KINDS + kind)
            for kind in range(KINDS)
            for colour in range(len(COLOUR_WORDS))
        ]
        ranked = (
            cell._replace(label=f"{cell.label[0].upper()}{cell.label[1:]}, rank {at // 2 + 1}")
            for at, cell in enumerate(pieces)
        )
        return (*ranked, FACE_DOWN_CELL, EMPTY_CELL)


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
