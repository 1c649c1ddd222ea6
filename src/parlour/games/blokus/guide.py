"""How Blokus is played, for people."""

from parlour.core.game import Game, State
from parlour.core.guide import CoachStep, Guide, Section
from parlour.games.blokus.pieces import PIECE_NAMES
from parlour.games.blokus.preview import preview, preview_orientations
from parlour.games.blokus.rules import BlokusState

RULES = (
    Section(
        "The pieces",
        "Each colour has 21 pieces, one of every shape of one to five squares. The colours take "
        "turns. On your turn, place one piece on free squares; you may rotate and flip it.",
    ),
    Section(
        "Where a piece fits",
        "The first piece of a colour covers its starting square. Every later piece must touch a "
        "piece of the same colour corner to corner, and must never touch one edge to edge. "
        "Pieces of other colours may be touched in any way.",
    ),
    Section(
        "How the game ends",
        "A colour that cannot place a piece is skipped from then on. The game is over when no "
        "colour can place a piece.",
    ),
    Section(
        "Scores",
        "Every square of your remaining pieces costs one point. A colour that has placed all its "
        "pieces gets 15 points, and 5 more if its last piece was the single square.",
    ),
    Section(
        "Other numbers of players",
        "With two players, each plays two colours. With three, the players take turns with the "
        "fourth colour, which scores for no one. Duo is for two players on a board of 14 by 14; "
        "their starting squares lie inside it.",
    ),
)


class BlokusGuide(Guide):
    """Rules, first steps, and pictures of the pieces."""

    def __init__(self, game: Game) -> None:
        """The rules are the same for all variants."""
        super().__init__(game, RULES)

    def coach(self, start: State) -> tuple[CoachStep, ...]:
        """The starting square, the one rule, and large pieces first."""
        assert isinstance(start, BlokusState)
        row, col = start.rules.starts[max(start.mover, 0)]
        corner = row * start.rules.side + col
        return (
            CoachStep("Choose a piece. The first one must cover this square.", (corner,)),
            CoachStep("Every later piece touches your own pieces at corners, never at edges."),
            CoachStep("Place large pieces first: small ones still fit at the end."),
        )

    def topics(self) -> dict[str, str]:
        """The pieces in hand, and one piece in all its orientations."""
        return {"pieces": "the pieces that you still have", "L4": "a piece in every orientation"}

    def explain(self, state: State, topic: str, seat: int | None) -> str | None:
        """Draw the mover's pieces, or a piece in every orientation."""
        assert isinstance(state, BlokusState)
        if topic == "pieces":
            hand = state.hand(max(state.mover, 0))
            return preview([piece for piece in range(len(PIECE_NAMES)) if hand >> piece & 1])
        return preview_orientations(topic)
