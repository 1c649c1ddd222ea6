"""What a request brings along, checked: its body, token, key and address."""

from collections.abc import Sequence

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from parlour.core.checks import shown
from parlour.core.errors import BadMessage
from parlour.protocol import SHORTEST_KEY
from parlour.protocol.errors import TooLarge, Unauthorized
from parlour.protocol.json import encode
from parlour.server.http.cookies import cookie_name, newest, seats_in
from parlour.server.http.origins import SAFE
from parlour.server.limits import household
from parlour.server.tokens import new_secret

LARGEST_BODY = 8192


def answer(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A Struct as JSON."""
    return Response(encode(value), status, headers, media_type="application/json")


def token_of(request: Request, table: str) -> str:
    """The token of a request: of the header, or of the cookie of that table."""
    bearer = request.headers.get("authorization", "")
    if bearer:
        kind, _, token = bearer.partition(" ")
        if kind.lower() != "bearer" or not token.strip():
            raise Unauthorized("the header Authorization reads: Bearer TOKEN")
        return token.strip()
    return _cookies(request).get(cookie_name(table), "")


def _cookies(request: Request) -> dict[str, str]:
    """The cookies that count: a page says where it comes from when it changes something."""
    if request.method not in SAFE and "origin" not in request.headers:
        return {}
    return request.cookies


def tokens_of(request: Request) -> Sequence[str]:
    """All tokens of a request, or the newest if they are many."""
    bearer = request.headers.get("authorization", "")
    listed = [each.strip() for each in bearer.partition(" ")[2].split(",") if each.strip()]
    return newest([*seats_in(_cookies(request)).values(), *listed])


def number_in(request: Request, name: str) -> int | None:
    """A whole number in the query, or `None`; `BadMessage`."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 17 and int(text) < 2**53):
        raise BadMessage(f"{name} is a whole number, not {shown(text)}")
    return int(text)


def key_of(request: Request) -> str:
    """The Idempotency-Key of a request, or empty; `BadMessage`."""
    key = request.headers.get("idempotency-key", "")
    if len(key) > 64 or not key.isprintable():
        raise BadMessage("an Idempotency-Key has at most 64 printable characters")
    return key


def secret_key_of(request: Request) -> str:
    """The same for a request that is answered with a secret; `BadMessage`.

    Whoever sends the same request with the same key gets the same secret: nobody else may
    think of that key.
    """
    key = key_of(request)
    if key and len(key) < SHORTEST_KEY:
        raise BadMessage(
            f"an Idempotency-Key has {SHORTEST_KEY} characters or more here, and nobody can guess "
            "it: a UUID, say; it gives the answer, with its token, again"
        )
    return key


def with_id(body: bytes, key: str) -> bytes:
    """A request of a seat with its id, and `play` if it does not say what it is."""
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


async def body_of(request: Request, most: int = LARGEST_BODY) -> bytes:
    """The body; `TooLarge`."""
    size, parts = 0, []
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise TooLarge(f"a body has at most {most} bytes")
        parts.append(part)
    return b"".join(parts)


def address_of(request: Request) -> str:
    """Who asks, for limits."""
    return household(request.client.host) if request.client else ""
