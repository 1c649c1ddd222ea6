"""Random play at one table with viewers that lose their connections.

A `World` is a server without sockets: requests go to the room, and each viewer gets the bytes
that its connection would get. A restart rebuilds everything from the log.
"""

import asyncio
import contextlib
import json

import msgspec
from hypothesis import strategies as st
from kuhn import Kuhn
from live_server import OwnClock

import parlour
from parlour.client.conversation import Conversation, News
from parlour.core.errors import ParlourError
from parlour.protocol.messages import Decline, Draw, Play, Rematch, Resign, Takeback
from parlour.server.live.openings import new_game
from parlour.server.live.rooms import Rooms
from parlour.server.settings import Settings
from parlour.server.store.log_rows import SEATED
from parlour.server.store.sqlite import SqliteStore
from parlour.server.store.store import SeatRow
from parlour.table.clock import TimeControl
from parlour.table.events import EventView

GAMES = {
    "octa": lambda: parlour.game("octa", size=2),
    "banqi": lambda: parlour.game("banqi"),
    "kuhn": Kuhn,
}
VIEWERS = (0, 1, None)

seats = st.integers(0, 1)
requests = st.one_of(
    st.tuples(st.just("play"), seats, st.integers(0, 1000)),
    st.tuples(st.sampled_from(("draw", "takeback", "rematch")), seats, st.booleans()),
    st.tuples(st.just("decline"), seats, st.sampled_from(("draw", "takeback", "rematch"))),
)
turns = st.tuples(st.just("turn"), st.just(0), st.integers(0, 1000))
"""A legal action of the seat to act."""
lines = st.one_of(
    st.tuples(st.just("reconnect"), st.sampled_from(VIEWERS), st.booleans()),
    st.tuples(st.just("deliver"), st.sampled_from(VIEWERS), st.integers(1, 3)),
)
ends = st.one_of(
    st.tuples(st.just("resign"), seats, st.none()),
    st.tuples(st.just("restart"), st.none(), st.none()),
    st.tuples(st.just("wait"), st.none(), st.integers(1, 20)),
)
plans = st.lists(st.one_of(turns, turns, requests, lines, ends), min_size=5, max_size=40)


def random_plan(rng, length=40):
    """Return a random plan without Hypothesis, for tests that run many at once."""
    offers = ("draw", "takeback", "rematch")
    steps = [
        *[lambda: ("turn", 0, rng.randrange(1000))] * 4,
        lambda: (rng.choice(offers), rng.randrange(2), rng.random() < 0.5),
        lambda: ("decline", rng.randrange(2), rng.choice(offers)),
        lambda: ("reconnect", rng.choice(VIEWERS), rng.random() < 0.5),
        lambda: ("deliver", rng.choice(VIEWERS), rng.randrange(1, 4)),
        lambda: ("wait", None, rng.randrange(1, 20)),
    ]
    plan = [rng.choice(steps)() for _ in range(length)]
    plan[rng.randrange(length)] = ("restart", None, None)
    return [*plan, ("resign", rng.randrange(2), None), ("rematch", 0, False), ("rematch", 1, True)]


class Viewer:
    """A seat or a spectator: the bytes of its connection, and a client that reads them."""

    def __init__(self, seat, table, clock):
        self.viewer, self.epoch = seat, 0
        self.talk = Conversation(table, now=lambda: clock.seconds)
        self.waiting = []
        self.delivered = []
        self.received = []

    def send(self, data):
        self.waiting.append(data)

    def drop(self, reason):
        raise AssertionError(reason)

    def deliver(self, count=None):
        """Deliver the next `count` messages to the client, or all."""
        count = len(self.waiting) if count is None else count
        for data in self.waiting[:count]:
            self.delivered.append(json.loads(data))
            self.received += self.talk.receive(data)
        del self.waiting[:count]

    def known(self):
        """Reconnect and return the version in the hello."""
        self.waiting.clear()
        self.talk.connected()
        return json.loads(self.talk.outgoing.popleft()).get("v")


