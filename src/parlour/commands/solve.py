"""`solve`: a shortest way to win."""

from parlour.commands.exit_codes import NEGATIVE
from parlour.core.game import OVER, State
from parlour.table import TableError


def print_solution(state: State) -> int:
    """A shortest way to win; status 1 if the game gives none."""
    if state.game.has_secrets:
        raise TableError(f"{state.game.title} has secrets: nobody may look before the end")
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
