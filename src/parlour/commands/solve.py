"""`solve`: a shortest way to win."""

from parlour.commands.exit_codes import NEGATIVE
from parlour.commands.position import refuse_secrets
from parlour.core.game import OVER, State


def print_solution(state: State) -> int:
    """A shortest way to win; status 1 if the game gives none."""
    refuse_secrets(state)
    moves = state.solution()
    if state.actor == OVER:
        print("The game is over: " + state.scene(None).status)
        return NEGATIVE
    if moves is None:
        print(f"{state.game.title} gives no solution from here.")
        return NEGATIVE
    texts = []
    for move in moves:
        texts.append(state.game.action_to_text(state, move))
        state = state.apply(move)
    print(f"{len(moves)} actions: {' '.join(texts)}")
    return 0
