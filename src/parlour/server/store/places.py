"""SQL statements of quick pairing: the waiting table of each kind of game, and its lease.

A kind is a game with its options and clock. Its row names the one table where the next person sits
down; the primary key allows only one. Each function runs on a connection inside
the caller's transaction.
"""

from collections.abc import Sequence

from parlour.server.store.statements import SqlConnection
from parlour.server.store.store import Outdated, Place


def find_place(connection: SqlConnection, kind: bytes, now: int) -> tuple[str, bool]:
    """Return the table of a kind, and whether a person waits there; an empty text if none."""
    row = connection.execute(
        "SELECT pairing.game_id, pairing.until_ms, game.status FROM pairing"
        " LEFT JOIN game ON game.id = pairing.game_id WHERE pairing.kind = ?",
        (kind,),
    ).fetchone()
    if row is None:
        return "", False
    return row[0], row[1] > now and row[2] == "waiting"


def take_place(connection: SqlConnection, game: str, place: Place) -> None:
    """Make a new table the one of its kind, instead of `place.before`.

    Raise `Outdated` if another table is there by now. Expired leases of all kinds are deleted, so
    that they do not pile up.
    """
    connection.execute("DELETE FROM pairing WHERE until_ms <= ?", (place.expired,))
    taken = connection.execute(
        "INSERT INTO pairing VALUES (?, ?, ?) ON CONFLICT (kind) DO UPDATE"
        " SET game_id = excluded.game_id, until_ms = excluded.until_ms WHERE pairing.game_id = ?",
        (place.kind, game, place.until, place.before),
    )
    if taken.rowcount != 1:
        raise Outdated("another person waits for the same game")


def hold_places(
    connection: SqlConnection, places: Sequence[tuple[bytes, str]], until: int
) -> list[str]:
    """Renew the leases of tables, given by kind. Return the tables that another one replaced."""
    lost = []
    for kind, game in sorted(places):
        held = connection.execute(
            "INSERT INTO pairing VALUES (?, ?, ?) ON CONFLICT (kind) DO UPDATE"
            " SET until_ms = excluded.until_ms WHERE pairing.game_id = excluded.game_id",
            (kind, game, until),
        )
        if held.rowcount != 1:
            lost.append(game)
    return lost


def release_places(connection: SqlConnection, game: str, now: int) -> None:
    """End the lease of a table now; with an empty text, those of all tables."""
    connection.execute(
        "UPDATE pairing SET until_ms = ? WHERE until_ms > ? AND (game_id = ? OR ? = '')",
        (now, now, game, game),
    )


def orphans(connection: SqlConnection, expired: int) -> dict[str, int]:
    """Return the versions of waiting tables without a lease that lasted until after `expired`."""
    found = connection.execute(
        "SELECT id, v FROM game WHERE visibility = 'pairing' AND status = 'waiting' AND NOT EXISTS"
        " (SELECT 1 FROM pairing WHERE game_id = game.id AND until_ms > ?)",
        (expired,),
    )
    return dict(found.fetchall())
