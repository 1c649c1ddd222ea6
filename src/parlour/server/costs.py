"""What requests and messages cost in the budget of their address (the setting `work`).

A unit is a millisecond of CPU time of the server on one core of a small virtual machine, with a
request at a time. Moves of many tables are cheaper, because they share transactions. `act`,
`analyse`, `pair`, `positions`, the pictures and films of positions, the links of seats, `_table`,
`_asyncapi` and INVALID are estimates; the others were measured.
"""

from parlour.protocol.messages import (
    AskCoach,
    AskFrames,
    AskPreview,
    AskWhy,
    ClientMessage,
    Hello,
    Ping,
)

REQUEST = 1.0
"""An HTTP request that is not in the table: pages, unknown paths, health."""
FILE = 0.7
SOCKET = 1.2
"""Open and close a WebSocket."""
TOKEN = 0.2
"""Look up a token, in the lobby or for an analysis."""
COMPARED = 4.0
"""Compare an analysed position with one of the caller's running games; Octa of size 20."""
MESSAGE = 1.0
"""A seat's request: 0.4 ms if other tables play too, up to 3 ms alone."""
ACTION = 0.03
"""Play an action of an uploaded record."""
NODE = 0.08
"""Play and describe a position of a tree; Blokus."""
CELL = 0.04
"""Draw a cell of a picture."""
HISTORY = 0.0003
"""Send an action of the history in a welcome."""
EVENT = 0.02
"""Load an event of a table that is not in memory."""
VIEWER = 0.027
"""Send a change to a connection at the table."""

ROUTES = {
    "games": 16.0,
    "tables": 6.0,  # 100 tables; 1.7 ms if there are none
    "create": 3.3,
    "table": 2.2,
    "events": 2.5,
    "picture": 4.0,  # and its cells
    "table_preview": 110.0,  # Cat and Mouse
    "film": 2.0,  # the rendering is charged to `agent_budget`
    "record": 1.8,
    "act": 3.0,
    "claim": 4.2,
    "link_seats": 6.0,  # and its seats
    "claim_seats": 3.0,  # and its seats
    "revoke_seats": 3.0,  # and its seats
    "pair": 4.2,
    "analyse": 4.0,  # the thinking is charged to `agent_budget`
    "positions": 4.0,  # and its nodes
    "position_picture": 4.0,  # and its moves and cells
    "position_film": 2.0,  # and its moves; the rendering is charged to `agent_budget`
    "_openapi": 9.5,
    "_asyncapi": 9.5,
    "_table": 2.5,
    "web_file": FILE,
    "preview": FILE,  # once made; each game has one
    "puzzles": FILE,
}
"""HTTP requests, by the name of their handler."""

MESSAGES: dict[type, float] = {
    Ping: 0.25,
    Hello: 1.8,  # and its history
    AskPreview: 0.6,
    AskWhy: 0.3,
    AskFrames: 0.6,
    AskCoach: 0.6,
}
"""Messages on a WebSocket."""
LOBBY = 4.6
"""A hello in the lobby with 100 tables, without tokens."""
INVALID = 0.25
"""A message that cannot be read."""
FILM_SECONDS = 3.0
"""Seconds of a film of 68 plies of Blokus in its own process."""


def message_cost(message: ClientMessage, cookies: int = 0, viewers: int = 0) -> float:
    """Return the cost of a message, given the cookies of its connection and a table's viewers."""
    if isinstance(message, Hello) and message.lobby:
        return LOBBY + TOKEN * (len(message.tokens) + cookies)
    return MESSAGES.get(type(message)) or MESSAGE + VIEWER * viewers
