"""What an agent thinks of its choices, in words and as a small table."""

from parlour.agents import Analysis, Choice

SHOWN = 8


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
