"""Record conversations of a client with a real server, as JSON lines for the tests of all clients.

    PYTHONPATH=src python tests/protocol/record.py

A line is {"dir": "C" or "S", "msg": ...}; a client's hello starts a new connection. Table ids,
tokens, commitments, keys and times are replaced, so that the files are reproducible.
`expected.json` has the state that a client must reach after each conversation.
"""

import contextlib
import json
import re
import sys
import tempfile
from pathlib import Path
from unittest import mock

HERE = Path(__file__).parent
FOLDER = HERE / "conversations"
sys.path[:0] = [str(HERE.parent / "server"), str(HERE.parent / "examples")]

from patience import PATIENCE  # noqa: E402

from parlour.server.live.openings import new_game  # noqa: E402

PASSED_OVER = {"presence", "thinking"}
"""Messages without a fixed order."""
SMALL = {"game": "octa", "options": {"size": 2}, "seed": 5}


@contextlib.contextmanager
def chosen_seed(seed):
    """Make new games repeatable, although the server lets people choose no seed for chance."""

    def seeded(*settings, **more):
        return new_game(*settings, **{**more, "seed": seed})

    with mock.patch("parlour.server.http.api.new_game", seeded):
        yield


class Recording:
    """A client at one seat of a table, and the other seat, which acts over HTTP."""

    def __init__(self, server, seats=("me", "open"), **more):
        more = {**SMALL, **more}
        self.server = server
        with chosen_seed(more.pop("seed")):
            self.made = server.table(more.pop("game"), seats, name="Ann", **more)
        self.table, self.token = self.made["table"], self.made["token"]
        self.other = server.claim(self.made) if "open" in seats else ""
        self.lines = []
        self.ids = 0
        self._open = None
        self.socket = None

    def hello(self, known=None):
        """Open a new connection."""
        self.close()
        self._open = self.server.socket(hello=False)
        self.socket = self._open.__enter__()
        message = {"t": "hello", "protocol": 1, "table": self.table, "token": self.token}
        self.send(message if known is None else {**message, "v": known})
        return self.receive("welcome")

    def close(self):
        if self._open is not None:
            self._open.__exit__(None, None, None)
            self._open = None

    def send(self, message):
        self.lines.append({"dir": "C", "msg": message})
        self.socket.send(message)

    def receive(self, *kinds):
        """Return the messages up to the next one of these types."""
        while True:
            message = json.loads(self.socket.raw.recv(timeout=PATIENCE))
            if message["t"] not in PASSED_OVER:
                self.lines.append({"dir": "S", "msg": message})
            if message["t"] in kinds:
                return message

    def ask(self, kind, id=None, **more):
        """Send a request with a new id and return the response."""
        self.ids += 1
        self.send({"t": kind, "id": id or f"id-{self.ids}", **more})
        return self.receive("ack", "error")

    def ply(self):
        return self.server.get(f"/tables/{self.table}").json().get("ply", 0)

    def actions(self, token):
        scene = self.server.get(f"/tables/{self.table}", token).json()["scene"]
        return [action[0] for action in scene.get("actions", [])]

    def play(self, number=0):
        """Play an action by its index in the list."""
        return self.ask("play", ply=self.ply(), action=self.actions(self.token)[number])

    def other_does(self, kind="play", received=True, **more):
        """Let the other seat act, and receive the event."""
        if kind == "play":
            more = {"ply": self.ply(), "action": self.actions(self.other)[0], **more}
        path = f"/tables/{self.table}/actions"
        answer = self.server.post(path, {"t": kind, **more}, self.other, f"{kind}-{self.ids}")
        assert answer.status_code == 200, answer.text
        if received:
            self.receive("update", "say")


def whole_game(server):
    talk = Recording(server)
    talk.hello()
    turn = 0
    while True:
        turn += 1
        actions = talk.actions(talk.token)
        talk.ask("play", ply=talk.ply(), action=actions[7 * turn % len(actions)])
        if talk.server.get(f"/tables/{talk.table}").json()["status"] == "over":
            return talk
        talk.other_does()
        if talk.server.get(f"/tables/{talk.table}").json()["status"] == "over":
            return talk


def refused(server):
    talk = Recording(server)
    talk.hello()
    talk.ask("play", ply=0, action="0,0")
    talk.ask("play", ply=0, action="nonsense")
    talk.ask("play", ply=7, action=talk.actions(talk.token)[0])
    talk.play()
    talk.ask("play", ply=1, action=0)
    talk.ask("rematch")
    return talk


def resend(server):
    """The connection is lost before the response; the resent request runs once."""
    talk = Recording(server)
    welcome = talk.hello()
    message = {"t": "play", "id": "id-1", "ply": 0, "action": talk.actions(talk.token)[0]}
    talk.send(message)
    talk.socket.receive("ack")
    talk.hello(welcome["standing"]["v"])
    talk.send(message)
    talk.receive("ack")
    talk.other_does()
    return talk


