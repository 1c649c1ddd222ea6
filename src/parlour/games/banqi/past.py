"""The boards of Banqi since the last flip or capture, where repetition counts (rule 10)."""

from typing import Final

from mypy_extensions import i64


class Past:
    """A quiet turn, the board before it, and what was before that. States share them."""

    def __init__(
        self, action: i64, p0: i64, p1: i64, p2: i64, red: i64, before: "Past | None"
    ) -> None:
        """`action` was played on the board with these planes."""
        self.action: Final = action
        self.p0: Final = p0
        self.p1: Final = p1
        self.p2: Final = p2
        self.red: Final = red
        self.before: Final = before


def occurrences(past: Past | None, p0: i64, p1: i64, p2: i64, red: i64) -> i64:
    """How often that board, now on the table, has had the colour to move that it has now."""
    found: i64 = 1
    while past is not None:
        # The colours alternate, so that every second board has this one to move.
        past = past.before
        if past is None:
            break
        if past.p0 == p0 and past.p1 == p1 and past.p2 == p2 and past.red == red:
            found += 1
        past = past.before
    return found


Turns = tuple[tuple[int, int, int, int, int], ...]


def past_to_turns(past: Past | None) -> Turns:
    """Each turn's action and planes, oldest first."""
    turns: list[tuple[int, int, int, int, int]] = []
    while past is not None:
        turns.append((past.action, past.p0, past.p1, past.p2, past.red))
        past = past.before
    turns.reverse()
    return tuple(turns)


def past_from_turns(turns: Turns) -> Past | None:
    """What `past_to_turns` took apart."""
    past: Past | None = None
    for action, p0, p1, p2, red in turns:
        past = Past(action, p0, p1, p2, red, past)
    return past
