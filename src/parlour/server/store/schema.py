"""Tables of the store as a list of migrations; a released migration never changes."""

from parlour.server.store.statements import SqlConnection
from parlour.server.store.store import StoreRefused

MIGRATIONS: dict[int, tuple[str, ...]] = {
    1: (
        """CREATE TABLE game (
            id TEXT PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, seed BIGINT NOT NULL,
            chance_key BYTEA NOT NULL, control TEXT NOT NULL, visibility TEXT NOT NULL,
            created_at BIGINT NOT NULL, v BIGINT NOT NULL, ply BIGINT NOT NULL,
            status TEXT NOT NULL, actor INTEGER NOT NULL, touched_at BIGINT NOT NULL,
            deadline BIGINT, rematch_of TEXT NOT NULL, rematch TEXT NOT NULL, owner TEXT NOT NULL,
            lease_by TEXT NOT NULL DEFAULT '', lease_until BIGINT NOT NULL DEFAULT 0)""",
        # No index has a column that every move changes, which would double the cost of a move.
        """CREATE INDEX game_listed ON game (created_at)
            WHERE visibility = 'listed' AND status != 'over'""",
        "CREATE INDEX game_owner ON game (owner) WHERE visibility = 'listed' AND status != 'over'",
        "CREATE INDEX game_status ON game (status)",
        "CREATE INDEX game_deadline ON game (deadline) WHERE deadline IS NOT NULL",
        """CREATE TABLE seat (
            game_id TEXT NOT NULL, seat INTEGER NOT NULL, kind TEXT NOT NULL, agent TEXT NOT NULL,
            name TEXT NOT NULL, nonce TEXT NOT NULL, epoch INTEGER NOT NULL,
            has_left INTEGER NOT NULL, PRIMARY KEY (game_id, seat))""",
        """CREATE TABLE event (
            game_id TEXT NOT NULL, v BIGINT NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL,
            action BIGINT NOT NULL, data TEXT NOT NULL, at_ms BIGINT NOT NULL,
            PRIMARY KEY (game_id, v))""",
        """CREATE TABLE token (
            hash BYTEA PRIMARY KEY, game_id TEXT NOT NULL, seat INTEGER NOT NULL,
            epoch INTEGER NOT NULL)""",
        "CREATE INDEX token_game ON token (game_id)",
        """CREATE TABLE claim (
            hash BYTEA PRIMARY KEY, game_id TEXT NOT NULL, seat INTEGER NOT NULL,
            epoch INTEGER NOT NULL)""",
        "CREATE INDEX claim_game ON claim (game_id)",
        """CREATE TABLE creation (
            req BYTEA PRIMARY KEY, body BYTEA NOT NULL, answer TEXT NOT NULL,
            game_id TEXT NOT NULL)""",
        "CREATE INDEX creation_game ON creation (game_id)",
        "CREATE TABLE secret (value BYTEA NOT NULL)",
        """CREATE TABLE server (
            id TEXT PRIMARY KEY, started_ms BIGINT NOT NULL, heartbeat_ms BIGINT NOT NULL)""",
        "CREATE TABLE clock (trusted_ms BIGINT NOT NULL)",
        "CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        """CREATE TABLE pairing (
            kind BYTEA PRIMARY KEY, game_id TEXT NOT NULL UNIQUE, until_ms BIGINT NOT NULL)""",
    ),
}

NEWEST = max(MIGRATIONS)

TABLES = {
    "game": "id",
    "seat": "game_id, seat",
    "event": "game_id, v",
    "token": "hash",
    "claim": "hash",
    "creation": "req",
    "secret": "value",
    "server": "id",
    "clock": "trusted_ms",
    "setting": "name",
    "pairing": "kind",
}
"""All tables, with the columns of their keys."""


def version_of(connection: SqlConnection, name: str) -> int:
    """Return the version of the tables, 0 if there are none. Raise `StoreRefused` if too new."""
    connection.execute("CREATE TABLE IF NOT EXISTS schema_version (n INTEGER NOT NULL)")
    at: int = connection.execute("SELECT MAX(n) FROM schema_version").fetchone()[0] or 0
    if at > NEWEST:
        raise StoreRefused(
            f"{name} was written by a newer parlour (its tables are version {at}, this one "
            f"supports {NEWEST}): install that version, or use another store"
        )
    return at
