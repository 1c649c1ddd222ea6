"""Base class of a room's parts."""

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parlour.server.live.room import Room


class RoomPart:
    """A part of a room, with a weak reference back to it.

    A strong reference would form a cycle and delay the release of unloaded rooms until garbage
    collection. Callers of a part hold its room; background tasks take the room as an argument.
    """

    def __init__(self, room: "Room") -> None:
        """Attach the part to a room."""
        self._owner = weakref.ref(room)

    @property
    def _room(self) -> "Room":
        room = self._owner()
        assert room is not None, "the caller must hold the room"
        return room