class World:
    """One table of one server, and its viewers."""

    def __init__(self, path, game):
        self.path, self.game = path, game
        self.clock = OwnClock()
        self.ids = 0

    async def begin(self):
        await self._open()
        held = [SeatRow(seat, SEATED, name=name) for seat, name in enumerate(("Ann", "Bob"))]
        control = TimeControl(300.0, 2.0)
        new = new_game(self.game, held, control, "link", self.clock.server, seed=1)
        self.table = new.row.id
        await self.rooms.create(new)
        self.viewers = {seat: Viewer(seat, self.table, self.clock) for seat in VIEWERS}
        for viewer in self.viewers.values():
            await self.reconnect(viewer, True)

    async def _open(self):
        self.store = SqliteStore(self.path, self.clock.server.now)
        self.rooms = Rooms(self.store, Settings(), self.clock.server)
        self.rooms.secret = await self.store.secret()

    async def room(self):
        return await self.rooms.room(self.table)

    async def reconnect(self, viewer, delivers):
        room = await self.room()
        room.audience.leave(viewer)
        room.join(viewer, viewer.known())
        if delivers:
            viewer.deliver()

    async def do(self, deed, who, what):
        room = await self.room()
        if deed == "reconnect":
            await self.reconnect(self.viewers[who], what)
        elif deed == "deliver":
            self.viewers[who].deliver(what)
        elif deed == "wait":
            self.clock.seconds += what
        elif deed == "restart":
            await self.restart()
        else:
            seat, message = self._request(room, deed, who, what)
            with contextlib.suppress(ParlourError):  # a refusal changes nothing
                await room.execute(seat, 0, message)

    def _request(self, room, deed, seat, what):
        self.ids += 1
        mark, table = f"id-{self.ids}", room.hosted.table
        if deed == "turn":
            actions = table.state.legal_actions()
            action = actions[what % len(actions)] if len(actions) else 0
            return max(0, table.actor), Play(mark, room.hosted.ply, int(action))
        if deed == "play":
            return seat, Play(mark, room.hosted.ply, what)
        if deed == "decline":
            return seat, Decline(mark, what)
        if deed == "resign":
            return seat, Resign(mark)
        return seat, {"draw": Draw, "takeback": Takeback, "rematch": Rematch}[deed](mark, what)

    async def restart(self):
        """Stop and start again: rebuild the table from the log and reconnect all viewers."""
        before = (await self.room()).hosted.table.standing
        await self.rooms.close()
        await self._open()
        assert (await self.room()).hosted.table.standing == before
        for viewer in self.viewers.values():
            await self.reconnect(viewer, True)


def play(path, name, plan):
    """Run a plan. Return, for each viewer, its client and the server's standing."""

    if name not in parlour.game_names():
        parlour.register(name, GAMES[name])

    async def work():
        world = World(path, GAMES[name]())
        await world.begin()
        for step in plan:
            await world.do(*step)
        room = await world.room()
        found = []
        for seat, viewer in world.viewers.items():
            viewer.deliver()
            views = room.views
            standing = views.standing(seat, at_event=True)
            standing = msgspec.json.decode(msgspec.json.encode(standing), type=type(standing))
            scene, encoded = views.scene(seat), msgspec.json.encode(views.history(seat))
            if seat == views.acting:
                scene = scene._replace(actions=room.hosted.table.state.scene(seat).actions)
            history = msgspec.json.decode(encoded, type=tuple[EventView, ...])
            found.append((viewer, standing, scene, history))
        await world.rooms.close()
        return found

    return asyncio.run(work())


def news(viewer):
    """Return the versions of the events that a client received."""
    return [each.event.v for each in viewer.received if isinstance(each, News)]


def model(standing, scene, history):
    """Return the state that every client must have, as JSON."""
    plain = msgspec.to_builtins(standing)
    plain.setdefault("actor", -2)
    plain.pop("position", None)
    plain["offers"] = {"draw": [], "takeback": [], "rematch": [], **plain.get("offers", {})}
    return {
        **{name: plain.get(name) for name in ("v", "ply", "status", "seats", "actor", "offers")},
        "ending": plain.get("ending"),
        "rematch": plain.get("rematch", ""),
        "history": [event.v for event in history],
        "glyphs": "".join(cell.glyph for cell in scene.cells),
        "actions": [action.text for action in scene.actions],
        "seat_names": list(scene.names),
        "words": scene.status,
    }
