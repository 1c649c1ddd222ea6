"""Seat tokens and other secrets, stored as hashes only and compared in constant time."""

import base64
import hashlib
import hmac
import secrets


def new_secret() -> str:
    """Return 128 random bits as text, for a token or a claim."""
    return secrets.token_urlsafe(16)


def derived_secret(secret: bytes, key: str, *words: object) -> str:
    """Return a secret for an idempotency key: the same key gives the same secret.

    A repeated request can be answered again without storing the response. `secret` belongs to
    the store, so a guessed key alone reveals nothing.
    """
    text = "/".join([key, *map(str, words)]).encode("utf-8", "surrogatepass")
    digest = hmac.digest(secret, text, "sha256")[:16]
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def new_table_id() -> str:
    """Return a random table id. It must be unguessable: anyone who has it may watch."""
    return secrets.token_hex(8)


def hash_of(secret: str) -> bytes:
    """Return the hash of a secret, for storage."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def body_hash(body: bytes) -> bytes:
    """Return a short hash of a request body, to compare requests with the same id."""
    return hashlib.sha256(body).digest()[:16]


def owner_of(secret: bytes, address: str) -> str:
    """Return a pseudonym of an address, to compare owners of tables without storing addresses."""
    return hmac.digest(secret, b"owner/" + address.encode(), "sha256")[:12].hex()
