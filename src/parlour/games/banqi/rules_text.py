"""How Banqi is played, for people."""

RULES = """\
Banqi is played with the 32 pieces of Chinese chess on 4 rows of 8 squares. All pieces start
face-down. On your turn you flip a piece, move one of yours, or capture with one of yours. The
first piece that is flipped decides: its colour belongs to the player who flipped it{passes}.

A piece moves one square up, down, left or right, onto an empty square. It captures in the
same way, if the other piece shows its face and has the same rank or a lower one. The ranks,
from the highest: King, Guard, Minister, Rook, Horse, Cannon, Pawn. But a Pawn captures the
King, and the King never captures a Pawn.

A Cannon captures differently: in a straight line over exactly one other piece, of either
colour and face-up or face-down, with any number of empty squares between; and it takes any
piece, whatever its rank. Next to it it captures nothing.

Who has captured all pieces of the other colour wins; so does who leaves the other without a
flip, move or capture. After {quiet} turns in a row without a flip or a capture the game is a
draw{repetition}."""


def rules_text(first_flip_passes: bool, quiet_limit: int, repetition: bool) -> str:
    """The rules, with what the options say."""
    return RULES.format(
        passes=", and it is the other player's turn" if first_flip_passes else ", who goes on",
        quiet=quiet_limit,
        repetition=", and so it is when the same position has come for the third time"
        if repetition
        else "",
    )
