"""The codes of refused requests, and the HTTP status of each."""

from typing import Final

STATUS: Final[dict[str, int]] = {
    "bad_message": 400,
    "unknown_type": 400,
    "bad_option": 400,
    "bad_action": 422,
    "bad_agent": 400,
    "bad_clock": 400,
    "bad_nonce": 400,
    "bad_record": 400,
    "bad_state": 400,
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
    "illegal": 422,
    "version": 426,
    "rate_limited": 429,
    "store_unavailable": 503,
    "busy": 503,
    "closing": 503,
    "broken_contract": 502,
    "agent_fault": 502,
}
"""What is not listed is 400: every refusal is an answer, none is an accident of the server."""

MEANING: Final[dict[str, str]] = {
    "bad_message": "the message is not JSON of the right shape",
    "unknown_type": "there is no message of that type",
    "bad_option": "the game has no such option, or the option does not take that value",
    "bad_action": "the text is not the text of any action of this game",
    "bad_agent": "there is no such level",
    "bad_clock": "a clock that cannot be",
    "bad_nonce": "what is added to chance is one line of at most 200 printable characters",
    "bad_record": "the record is damaged, or its actions cannot be played",
    "bad_state": "the text does not describe a position",
    "game_unavailable": "the game is registered, but does not load",
    "missing_extra": "the operator has not installed what this needs",
    "unauthorized": "no token, or one that is not valid (any more)",
    "not_your_seat": "the token is for another seat or table",
    "not_allowed": "not now, or not here; the message says why",
    "foreign_origin": "the page that asks is not one of the allowed origins",
    "not_found": "there is no such game, table, seat or page",
    "stale": "something has happened in between; `ply` tells where the game stands",
    "not_your_turn": "another seat is to act",
    "over": "the game has ended",
    "time_up": "the seat has no time left",
    "conflict": "the same id was used for another request",
    "used": "this invitation was used already",
    "too_large": "the message or body is too large",
    "illegal": "the action is not legal now; the message is the rule against it",
    "version": "client and server speak different versions of the protocol; update the older one",
    "rate_limited": "too many requests; `retry_after` tells how many seconds to wait",
    "store_unavailable": (
        "nothing can be stored or read at the moment; the same request again is carried out once"
    ),
    "busy": "there is more work than the server takes on; try again later",
    "closing": "the server shuts down; try again after `retry_after` seconds",
    "broken_contract": "a game broke a promise of the contract",
    "agent_fault": "an agent went wrong",
}


def status_of(code: str) -> int:
    """The HTTP status of a refusal."""
    return STATUS.get(code, 400)
