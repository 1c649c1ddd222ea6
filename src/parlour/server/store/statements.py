"""SQL statements of the store, shared by all databases.

Each function runs on a connection inside the caller's transaction. Placeholders are `?`;
adapters translate them. Functions that need several results issue all statements before they
read the first result, so that they share a round trip.
"""

import secrets
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from parlour.protocol.errors import ClaimUsed, RateLimited
from parlour.server.store.log_rows import change_values, event_values, read_log
from parlour.server.store.store import (
    LISTED_PER_OWNER,
    Change,
    CreationRow,
    GameRow,
    KeptGame,
    Listing,
    NewGame,
    Outdated,
    SeatRow,
    TokenRow,
)

KEPT_RUNS = 64
MAX_PLACEHOLDERS = 500
"""Maximum values in one statement."""
GAME_COLUMNS = ", ".join(GameRow._fields)
# `status` is indexed: most moves leave it alone.
MOVE = """UPDATE game SET v = ?, touched_at = ?, actor = COALESCE(?, actor), ply = COALESCE(?, ply),
 deadline = ?, lease_until = CASE WHEN v = ? THEN lease_until ELSE 0 END WHERE id = ? AND v = ?"""
MOVE_AND_MORE = MOVE.replace(
    " WHERE",
    ", status = COALESCE(?, status), rematch = COALESCE(?, rematch),"
    " chance_key = COALESCE(?, chance_key) WHERE",
)
SEAT_COLUMNS = "seat, kind, agent, name, nonce, epoch, has_left"


class Cursor(Protocol):
    """Result of a statement."""

    @property
    def rowcount(self) -> int:
        """The number of changed rows."""

    def fetchone(self) -> Any:
        """Return the next row, or `None`."""

    def fetchall(self) -> list[Any]:
        """Return all rows."""


class SqlConnection(Protocol):
    """Connection to a database."""

    def execute(self, statement: str, values: Sequence[object] = ()) -> Cursor:
        """Execute a statement."""

    def executemany(self, statement: str, rows: Iterable[Sequence[object]]) -> object:
        """Execute a statement for each row."""


def placeholders(values: Sequence[object]) -> str:
    """Return a placeholder for each value."""
    return ", ".join("?" * len(values))


# New games.


def create_game(connection: SqlConnection, new: NewGame) -> None:
    """Insert a game that was requested. Raise `RateLimited` if its owner has too many listed.

    Rematches are not counted here: each replaces a game that is over.
    """
    if new.row.visibility == "listed":
        found = connection.execute(
            "SELECT COUNT(*) FROM game WHERE owner = ? AND visibility = 'listed'"
            " AND status <> 'over'",
            (new.row.owner,),
        )
        if found.fetchone()[0] >= LISTED_PER_OWNER:
            raise RateLimited(
                f"your address already has {LISTED_PER_OWNER} listed tables: finish one, or invite "
                "players with a link",
                60,
                "listed_tables",
            )
    insert_game(connection, new)


def insert_game(connection: SqlConnection, new: NewGame) -> None:
    """Insert a game with its first events. Raise `Outdated` if its request was done before."""
    row = new.row
    put_creation(connection, row.id, new.creation)
    connection.execute(
        f"INSERT INTO game ({GAME_COLUMNS}) VALUES ({placeholders(row)})", tuple(row)
    )
    put_seats(connection, row.id, new.seats)
    put_events(connection, [(row.id, *event_values(event)) for event in new.events])
    put_tokens(connection, row.id, new.tokens, new.claims)


def put_creation(connection: SqlConnection, game: str, creation: CreationRow | None) -> None:
    """Insert a creation request. Raise `Outdated` if it was done before."""
    if creation is None:
        return
    put = connection.execute(
        "INSERT INTO creation VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", (*creation, game)
    )
    if put.rowcount != 1:
        raise Outdated("the same request is already being executed")


# Changes of games.


