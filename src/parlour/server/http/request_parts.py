"""Validated parts of a request: body, token, key and address."""

import re
from collections.abc import Sequence

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from parlour.core.checks import shown
from parlour.core.errors import BadMessage
from parlour.protocol import KEY, SHORTEST_KEY
from parlour.protocol.errors import TooLarge, Unauthorized
from parlour.protocol.json import encode
from parlour.protocol.limits import BODY_BYTES
from parlour.server.http.cookies import newest, seats_in
from parlour.server.http.origins import SAFE
from parlour.server.rates import rate_limit_key
from parlour.server.tokens import new_secret


def answer(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return a Struct as a JSON response."""
    return Response(encode(value), status, headers, media_type="application/json")


def token_of(request: Request, table: str) -> str:
    """Return the token from the header or the table's cookie. Raise `Unauthorized` if malformed."""
    bearer = request.headers.get("authorization", "")
    if bearer:
        kind, _, token = bearer.partition(" ")
        if kind.lower() != "bearer" or not token.strip():
            raise Unauthorized("the Authorization header must be: Bearer TOKEN")
        return token.strip()
    return _seats(request).get(table, "")


def _seats(request: Request) -> dict[str, str]:
    """Return the tokens in cookies by table; unsafe requests need an Origin, against CSRF."""
    if request.method not in SAFE and "origin" not in request.headers:
        return {}
    return seats_in(request.headers.get("cookie", ""))


def tokens_of(request: Request) -> Sequence[str]:
    """Return the tokens of a request, the newest if there are too many."""
    bearer = request.headers.get("authorization", "")
    listed = [each.strip() for each in bearer.partition(" ")[2].split(",") if each.strip()]
    return newest([*_seats(request).values(), *listed])


def number_in(request: Request, name: str) -> int | None:
    """Return a number in the query, or `None`. Raise `BadMessage` if it is malformed."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 17 and int(text) < 2**53):
        raise BadMessage(f"{name} must be a whole number, not {shown(text)}")
    return int(text)


def key_of(request: Request) -> str:
    """Return the Idempotency-Key, or an empty text. Raise `BadMessage` if it is malformed."""
    key = request.headers.get("idempotency-key", "")
    if not re.fullmatch(KEY, key):
        raise BadMessage("an Idempotency-Key may have at most 64 printable ASCII characters")
    return key


def secret_key_of(request: Request) -> str:
    """Return the key of a request whose response contains a secret.

    Repeating the request returns the same secret, so the key must be unguessable. Raise
    `BadMessage` if it is too short.
    """
    key = key_of(request)
    if key and len(key) < SHORTEST_KEY:
        raise BadMessage(
            f"this Idempotency-Key must be unguessable and have {SHORTEST_KEY} characters or more, "
            "for example a UUID: repeating the request returns its token"
        )
    return key


def with_id(body: bytes, key: str) -> bytes:
    """Add the id, and the default type `play`, to the body of a seat's request."""
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return body
    if not isinstance(found, dict):
        return body
    more: dict[str, object] = {"t": "play"} if "t" not in found else {}
    if "id" not in found:
        more["id"] = key or new_secret()
    return encode({**found, **more})


async def body_of(request: Request, most: int = BODY_BYTES) -> bytes:
    """Return the body. Raise `TooLarge` if it exceeds `most` bytes."""
    size, parts = 0, []
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise TooLarge(f"the body may have at most {most} bytes")
        parts.append(part)
    return b"".join(parts)


def address_of(request: Request) -> str:
    """Return the client's address for rate limits."""
    return rate_limit_key(request.client.host) if request.client else ""
