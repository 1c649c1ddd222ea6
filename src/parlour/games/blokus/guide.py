"""How Blokus is played, for people."""

from collections.abc import Iterable

from parlour.core.game import Game, State
from parlour.core.guide import CoachStep, Guide, Section
from parlour.games.blokus.pieces import ORIENTATIONS, PIECE_NAMES, SHAPES, drawing
from parlour.games.blokus.rules import BlokusState
from parlour.shapes import Shape

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


def preview(pieces: Iterable[int], width: int = 78) -> str:
    """Draw the pieces as text over their names, in lines of at most `width`."""
    return _side_by_side([(SHAPES[piece], PIECE_NAMES[piece]) for piece in pieces], width)


def preview_orientations(name: str, width: int = 78) -> str | None:
    """Draw a piece in every orientation; return `None` for an unknown piece."""
    captions = [
        (each.cells, f"{name} {'flip ' if each.flip else ''}{each.rotation}")
        for each in ORIENTATIONS
        if PIECE_NAMES[each.piece] == name
    ]
    return _side_by_side(captions, width) if captions else None


def _side_by_side(shapes: list[tuple[Shape, str]], width: int) -> str:
    blocks = []
    for cells, caption in shapes:
        shape = [line.replace("#", "■").replace(".", " ") for line in drawing(cells)]
        breadth = max(len(caption), len(shape[0]))
        blocks.append([f"{line:<{breadth}}" for line in (*shape, caption)])
    lines: list[str] = []
    while blocks:
        used = 0
        taken = 0
        while taken < len(blocks) and used + len(blocks[taken][0]) <= width:
            used += len(blocks[taken][0]) + 2
            taken += 1
        taken = max(taken, 1)
        band, blocks = blocks[:taken], blocks[taken:]
        height = max(map(len, band))
        for block in band:
            block[:0] = [" " * len(block[0])] * (height - len(block))
        lines += ["  ".join(parts).rstrip() for parts in zip(*band, strict=True)]
    return "\n".join(lines)
