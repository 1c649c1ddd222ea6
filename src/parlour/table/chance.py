"""The secret source of chance outcomes, and the proof that it was fixed beforehand.

A key of 32 bytes decides every random event of a game: number n is drawn with the hash of
the key and n. Its own hash, the commitment, is shown before the first action; the key is
shown after the last. Whoever has both can draw every event again with `verify`.
"""

import hashlib
import hmac
import secrets

from parlour.core.errors import ParlourError
from parlour.core.game import CHANCE, State, draw_outcome
from parlour.core.record import Record

KEY_BYTES = 32


class ChanceSource:
    """Draws the random events of one game from a key."""

    def __init__(self, key: bytes) -> None:
        """`ParlourError` unless the key has 32 bytes."""
        if len(key) != KEY_BYTES:
            raise ParlourError(f"a chance key has {KEY_BYTES} bytes, not {len(key)}")
        self.key = key

    @classmethod
    def secret(cls) -> "ChanceSource":
        """From the operating system's randomness: nobody can know it beforehand."""
        return cls(secrets.token_bytes(KEY_BYTES))

    @classmethod
    def from_seed(cls, seed: int) -> "ChanceSource":
        """The same for the same seed, for a game that is to be repeated: no secret."""
        return cls(hashlib.sha256(b"parlour chance %d" % seed).digest())

    @property
    def commitment(self) -> str:
        """The key's hash, to be published at the start."""
        return commitment_of(self.key)

    def outcome(self, state: State, number: int) -> int:
        """The outcome of the game's random event of that number, counted from 0."""
        digest = hmac.digest(self.key, b"%d" % number, "sha256")
        point = (int.from_bytes(digest[:8], "big") >> 11) / 2**53
        return int(draw_outcome(state.chance_outcomes(), point))


def commitment_of(key: bytes) -> str:
    """The hash that a table publishes before the game."""
    return hashlib.sha256(key).hexdigest()


def verify(record: Record, commitment: str, key: bytes) -> str | None:
    """`None` if the key fits the commitment and drew every random event; else what does not fit."""
    # As bytes: texts that are not ASCII cannot be compared in constant time.
    given = commitment.strip().lower().encode(errors="replace")
    if not hmac.compare_digest(commitment_of(key).encode(), given):
        return "the key is not the one that the commitment was made for"
    source = ChanceSource(key)
    state = record.game.start(record.seed)
    drawn = 0
    for number, action in enumerate(record.actions, 1):
        if state.actor == CHANCE:
            right = source.outcome(state, drawn)
            if action != right:
                text = record.game.action_to_text
                return (
                    f"action {number} is {text(state, action)}, "
                    f"but the key draws {text(state, right)}"
                )
            drawn += 1
        state = state.apply(action)
    return None
