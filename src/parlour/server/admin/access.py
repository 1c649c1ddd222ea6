"""Who may administer a server: whoever can read its store, on the same machine.

The command proves that it knows the store's secret by signing each request with a key that is
drawn from it. What goes over the wire is worth nothing for another request, nor later: so a
stranger who listens at the server's port gains nothing by being asked.
"""

import hmac
import time
from collections.abc import Callable

from starlette.requests import Request

from parlour.protocol.errors import Unauthorized
from parlour.server.tokens import body_hash, derived_secret
from parlour.table.errors import TableError

VALID_SECONDS = 60
LOOPBACK = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
PASSED_ON = ("x-forwarded-for", "x-real-ip", "forwarded", "via")


class AdminAccess:
    """Signs requests, and checks signatures, with the secret of one store."""

    def __init__(self, secret: bytes, wall: Callable[[], float] = time.time) -> None:
        """`wall` gives seconds since 1970."""
        self._secret = secret
        self._wall = wall

    def header(self, method: str, target: str, body: bytes) -> str:
        """What a request carries as `Authorization`; `target` is its path with the query."""
        at = int(self._wall())
        return f"Bearer {at}.{self._signature(at, method, target, body)}"

    def _signature(self, at: int, method: str, target: str, body: bytes) -> str:
        # What is drawn for clients ends with the number of a seat, this with a hash: whatever
        # key a client thinks of, it is never told a signature.
        return derived_secret(self._secret, "admin", at, method, target, body_hash(body).hex())

    def check(self, request: Request, body: bytes) -> None:
        """`Unauthorized`, or `TableError` where nobody may administer from."""
        address = request.client.host if request.client else ""
        own = (request.scope.get("server") or ("",))[0]
        is_passed_on = any(name in request.headers for name in PASSED_ON)
        if is_passed_on or address not in (*LOOPBACK, own) or not address:
            raise TableError("a server is administered from its own machine, and not by a proxy")
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        at, _, signature = token.strip().partition(".")
        if kind.lower() != "bearer" or not (at.isascii() and at.isdecimal() and len(at) < 16):
            raise Unauthorized("this is for the command parlour serve --admin")
        query = request.scope["query_string"].decode("latin-1")
        path = request.scope["raw_path"].decode("latin-1")
        target = f"{path}?{query}" if query else path
        wanted = self._signature(int(at), request.method, target, body)
        if not hmac.compare_digest(signature.encode("utf-8", "replace"), wanted.encode()):
            raise Unauthorized("this server has another store: name its --store, or its --url")
        if abs(self._wall() - int(at)) > VALID_SECONDS:
            raise Unauthorized("this was signed too long ago, or the clock was set meanwhile")
