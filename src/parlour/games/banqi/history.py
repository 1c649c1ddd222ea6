"""The boards of Banqi since the last flip or capture, to detect repetition (rule 10)."""

from typing import Final

from mypy_extensions import i64


class History:
    """A linked list of quiet turns and the boards before them. States share it."""

    def __init__(
        self, action: i64, p0: i64, p1: i64, p2: i64, red: i64, before: "History | None"
    ) -> None:
        """Record that `action` was played on the board with these planes."""
        self.action: Final = action
        self.p0: Final = p0
        self.p1: Final = p1
        self.p2: Final = p2
        self.red: Final = red
        self.before: Final = before


def occurrences(history: History | None, p0: i64, p1: i64, p2: i64, red: i64) -> i64:
    """Return how often the current board has occurred with the same colour to move."""
    found: i64 = 1
    while history is not None:
        # The colours alternate, so every second board has the same colour to move.
        history = history.before
        if history is None:
            break
        if history.p0 == p0 and history.p1 == p1 and history.p2 == p2 and history.red == red:
            found += 1
        history = history.before
    return found


Turns = tuple[tuple[int, int, int, int, int], ...]


def history_to_turns(history: History | None) -> Turns:
    """Return the action and planes of each turn, oldest first."""
    turns: list[tuple[int, int, int, int, int]] = []
    while history is not None:
        turns.append((history.action, history.p0, history.p1, history.p2, history.red))
        history = history.before
    turns.reverse()
    return tuple(turns)


def history_from_turns(turns: Turns) -> History | None:
    """Rebuild the history from the result of `history_to_turns`."""
    history: History | None = None
    for action, p0, p1, p2, red in turns:
        history = History(action, p0, p1, p2, red, history)
    return history
