"""Limits of what a client may send: bytes, lengths, counts and seconds.

Limits per address are settings of the server; `server/rates.py` enforces them.
"""

MESSAGE_BYTES = 8192
"""A message on the WebSocket. The server's own messages may be larger."""
FRAGMENTS = 64
"""Frames of one message."""
LATE_FRAMES = 64
"""Frames after the server's close frame, before the connection is aborted."""
CONTROL_FRAMES = 20
"""Pings and pongs in `CONTROL_SECONDS`."""
CONTROL_SECONDS = 20.0
UNREAD_BYTES = 16 << 20
"""Bytes that all connections of an address have not read yet; then a hello is refused."""

HEAD_SECONDS = 10.0
"""Time for the line and headers of an HTTP request."""
BODY_SECONDS = 30.0
ANSWER_SECONDS = 120.0
"""Time for reading an HTTP response."""
BODY_BYTES = 8192
"""A request's body, unless it has a record."""
COOKIE_BYTES = 16_384
"""A Cookie header; of a longer one, the end is read."""
RECORD_BODY_BYTES = 98_304
"""A body with a record: 64 Ki characters, whose line ends are escaped."""
RECORD_LENGTH = 65_536
RECORD_ACTIONS = 4000
"""Actions of a record. The longest game with default rules is one of Banqi: 3,781 decisions and
32 flips."""

GAME_PLIES = 20_000
"""The largest `max_plies` of a game that can be played on a server."""
TABLE_ASIDES = 2000
"""Events of a table beyond the actions of its game: offers, takebacks with the actions that they
remove, people who join and leave. Then only play can continue, and end."""

EXAMPLES_BYTES = 131_072
"""The pictures of a game's rules, uncompressed."""

POSITION_LENGTH = 8192
"""The text of a position."""
TREE_NODES = 4000
"""Positions of a game and its variations in one request."""
TREE_BYTES = 4 << 20
"""The texts of these positions together."""
OUTCOMES_SHOWN = 60
"""Chance outcomes that an analysis offers, the most likely ones."""

NAME_LENGTH = 40
CHAT_LENGTH = 200
"""Characters of a chat message."""
ACTION_LENGTH = 200
SHOWN_LINES = 50
"""Analysed lines that a client shows and wants to keep in their order."""
