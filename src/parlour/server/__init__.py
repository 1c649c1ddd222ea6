"""Tables for people and programs elsewhere: HTTP, WebSocket, and a store that forgets nothing."""
