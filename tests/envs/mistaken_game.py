"""A game that breaks its promises after a while."""

from nim import Nim, NimState


class FaultyState(NimState):
    """Fails when the heap is small."""

    def apply(self, action):
        """The next position, or an accident."""
        if self.heap < 8:
            raise RuntimeError("this game is at fault")
        after = super().apply(action)
        return FaultyState(after.game, after.heap, after.seat)


class Faulty(Nim):
    """Nim, to a point."""

    def start(self, seed=0):
        """A start of this kind."""
        before = super().start(seed)
        return FaultyState(self, before.heap, before.seat)
