"""Allowed hosts and origins, and security headers."""

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from parlour.server.settings import Settings

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""

LOCAL = ("localhost", "127.0.0.1", "[::1]")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors {}"
)


class Origins:
    """The hosts and origins that a server accepts."""

    def __init__(self, settings: Settings) -> None:
        """Derive them from the public URL, or from the address to listen on."""
        self._others = frozenset(settings.origins)
        self._public = ""
        self._hosts: frozenset[str] = frozenset()
        self._any_address = settings.host in ("0.0.0.0", "::", "")
        if settings.public_url:
            parts = urlsplit(settings.public_url)
            self._public = f"{parts.scheme}://{parts.netloc.lower()}"
            # Many proxies forward the host name without the port.
            name = parts.netloc.lower().rsplit(":", 1)[0] if parts.port else ""
            self._hosts = frozenset({parts.netloc.lower(), name, *LOCAL} - {""})
        else:
            self._hosts = frozenset({settings.host.lower(), *LOCAL})
        ancestors = " ".join(settings.origins) or "'none'"
        self.headers: tuple[tuple[bytes, bytes], ...] = (
            (b"content-security-policy", POLICY.format(ancestors).encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
        )
        if settings.is_https:
            self.headers += ((b"strict-transport-security", b"max-age=31536000"),)

    def is_host(self, host: str) -> bool:
        """Whether `host` is a name of this server.

        Other names are refused against DNS rebinding: a foreign page whose name points here could
        use the server as its own. Starlette's `TrustedHostMiddleware` cannot accept any address of
        this machine, as `--host 0.0.0.0` needs it, nor exempt a path.
        """
        host = host.lower()
        if host in self._hosts:
            return True
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        if name in self._hosts:
            return True
        return self._any_address and not self._public and _is_address(name)

    def may_call(self, origin: str, host: str) -> bool:
        """Whether pages of `origin` may use the API: its own ones, and those with `--origin`."""
        return origin in self._others or self.is_own(origin, host)

    def is_own(self, origin: str, host: str) -> bool:
        """Whether `origin` is this server's own. Cookies count only for its pages."""
        if self._public:
            return origin.lower() == self._public
        return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")

    def shared(self, app: ASGIApp) -> ASGIApp:
        """Return the API with CORS headers for other origins, which use tokens, not cookies."""
        return CORSMiddleware(
            app,
            allow_origins=self._others,
            allow_methods=("GET", "POST"),
            allow_headers=("authorization", "content-type", "idempotency-key"),
            max_age=3600,
        )


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def header(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str:
    """Return the value of a header, or an empty text."""
    for key, value in headers:
        if key == name:
            return value.decode("latin-1")
    return ""
