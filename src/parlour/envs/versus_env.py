"""Gymnasium environment: one seat of a game against opponents."""

import time
from typing import Any, ClassVar, NamedTuple

import gymnasium
import numpy as np
from numpy.typing import NDArray

from parlour.core.game import CHANCE, Game, State
from parlour.envs import rendering, settings
from parlour.envs.episode import MOST_STARTS, Episode, no_decision
from parlour.envs.errors import NotRunning
from parlour.envs.observation import Mask, Observation, ObservationEncoder
from parlour.envs.players import (
    Player,
    Seeds,
    Source,
    check_players,
    close_all,
    player,
    sources,
)


class _PlayerSource(NamedTuple):
    """How to create the player of a seat again in this episode."""

    source: Source
    seeds: Seeds


class VersusEnv(gymnasium.Env[Observation, np.int64]):
    """A game against opponents: the reward at the end is the return of the learner's seat.

    The seat and its opponents are drawn for each episode.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": list(rendering.MODES),
        "render_fps": rendering.FRAMES_PER_SECOND,
    }

    def __init__(
        self,
        game: Game | str,
        *,
        opponents: object = "level:3",
        seat: object = None,
        render_mode: object = None,
        flat: object = False,
        illegal: object = settings.RAISE,
        max_plies: object = None,
        statistics: object = False,
        **options: Any,
    ) -> None:
        """See `parlour.envs.versus`."""
        self.game = settings.game_of(game, options)
        self.render_mode = rendering.check_mode(render_mode)
        self.seat: int | None = settings.seat_or_any(self.game, seat)
        """The requested seat, or `None`; `info["seat"]` is that of the episode."""
        self._opponents = sources(opponents)
        if self.game.seats > 1:
            check_players(self.game, self._opponents)
        self._illegal: str = settings.one_of("illegal", illegal, [settings.RAISE, settings.LOSE])
        self._max_plies = settings.optional_count("max_plies", max_plies)
        self._has_statistics = settings.flag("statistics", statistics)
        self._encoder = ObservationEncoder(self.game, settings.flag("flat", flat))
        self.observation_space = self._encoder.space
        self.action_space = self._encoder.actions
        self.now = time.perf_counter
        self._episode: Episode | None = None
        self._own = 0
        self._sources: dict[int, _PlayerSource] = {}
        self._players: dict[int, Player] = {}
        self._problem = "reset the environment first"
        """Why no step is possible now; empty while an episode runs."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode; play up to the first decision of the learner's seat.

        `options` is part of Gymnasium's interface and ignored.
        """
        self._check_open()
        settings.check_seed(seed)
        super().reset(seed=seed)
        for _ in range(MOST_STARTS):
            self._begin()
            if not self._running().is_over:
                break
        else:
            raise no_decision(self.game)
        self._problem = ""
        self._show()
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Apply an action; the opponents then play up to the next decision or the end.

        Raises `IllegalAction` with the rule that forbids the action; the environment is unchanged.
        """
        if self._problem:
            raise NotRunning(self._problem)
        episode = self._running()
        listeners = tuple(self._players.values())
        before = episode.collected()[self._own]
        episode.decide(action, self._illegal, listeners)
        self._problem = "an opponent has failed in this episode: reset the environment"
        self._play_others()
        self._problem = "the episode is over: reset the environment" if episode.is_over else ""
        self._show()
        reward = episode.collected()[self._own] - before
        over = episode.returns is not None
        return self._seen(), reward, over, episode.is_truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the action mask in the form that MaskablePPO needs."""
        self._check_open()
        return self._mask().astype(np.bool_)

    def render(self) -> Any:
        """Render the learner's view: return a text or an array, or print it and return `None`."""
        self._check_open()
        return rendering.frame(self.render_mode, self._running().state, self._own)

    def close(self) -> None:
        """Close the environment; closing it again is a no-op."""
        close_all(self._players)
        self._players = {}
        self._problem = _CLOSED

    def _begin(self) -> None:
        close_all(self._players)
        seats = self.game.seats
        self._own = self._below(seats) if self.seat is None else self.seat
        self._sources = {
            seat: _PlayerSource(self._opponents[self._below(len(self._opponents))], self._seeds())
            for seat in range(seats)
            if seat != self._own
        }
        self._players = self._made_players()
        self._episode = Episode(self.game, self._draw(), self._draw(), self._max_plies)
        self._episode.began = self.now()
        self._episode.begin(tuple(self._players.values()))
        self._play_others()

    def _made_players(self) -> dict[int, Player]:
        return {
            seat: player(chosen.source, self._encoder, seat, chosen.seeds)
            for seat, chosen in self._sources.items()
        }

    def _play_others(self) -> None:
        episode = self._running()
        listeners = tuple(self._players.values())
        while not episode.is_over and episode.actor != self._own:
            episode.play(self._players[episode.actor].choose(episode.state), listeners)

    def _seen(self) -> Observation:
        return self._encoder.observe(self._running().state, self._own, self._mask())

    def _mask(self) -> Mask:
        episode = self._running()
        if episode.is_over:
            return np.zeros(self.game.num_actions, np.int8)
        return self._encoder.mask(episode.state, self._own)

    def _info(self) -> dict[str, Any]:
        episode = self._running()
        info: dict[str, Any] = {"seat": self._own}
        if self._encoder.flat:
            info["action_mask"] = self._mask()
        if episode.is_over:
            info["returns"] = np.array(episode.returns or [0.0] * self.game.seats)
            if self._has_statistics:
                info["episode"] = episode.statistics(self._own, self.now())
        return info

    def _seeds(self) -> Seeds:
        return Seeds(self._draw(), self._draw())

    def _draw(self) -> int:
        return int(self.np_random.integers(2**62))

    def _below(self, limit: int) -> int:
        return int(self.np_random.integers(limit))

    def _show(self) -> None:
        if self.render_mode == rendering.HUMAN:
            self.render()

    def _running(self) -> Episode:
        if self._episode is None:
            raise NotRunning(self._problem)
        return self._episode

    def _check_open(self) -> None:
        if self._problem == _CLOSED:
            raise NotRunning(_CLOSED)

    # Copies and pickles recreate the opponents and replay the episode for them.

    def __getstate__(self) -> dict[str, Any]:
        """Return everything except the opponents."""
        return {**self.__dict__, "_players": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Recreate the opponents and replay the episode for them."""
        self.__dict__.update(state)
        self._players = {}
        if self._episode is not None and not self._problem:
            self._players = self._made_players()
            self._replay(self._episode)

    def _replay(self, episode: Episode) -> None:
        listeners = tuple(self._players.values())
        for each in listeners:
            each.begin(episode.start)
        before: State = episode.start
        for action in episode.actions:
            actor = int(before.actor)
            if actor != CHANCE and actor != self._own:
                # Its choice is known; asking again restores the state of its random generator.
                self._players[actor].choose(before)
            after = before.apply(action)
            for each in listeners:
                each.watch(before, action, after)
            before = after


_CLOSED = "the environment is closed: make a new one"
