"""The rewards, results and final observations of a batch step."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from parlour.core.errors import ContractError
from parlour.core.game import OVER, State, overrides_rewards
from parlour.core.observer import Observer, clear
from parlour.core.result import forfeit_returns

RUNNING: Final = 0
FINISHED: Final = 1
TRUNCATED: Final = 2


class Endings:
    """For each game: whether it ended, the returns of its seats, and their final observations."""

    def __init__(self, count: i64, observer: Observer, keeps_last: bool) -> None:
        """Start without ended games. Final observations cost nothing unless they are kept."""
        seats = observer.game.seats
        self._count: Final = count
        self._seats: Final[i64] = seats
        self._observer: Final = observer
        self._keeps_last: Final = keeps_last
        rows = count * seats if keeps_last else 0
        self.obs: Final[vec[u8]] = vec[u8](bytes(rows * observer.size))
        self.extras: Final[vec[u8]] = vec[u8](bytes(rows * observer.extras))
        self.actor: Final[vec[i64]] = vec[i64]([OVER] * count)
        self.done: Final[vec[u8]] = vec[u8](bytes(count))
        self.returns: Final[vec[float]] = vec[float]([0.0] * (count * seats))
        self.has_rewards = False
        self.rewards: Final[vec[float]] = vec[float]([0.0] * (count * seats))
        self._collected: Final[vec[float]] = vec[float]([0.0] * (count * seats))

    def reset(self) -> None:
        """Clear the results of games that ended in the previous step."""
        seats = self._seats
        i: i64 = 0
        while i < self._count:
            if self.done[i] != RUNNING:
                self.done[i] = RUNNING
                self.actor[i] = OVER
                k = i * seats
                while k < (i + 1) * seats:
                    self.returns[k] = 0.0
                    k += 1
                if self._keeps_last:
                    size = seats * self._observer.size
                    clear(self.obs, i * size, size)
                    size = seats * i64(self._observer.extras)
                    clear(self.extras, i * size, size)
            i += 1
        i = 0
        while self.has_rewards and i < self._count * seats:
            self.rewards[i] = 0.0
            i += 1

    def begin(self, i: i64, state: State) -> None:
        """Start game i at this state."""
        self.has_rewards = overrides_rewards(state)
        if self.has_rewards:
            at = i * self._seats
            for value in state.rewards():
                self._collected[at] = value
                at += 1

    def collect(self, i: i64, collected: tuple[float, ...]) -> None:
        """Reward the seats of game i with what they collected since the last call."""
        if self.has_rewards:
            at = i * self._seats
            for value in collected:
                self.rewards[at] = value - self._collected[at]
                self._collected[at] = value
                at += 1

    def finish(self, i: i64, state: State) -> None:
        """End game i with this state's result."""
        result = state.result()
        if result is None:
            raise ContractError(f"{state.game.name} is over but result() returned None")
        self._end(i, state, result.returns)

    def forfeit(self, i: i64, state: State, loser: i64) -> None:
        """End game i by a seat's forfeit."""
        game = self._observer.game
        self._end(i, state, forfeit_returns(game.utility, game.teams, loser))

    def _end(self, i: i64, state: State, returns: tuple[float, ...]) -> None:
        at = i * self._seats
        for value in returns:
            self.returns[at] = value
            at += 1
        self.collect(i, returns)
        self.done[i] = FINISHED
        self._keep(i, state)

    def truncate(self, i: i64, state: State) -> None:
        """Truncate game i at this state."""
        if self.has_rewards:
            self.collect(i, state.rewards())
        self.done[i] = TRUNCATED
        self.actor[i] = state.actor
        self._keep(i, state)

    def _keep(self, i: i64, state: State) -> None:
        """Write the final observation of every seat."""
        if not self._keeps_last:
            return
        observer = self._observer
        seat: i64 = 0
        while seat < self._seats:
            row = i * self._seats + seat
            at, further = row * observer.size, row * i64(observer.extras)
            observer.write_both(state, seat, self.obs, at, self.extras, further)
            seat += 1

    # For saved batches.

    def row(self, i: i64) -> tuple[list[float], bytes, bytes]:
        """Return the returns of game i and the final observations and extras of its seats."""
        size = self._seats * self._observer.size
        extras = self._seats * i64(self._observer.extras)
        return (
            [self.returns[i * self._seats + seat] for seat in range(self._seats)],
            bytes(memoryview(self.obs)[i * size : (i + 1) * size]),
            bytes(memoryview(self.extras)[i * extras : (i + 1) * extras]),
        )

    def set_rewards(self, rewards: list[float]) -> None:
        """Restore the rewards of the last step."""
        for at, value in enumerate(rewards):
            self.rewards[at] = value

    def set_row(
        self, i: i64, done: i64, actor: i64, returns: list[float], obs: bytes, extras: bytes
    ) -> None:
        """Restore the values of `row`, and how the game ended."""
        self.done[i] = u8(done)
        self.actor[i] = actor
        for seat, value in enumerate(returns):
            self.returns[i * self._seats + seat] = value
        place = i * self._seats * self._observer.size
        for byte in obs:
            self.obs[place] = u8(byte)
            place += 1
        place = i * self._seats * i64(self._observer.extras)
        for byte in extras:
            self.extras[place] = u8(byte)
            place += 1
