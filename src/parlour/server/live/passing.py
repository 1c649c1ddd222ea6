"""What happens at a table and leaves no trace in its log: words, premoves, who looks on.

Devices of one seat, and the seats of one table, may be at several processes: what is said at
one of them is whispered to the others.
"""

from collections import deque
from typing import TYPE_CHECKING

from parlour.protocol.errors import Conflict
from parlour.protocol.json import encode
from parlour.protocol.messages import Premove, PremoveState, Said, Spoken, Thinking
from parlour.server.cluster.whispers import (
    Curious,
    Here,
    Remembered,
    Spoke,
    Thinks,
    Visited,
    Wished,
    Word,
    those_that_fit,
)
from parlour.server.limits import Buckets
from parlour.server.live.premoves import Premoves
from parlour.server.live.room_part import RoomPart
from parlour.server.store.store import RequestRow
from parlour.table import TableError

if TYPE_CHECKING:
    from parlour.server.live.room import Room
    from parlour.server.live.rooms import Rooms

SAID_KEPT = 50
JOINER = "\u200d"
"""Joins emoji: a woman and a computer."""
ANSWERS_KEPT = 200


class Passing(RoomPart):
    """Of one table."""

    def __init__(self, room: "Room", rooms: "Rooms") -> None:
        """Nothing was said yet."""
        super().__init__(room)
        self.said: deque[Spoken] = deque(maxlen=SAID_KEPT)
        self.premoves = Premoves(rooms.peers.id)
        self._rooms = rooms
        self._answers: dict[tuple[int, int, str], tuple[bytes, int]] = {}
        self._words = Buckets(rooms.tuning.paces["words"], "words", rooms.clock.seconds)

    def _whisper(self, word: Word) -> None:
        self._rooms.peers.tell(self._room.hosted.id, word)

    # Requests.

    def done(self, request: RequestRow) -> int | None:
        """What was answered to this request, if it was; `Conflict` if it was another one."""
        key = (request.seat, request.epoch, request.req)
        done = self._room.hosted.requests.get(key) or self._answers.get(key)
        if done is None:
            return None
        if done[0] != request.body:
            raise Conflict("this id was used for another request")
        return done[1]

    def remember(self, request: RequestRow) -> bool:
        """Its answer, for a while; False if it was known."""
        key = (request.seat, request.epoch, request.req)
        if key in self._answers:
            return False
        if len(self._answers) >= ANSWERS_KEPT:
            self._answers.pop(next(iter(self._answers)))
        self._answers[key] = (request.body, request.v)
        return True

    def say(self, seat: int, text: str, request: RequestRow) -> None:
        """Somebody says something; `TableError`, `RateLimited`."""
        if not self._rooms.settings.chat:
            raise TableError("nobody talks at the tables of this server")
        spoken = " ".join(text.split())
        if not spoken or not all(sign.isprintable() or sign == JOINER for sign in spoken):
            raise TableError("say something that can be read")
        self._words.take(seat)
        said = Spoken(seat, self._room.views.person_of(seat), spoken)
        self._whisper(Spoke(said, request))
        self.remember(request)
        self._show_said(said)

    def _show_said(self, said: Spoken) -> None:
        self.said.append(said)
        self._room.audience.send_seats(encode(Said(said.seat, said.name, said.text)))

    def wish(self, seat: int, message: Premove, request: RequestRow) -> None:
        """A seat wishes a premove, or none any more; `TableError`."""
        table = self._room.hosted.table
        if table is None or table.is_over:
            raise TableError("there is nothing to play before the beginning or after the end")
        if message.action is not None and table.actor == seat:
            raise TableError("it is your turn: play")
        at = self.premoves.wish(seat, message.action, self._rooms.clock.now())
        self._whisper(Wished(seat, message.action, at, request=request))
        self.remember(request)
        self._show_premove(seat, message.action)

    # Premoves.

    def _show_premove(self, seat: int, action: int | str | None, message: str = "") -> None:
        self._room.audience.send_seat(seat, encode(PremoveState(action, message)))

    def show_to(self, seat: int) -> bytes | None:
        """What a device of that seat has to know when it comes."""
        action = self.premoves.of(seat)
        return None if action is None else encode(PremoveState(action))

    def premove_is_over(self, seat: int, message: str = "") -> None:
        """It was played here, or could not be: for all devices."""
        at = self.premoves.wish(seat, None, self._rooms.clock.now())
        self._whisper(Wished(seat, None, at, message))
        self._show_premove(seat, None, message)

    def has_played(self, seat: int) -> None:
        """The seat has acted in another process."""
        if self.premoves.drop(seat):
            self._show_premove(seat, None)

    def is_passed_over(self, seat: int) -> None:
        """It was the seat's turn, and it is not any more."""
        if self.premoves.take(seat) is not None:
            self.premove_is_over(seat, "something else happened first")

    def is_taken_back(self) -> None:
        """Premoves were meant for the position that was taken back, not for this one."""
        for seat in self.premoves.drop_all():
            self._show_premove(seat, None, "an action was taken back")

    # What other processes say.

    def hear(self, who: str, word: Word) -> None:
        """What another process says of this table."""
        audience = self._room.audience
        if isinstance(word, Visited):
            audience.see_elsewhere(who, word.here)
        elif isinstance(word, Thinks):
            self.show_thinking(word)
        elif isinstance(word, Spoke):
            if self.remember(word.request):
                self._show_said(word.spoken)
        elif isinstance(word, Wished):
            if word.request is not None:
                self.remember(word.request)
            if self.premoves.hear(word.seat, word.action, word.at, who):
                self._show_premove(word.seat, word.action, word.message)
        elif isinstance(word, Curious):
            self._whisper(Visited(audience.here()))
            if self.said:
                self._whisper(Remembered(those_that_fit(list(self.said))))
        elif isinstance(word, Remembered) and not self.said:
            for each in word.said:
                self._show_said(each)

    def lose(self, who: str) -> None:
        """Another process is gone."""
        self._room.audience.see_elsewhere(who, Here(self._room.hosted.id, [], 0))
        for seat in self.premoves.drop_of(who):
            self._show_premove(seat, None, "the line to where it was wished for is lost")

    def think(self, thinks: Thinks) -> None:
        """An agent is asked here: for everybody, everywhere."""
        self._whisper(thinks)
        self.show_thinking(thinks)

    def show_thinking(self, thinks: Thinks) -> None:
        """Tell those who are here that an agent thinks."""
        self._room.audience.send_all(encode(Thinking(thinks.seat, thinks.ahead)))
