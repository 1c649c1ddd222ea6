"""The command `parlour solve`."""

from typing import Any

import click

from parlour.commands.game_command import GameCommand
from parlour.commands.parameters import SourceName
from parlour.commands.position import position, refuse_secrets
from parlour.commands.shared_options import SOURCE_HELP, position_options
from parlour.core.checks import counted
from parlour.core.game import OVER, State
from parlour.core.guide import Guide
from parlour.exit_codes import NEGATIVE


@click.command(cls=GameCommand, epilog=SOURCE_HELP)
@click.argument("source", type=SourceName())
@position_options
def solve(**where: Any) -> int:
    """Print a shortest way to win.

    Only some games can be solved. The exit status is 1 if there is no way to win.
    """
    return print_solution(position(**where))


def print_solution(state: State) -> int:
    """Print a shortest way to win; return 1 if the game has none."""
    refuse_secrets(state)
    guide = state.game.guide()
    moves = guide.solution(state)
    if state.actor == OVER:
        print("The game is over: " + state.scene(None).status)
        return NEGATIVE
    if moves is None:
        has_solver = type(guide).solution is not Guide.solution
        reason = "cannot be won from here" if has_solver else "has no solver"
        print(f"{state.game.title} {reason}.")
        return NEGATIVE
    texts = []
    for move in moves:
        texts.append(state.game.action_to_text(state, move))
        state = state.apply(move)
    print(f"{counted(len(moves), 'action')}: {' '.join(texts)}")
    return 0
