"""One game from start to end, as environments and evaluations play it."""

import time
from collections.abc import Callable
from typing import Protocol

from parlour.core.checks import as_int, type_name
from parlour.core.errors import ContractError, IllegalAction
from parlour.core.game import CHANCE, OVER, Game, State, start_of
from parlour.core.result import forfeit_returns
from parlour.core.rng import Rng
from parlour.envs.settings import LOSE

MOST_STARTS = 1000


class Listener(Protocol):
    """Observer of a game."""

    def begin(self, start: State) -> None:
        """Start a game."""

    def watch(self, before: State, action: int, after: State) -> None:
        """Observe an action of a seat or of chance."""


class Episode:
    """One game: samples chance, keeps the history and notifies listeners."""

    def __init__(
        self, game: Game, start_seed: int, chance_seed: int, max_plies: int | None = None
    ) -> None:
        """Create the start; call `begin` to reach the first decision."""
        self.game = game
        self.start_seed = start_seed
        self.max_plies = max_plies
        self.start = self.state = start_of(game, start_seed)
        self.actions: list[int] = []
        """All actions, chance outcomes included."""
        self.plies = 0
        self.decisions = [0] * game.seats
        self.returns: tuple[float, ...] | None = None
        """The return of each seat once the game is over."""
        self.is_truncated = False
        self.began = time.perf_counter()
        self._chance = Rng(chance_seed)

    @property
    def is_over(self) -> bool:
        """Whether the episode has terminated or was truncated."""
        return self.returns is not None or self.is_truncated

    @property
    def actor(self) -> int:
        """The seat to act, or OVER."""
        return OVER if self.is_over else int(self.state.actor)

    def begin(self, listeners: tuple[Listener, ...] = ()) -> None:
        """Play up to the first decision."""
        for listener in listeners:
            listener.begin(self.start)
        self._deal(listeners)

    def refusal(self, action: object) -> str | None:
        """Return the rule that forbids an action of the seat to act, or `None`."""
        number = as_int(action)
        if number is None:
            return f"an action must be an int id, not {type_name(action)}"
        return self.state.refusal(number)

    def play(self, action: int, listeners: tuple[Listener, ...] = ()) -> None:
        """Apply a legal action and the chance outcomes that follow."""
        self.decisions[self.state.actor] += 1
        self.plies += 1
        self._apply(action, listeners)
        self._deal(listeners)
        if self.returns is None and self.plies == self.max_plies:
            self.is_truncated = True

    def forfeit(self) -> None:
        """End the game as a loss of the seat to act."""
        loser = int(self.state.actor)
        self.decisions[loser] += 1
        self.plies += 1
        self.returns = forfeit_returns(self.game.utility, self.game.teams, loser)

    def decide(self, action: object, illegal: str, listeners: tuple[Listener, ...] = ()) -> None:
        """Apply a legal action; an illegal one raises `IllegalAction` or loses the game."""
        reason = self.refusal(action)
        if reason is None:
            self.play(int(action), listeners)  # type: ignore[call-overload]
        elif illegal == LOSE and as_int(action) is not None:
            self.forfeit()
        else:
            raise IllegalAction(reason)

    def collected(self) -> tuple[float, ...]:
        """Return the cumulative reward of each seat: `State.rewards`, or the returns at the end."""
        return self.state.rewards() if self.returns is None else self.returns

    def statistics(self, seat: int, now: float) -> dict[str, float]:
        """Return the episode statistics of a seat by Gymnasium's names: return, length, seconds."""
        return {
            "r": self.collected()[seat],
            "l": self.decisions[seat],
            "t": round(now - self.began, 6),
        }

    def _apply(self, action: int, listeners: tuple[Listener, ...]) -> None:
        before = self.state
        self.state = before.apply(action)
        self.actions.append(action)
        for listener in listeners:
            listener.watch(before, action, self.state)

    def _deal(self, listeners: tuple[Listener, ...]) -> None:
        while self.state.actor == CHANCE:
            self._apply(int(self.state.sample(self._chance)), listeners)
        if self.state.actor == OVER:
            result = self.state.result()
            if result is None:
                raise ContractError(f"{self.game.name} is over but has no result")
            self.returns = tuple(float(value) for value in result.returns)


def new_episode(game: Game, draw: Callable[[], int], max_plies: int | None) -> Episode:
    """Return an episode with a decision to make, from seeds that `draw` returns."""
    for _ in range(MOST_STARTS):
        episode = Episode(game, draw(), draw(), max_plies)
        episode.begin()
        if not episode.is_over:
            return episode
    raise no_decision(game)


def no_decision(game: Game) -> ContractError:
    """Return the error for a game whose starts are all over already."""
    return ContractError(f"every start of {game.name} is over before the first decision")
