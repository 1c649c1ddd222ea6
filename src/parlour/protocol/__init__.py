"""The protocol between server and clients: all messages, responses and error codes.

The server and the Python clients share these Structs. `openapi.json` and `asyncapi.json` are
generated from them. This package imports neither the server nor any game.
"""

VERSION = 1
"""Protocol version, sent in `hello` and `welcome`; both sides refuse any other version.

Within a version, fields and message types may be added, but none is removed or changes its
meaning. Unknown fields and types are ignored.
"""

SUBPROTOCOL = "parlour.1"
API = "/api/v1"
SOCKET = "/ws/v1"

KEY = "([!-~]([ -~]{0,62}[!-~])?)?"
"""Pattern of an Idempotency-Key."""
SHORTEST_KEY = 16
"""Minimum length of an Idempotency-Key for requests whose response contains a secret."""

# WebSocket close codes.
POLICY = 1008
UNAUTHORIZED = 4401
SEAT_TAKEN = 4403
"""Another connection has taken over the seat."""
WRONG_VERSION = 4426
"""The client uses another version of the protocol."""
