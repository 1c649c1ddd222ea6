"""What a client says to a table and makes of the answers, without any input or output.

Whoever has a connection calls `connected`, sends what is in `outgoing`, and hands every text
that comes to `hear`. A connection carries one hello. Whatever does not fit, a gap in the
versions, a scene that cannot be, `resync`, asks for a new connection, so that nothing that is
still under way can be mistaken for news. Requests that nobody has answered are sent again on
the next one, with the same id: the server carries each out once.
"""

import time
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec import UNSET

from parlour.client.errors import PASSING, refusal
from parlour.client.view import SAID_KEPT, TableView, view_of
from parlour.core.errors import ParlourError
from parlour.core.scene import Scene
from parlour.protocol.json import Reader, UnknownType, encode
from parlour.protocol.messages import (
    Ack,
    Closing,
    Error,
    Event,
    Happened,
    Hello,
    PremoveState,
    Presence,
    Resync,
    Said,
    SeatRequest,
    ServerMessage,
    Spoken,
    Thinking,
    Welcome,
)
from parlour.protocol.scenes import BadScene, SceneReceiver

Id = int | str

_reader: Reader[ServerMessage] = Reader(ServerMessage)


class News(NamedTuple):
    """Something happened at the table."""

    event: Happened


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
        self._ahead: TableView | None = None
        """Where the table stands after the events of a move, or of all that was missed, so far."""
        self._untold: list[Heard] = []
        """Those events: they are told with the last one."""
        self._missed: tuple[Welcome, Scene] | None = None
        """What shows the table after all that was missed."""
        self._is_welcome = False
        self._is_done_with = False

    # What is sent.

    def connected(self) -> None:
        """A new connection: say hello, with what is known already."""
        self.outgoing.clear()
        self._is_welcome = self._is_done_with = False
        self._ahead, self._untold, self._missed = None, [], None
        known = None if self.view is None else self.view.v
        self._send(Hello(table=self.table, token=self.token, v=known))

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
        if isinstance(message, Event):
            return self._hear_event(message)
        if isinstance(message, Ack):
            return self._hear_ack(message)
        return self._hear_aside(message)

    def _hear_welcome(self, welcome: Welcome) -> list[Heard]:
        view = self._ahead or self.view
        scenes = SceneReceiver()
        scene = scenes.take(welcome.scene, UNSET)
        latest = welcome.latest if welcome.resumed else welcome.v
        if self._is_welcome:
            # Nobody asked for a second one, so the line doubles messages. It may be newer.
            assert view is not None
            if latest < view.v:
                return []
            if welcome.v > view.v:
                return [Renew("a second welcome leaves something out")]
        elif not welcome.resumed:
            view = self.view = view_of(welcome, scene, self._now())
        if view is None or welcome.v > view.v:
            return [Renew("the server goes on from another version")]
        self._scenes = scenes
        self._ahead, self._missed = view, (welcome, scene)
        if not self._is_welcome:
            self._is_welcome = True
            for request in self._requests.values():
                self._send(request)
        return [Changed(), *self._caught_up(view)]

    def _hear_event(self, message: Event) -> list[Heard]:
        view = self._ahead or self.view
        assert view is not None
        if message.v <= view.v:
            return []
        if message.v > view.v + 1:
            return [Renew(f"version {view.v + 1} is missing")]
        scene = self._scenes.take(message.scene, message.diff)
        view = view.after(message, scene, self._now())
        self._untold.append(News(message))
        is_whole = message.diff is not UNSET or message.scene is not UNSET or view.scene is None
        if self._missed is None and not is_whole:
            # More of the same move follows: the last of its events shows the board.
            self._ahead = view
            return []
        return self._caught_up(view)

    def _caught_up(self, view: TableView) -> list[Heard]:
        """Show the table as it is then, unless there is more that was missed."""
        if self._missed is not None:
            welcome, scene = self._missed
            if view.v < welcome.latest:
                self._ahead = view
                return []
            view = view.welcomed(welcome, scene, self._now())
        told, self._untold = self._untold, []
        self._ahead, self._missed, self.view = None, None, view
        return [*told, *self._settled()]

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
        view = self._ahead or self.view
        assert view is not None
        if isinstance(message, Said):
            spoken = Spoken(message.seat, message.name, message.text)
            return [*self._beside(said=(*view.said, spoken)[-SAID_KEPT:]), Talk(spoken)]
        if isinstance(message, Presence):
            return self._beside(present=tuple(message.seats), watchers=message.watchers)
        if isinstance(message, Thinking):
            return self._beside(thinking=message.seat)
        if isinstance(message, PremoveState):
            return self._beside(premove=message.action, premove_problem=message.message)
        return []

    def _beside(self, **changed: Any) -> list[Heard]:
        """What is no event changes at once, whatever else is still to be told."""
        assert self.view is not None
        self.view = self.view._replace(**changed)
        if self._ahead is not None:
            self._ahead = self._ahead._replace(**changed)
        return [Changed()]
