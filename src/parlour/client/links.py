"""Links to tables: `BASE/t/TABLE` to watch, `BASE/t/TABLE#seat=1&claim=SECRET` to take a seat."""

from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from parlour.client.errors import BadLink
from parlour.core.checks import shown
from parlour.protocol import API, SOCKET

LONGEST = 2000
EXAMPLE = "a link to a table looks like https://games.example.org/t/TABLE"


class Link(NamedTuple):
    """The address of a table, and the seat its link gives access to.

    >>> Link.from_text("https://games.example.org/t/k3v9#seat=1&claim=abc").seat
    1
    """

    base: str
    table: str
    seat: int | None = None
    claim: str = ""

    @staticmethod
    def from_text(text: str) -> "Link":
        """Parse a link. Raise `BadLink` if it is not one."""
        if len(text) > LONGEST or not text.isprintable():
            raise BadLink(f"{EXAMPLE}, not {shown(text)}")
        path, found, rest = _parts(text)
        base, slash, table = path.rpartition("/t/")
        if not slash or not table or "/" in table:
            raise BadLink(f"{EXAMPLE}, not {shown(text)}")
        given = parse_qs(rest)
        seat, claim = given.get("seat", [""])[0], given.get("claim", [""])[0]
        if not seat and not claim:
            return Link(found + base, table)
        if not (seat.isascii() and seat.isdecimal() and len(seat) < 6) or not claim:
            raise BadLink(f"an invitation must end like #seat=1&claim=SECRET, not {shown(rest)}")
        return Link(found + base, table, int(seat), claim)

    def to_text(self) -> str:
        """Return the link as a text."""
        claim = "" if self.seat is None else f"#seat={self.seat}&claim={self.claim}"
        return f"{self.base}/t/{self.table}{claim}"


def _parts(text: str) -> tuple[str, str, str]:
    """Return the path, the part before it, and the fragment."""
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        raise BadLink(f"{EXAMPLE}, not {shown(text)}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise BadLink(f"{EXAMPLE}, not {shown(text)}")
    return parts.path, f"{parts.scheme}://{parts.netloc}", parts.fragment


def base_of(text: str) -> str:
    """Return the base of a server's links from its address. Raise `BadLink` for an invalid one."""
    path, found, _ = _parts(text)
    return found + path.rstrip("/")


def api_url(base: str) -> str:
    """Return the URL of the HTTP API."""
    return base + API


def socket_url(base: str) -> str:
    """Return the URL of the WebSocket."""
    return "ws" + base.removeprefix("http") + SOCKET
