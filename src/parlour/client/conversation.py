"""The client's side of the protocol at one table, without I/O.

Call `connected` for a new connection, send the contents of `outgoing`, and pass every incoming text
to `receive`. A connection carries one hello. A gap in the versions, a scene that does not fit, or
`resync` asks for a new connection, so that messages still in flight are ignored. Unanswered
requests are sent again on the next connection with the same id; the server executes each once.
"""

import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from msgspec import UNSET

from parlour.client.errors import PASSING, refusal
from parlour.client.view import SAID_KEPT, TableView, view_of
from parlour.core.errors import ParlourError
from parlour.protocol import VERSION
from parlour.protocol.errors import WrongVersion
from parlour.protocol.json import Reader, UnknownType, encode
from parlour.protocol.messages import (
    Ack,
    Closing,
    Error,
    Hello,
    PremoveState,
    Presence,
    Resync,
    Said,
    SeatRequest,
    ServerMessage,
    Spoken,
    Thinking,
    Update,
    Welcome,
)
from parlour.protocol.scenes import BadScene, SceneReceiver
from parlour.table.events import EventView

Id = int | str

_reader: Reader[ServerMessage] = Reader(ServerMessage)


class News(NamedTuple):
    """An event at the table."""

    event: EventView


class Chat(NamedTuple):
    """A chat message."""

    spoken: Spoken


class Changed(NamedTuple):
    """The view changed without an event, such as when a player connects or an agent thinks."""


class Answered(NamedTuple):
    """A request was executed, and the view includes its events."""

    id: Id
    v: int


class Failed(NamedTuple):
    """A request was refused, and nothing has changed."""

    id: Id
    error: ParlourError


class Deferred(NamedTuple):
    """A request was not executed but may succeed soon: `again` sends it once more."""

    id: Id
    seconds: float
    error: ParlourError


class Reconnect(NamedTuple):
    """The connection must be replaced.

    `seconds` is the delay that the server asks for; `None` if it gives none.
    """

    reason: str
    seconds: float | None = None


class Ended(NamedTuple):
    """The server rejects this client. A new connection would not help."""

    error: ParlourError


Received = News | Chat | Changed | Answered | Failed | Deferred | Reconnect | Ended


