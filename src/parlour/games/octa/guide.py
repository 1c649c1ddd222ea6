"""Texts for players of Octa."""

from parlour.core.game import Game, State
from parlour.core.guide import CoachStep, Guide, Section
from parlour.core.registry import game as found_game
from parlour.core.rng import Rng
from parlour.core.scene import Scene
from parlour.games.octa.rules import OctaState

SUMMARY = "Turn an arrow and capture a chain of cells."

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
        "own. With the option “Stop at opponents” it also stops at your opponent's cells. The "
        "cell that stops a chain does not change.",
    ),
    Section(
        "How the game ends",
        "You win at once by capturing your opponent's last cell. Otherwise the game ends at the "
        "turn limit, and the player with more cells wins. Equal numbers are a tie.",
    ),
)


CHAIN_SEED = 3
"""This start has a chain of five cells on the small board."""
SHOWN_SEED = 2
SHOWN_TURN = 6
"""In this position of the small game, the longest chain stops at a cell of its player."""


class OctaGuide(Guide):
    """Rules and first steps."""

    def __init__(self, game: Game) -> None:
        """Use the same rules for all options."""
        super().__init__(game, RULES, SUMMARY, 10)

    def scenes(self, section: Section) -> tuple[Scene, ...]:
        """Return a start, chains cell by cell, and the last turns of a game, on a small board."""
        small = found_game("octa", size=2)
        if section == RULES[1]:
            return _longest_chain(small.start(CHAIN_SEED))
        line = [small.start(SHOWN_SEED)]
        rng = Rng(SHOWN_SEED)
        while not line[-1].is_over:
            line.append(line[-1].apply(line[-1].sample(rng)))
        if section == RULES[0]:
            return (line[0].scene(None),)
        if section == RULES[2]:
            return _longest_chain(line[SHOWN_TURN])
        return tuple([state.scene(None) for state in line[-6:]])

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


def _longest_chain(state: State) -> tuple[Scene, ...]:
    """Return the scenes of the turn that captures most."""
    assert isinstance(state, OctaState)
    best = max(state.legal_actions(), key=lambda action: len(state.chain(action)))
    return (state.scene(None), *state.game.frames(state, best))
