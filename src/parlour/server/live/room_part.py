"""What the parts of a room have in common."""

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parlour.server.live.room import Room


class RoomPart:
    """A part that its room holds, and that knows the room without holding it.

    A cycle would keep a room that was dropped in memory until somebody looks for garbage. Whoever
    asks a part holds its room; work that goes on by itself takes the room along.
    """

    def __init__(self, room: "Room") -> None:
        """Of that room."""
        self._owner = weakref.ref(room)

    @property
    def _room(self) -> "Room":
        room = self._owner()
        assert room is not None, "whoever asks a part of a room holds the room"
        return room