def apply(connection: SqlConnection, change: Change) -> None:
    """Write a change of any kind. Raise `Outdated` or `ClaimUsed` if it is refused."""
    if change.use_claim:
        used = connection.execute(
            "DELETE FROM claim WHERE hash = ? AND game_id = ?", (change.use_claim, change.game)
        )
        if used.rowcount != 1:
            raise ClaimUsed("this invitation was already used")
    check_moved(move(connection, change))
    follow(connection, change)
    put_tokens(connection, change.game, change.tokens, change.claims)
    put_creation(connection, change.game, change.creation)
    if change.new_game is not None:
        insert_game(connection, change.new_game)


def is_plain(change: Change) -> bool:
    """Whether a change consists of `move` and `follow` only, such as an action."""
    return not (
        change.use_claim or change.creation or change.new_game or change.tokens or change.claims
    )


def move(connection: SqlConnection, change: Change) -> Cursor:
    """Update the game's row to the new version; `check_moved` checks the result."""
    after = change.after
    values = (after, change.at, change.actor, change.ply, change.deadline, after)
    if change.status is None and not change.rematch and not change.chance_key:
        return connection.execute(MOVE, (*values, change.game, change.before))
    more = (change.status, change.rematch or None, change.chance_key or None)
    return connection.execute(MOVE_AND_MORE, (*values, *more, change.game, change.before))


def check_moved(moved: Cursor) -> None:
    """Raise `Outdated` unless the game was at the expected version."""
    if moved.rowcount != 1:
        raise Outdated("the table has changed in the meantime")


def follow(connection: SqlConnection, change: Change) -> None:
    """Insert events and seats; never refused after the game's row was updated."""
    follow_all(connection, (change,))


def follow_all(connection: SqlConnection, changes: Iterable[Change]) -> None:
    """Insert events and seats of many changes at once."""
    events = []
    for change in changes:
        events += [(change.game, *values) for values in change_values(change)]
        if change.seats:
            put_seats(connection, change.game, change.seats)
    put_events(connection, events)


def put_events(connection: SqlConnection, rows: Sequence[tuple[object, ...]]) -> None:
    """Insert events: the game and the columns of each."""
    if rows:
        connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def put_seats(connection: SqlConnection, game: str, seats: Sequence[SeatRow]) -> None:
    """Insert or update seats."""
    for seat in seats:
        connection.execute(
            "INSERT INTO seat VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (game_id, seat)"
            " DO UPDATE SET kind = excluded.kind, agent = excluded.agent, name = excluded.name,"
            " nonce = excluded.nonce, epoch = excluded.epoch, has_left = excluded.has_left",
            (game, *seat[:-1], int(seat.left)),
        )


def put_tokens(
    connection: SqlConnection, game: str, tokens: Sequence[TokenRow], claims: Sequence[TokenRow]
) -> None:
    """Insert tokens and claims."""
    for table, rows in (("token", tokens), ("claim", claims)):
        for row in rows:
            connection.execute(
                f"INSERT INTO {table} (hash, game_id, seat, epoch) VALUES (?, ?, ?, ?)",
                (row.hash, game, row.seat, row.epoch),
            )


def take_lease(connection: SqlConnection, by: str, game: str, v: int, now: int, until: int) -> bool:
    """Lease an agent's turn to a process, unless another process holds the lease."""
    taken = connection.execute(
        "UPDATE game SET lease_by = ?, lease_until = ? WHERE id = ? AND v = ?"
        " AND (lease_by = ? OR lease_until <= ?)",
        (by, until, game, v, by, now),
    )
    return taken.rowcount == 1


def release_leases(connection: SqlConnection, by: str) -> None:
    """Release the leases of a process."""
    connection.execute(
        "UPDATE game SET lease_until = 0 WHERE lease_by = ? AND lease_until != 0", (by,)
    )


def erase(connection: SqlConnection, games: Sequence[str], before: int) -> list[str]:
    """Delete those games without events since `before`, with all rows that belong to them."""
    found = connection.execute(
        f"DELETE FROM game WHERE id IN ({placeholders(games)}) AND touched_at < ? RETURNING id",
        (*games, before),
    )
    keys = sorted((row[0],) for row in found.fetchall())
    for table in ("event", "seat", "token", "claim", "creation"):
        connection.executemany(f"DELETE FROM {table} WHERE game_id = ?", keys)
    return [game for (game,) in keys]


