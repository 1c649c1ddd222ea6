"""Game server: tables over HTTP and WebSocket, with a durable store."""
