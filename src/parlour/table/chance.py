"""The secret source of chance outcomes, and the proof that it was fixed beforehand.

A key of 32 bytes decides every random event of a game: number n is drawn with the hash of
the key and n. Its own hash, the commitment, is shown before the first action; the key is
shown after the last. Whoever has both can draw every event again with `verify`. Players may
add a word of their own, a nonce, which then goes into every draw: so nobody who knows the key
could have chosen what it draws.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import ClassVar

from parlour.core.checks import shown
from parlour.core.errors import ParlourError
from parlour.core.game import CHANCE, State, draw_outcome
from parlour.core.record import Record

KEY_BYTES = 32
LONGEST_NONCE = 200


class ChanceError(ParlourError):
    """A chance key or a nonce that cannot be."""

    code: ClassVar[str] = "bad_nonce"


class ChanceSource:
    """Draws the random events of one game from a key, and from what the players add to it."""

    def __init__(self, key: bytes, nonces: Sequence[str] = ()) -> None:
        """`ChanceError` unless the key has 32 bytes; `nonces` in the order of the seats."""
        if len(key) != KEY_BYTES:
            raise ChanceError(f"a chance key has {KEY_BYTES} bytes, not {len(key)}")
        for nonce in nonces:
            check_nonce(nonce)
        self.key = key
        self.nonces = tuple(nonces) if any(nonces) else ()
        self._salt = b""
        if self.nonces:
            # Each with its length, so that no two lists of nonces run into the same bytes.
            coded = (nonce.encode() for nonce in self.nonces)
            parts = b"".join(len(each).to_bytes(8, "big") + each for each in coded)
            self._salt = hashlib.sha256(parts).digest()

    @classmethod
    def secret(cls, nonces: Sequence[str] = ()) -> "ChanceSource":
        """From the operating system's randomness: nobody can know it beforehand."""
        return cls(secrets.token_bytes(KEY_BYTES), nonces)

    @classmethod
    def from_seed(cls, seed: int, nonces: Sequence[str] = ()) -> "ChanceSource":
        """The same for the same seed, for a game that is to be repeated: no secret."""
        return cls(hashlib.sha256(b"parlour chance %d" % seed).digest(), nonces)

    @property
    def commitment(self) -> str:
        """The key's hash, to be published at the start."""
        return commitment_of(self.key)

    def setup_seed(self) -> int:
        """A seed for the set-up that follows from the key and from what the players added."""
        digest = hmac.digest(self.key, b"setup" + self._salt, "sha256")
        return int.from_bytes(digest[:4], "big")

    def outcome(self, state: State, number: int) -> int:
        """The outcome of the game's random event of that number, counted from 0."""
        digest = hmac.digest(self.key, b"%d" % number + self._salt, "sha256")
        point = (int.from_bytes(digest[:8], "big") >> 11) / 2**53
        return int(draw_outcome(state.chance_outcomes(), point))


def check_nonce(nonce: str) -> str:
    """The nonce; `ChanceError` unless it is one line of at most LONGEST_NONCE characters."""
    is_line = nonce == nonce.strip() and nonce.isprintable()
    if not is_line or len(nonce) > LONGEST_NONCE:
        raise ChanceError(
            f"a nonce is one line of at most {LONGEST_NONCE} printable characters, "
            f"not {shown(nonce)}"
        )
    return nonce


def commitment_of(key: bytes) -> str:
    """The hash that a table publishes before the game."""
    return hashlib.sha256(key).hexdigest()


def verify(record: Record, commitment: str, key: bytes, nonces: Sequence[str] = ()) -> str | None:
    """`None` if the key fits the commitment and drew every random event.

    Otherwise what does not fit. `ChanceError` for a key or nonces that cannot be.
    """
    source = ChanceSource(key, nonces)
    promised = commitment.strip().lower().encode("utf-8", "replace")
    if not hmac.compare_digest(source.commitment.encode(), promised):
        return "the key is not the one that the commitment was made for"
    drawn = 0
    for number, (state, action) in enumerate(zip(record.states, record.actions, strict=False), 1):
        if state.actor != CHANCE:
            continue
        right = source.outcome(state, drawn)
        if action != right:
            text = record.game.action_to_text
            return (
                f"action {number} is {text(state, action)}, but the key draws {text(state, right)}"
            )
        drawn += 1
    return None
