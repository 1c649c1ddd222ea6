"""PettingZoo environment: agents take turns in one game."""

import time
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from parlour.core.checks import shown
from parlour.core.errors import IllegalAction, OptionError
from parlour.core.game import Game
from parlour.envs import rendering, settings
from parlour.envs.episode import Episode, new_episode
from parlour.envs.errors import NotRunning
from parlour.envs.observation import Observation, ObservationEncoder


class AecEnv(AECEnv[str, Observation, int | None]):  # type: ignore[misc]
    """AEC environment of any game, with the agents `player_0` and so on; chance is sampled inside.

    Rewards are 0 until the end, when every agent gets its return. The action mask of an agent
    that is not to act is all zeros.
    """

    def __init__(
        self,
        game: Game,
        *,
        render_mode: object = None,
        flat: object = False,
        illegal: object = settings.RAISE,
        max_plies: object = None,
        statistics: object = False,
    ) -> None:
        """See `parlour.envs.aec`."""
        self.game = game
        self.render_mode = rendering.check_mode(render_mode)
        self._illegal: str = settings.one_of("illegal", illegal, [settings.RAISE, settings.LOSE])
        self._max_plies = settings.optional_count("max_plies", max_plies)
        self._has_statistics = settings.flag("statistics", statistics)
        self._encoder = ObservationEncoder(game, settings.flag("flat", flat))
        self.metadata = {
            "name": f"parlour_{game.name}_v0",
            "render_modes": list(rendering.MODES),
            "render_fps": rendering.FRAMES_PER_SECOND,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        # Separate spaces, because PettingZoo seeds them per agent.
        self.observation_spaces = {
            agent: ObservationEncoder(game, self._encoder.flat).space
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents
        }
        self.agents: list[str] = []
        self.np_random: np.random.Generator | None = None
        self.now = time.perf_counter
        self._episode: Episode | None = None
        self._is_closed = False

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent, the same object each time."""
        self._seat_of(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of an agent, the same object each time."""
        self._seat_of(agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; a seed makes this one and the following ones reproducible.

        `options` is part of PettingZoo's interface and ignored.
        """
        self._check_open()
        settings.check_seed(seed)
        if seed is not None or self.np_random is None:
            self.np_random, _ = seeding.np_random(seed)
        self._episode = new_episode(self.game, self._draw, self._max_plies)
        self._episode.began = self.now()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select(self._episode.actor)
        self._show()

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent in new arrays."""
        seat = self._seat_of(agent)
        return self._encoder.observe(self._running().state, seat)

    def step(self, action: int | None) -> None:
        """Apply the action of the selected agent; `None` if its episode is over.

        Raises `IllegalAction` with the rule that forbids the action; the environment is unchanged.
        """
        episode = self._running()
        if not self.agents:
            raise NotRunning("the episode is over for all agents: reset the environment")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise IllegalAction(
                    f"the episode is over for {agent}: its action must be None, not {shown(action)}"
                )
            self._was_dead_step(None)
            return
        mover, before = episode.actor, episode.collected()
        episode.decide(action, self._illegal)
        self._cumulative_rewards[agent] = 0.0
        for each, old, new in zip(self.agents, before, episode.collected(), strict=True):
            self.rewards[each] = new - old
        self._accumulate_rewards()
        if episode.is_over:
            self._end(episode)
            self._select((mover + 1) % self.game.seats)
        else:
            self._select(episode.actor)
        self._show()

    def render(self) -> Any:
        """Render the spectator's view: return a text or an array, or print it and return `None`."""
        return rendering.frame(self.render_mode, self._running().state, None)

    def close(self) -> None:
        """Close the environment; closing it again is a no-op."""
        self._is_closed = True

    def _draw(self) -> int:
        assert self.np_random is not None
        return int(self.np_random.integers(2**62))

    def _select(self, seat: int) -> None:
        self.agent_selection = self.possible_agents[seat]
        if self._encoder.flat:
            state = self._running().state
            for agent in self.agents:
                mask = self._encoder.mask(state, self._seats[agent])
                self.infos[agent]["action_mask"] = mask

    def _end(self, episode: Episode) -> None:
        for seat, agent in enumerate(self.agents):
            if episode.returns is not None:
                self.terminations[agent] = True
            else:
                self.truncations[agent] = True
            if self._has_statistics:
                self.infos[agent]["episode"] = episode.statistics(seat, self.now())

    def _show(self) -> None:
        if self.render_mode == rendering.HUMAN:
            self.render()

    def _seat_of(self, agent: object) -> int:
        seat = self._seats.get(agent) if isinstance(agent, str) else None
        if seat is None:
            raise OptionError(
                f"unknown agent {shown(agent)}; the agents are {', '.join(self.possible_agents)}"
            )
        return seat

    def _running(self) -> Episode:
        self._check_open()
        if self._episode is None:
            raise NotRunning("reset the environment first")
        return self._episode

    def _check_open(self) -> None:
        if self._is_closed:
            raise NotRunning("the environment is closed: make a new one")
