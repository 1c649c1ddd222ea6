"""A game as PettingZoo has them: agents take turns in one environment."""

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
from parlour.envs.observation import Observation, Sight


class AecEnv(AECEnv[str, Observation, int | None]):  # type: ignore[misc]
    """Any game: the agents are `player_0` and so on, and chance is drawn inside.

    Rewards are 0 until the end; then every agent gets its return. An agent that is not to
    act has a mask that is all 0.
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
        self._counts = settings.flag("statistics", statistics)
        self._sight = Sight(game, settings.flag("flat", flat))
        self.metadata = {
            "name": f"parlour_{game.name}_v0",
            "render_modes": list(rendering.MODES),
            "render_fps": rendering.FRAMES_PER_SECOND,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        # A space for each agent: they are seeded apart.
        self.observation_spaces = {
            agent: Sight(game, self._sight.flat).space for agent in self.possible_agents
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
        """The space of what an agent sees, the same object each time."""
        self._seat_of(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of what an agent does, the same object each time."""
        self._seat_of(agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; with a seed, this game and those after it can be repeated.

        PettingZoo hands over `options`; no game has any.
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
        """The position as that agent sees it, in fresh arrays."""
        seat = self._seat_of(agent)
        return self._sight.observe(self._running().state, seat)

    def step(self, action: int | None) -> None:
        """Make the decision of the agent to act; `None` for one whose game is over.

        `IllegalAction` says the rule against an action, and nothing has changed.
        """
        episode = self._running()
        if not self.agents:
            raise NotRunning("the episode is over for all agents: reset the environment")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise IllegalAction(
                    f"the episode is over for {agent}: its action is None, not {shown(action)}"
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
        """What a spectator sees: a text, an array, or `None` after it was printed."""
        return rendering.frame(self.render_mode, self._running().state, None)

    def close(self) -> None:
        """Nothing can be done with it any more; a second time does nothing."""
        self._is_closed = True

    def _draw(self) -> int:
        assert self.np_random is not None
        return int(self.np_random.integers(2**62))

    def _select(self, seat: int) -> None:
        self.agent_selection = self.possible_agents[seat]
        if self._sight.flat:
            state = self._running().state
            for agent in self.agents:
                mask = self._sight.mask(state, self._seats[agent])
                self.infos[agent]["action_mask"] = mask

    def _end(self, episode: Episode) -> None:
        for seat, agent in enumerate(self.agents):
            if episode.returns is not None:
                self.terminations[agent] = True
            else:
                self.truncations[agent] = True
            if self._counts:
                self.infos[agent]["episode"] = episode.statistics(seat, self.now())

    def _show(self) -> None:
        if self.render_mode == rendering.HUMAN:
            self.render()

    def _seat_of(self, agent: object) -> int:
        seat = self._seats.get(agent) if isinstance(agent, str) else None
        if seat is None:
            raise OptionError(
                f"the agents are {', '.join(self.possible_agents)}, not {shown(agent)}"
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
