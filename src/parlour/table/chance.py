"""The secret source of chance outcomes, and the proof that it was fixed beforehand.

A 32-byte key decides every random event of a game: event n is drawn from the hash of the key and n.
The key's hash, the commitment, is published before the first action; the key itself is published
after the last one. With both, `verify` can repeat every draw. Players may add a nonce, which enters
every draw, so that the holder of the key cannot have chosen the outcomes.
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
    """An invalid chance key or nonce."""

    code: ClassVar[str] = "bad_nonce"


class ChanceSource:
    """Draws the random events of one game from a key and the players' nonces.

    >>> ChanceSource.from_seed(7).commitment[:8]
    'dcedc314'
    """

    def __init__(self, key: bytes, nonces: Sequence[str] = ()) -> None:
        """Use this key. `nonces` are in the order of the seats.

        Raise `ChanceError` unless the key has 32 bytes and every nonce is valid.
        """
        if len(key) != KEY_BYTES:
            raise ChanceError(f"a chance key must have {KEY_BYTES} bytes, not {len(key)}")
        for nonce in nonces:
            check_nonce(nonce)
        self.key = key
        self.nonces = tuple(nonces) if any(nonces) else ()
        self._salt = b""
        if self.nonces:
            # The length prefix keeps different lists of nonces from producing the same bytes.
            coded = (nonce.encode() for nonce in self.nonces)
            parts = b"".join(len(each).to_bytes(8, "big") + each for each in coded)
            self._salt = hashlib.sha256(parts).digest()

    @classmethod
    def secret(cls, nonces: Sequence[str] = ()) -> "ChanceSource":
        """Return a source with an unpredictable key from the operating system."""
        return cls(secrets.token_bytes(KEY_BYTES), nonces)

    @classmethod
    def from_seed(cls, seed: int, nonces: Sequence[str] = ()) -> "ChanceSource":
        """Return a reproducible source. Its key follows from the seed, so it is not secret."""
        return cls(hashlib.sha256(b"parlour chance %d" % seed).digest(), nonces)

    @property
    def commitment(self) -> str:
        """The key's hash, published before the first action."""
        return commitment_of(self.key)

    def setup_seed(self) -> int:
        """Return a seed for the setup, derived from the key and the nonces."""
        digest = hmac.digest(self.key, b"setup" + self._salt, "sha256")
        return int.from_bytes(digest[:4], "big")

    def outcome(self, state: State, number: int) -> int:
        """Return the outcome of random event `number`, counted from 0."""
        digest = hmac.digest(self.key, b"%d" % number + self._salt, "sha256")
        point = (int.from_bytes(digest[:8], "big") >> 11) / 2**53
        return int(draw_outcome(state.chance_outcomes(), point))


def check_nonce(nonce: str) -> str:
    """Return the nonce; raise `ChanceError` unless it is one line of at most 200 characters."""
    is_line = nonce == nonce.strip() and nonce.isprintable()
    if not is_line or len(nonce) > LONGEST_NONCE:
        raise ChanceError(
            f"a nonce must be one line of at most {LONGEST_NONCE} printable characters, "
            f"not {shown(nonce)}"
        )
    return nonce


def commitment_of(key: bytes) -> str:
    """Return the hash that a table publishes before the game.

    >>> commitment_of(bytes(32))[:8]
    '66687aad'
    """
    return hashlib.sha256(key).hexdigest()


def verify(record: Record, commitment: str, key: bytes, nonces: Sequence[str] = ()) -> str | None:
    """Return `None` if the key matches the commitment and drew every random event.

    Otherwise return a sentence that says what does not match. Raise `ChanceError` for an invalid
    key or nonce.

    >>> import parlour
    >>> record = parlour.Record(parlour.game("octa"), seed=1)
    >>> verify(record, commitment_of(bytes(32)), key=bytes(range(32)))
    'the key does not match the commitment'
    """
    source = ChanceSource(key, nonces)
    promised = commitment.strip().lower().encode("utf-8", "replace")
    if not hmac.compare_digest(source.commitment.encode(), promised):
        return "the key does not match the commitment"
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