def resumed(server):
    """Many events happen while the client is disconnected."""
    talk = Recording(server)
    talk.hello()
    talk.play()
    talk.other_does()
    known = server.get(f"/tables/{talk.table}").json()["v"]
    talk.close()
    path = f"/tables/{talk.table}/actions"
    for number in range(2):
        for token in (talk.token, talk.other):
            body = {"ply": talk.ply(), "action": talk.actions(token)[0]}
            server.post(path, body, token, f"away-{number}-{token}")
    server.post(path, {"t": "takeback"}, talk.token, "asks")
    server.post(path, {"t": "takeback"}, talk.other, "agrees")
    talk.hello(known)
    talk.play()
    return talk


def resync(server):
    """The server asks for a new hello."""
    from parlour.protocol.json import encode
    from parlour.protocol.messages import Resync

    talk = Recording(server)
    talk.hello()
    talk.play()

    async def lose_track():
        room = await server.app.rooms.room(talk.table)
        room.audience.send_all(encode(Resync("the connection is too slow: say hello again")))

    server.run(lose_track())
    talk.receive("resync")
    talk.hello(3)
    talk.other_does()
    return talk


def takeback(server):
    talk = Recording(server)
    talk.hello()
    talk.play()
    talk.other_does()
    talk.ask("takeback")
    talk.other_does("decline", offer="takeback")
    talk.ask("takeback")
    talk.other_does("takeback")
    talk.play(1)
    return talk


def draw(server):
    talk = Recording(server, game="banqi", options={})
    talk.hello()
    talk.other_does("draw")
    talk.ask("draw")
    return talk


def declined(server):
    """An offer is declined, repeated, kept while its maker plays, and ended by a play."""
    talk = Recording(server, game="banqi", options={})
    talk.hello()
    talk.ask("draw")
    talk.other_does("decline", offer="draw")
    talk.ask("decline", offer="draw")
    talk.ask("draw")
    while talk.actions(talk.token):
        talk.play()
    talk.other_does()
    talk.ask("resign")
    talk.ask("rematch")
    talk.other_does("decline", offer="rematch")
    talk.ask("rematch")
    return talk


def resign(server):
    talk = Recording(server)
    talk.hello()
    talk.play()
    talk.ask("resign")
    talk.ask("play", ply=1, action=0)
    return talk


def premove(server):
    talk = Recording(server)
    talk.hello()
    first, second = talk.actions(talk.token)[:2]
    talk.ask("premove", action=second)
    talk.ask("play", ply=0, action=first)
    talk.ask("premove", action=second)
    talk.other_does()
    talk.receive("premove")
    return talk


def chat(server):
    talk = Recording(server)
    talk.hello()
    talk.other_does("say", text="good luck")
    talk.ask("say", text="have fun")
    return talk


def chance(server):
    """A move and the chance event after it are two events."""
    talk = Recording(server, game="banqi", options={})
    talk.hello()
    while talk.actions(talk.token):
        talk.play()
    talk.other_does()
    return talk


def secrets(server):
    """Each seat receives only its own view."""
    from kuhn import Kuhn

    import parlour

    parlour.register("kuhn", Kuhn)
    talk = Recording(server, game="kuhn", options={}, seed=None)
    talk.hello()
    talk.ask("play", ply=2, action="bet")
    talk.other_does(action="bet")
    return talk


def rematch(server):
    talk = Recording(server)
    talk.hello()
    talk.ask("resign")
    talk.ask("rematch")
    talk.other_does("rematch")
    return talk


def closing(server):
    talk = Recording(server)
    talk.hello()
    talk.play()
    server.run(server.app.drain())
    talk.receive("closing")
    return talk


SCENARIOS = (
    whole_game, refused, resend, resumed, resync, takeback, draw, declined, resign, premove, chat,
    chance, secrets, rematch, closing,
)  # fmt: skip
VARYING = {"secrets"}
"""Scenarios with random content."""


def plain(talk):
    """Return the lines without random parts."""
    names = {talk.table: "table-1", talk.token: "token-1"}
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in talk.lines)
    following = re.search(r'"rematch": "(\w+)"', text)
    if following:
        names[following[1]] = "table-2"
    for old, new in names.items():
        text = text.replace(old, new)
    text = re.sub(r'"at": \d+', '"at": 1000', text)
    text = re.sub(r'"(commitment|key)": "\w+"', r'"\1": "00"', text)
    return [json.loads(line) for line in text.split("\n")]


def record(scenario, folder):
    """Record a scenario with a new server."""
    from live_server import LiveServer

    server = LiveServer(Path(folder) / f"{scenario.__name__}.sqlite")
    try:
        talk = scenario(server)
        talk.close()
        return plain(talk)
    finally:
        server.stop()


def main():
    """Record all scenarios."""
    from replayed import expectation

    expected = {}
    with tempfile.TemporaryDirectory() as folder:
        for scenario in SCENARIOS:
            lines = record(scenario, folder)
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            (FOLDER / f"{scenario.__name__}.jsonl").write_text(text, "utf-8")
            expected[scenario.__name__] = expectation(lines)
            print(scenario.__name__, len(lines))
    text = json.dumps(expected, indent=1, ensure_ascii=False, sort_keys=True)
    (FOLDER / "expected.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
