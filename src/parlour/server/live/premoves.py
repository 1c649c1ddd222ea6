"""Premoves: what seats want to play as soon as it is their turn.

A seat may have devices at several processes. All of them know of its premove; the process
where it was wished for plays it, so that whoever takes it back there is obeyed.
"""

from typing import NamedTuple


class HeldPremove(NamedTuple):
    """What a seat wishes, since when, and which process plays it."""

    action: int | str | None
    at: int
    who: str


class Premoves:
    """Those of one table."""

    def __init__(self, own: str) -> None:
        """None yet; `own` is the name of this process."""
        self._own = own
        self._wishes: dict[int, HeldPremove] = {}

    def wish(self, seat: int, action: int | str | None, now: int) -> int:
        """What the seat wishes here and now; the moment of that, later than any before."""
        known = self._wishes.get(seat)
        at = now if known is None else max(now, known.at + 1)
        self._wishes[seat] = HeldPremove(action, at, self._own)
        return at

    def hear(self, seat: int, action: int | str | None, at: int, who: str) -> bool:
        """What the seat wishes in another process; False if something later is known."""
        known = self._wishes.get(seat)
        if known is not None and (known.at, known.who) >= (at, who):
            return False
        self._wishes[seat] = HeldPremove(action, at, who)
        return True

    def of(self, seat: int) -> int | str | None:
        """What that seat wishes, or `None`."""
        wish = self._wishes.get(seat)
        return None if wish is None else wish.action

    def take(self, seat: int) -> int | str | None:
        """What this process is to play for that seat: it is wished no more."""
        wish = self._wishes.get(seat)
        if wish is None or wish.who != self._own:
            return None
        self.drop(seat)
        return wish.action

    def drop(self, seat: int) -> bool:
        """The seat wishes nothing any more; whether it did."""
        wish = self._wishes.get(seat)
        if wish is None or wish.action is None:
            return False
        self._wishes[seat] = wish._replace(action=None)
        return True

    def drop_all(self) -> list[int]:
        """Nobody wishes anything any more; who did."""
        return [seat for seat in self._wishes if self.drop(seat)]

    def drop_of(self, who: str) -> list[int]:
        """The process that would have played them is gone; whose they were."""
        theirs = [seat for seat, wish in self._wishes.items() if wish.who == who]
        return [seat for seat in theirs if self.drop(seat)]
