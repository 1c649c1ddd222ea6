"""Plays random legal actions."""

from uuid import uuid4


def actions_after(message, actions):
    """Return the legal actions after a message."""
    for part in ("scene", "diff"):
        if "actions" in message.get(part, {}):
            return message[part]["actions"]
        if part == "scene" and part in message:
            return []
    return actions


def play_to_the_end(socket, rng, most=1000):
    actions, ply = actions_after(socket.welcome, []), socket.welcome["ply"]
    ending = socket.welcome.get("ending")
    sent = 0
    while ending is None and sent < most:
        if actions:
            sent += 1
            action = rng.choice(actions)[0]
            socket.send({"t": "play", "id": str(uuid4()), "ply": ply, "action": action})
            actions = []
        message = socket.next()
        assert message["t"] != "error", message
        if message["t"] == "event":
            ply = message["ply"]
            actions = actions_after(message, actions)
            ending = message.get("ending")
    return ending, sent
