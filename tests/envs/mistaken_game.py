"""A game that breaks its contract after a while."""

from nim import Nim, NimState


class FaultyState(NimState):
    """Fails when the heap is small."""

    def apply(self, action):
        """Return the next position, or raise."""
        if self.heap < 8:
            raise RuntimeError("this game is at fault")
        after = super().apply(action)
        return FaultyState(after.game, after.heap, after.seat)


class Faulty(Nim):
    """Nim with the failing state."""

    def start(self, seed=0):
        """Return a start with the failing state."""
        before = super().start(seed)
        return FaultyState(self, before.heap, before.seat)
