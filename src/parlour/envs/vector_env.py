"""Gymnasium vector environment for self-play: many games, and all seats learn."""

import time
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from parlour.core.checks import shown, type_name
from parlour.core.endings import FINISHED, TRUNCATED
from parlour.core.errors import IllegalAction, OptionError
from parlour.core.game import Game
from parlour.envs import settings
from parlour.envs.batches import BatchSettings, LocalGames
from parlour.envs.errors import ActionsError, NotRunning, WorkerLost
from parlour.envs.observation import Observation, ObservationEncoder
from parlour.envs.workers import WorkerGames

Step = tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


INFO_ARRAYS = {
    "actor": "actor",
    "acted": "acted",
    "returns": "returns",
    "start_seed": "start_seeds",
}
"""The infos of every step, and the array that each comes from."""


class SelfPlayEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Self-play: each game shows the observation and action mask of the seat to act.

    The reward is the return of the seat that has just acted, 0 before the end. A finished game
    restarts in the same step.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: Game,
        num_envs: object,
        *,
        processes: object = 1,
        copy: object = True,
        flat: object = False,
        illegal: object = settings.RAISE,
        max_plies: object = None,
        starts: object = None,
        statistics: object = False,
    ) -> None:
        """See `parlour.envs.vector`."""
        self.game = game
        self.num_envs = settings.count("num_envs", num_envs, 1)
        self._process_count = min(settings.count("processes", processes, 1), self.num_envs)
        self._copies = settings.flag("copy", copy)
        self._encoder = ObservationEncoder(game, settings.flag("flat", flat))
        if self._encoder.flat and not self._copies:
            raise OptionError("flat observations are always copied: leave out copy=False")
        self._settings = BatchSettings(
            game,
            settings.optional_count("max_plies", max_plies),
            settings.optional_count("starts", starts),
            settings.one_of("illegal", illegal, [settings.RAISE, settings.LOSE]),
        )
        self._has_statistics = settings.flag("statistics", statistics)
        self.single_observation_space = self._encoder.space
        self.single_action_space = self._encoder.actions
        self.observation_space = batch_space(self._encoder.space, self.num_envs)
        self.action_space = spaces.MultiDiscrete([game.num_actions] * self.num_envs)
        self.now = time.perf_counter
        self._games: LocalGames | WorkerGames | None = None
        self._rows = np.arange(self.num_envs)
        self._everywhere = np.ones(self.num_envs, np.bool_)
        self._lengths = np.zeros(self.num_envs, np.int64)
        self._began = np.zeros(self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Restart all games; a seed makes them reproducible.

        `options` is part of Gymnasium's interface and ignored.
        """
        self._check_open()
        settings.check_seed(seed)
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(2**62))
        if self._games is not None:
            self._games.reset(drawn)
        elif self._process_count == 1:
            self._games = LocalGames(self._settings, self.num_envs, drawn)
        else:
            self._games = WorkerGames(self._settings, self.num_envs, drawn, self._process_count)
        self._began[:] = self.now()
        self._lengths[:] = 0
        return self._seen(), self._infos()

    def step(self, actions: Any) -> Step:
        """Apply one action in every game, given as an array of ids.

        Raises `IllegalAction`, which names the game and the rule, and `ActionsError` for a wrong
        array. The environment is unchanged in both cases.
        """
        games = self._running()
        ids = self._checked(actions)
        try:
            games.step(ids)
        except (WorkerLost, KeyboardInterrupt):
            # Some games have advanced, and answers may be in transit.
            self.close()
            raise
        arrays = games.arrays
        done = arrays["done"]
        rewards = arrays["rewards"][self._rows, arrays["acted"]]
        self._lengths += 1
        infos = self._infos()
        if done.any():
            self._add_ends(infos)
        return self._seen(), rewards, done == FINISHED, done == TRUNCATED, infos

    def sample(self) -> NDArray[np.int64]:
        """Return a uniformly random legal action for each game, sampled with `np_random`."""
        # numpy scans bools several times faster than ints.
        ids = np.flatnonzero(self._running().arrays["mask"].view(np.bool_))
        bounds = np.arange(self.num_envs + 1) * self.game.num_actions
        firsts = np.searchsorted(ids, bounds)
        counts = np.diff(firsts)
        chosen = firsts[:-1] + (self.np_random.random(self.num_envs) * counts).astype(np.int64)
        drawn: NDArray[np.int64] = ids[chosen] - self._rows * self.game.num_actions
        return drawn

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the worker processes."""
        if self._games is not None:
            self._games.close()
            self._games = None

    def __reduce__(self) -> Any:
        """Refuse to be copied: it holds memory and perhaps processes."""
        raise TypeError(
            "a vector environment cannot be copied or pickled; use parlour.Batch to save games"
        )

    def _checked(self, actions: object) -> NDArray[np.int64]:
        try:
            given = np.asarray(actions)
        except (TypeError, ValueError):
            raise ActionsError(
                f"actions must be an array of {self.num_envs} ids, not {type_name(actions)}"
            ) from None
        if given.dtype.kind not in "iu":
            raise ActionsError(f"actions must be ints, not {given.dtype}")
        if given.shape != (self.num_envs,):
            raise ActionsError(
                f"actions must have the shape ({self.num_envs},), one per game, not {given.shape}"
            )
        wrong = (given < 0) | (given >= self.game.num_actions)
        if wrong.any():
            index = int(np.argmax(wrong))
            raise ActionsError(
                f"game {index}: an action must be from 0 to {self.game.num_actions - 1}, "
                f"not {given[index]}"
            )
        ids = np.ascontiguousarray(given, np.int64)
        if self._settings.illegal == settings.RAISE:
            self._check_legal(ids)
        return ids

    def _check_legal(self, ids: NDArray[np.int64]) -> None:
        games = self._running()
        allowed = games.arrays["mask"][self._rows, ids]
        if not allowed.all():
            index = int(np.argmin(allowed))
            raise IllegalAction(f"game {index}: {games.refusal(index, int(ids[index]))}")

    def _seen(self) -> Observation:
        arrays = self._running().arrays
        if self._encoder.flat:
            return self._encoder.flattened(arrays["obs"], arrays["extras"])
        seen = self._encoder.batched(arrays["obs"], arrays["extras"])
        seen["action_mask"] = arrays["mask"]
        if self._copies:
            return {name: array.copy() for name, array in seen.items()}
        return {name: _locked(array) for name, array in seen.items()}

    def _infos(self) -> dict[str, Any]:
        arrays = self._running().arrays
        infos: dict[str, Any] = {}
        for name, array in INFO_ARRAYS.items():
            infos[name] = arrays[array].copy()
            infos[f"_{name}"] = self._everywhere
        if self._encoder.flat:
            infos["action_mask"] = arrays["mask"].copy()
            infos["_action_mask"] = self._everywhere
        return infos

    def _add_ends(self, infos: dict[str, Any]) -> None:
        """Add the infos of games that ended in this step, by Gymnasium's names.

        The final observation of a truncated game is that of the seat to act next, otherwise that of
        the seat that acted last. Its action mask is all zeros.
        """
        arrays = self._running().arrays
        ended = arrays["done"] != 0
        lasts = np.full(self.num_envs, None, object)
        for index in np.flatnonzero(ended):
            seat = arrays["final_actor"][index]
            seat = seat if seat >= 0 else arrays["acted"][index]
            planes = arrays["final_obs"][index, seat][None]
            extras = arrays["final_extras"][index, seat][None]
            if self._encoder.flat:
                lasts[index] = self._encoder.flattened(planes, extras)[0]
                continue
            parts = self._encoder.batched(planes, extras)
            lasts[index] = {name: array[0].copy() for name, array in parts.items()}
            lasts[index]["action_mask"] = np.zeros(self.game.num_actions, np.int8)
        infos["final_obs"], infos["_final_obs"] = lasts, ended
        if self._has_statistics:
            now = self.now()
            infos["episode"] = {
                "r": arrays["returns"].copy(),
                "l": np.where(ended, self._lengths, 0),
                "t": np.where(ended, np.round(now - self._began, 6), 0.0),
            }
            infos["_episode"] = ended
            self._began[ended] = now
        self._lengths[ended] = 0

    def _running(self) -> LocalGames | WorkerGames:
        self._check_open()
        if self._games is None:
            raise NotRunning("reset the environment first")
        return self._games

    def _check_open(self) -> None:
        if self.closed:
            raise NotRunning("the environment is closed: make a new one")

    def __repr__(self) -> str:
        """Return the game and the number of games."""
        return f"<vector of {self.num_envs} games of {shown(self.game)}>"


def _locked(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view, because the array shares the games' memory."""
    view = array.view()
    view.flags.writeable = False
    return view
