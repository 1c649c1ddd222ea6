"""Texts for players of Blokus."""

from collections.abc import Iterable

from parlour.core.game import Game, State
from parlour.core.guide import CoachStep, Guide, Section
from parlour.core.registry import game as found_game
from parlour.core.rng import Rng
from parlour.core.scene import Scene
from parlour.games.blokus.pieces import ORIENTATIONS, PIECE_NAMES, SHAPES, drawing
from parlour.games.blokus.rules import BlokusState
from parlour.grids import cut
from parlour.shapes import Shape

SUMMARY = "Place your pieces corner to corner, never edge to edge."

RULES = (
    Section(
        "The pieces",
        "Each colour has 21 pieces: every shape of one to five squares. The colours take turns. "
        "On your turn, place one piece on free squares. You may rotate and flip it.",
    ),
    Section(
        "Where a piece fits",
        "The first piece of a colour must cover its starting square. Every later piece must touch "
        "a piece of its own colour at a corner, and must never touch one along an edge. It may "
        "touch pieces of other colours in any way.",
    ),
    Section(
        "How the game ends",
        "A colour that cannot place a piece is out and skipped from then on. The game ends when "
        "no colour can place a piece. The highest score wins.",
    ),
    Section(
        "Scores",
        "Every square of your remaining pieces costs you one point. A colour that has placed all "
        "its pieces earns 15 points, and 5 more if its last piece was the single square.",
    ),
    Section(
        "Other numbers of players",
        "With two players, each plays two colours. With three players, they take turns with the "
        "fourth colour, which scores for no one. Duo is for two players on a board of 14 by 14 "
        "with starting squares near the centre.",
    ),
)


SHOWN_CELLS = 10
"""Rows and columns of the corner that pictures show."""
CORNER = (
    "a18,b18,a19,a20,b20",
    "c16,c17,d16,e16,e15",
    "c19,d19,d20,e19,e18",
    "f14,g14,g13,h13,h12",
    "f17,g17,g18,g19,h17",
)
"""How blue begins in the pictures."""


class BlokusGuide(Guide):
    """Rules, first steps, and pictures of the pieces."""

    def __init__(self, game: Game) -> None:
        """Use the same rules for all variants."""
        super().__init__(game, RULES, SUMMARY, 25)

    def scenes(self, section: Section) -> tuple[Scene, ...]:
        """Return blue's first pieces in its corner, and the last turns of a game."""
        if section not in RULES[1:3]:
            return ()
        state: State = found_game("blokus").start()
        shown = [state.scene(None)]
        if section == RULES[1]:
            for text in CORNER:
                state = state.play(text)
                shown.append(state.scene(None))
                for _ in range(3):
                    state = state.apply(max(state.legal_actions()))
            return tuple([cut(scene, 0, 0, SHOWN_CELLS, SHOWN_CELLS) for scene in shown])
        rng = Rng(1)
        while not state.is_over:
            state = state.apply(state.sample(rng))
            shown.append(state.scene(None))
        return tuple(shown[-5:])

    def coach(self, start: State) -> tuple[CoachStep, ...]:
        """Return three steps: the starting square, how pieces touch, and large pieces first."""
        assert isinstance(start, BlokusState)
        row, col = start.rules.starts[max(start.mover, 0)]
        corner = row * start.rules.side + col
        return (
            CoachStep("Choose a piece. Your first one must cover this square.", (corner,)),
            CoachStep(
                "Every later piece must touch your own pieces at corners, never along edges."
            ),
            CoachStep("Place large pieces first. Small ones still fit at the end."),
        )

    def topics(self) -> dict[str, str]:
        """Return the topics: the pieces in hand, and a piece in all its orientations."""
        return {"pieces": "the pieces you still have", "L4": "a piece in every orientation"}

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
