"""What passes between a server and its clients: every message, answer and code, once.

The Structs here are what the server sends and takes, what the Python clients use, and where
`openapi.json` and `asyncapi.json` come from. Nothing in this room knows a server or a game.
"""

VERSION = 1
"""Of the protocol. A client of version 1 goes on to work with every server that speaks it:
fields and kinds of messages may be added, none is taken away or changes its meaning. What is
not known is ignored. Another version has another path and another subprotocol."""

SUBPROTOCOL = "parlour.1"
API = "/api/v1"
SOCKET = "/ws/v1"

SHORTEST_KEY = 16
"""Of an Idempotency-Key where the answer has a secret in it."""