class Conversation:
    """One table, as one seat or one spectator talks to it."""

    def __init__(
        self, table: str, token: str = "", now: Callable[[], float] = time.monotonic
    ) -> None:
        """Set the table and the seat's token; `now` is a clock in seconds."""
        self.table = table
        self.token = token
        self.view: TableView | None = None
        """The table's state; `None` before the first welcome."""
        self.outgoing: deque[str] = deque()
        """Messages to send, in order."""
        self._now = now
        self._requests: dict[Id, SeatRequest] = {}
        self._acked: dict[Id, int] = {}
        """Versions of executed requests whose events have not arrived yet."""
        self._scenes = SceneReceiver()
        self._is_welcome = False
        self._is_finished = False

    # Outgoing messages.

    def connected(self) -> None:
        """Say hello on a new connection, with the last known version."""
        self.outgoing.clear()
        self._is_welcome = self._is_finished = False
        known = None if self.view is None else self.view.v
        self._send(Hello(protocol=VERSION, table=self.table, token=self.token, v=known))

    def ask(self, request: SeatRequest) -> None:
        """Send a request now, or as soon as there is a connection."""
        self._requests[request.id] = request
        if self._is_welcome:
            self._send(request)

    def again(self, id: Id) -> None:
        """Send a deferred request once more."""
        request = self._requests.get(id)
        if request is not None and self._is_welcome:
            self._send(request)

    def drop(self, id: Id) -> None:
        """Drop a request whose answer is no longer needed."""
        self._requests.pop(id, None)
        self._acked.pop(id, None)

    @property
    def waits(self) -> bool:
        """Whether a request is unanswered."""
        return bool(self._requests)

    def _send(self, message: Hello | SeatRequest) -> None:
        self.outgoing.append(encode(message).decode())

    # Incoming messages.

    def receive(self, text: str | bytes) -> list[Received]:
        """Return what a message means; empty if it is a duplicate or unknown."""
        if self._is_finished:
            return []
        try:
            message = _reader.read(text)
        except UnknownType:
            return []
        except ParlourError as error:
            return [Ended(error)]
        try:
            received = self._receive(message)
        except BadScene as error:
            received = [Reconnect(str(error))]
        self._is_finished = any(isinstance(each, Reconnect | Ended) for each in received)
        return received

    def _receive(self, message: ServerMessage) -> list[Received]:
        if isinstance(message, Welcome):
            return self._on_welcome(message)
        if isinstance(message, Error):
            return self._on_error(message)
        if isinstance(message, Closing):
            return [Reconnect("the server is shutting down", message.retry_after)]
        if isinstance(message, Resync):
            return [Reconnect(message.reason)]
        if self.view is None or not self._is_welcome:
            # Only a connection that reorders messages delivers anything before the welcome.
            return []
        if isinstance(message, Update):
            return self._on_update(message)
        if isinstance(message, Ack):
            return self._on_ack(message)
        return self._on_aside(message)

    def _on_welcome(self, welcome: Welcome) -> list[Received]:
        if welcome.protocol != VERSION:
            older = "server" if welcome.protocol < VERSION else "client"
            return [
                Ended(
                    WrongVersion(
                        f"this client uses version {VERSION} of the protocol, the server "
                        f"version {welcome.protocol}: update the {older}"
                    )
                )
            ]
        known = None if self.view is None else self.view.v
        if self._is_welcome and known is not None and welcome.standing.v < known:
            return []  # a duplicated message
        scenes = SceneReceiver()
        self.view = view_of(welcome, scenes.take(welcome.scene, UNSET), self._now())
        self._scenes = scenes
        if not self._is_welcome:
            self._is_welcome = True
            for request in self._requests.values():
                self._send(request)
        news = [News(event) for event in welcome.missed if known is not None and event.v > known]
        return [Changed(), *news, *self._settled()]

    def _on_update(self, update: Update) -> list[Received]:
        view = self.view
        assert view is not None
        if update.standing.v <= view.v:
            return []
        if update.events[0].v != view.v + 1:
            return [Reconnect(f"version {view.v + 1} is missing")]
        scene = self._scenes.take(update.scene, update.diff)
        self.view = view.after(update, scene, self._now())
        return [*map(News, update.events), *self._settled()]

    def _on_ack(self, ack: Ack) -> list[Received]:
        if ack.id not in self._requests:
            return []
        self._acked[ack.id] = ack.v
        return self._settled()

    def _settled(self) -> list[Received]:
        """Return the executed requests whose events have all arrived."""
        if self.view is None:
            return []
        done = [Answered(*each) for each in self._acked.items() if each[1] <= self.view.v]
        for answer in done:
            self.drop(answer.id)
        return list(done)

    def _on_error(self, error: Error) -> list[Received]:
        problem = refusal(error.code, error.message)
        if error.id is None:
            if self._is_welcome:
                return []
            if error.code in PASSING:
                return [Reconnect(error.message, error.retry_after)]
            return [Ended(problem)]
        if error.id not in self._requests or error.id in self._acked:
            return []
        if error.code in PASSING:
            return [Deferred(error.id, error.retry_after or 1.0, problem)]
        self.drop(error.id)
        return [Failed(error.id, problem)]

    def _on_aside(self, message: ServerMessage) -> list[Received]:
        view = self.view
        assert view is not None
        if isinstance(message, Said):
            spoken = Spoken(message.seat, message.name, message.text)
            self.view = view._replace(said=(*view.said, spoken)[-SAID_KEPT:])
            return [Changed(), Chat(spoken)]
        if isinstance(message, Presence):
            self.view = view._replace(present=tuple(message.seats), watchers=message.watchers)
        elif isinstance(message, Thinking):
            self.view = view._replace(thinking=message.seat)
        elif isinstance(message, PremoveState):
            self.view = view._replace(premove=message.action, premove_problem=message.message)
        else:
            return []
        return [Changed()]
