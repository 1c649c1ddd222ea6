"""Messages about changes of a game, encoded once for all viewers with the same view.

In a game without hidden information all viewers see the same, except that the seat to act also
gets its legal actions. These are the end of its message, so that the rest is shared.
"""

from collections.abc import Collection, Sequence

from parlour.protocol.json import encode
from parlour.protocol.messages import Update
from parlour.server.live.encoded_actions import encoded_actions, raw_actions
from parlour.server.live.hosted import HostedGame
from parlour.server.live.views import Viewer, Views
from parlour.table.events import ACTIONS, Event, EventKind
from parlour.table.views import moment_view


class Updates:
    """Encodes the changes of one game."""

    def __init__(self, hosted: HostedGame, views: Views) -> None:
        """Encode what `views` shows."""
        self._hosted = hosted
        self._views = views

    def encoded(self, events: Sequence[Event], viewers: Collection[Viewer]) -> dict[Viewer, bytes]:
        """Return the message for each viewer. The events are the last ones of the game."""
        acting = self._views.acting
        if not self._hosted.game.has_secrets:
            plain, with_actions = self._messages(None, events, acting in viewers)
            found = dict.fromkeys(viewers, plain)
            if acting in viewers:
                found[acting] = with_actions
            return found
        return {
            viewer: self._messages(viewer, events, viewer == acting)[viewer == acting]
            for viewer in viewers
        }

    def _messages(
        self, viewer: Viewer, events: Sequence[Event], is_acting: bool
    ) -> tuple[bytes, bytes]:
        """Return the message without actions, and if `is_acting` also the one with them."""
        update, table = self._update(viewer, events), self._hosted.table
        if table is None:
            data = encode(update)
            return data, data
        actions = encoded_actions(table.state) if is_acting else b""
        scene, sender = self._views.scene(viewer), self._views.sender(viewer)
        diff = sender.diff(scene)
        if diff is None:
            update.scene = full = sender.full(scene)
            plain = encode(update)
            full.actions = raw_actions(actions)
            return plain, encode(update)
        diff.actions = []
        update.diff = diff
        plain = encode(update)
        # `diff` is the last field of an update, and `actions` the last field of a diff.
        return plain, b"".join((plain[:-3], actions, plain[-3:]))

    def _update(self, viewer: Viewer, events: Sequence[Event]) -> Update:
        """Return the message without its scene."""
        views = self._views
        names = views.names()
        actions, start = 0, None
        for event in events:
            if event.kind in ACTIONS:
                actions += 1
            elif event.kind is EventKind.START:
                start = views.start()
        moments = self._hosted.moments[-len(events) :]
        return Update(
            [moment_view(moment, viewer, names) for moment in moments],
            views.standing(viewer, at_event=True),
            actions,
            start,
        )