# Data of the store itself.


def make_secret(connection: SqlConnection) -> bytes:
    """Return the store's secret, creating it if necessary."""
    row = connection.execute("SELECT value FROM secret").fetchone()
    if row is None:
        row = (secrets.token_bytes(32),)
        connection.execute("INSERT INTO secret VALUES (?)", row)
    return bytes(row[0])


def beat(connection: SqlConnection, process: str, started: int, now: int) -> None:
    """Write a process's heartbeat, and delete the oldest runs."""
    connection.execute(
        "INSERT INTO server VALUES (?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET heartbeat_ms = excluded.heartbeat_ms",
        (process, started, now),
    )
    connection.execute(
        "DELETE FROM server WHERE id NOT IN"
        " (SELECT id FROM server ORDER BY heartbeat_ms DESC, started_ms DESC LIMIT ?)",
        (KEPT_RUNS,),
    )


def start_clock(connection: SqlConnection, now: int) -> None:
    """Trust the clock of the first process on a new store."""
    connection.execute(
        "INSERT INTO clock SELECT CAST(? AS BIGINT) WHERE NOT EXISTS (SELECT 1 FROM clock)", (now,)
    )


def trust(connection: SqlConnection, now: int) -> None:
    """Write the trusted time."""
    connection.execute("UPDATE clock SET trusted_ms = ?", (now,))


def set_setting(connection: SqlConnection, name: str, value: str | None) -> None:
    """Write a tuned limit; `None` deletes it."""
    if value is None:
        connection.execute("DELETE FROM setting WHERE name = ?", (name,))
    else:
        connection.execute(
            "INSERT INTO setting VALUES (?, ?)"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, value),
        )


# Reading.


def load(connection: SqlConnection, game: str, after: int) -> KeptGame | None:
    """Return a game and its events after a version, or `None`."""
    found = connection.execute(f"SELECT {GAME_COLUMNS} FROM game WHERE id = ?", (game,))
    seats = connection.execute(
        f"SELECT {SEAT_COLUMNS} FROM seat WHERE game_id = ? ORDER BY seat", (game,)
    )
    events = connection.execute(
        "SELECT v, kind, seat, action, data, at_ms FROM event"
        " WHERE game_id = ? AND v > ? ORDER BY v",
        (game, after),
    )
    row = found.fetchone()
    if row is None:
        return None
    return KeptGame(
        GameRow(*row), [_seat(each) for each in seats.fetchall()], *read_log(events.fetchall())
    )


def listings(connection: SqlConnection, where: str, values: Sequence[object]) -> list[Listing]:
    """Return the games that match a condition, without their events."""
    found = connection.execute(f"SELECT {GAME_COLUMNS} FROM game WHERE {where}", values)
    games = [Listing(GameRow(*row), []) for row in found.fetchall()]
    by_id = {listing.row.id: listing.seats for listing in games}
    for some in _portions(list(by_id)):
        rows = connection.execute(
            f"SELECT game_id, {SEAT_COLUMNS} FROM seat WHERE game_id IN ({placeholders(some)})"
            " ORDER BY game_id, seat",
            some,
        )
        for game, *seat in rows.fetchall():
            by_id[game].append(_seat(seat))
    return games


def versions(connection: SqlConnection, games: Sequence[str]) -> dict[str, int]:
    """Return the versions of the given games."""
    found: dict[str, int] = {}
    for some in _portions(games):
        rows = connection.execute(
            f"SELECT id, v FROM game WHERE id IN ({placeholders(some)})", some
        )
        found.update(rows.fetchall())
    return found


def _portions(games: Sequence[str]) -> Iterable[Sequence[str]]:
    for start in range(0, len(games), MAX_PLACEHOLDERS):
        yield games[start : start + MAX_PLACEHOLDERS]


def _seat(row: Sequence[Any]) -> SeatRow:
    return SeatRow(*row)._replace(left=bool(row[-1]))
