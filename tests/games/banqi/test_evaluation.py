"""The evaluation and its helpers agree with the rules."""

import pytest

import parlour
from parlour.games.banqi.values import takes

SIGNS = "KGMRHCP"


@pytest.mark.parametrize("kind", range(7))
@pytest.mark.parametrize("other", range(7))
def test_takes_agrees_with_the_move_generator(kind, other):
    rest = ". . . . . . . .\n" * 3
    state = parlour.game("banqi").state_from_text(
        f"turn: red, seat 0\nquiet: 0\nface-down: -\n"
        f". . {SIGNS[kind]} {SIGNS[other].lower()} . . . .\n{rest}"
    )
    capture = state.game.action_from_text(state, "c1xd1")
    assert takes(kind, other) == (state.refusal(capture) is None)


def test_piece_values_grow_with_victims_and_fall_with_attackers():
    game = parlour.game("banqi")
    rest = ". . . . . . . .\n" * 2

    def value(red, black):
        state = game.state_from_text(
            f"turn: red, seat 0\nquiet: 0\nface-down: -\n{red}\n{black}\n{rest}"
        )
        return parlour.heuristics(game).evaluate(state, 0)

    assert value("K . . . . . . .", "h . . . . . . h") > value("K . . . . . . .", "p . . . . . . p")
    assert (
        value("G . . . . . . .", "h . . . . . . .")
        > 0
        > value("H . . . . . . .", "g . . . . . . .")
    )
    # With everything else equal, the side to move is slightly ahead.
    assert 0 <= value("C . . . . . . c", ". . . . . . . .") < 0.05
