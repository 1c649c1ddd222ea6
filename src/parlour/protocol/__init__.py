"""What passes between a server and its clients: every message, answer and code, once.

The Structs here are what the server sends and takes, what the Python clients use, and where
`openapi.json` and `asyncapi.json` come from. Nothing here imports a server or a game.
"""

VERSION = 1
"""Of the protocol: hello and welcome carry it, and both sides refuse another one.

Within a version fields and kinds of messages may be added; none is removed or changes its
meaning, and unknown ones are ignored.
"""

SUBPROTOCOL = "parlour.1"
API = "/api/v1"
SOCKET = "/ws/v1"

SHORTEST_KEY = 16
"""Of an Idempotency-Key where the answer has a secret in it."""

# Close codes of a WebSocket.
NORMAL = 1000
POLICY = 1008
TRY_LATER = 1013
UNAUTHORIZED = 4401
SEAT_TAKEN = 4403
"""The seat has another holder now."""
WRONG_VERSION = 4426
"""The client speaks another version of the protocol."""
