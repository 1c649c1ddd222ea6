"""The positions of a table's game, replayed locally if the game is installed."""

import threading
from typing import Any

from parlour.client.view import TableView
from parlour.core.errors import ParlourError
from parlour.core.game import Game, State
from parlour.core.registry import game, game_class


def installed_game(name: str, options: dict[str, Any]) -> Game | None:
    """Return the game with these options, if it is installed in a version that accepts them."""
    try:
        kinds = {option.name: option.kind for option in game_class(name).OPTIONS}
        given = {
            key: float(value) if kinds.get(key) == "fraction" and type(value) is int else value
            for key, value in options.items()
        }
        return game(name, **given)
    except ParlourError:
        return None


class Positions:
    """The game of one table. Servers are not trusted: illegal actions are not replayed."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        """Find the game of that name, which may not be installed."""
        self.game = installed_game(name, options)
        self._start: str | None = None
        self._actions: list[int] = []
        self._states: list[State] = []
        self._lock = threading.Lock()

    def states(self, view: TableView) -> list[State]:
        """Return all positions from the start; empty if they are not known here."""
        if self.game is None or self.game.has_secrets or view.start is None:
            return []
        actions = [event.action for event in view.history]
        with self._lock:
            try:
                self._go_to(view.start, actions)
            except ParlourError:
                # The server's version of the game has different rules.
                self._start = None
                return []
            return list(self._states)

    def _go_to(self, start: str, actions: list[int | None]) -> None:
        assert self.game is not None
        if self._start != start:
            self._states, self._actions = [self.game.state_from_text(start)], []
            self._start = start
        same = 0
        for known, wanted in zip(self._actions, actions, strict=False):
            if known != wanted:
                break
            same += 1
        del self._actions[same:], self._states[same + 1 :]
        for action in actions[same:]:
            self._states.append(self._states[-1].play(action))
            self._actions.append(action if action is not None else -1)

    def state(self, view: TableView) -> State | None:
        """Return the position; with secrets, one that this seat cannot distinguish from it."""
        states = self.states(view)
        if states:
            return states[-1]
        if self.game is None or view.position is None:
            return None
        try:
            known: State = self.game.state_from_text(view.position)
            return known
        except ParlourError:
            return None
