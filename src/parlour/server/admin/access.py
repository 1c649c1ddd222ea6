"""Access control for administration: requests from the same machine, signed by the store's secret.

The command signs each request with a key derived from the store's secret. A signature is valid
for one request and a short time, so a program that listens on the server's port gains nothing.
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
PROXY_HEADERS = ("x-forwarded-for", "x-real-ip", "forwarded", "via")


class AdminAccess:
    """Signs requests and checks signatures with the secret of a store."""

    def __init__(self, secret: bytes, wall: Callable[[], float] = time.time) -> None:
        """Use the store's secret; `wall` returns seconds since 1970."""
        self._secret = secret
        self._wall = wall

    def header(self, method: str, target: str, body: bytes) -> str:
        """Return the `Authorization` header of a request; `target` is its path and query."""
        at = int(self._wall())
        return f"Bearer {at}.{self._signature(at, method, target, body)}"

    def _signature(self, at: int, method: str, target: str, body: bytes) -> str:
        # Secrets derived for clients end with a seat number, this one with a hash: no idempotency
        # key can make the server reveal a signature.
        return derived_secret(self._secret, "admin", at, method, target, body_hash(body).hex())

    @staticmethod
    def check_address(request: Request) -> None:
        """Raise `TableError` for requests from other machines or proxies."""
        if not is_from_this_machine(request):
            raise TableError("administer a server from its own machine, without a proxy")

    def check(self, request: Request, body: bytes) -> None:
        """Raise `Unauthorized` unless the request is signed with the store's secret."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        at, _, signature = token.strip().partition(".")
        if kind.lower() != "bearer" or not (at.isascii() and at.isdecimal() and len(at) < 16):
            raise Unauthorized("use the command parlour serve --admin")
        query = request.scope["query_string"].decode("latin-1")
        path = request.scope["raw_path"].decode("latin-1")
        target = f"{path}?{query}" if query else path
        wanted = self._signature(int(at), request.method, target, body)
        if not hmac.compare_digest(signature.encode("utf-8", "replace"), wanted.encode()):
            raise Unauthorized("this server uses another store: pass its --store, or another --url")
        if abs(self._wall() - int(at)) > VALID_SECONDS:
            raise Unauthorized("the signature has expired: check the machine's clock")


def is_from_this_machine(request: Request) -> bool:
    """Whether a request comes from this machine, and not through a proxy on it."""
    address = request.client.host if request.client else ""
    own = (request.scope.get("server") or ("",))[0]
    is_proxied = any(name in request.headers for name in PROXY_HEADERS)
    return bool(address) and address in (*LOOPBACK, own) and not is_proxied
