"""Link previews: title, description and picture of a table in the head of its page (Open Graph).

They are made from the table's row in the store, for anyone who has the link: without secrets, and
without the names of people unless the table is listed.
"""

from collections.abc import Sequence
from html import escape
from importlib.util import find_spec

from parlour.core.errors import ParlourError
from parlour.server.http.pages import site
from parlour.server.live.openings import client_status
from parlour.server.live.views import level_of
from parlour.server.store.log_rows import AGENT, game_of
from parlour.server.store.store import WAITING, GameRow, Listing, SeatRow

HAS_PICTURES = find_spec("resvg_py") is not None
"""Whether the extra for pictures in pixels is installed."""


def table_head(found: Sequence[Listing], base: str) -> str:
    """Return the markup of a table's preview; empty if the table or its game does not exist."""
    for row, seats in found:
        try:
            title = game_of(row.game, row.options).title
        except ParlourError:
            continue
        picture = f"{base}/api/v1/tables/{row.id}/preview"
        is_drawn = HAS_PICTURES and row.status != WAITING
        return head(
            f"{title}: {_players(row, seats)}" if len(seats) > 1 else title,
            _standing(row),
            f"{base}/t/{row.id}",
            picture if is_drawn else icon(base),
            is_large=is_drawn,
        )
    return ""


def icon(base: str) -> str:
    """Return the address of the page's icon."""
    return f"{base}/web/{site().version}/icon-512.png"


def head(title: str, description: str, url: str, image: str, is_large: bool = False) -> str:
    """Return the markup of a preview."""
    named = {
        "og:site_name": "Parlour",
        "og:type": "website",
        "og:title": title,
        "og:description": description,
        "og:url": url,
        "og:image": image,
    }
    lines = [f'<meta property="{name}" content="{escape(text)}">\n' for name, text in named.items()]
    card = "summary_large_image" if is_large else "summary"
    return "".join(lines) + f'<meta name="twitter:card" content="{card}">\n'


def _players(row: GameRow, seats: Sequence[SeatRow]) -> str:
    return " – ".join(_player(row, seat) for seat in seats)


def _player(row: GameRow, seat: SeatRow) -> str:
    if seat.kind == AGENT:
        return f"computer (level {level_of(seat)})"
    if seat.name and row.visibility == "listed":
        return seat.name
    return f"player {seat.seat + 1}"


def _standing(row: GameRow) -> str:
    status = client_status(row.status)
    if status == WAITING:
        return "Waiting for players. Join by this link."
    if status == "playing":
        return f"Move {row.ply}. Watch the game live."
    return "The game is over. Play through it."
