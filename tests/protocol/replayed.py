"""A recorded conversation, replayed against the client's core."""

import json

import msgspec

from parlour.client.conversation import Answered, Chat, Conversation, Failed, News, Reconnect
from parlour.protocol.messages import SeatRequest


def replay(lines):
    """The core after a conversation, and what it has heard; it must say what was recorded."""
    talk = Conversation("table-1", "token-1", now=lambda: 0.0)
    heard, asked = [], set()
    for line in lines:
        message = line["msg"]
        if line["dir"] == "S":
            heard += talk.receive(json.dumps(message))
            continue
        if message["t"] == "hello":
            talk.connected()
        elif message["id"] not in asked:
            asked.add(message["id"])
            talk.ask(msgspec.convert(message, SeatRequest))
        said = json.loads(talk.outgoing.popleft())
        wanted = {"lobby": False, "tokens": [], "v": None} if said["t"] == "hello" else {}
        assert said == {**wanted, **message}
    return talk, heard


def expectation(lines):
    """What any client must know after a conversation."""
    talk, heard = replay(lines)
    view = talk.view
    scene = view.scene
    return {
        "v": view.v,
        "ply": view.ply,
        "you": view.you,
        "status": view.status,
        "actor": view.actor,
        "glyphs": "".join(cell.glyph for cell in scene.cells),
        "actions": [action.text for action in scene.actions],
        "history": [event.text for event in view.history],
        "offers": {
            "draw": list(view.offers.draw),
            "takeback": list(view.offers.takeback),
            "rematch": list(view.offers.rematch),
        },
        "said": [spoken.text for spoken in view.said],
        "returns": None if view.ending is None else view.ending.returns,
        "rematch": view.rematch,
        "events": [each.event.v for each in heard if isinstance(each, News)],
        "answered": {str(each.id): each.v for each in heard if isinstance(each, Answered)},
        "failed": {str(each.id): each.error.code for each in heard if isinstance(each, Failed)},
        "renewals": sum(isinstance(each, Reconnect) for each in heard),
        "talk": sum(isinstance(each, Chat) for each in heard),
    }
