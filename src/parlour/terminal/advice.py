"""What an agent thinks of a position, for people: a hint, a table of choices."""

from parlour.agents import AgentFault, Analysis, Choice, agent, analysis_of
from parlour.core.game import State

ADVISER = "best:time=0.5"
SHOWN = 8


def advise(state: State, adviser: str = ADVISER) -> Choice:
    """The choice to make: the solution's where the game is solved from here, else the agent's."""
    return analyse(state, adviser).choices[0]


def analyse(state: State, adviser: str = ADVISER) -> Analysis:
    """The choices, best first; exact where the game has a solution from here."""
    if state.actor >= 0 and adviser == ADVISER and state.solution():
        return agent("exact").analyse(state)
    try:
        return analysis_of(agent(adviser), state)
    except AgentFault as fault:
        raise fault.of(adviser) from fault


def choice_words(choice: Choice) -> str:
    """A choice in one line, for people."""
    reasons = [f"worth {choice.value:+.2f}"]
    if choice.visits:
        reasons.append(f"{choice.visits} visits")
    if len(choice.line) > 1:
        shown = " ".join(choice.line[:6])
        reasons.append(f"then {shown.partition(' ')[2]}" + (" ..." if len(choice.line) > 6 else ""))
    return f"{choice.text} ({', '.join(reasons)})"


def analysis_lines(analysis: Analysis, most: int = SHOWN) -> list[str]:
    """The best choices as a small table."""
    shown = analysis.choices[:most]
    width = max(len(choice.text) for choice in shown)
    by = "visits" if any(choice.visits for choice in shown) else "depth"
    lines = [f"{'action':<{max(width, 6)}}   value  {by:>6}  expected play"]
    for choice in shown:
        line = " ".join(choice.line[:8]) + (" ..." if len(choice.line) > 8 else "")
        work = choice.visits if by == "visits" else choice.depth
        lines.append(f"{choice.text:<{max(width, 6)}}  {choice.value:+.3f}  {work:>6}  {line}")
    rest = len(analysis.choices) - len(shown)
    if rest > 0:
        lines.append(f"and {rest} more")
    return lines
