"""`analyse`: what an agent thinks of a position."""

import json

from parlour.agents.hints import ADVISER, analyse
from parlour.commands.exit_codes import NEGATIVE
from parlour.commands.position import refuse_secrets
from parlour.core.checks import printable
from parlour.core.game import CHANCE, OVER, State
from parlour.scenes.choices import advice_lines, advice_of
from parlour.scenes.text import draw


def print_analysis(state: State, adviser: str | None, as_json: bool, most: int) -> int:
    """What an agent thinks of a position; status 1 if there is nothing to decide."""
    if state.actor in (OVER, CHANCE):
        print("Nobody is to decide here: " + state.scene(None).status)
        return NEGATIVE
    refuse_secrets(state)
    analysis = analyse(state, adviser=adviser or ADVISER)
    if as_json:
        for choice in analysis.choices[:most]:
            print(json.dumps(choice._asdict(), ensure_ascii=False))
        return 0
    print(draw(state.scene(None)) + "\n")
    print(printable("\n".join(advice_lines(advice_of(state, analysis, None), most))))
    print(f"{analysis.work} positions or simulations in {analysis.seconds:.2f} s")
    return 0
