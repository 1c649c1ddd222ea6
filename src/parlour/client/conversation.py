"""What a client says to a table and makes of the answers, without any input or output.

Call `connected` for a new connection, send what is in `outgoing`, and pass every text that comes
to `hear`. A connection carries one hello. A gap in the versions, a scene that does not fit, or
`resync` asks for a new connection, so that messages still in flight are ignored. Requests without
an answer are sent again on the next one, with the same id: the server carries each out once.
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
    """Something happened at the table."""

    event: EventView


class Talk(NamedTuple):
    """Somebody said something."""

    spoken: Spoken


class Changed(NamedTuple):
    """The view is not what it was, though nothing happened: somebody came, an agent thinks."""


class Answered(NamedTuple):
    """A request was carried out, and all that it led to is in the view."""

    id: Id
    v: int


class Failed(NamedTuple):
    """A request was refused, and nothing has changed."""

    id: Id
    error: ParlourError


class Later(NamedTuple):
    """A request was not carried out, but may be soon: `again` sends it once more."""

    id: Id
    seconds: float
    error: ParlourError


class Renew(NamedTuple):
    """The connection cannot be used any more; `seconds` is how long the server wants to be
    left alone, `None` if it does not say.
    """

    reason: str
    seconds: float | None = None


class Ended(NamedTuple):
    """The server does not talk to this client: a new connection would not help."""

    error: ParlourError


Heard = News | Talk | Changed | Answered | Failed | Later | Renew | Ended


class Conversation:
    """One table, heard and talked to by one seat or one spectator."""

    def __init__(
        self, table: str, token: str = "", now: Callable[[], float] = time.monotonic
    ) -> None:
        """`now` tells the time in seconds, for clocks."""
        self.table = table
        self.token = token
        self.view: TableView | None = None
        """Where the table stands; `None` before the first welcome."""
        self.outgoing: deque[str] = deque()
        """What is to be sent, in order."""
        self._now = now
        self._requests: dict[Id, SeatRequest] = {}
        self._settling: dict[Id, int] = {}
        """The versions of requests that were carried out, before their events came."""
        self._scenes = SceneReceiver()
        self._is_welcome = False
        self._is_done_with = False

    # What is sent.

    def connected(self) -> None:
        """A new connection: say hello, with what is known already."""
        self.outgoing.clear()
        self._is_welcome = self._is_done_with = False
        known = None if self.view is None else self.view.v
        self._send(Hello(protocol=VERSION, table=self.table, token=self.token, v=known))

    def ask(self, request: SeatRequest) -> None:
        """Send a request, now or as soon as there is a connection."""
        self._requests[request.id] = request
        if self._is_welcome:
            self._send(request)

    def again(self, id: Id) -> None:
        """Send a request once more that was put off."""
        request = self._requests.get(id)
        if request is not None and self._is_welcome:
            self._send(request)

    def drop(self, id: Id) -> None:
        """Nobody waits for the answer to a request any more."""
        self._requests.pop(id, None)
        self._settling.pop(id, None)

    @property
    def waits(self) -> bool:
        """Whether there is a request without an answer."""
        return bool(self._requests)

    def _send(self, message: Hello | SeatRequest) -> None:
        self.outgoing.append(encode(message).decode())

    # What is heard.

    def hear(self, text: str | bytes) -> list[Heard]:
        """What a message says; nothing for what is known already, or not understood."""
        if self._is_done_with:
            return []
        try:
            message = _reader.read(text)
        except UnknownType:
            return []
        except ParlourError as error:
            return [Ended(error)]
        try:
            heard = self._hear(message)
        except BadScene as error:
            heard = [Renew(str(error))]
        self._is_done_with = any(isinstance(each, Renew | Ended) for each in heard)
        return heard

    def _hear(self, message: ServerMessage) -> list[Heard]:
        if isinstance(message, Welcome):
            return self._hear_welcome(message)
        if isinstance(message, Error):
            return self._hear_error(message)
        if isinstance(message, Closing):
            return [Renew("the server shuts down", message.retry_after)]
        if isinstance(message, Resync):
            return [Renew(message.reason)]
        if self.view is None or not self._is_welcome:
            # Only a line that mixes messages up brings anything before the welcome.
            return []
        if isinstance(message, Update):
            return self._hear_update(message)
        if isinstance(message, Ack):
            return self._hear_ack(message)
        return self._hear_aside(message)

    def _hear_welcome(self, welcome: Welcome) -> list[Heard]:
        if welcome.protocol != VERSION:
            older = "server" if welcome.protocol < VERSION else "client"
            return [
                Ended(
                    WrongVersion(
                        f"this client speaks version {VERSION} of the protocol, the server "
                        f"version {welcome.protocol}: update the {older}"
                    )
                )
            ]
        known = None if self.view is None else self.view.v
        if self._is_welcome and known is not None and welcome.standing.v < known:
            return []  # a line that doubles messages
        scenes = SceneReceiver()
        self.view = view_of(welcome, scenes.take(welcome.scene, UNSET), self._now())
        self._scenes = scenes
        if not self._is_welcome:
            self._is_welcome = True
            for request in self._requests.values():
                self._send(request)
        news = [News(event) for event in welcome.missed if known is not None and event.v > known]
        return [Changed(), *news, *self._settled()]

    def _hear_update(self, update: Update) -> list[Heard]:
        view = self.view
        assert view is not None
        if update.standing.v <= view.v:
            return []
        if update.events[0].v != view.v + 1:
            return [Renew(f"version {view.v + 1} is missing")]
        scene = self._scenes.take(update.scene, update.diff)
        self.view = view.after(update, scene, self._now())
        return [*map(News, update.events), *self._settled()]

    def _hear_ack(self, ack: Ack) -> list[Heard]:
        if ack.id not in self._requests:
            return []
        self._settling[ack.id] = ack.v
        return self._settled()

    def _settled(self) -> list[Heard]:
        """The requests that were carried out and whose events are all here."""
        if self.view is None:
            return []
        done = [Answered(*each) for each in self._settling.items() if each[1] <= self.view.v]
        for answer in done:
            self.drop(answer.id)
        return list(done)

    def _hear_error(self, error: Error) -> list[Heard]:
        problem = refusal(error.code, error.message)
        if error.id is None:
            if self._is_welcome:
                return []
            if error.code in PASSING:
                return [Renew(error.message, error.retry_after)]
            return [Ended(problem)]
        if error.id not in self._requests or error.id in self._settling:
            return []
        if error.code in PASSING:
            return [Later(error.id, error.retry_after or 1.0, problem)]
        self.drop(error.id)
        return [Failed(error.id, problem)]

    def _hear_aside(self, message: ServerMessage) -> list[Heard]:
        view = self.view
        assert view is not None
        if isinstance(message, Said):
            spoken = Spoken(message.seat, message.name, message.text)
            self.view = view._replace(said=(*view.said, spoken)[-SAID_KEPT:])
            return [Changed(), Talk(spoken)]
        if isinstance(message, Presence):
            self.view = view._replace(present=tuple(message.seats), watchers=message.watchers)
        elif isinstance(message, Thinking):
            self.view = view._replace(thinking=message.seat)
        elif isinstance(message, PremoveState):
            self.view = view._replace(premove=message.action, premove_problem=message.message)
        else:
            return []
        return [Changed()]
