"""Error codes, their HTTP status and their meaning."""

from typing import Final

STATUS: Final[dict[str, int]] = {
    "bad_message": 400,
    "unknown_type": 400,
    "bad_option": 409,
    "bad_action": 409,
    "bad_agent": 409,
    "bad_clock": 409,
    "bad_nonce": 409,
    "bad_record": 409,
    "bad_state": 400,
    "invalid_state": 409,
    "game_unavailable": 503,
    "missing_extra": 501,
    "unauthorized": 401,
    "not_your_seat": 403,
    "not_allowed": 403,
    "foreign_origin": 403,
    "not_found": 404,
    "stale": 409,
    "not_your_turn": 409,
    "over": 409,
    "time_up": 409,
    "conflict": 409,
    "used": 409,
    "too_large": 413,
    "illegal": 409,
    "version": 426,
    "rate_limited": 429,
    "store_unavailable": 503,
    "busy": 503,
    "closing": 503,
    "broken_contract": 502,
    "damaged_game": 502,
    "agent_fault": 502,
}
"""HTTP status per error code: 400 if the request does not match the schema, 409 if it does but the
game or its position does not allow it. Codes that are not listed get 400, never 500."""

MEANING: Final[dict[str, str]] = {
    "bad_message": "the message is not valid JSON, or does not match the schema",
    "unknown_type": "unknown message type",
    "bad_option": "unknown option, or a value that the option does not accept",
    "bad_action": "the text is not an action of this game",
    "bad_agent": "unknown level",
    "bad_clock": "the time control is invalid",
    "bad_nonce": "the nonce is not one line of at most 200 printable characters",
    "bad_record": "the record is damaged, or its actions cannot be played",
    "bad_state": "the text does not describe a position",
    "invalid_state": "the position breaks the game's rules; the message gives the reason",
    "game_unavailable": "the game is registered but fails to load",
    "missing_extra": "an optional dependency is not installed on the server",
    "unauthorized": "the token is missing, invalid or revoked",
    "not_your_seat": "the token is for another seat or table",
    "not_allowed": "not allowed now or at this table; the message gives the reason",
    "foreign_origin": "the page's origin is not allowed",
    "not_found": "no such game, table, seat or page",
    "stale": "the position has changed; `ply` is the current one",
    "not_your_turn": "it is another seat's turn",
    "over": "the game has ended",
    "time_up": "the seat ran out of time",
    "conflict": "the id was already used for a different request",
    "used": "the invitation was already used",
    "too_large": "the message or body is too large",
    "illegal": "the action is not legal now; the message gives the rule",
    "version": "client and server use different protocol versions; update the older one",
    "rate_limited": "too many requests; `retry_after` is the number of seconds to wait",
    "store_unavailable": "the store is not available; repeat the same request, it runs only once",
    "busy": "the server is overloaded; try again later",
    "closing": "the server is shutting down; try again after `retry_after` seconds",
    "broken_contract": "a game violated its contract",
    "damaged_game": "the stored game is damaged; the operator must restore it from a backup",
    "agent_fault": "an agent failed",
}


def status_of(code: str) -> int:
    """Return the HTTP status of an error code."""
    return STATUS.get(code, 400)
