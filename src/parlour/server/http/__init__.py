"""HTTP and WebSocket: the doors of a server."""
