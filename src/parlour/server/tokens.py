"""Secrets of seats: made here, kept as hashes only, compared in constant time."""

import base64
import hashlib
import hmac
import secrets


def new_secret() -> str:
    """128 bits that nobody can guess, as text: for a token or for a claim."""
    return secrets.token_urlsafe(16)


def derived_secret(secret: bytes, key: str, *words: object) -> str:
    """A secret for whoever sends a request with that key: the same again for the same key.

    So a request that is sent twice is answered twice, and nothing has to be kept of what was
    answered. `secret` is the store's: a key that others can guess gives nothing away.
    """
    text = "/".join([key, *map(str, words)]).encode("utf-8", "surrogatepass")
    digest = hmac.digest(secret, text, "sha256")[:16]
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def new_table_id() -> str:
    """A table's name in links: whoever knows it may watch, so it cannot be guessed either."""
    return secrets.token_hex(8)


def hash_of(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def body_hash(body: bytes) -> bytes:
    """What tells two requests with the same id apart."""
    return hashlib.sha256(body).digest()[:16]
