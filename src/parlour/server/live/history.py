"""The actions of a game as one kind of viewer sees them, encoded once.

A `hello` costs what it sends: earlier actions are neither shown nor encoded again.
"""

from collections.abc import Sequence

from msgspec import Raw

from parlour.protocol.json import encode
from parlour.table.events import ACTIONS, EventKind
from parlour.table.views import Moment, moment_view


class EncodedHistory:
    """The history of one kind of viewer, extended on demand."""

    def __init__(self, viewer: int | None) -> None:
        """Start empty, for a seat or for spectators (`None`)."""
        self._viewer = viewer
        self._names: tuple[str, ...] = ()
        self._seen = 0
        """The number of moments so far."""
        self._events: list[Raw] = []

    def upto(self, moments: Sequence[Moment], names: tuple[str, ...]) -> list[Raw]:
        """Return the actions that were not taken back, with the seats' current names.

        `moments` are those of the last call and any number of new ones.
        """
        if names != self._names:
            self._names, self._seen, self._events = names, 0, []
        kept = len(self._events)
        new: list[Moment] = []
        for at in range(self._seen, len(moments)):
            event = moments[at].event
            if event.kind in ACTIONS:
                new.append(moments[at])
            elif event.kind is EventKind.TAKEBACK:
                del new[max(0, event.ply - kept) :]
                kept = min(kept, event.ply)
        self._seen = len(moments)
        del self._events[kept:]
        self._events += [Raw(encode(moment_view(each, self._viewer, names))) for each in new]
        return list(self._events)
