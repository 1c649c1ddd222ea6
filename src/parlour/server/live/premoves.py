"""Premoves: actions that seats will play when their turn comes.

A seat may have devices at several processes. All of them show its premove, but only the process
where it was set plays it, so that it can be cancelled there reliably.
"""

from typing import NamedTuple


class HeldPremove(NamedTuple):
    """A premove, the time it was set, and the process that plays it."""

    action: int | str | None
    at: int
    owner: str


class Premoves:
    """The premoves of one table."""

    def __init__(self, own: str) -> None:
        """Start without premoves; `own` is the id of this process."""
        self._own = own
        self._premoves: dict[int, HeldPremove] = {}

    def set(self, seat: int, action: int | str | None, now: int) -> int:
        """Set or clear a premove in this process. Return its time, later than any before."""
        known = self._premoves.get(seat)
        at = now if known is None else max(now, known.at + 1)
        self._premoves[seat] = HeldPremove(action, at, self._own)
        return at

    def set_remote(self, seat: int, action: int | str | None, at: int, owner: str) -> bool:
        """Set a premove from another process. Return false if a later one is known."""
        known = self._premoves.get(seat)
        if known is not None and (known.at, known.owner) >= (at, owner):
            return False
        self._premoves[seat] = HeldPremove(action, at, owner)
        return True

    def of(self, seat: int) -> int | str | None:
        """Return the premove of a seat, or `None`."""
        premove = self._premoves.get(seat)
        return None if premove is None else premove.action

    def take(self, seat: int) -> int | str | None:
        """Remove and return the premove that this process must play for a seat."""
        premove = self._premoves.get(seat)
        if premove is None or premove.owner != self._own:
            return None
        self.drop(seat)
        return premove.action

    def drop(self, seat: int) -> bool:
        """Clear the premove of a seat. Return whether there was one."""
        premove = self._premoves.get(seat)
        if premove is None or premove.action is None:
            return False
        self._premoves[seat] = premove._replace(action=None)
        return True

    def drop_all(self) -> list[int]:
        """Clear all premoves and return their seats."""
        return [seat for seat in self._premoves if self.drop(seat)]

    def drop_of(self, owner: str) -> list[int]:
        """Clear the premoves of a process that has ended and return their seats."""
        theirs = [seat for seat, premove in self._premoves.items() if premove.owner == owner]
        return [seat for seat in theirs if self.drop(seat)]
