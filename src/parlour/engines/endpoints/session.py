"""The game of an endpoint and its agents, independent of the protocol."""

import contextlib
import math
import secrets
import time
from collections.abc import Sequence

from parlour.agents import Agent, Limit, Occasion, SeatedAgent, agent
from parlour.agents.base import LARGEST_SHARE, LONGEST_TIME, MARGIN
from parlour.agents.levels import DelegatingAgent
from parlour.agents.registry import agent_settings, agent_text, seeded, settings_of
from parlour.core.errors import AgentError, ParlourError
from parlour.core.game import OVER, Game, State

WORK = ("nodes", "sims")
"""The settings that limit an agent's work per move; protocols call both nodes."""


def limit_for(seconds: float) -> Limit:
    """Return a clock on which our agents use this many seconds for one move."""
    left = (seconds + MARGIN) / LARGEST_SHARE
    return Limit(left, left)


class EngineSession:
    """A line of play, and an agent for each seat that was asked to move.

    Before an agent is asked it receives the whole line, or restarts if the line has changed.
    """

    def __init__(self, game: Game, text: str, start_seed: int = 0, seed: int | None = None) -> None:
        """Create the session; raises `AgentError` or `OptionError` if the agent cannot play."""
        self.text = text
        self.start_seed = start_seed
        self.seed = secrets.randbits(32) if seed is None else seed
        self.opinion: float | None = None
        """The value of the last choice, from -1 to 1."""
        self._is_stopped = False
        self._seated: dict[tuple[int, str], SeatedAgent] = {}
        self._synced: dict[tuple[int, str], tuple[list[State], list[int]]] = {}
        self.check(game, text)
        self.reset(game)

    @staticmethod
    def check(game: Game, text: str) -> None:
        """Raise `AgentError` or `OptionError` if the agent cannot play the game."""
        agent(text).check_game(game)

    # The line of play.

    @property
    def game(self) -> Game:
        """The game with its current options."""
        game: Game = self.states[0].game
        return game

    @property
    def state(self) -> State:
        """The current state."""
        return self.states[-1]

    def reset(self, game: Game | None = None) -> None:
        """Start a new game, perhaps with other rules."""
        played = self.game if game is None else game
        self.states: list[State] = [played.start(self.start_seed)]
        self.actions: list[int] = []
        self._synced.clear()

    def play(self, actions: Sequence[int]) -> None:
        """Play these actions; raises `IllegalAction` without changes if one is illegal."""
        states = [self.state]
        for action in actions:
            states.append(states[-1].play(action))
        self.states += states[1:]
        self.actions += actions

    def undo(self) -> None:
        """Undo the last action; raises `AgentError` if there is none."""
        if not self.actions:
            raise AgentError("nothing to undo")
        self.states.pop()
        self.actions.pop()

    def set_position(
        self, first: State, actions: Sequence[int], is_same_game: bool = False
    ) -> None:
        """Replace the line of play; the actions must be legal from `first` on.

        With `is_same_game`, agents are not restarted.
        """
        states = [first]
        for action in actions:
            states.append(states[-1].play(action))
        self.states, self.actions = states, list(actions)
        if is_same_game:
            for key in self._synced:
                self._synced[key] = (list(states), list(actions))

    # Agents.

    def choose(self, limit: Limit | None = None, **bounds: int) -> int:
        """Return our agent's choice; `bounds` limits `nodes` or `depth` for this choice.

        Raises `AgentError` if no seat is to act or the agent has no such limit, and `AgentFault` if
        it
        fails.
        """
        state = self.state
        seat = int(state.actor)
        if seat < 0:
            what = "the game is over" if seat == OVER else "chance is to act"
            raise AgentError(f"no seat is to move: {what}")
        text = self._text(bounds)
        key = (seat, text)
        seated = self._seated.get(key)
        if seated is None:
            seated = self._seated[key] = SeatedAgent(self._agent(text), seat, b"")
        self._sync(key, seated)
        self._is_stopped = False
        action = seated.choose(state, self._default(text) if limit is None else limit)
        self.opinion = seated.player.opinion
        return action

    def stop(self) -> None:
        """Stop an agent that is thinking on a clock."""
        self._is_stopped = True

    def set_agent(self, text: str) -> None:
        """Change the agent; raises `AgentError` or `OptionError` if it cannot play."""
        self.check(self.game, text)
        self.close()
        self.text = text

    def set_seed(self, seed: int) -> None:
        """Change the seed of the agents."""
        self.close()
        self.seed = seed

    def close(self) -> None:
        """Close the agents."""
        for seated in self._seated.values():
            with contextlib.suppress(ParlourError):
                seated.close()
        self._seated.clear()
        self._synced.clear()

    def _agent(self, text: str) -> Agent:
        settings = {"time": LONGEST_TIME - 1} if self._default(text) is not None else {}
        made = agent(seeded(text, self.seed), **settings)
        made.now = self._now
        return made

    def _now(self) -> float:
        """Return the agents' clock: after `stop` all time is up."""
        return math.inf if self._is_stopped else time.perf_counter()

    def _default(self, text: str) -> Limit | None:
        """Return the clock of an agent whose text sets no time.

        The agent itself is created with the largest time, so that a host can give it more than its
        default.
        """
        name, given = settings_of(text)
        for option in agent_settings(name):
            if option.name == "time" and isinstance(option.default, float | int):
                return None if "time" in given else limit_for(float(option.default))
        return None

    def _text(self, bounds: dict[str, int]) -> str:
        """Return the agent's text with these limits instead of its own."""
        if not bounds:
            return self.text
        made = agent(self.text)
        text = made.text_for(self.game) if isinstance(made, DelegatingAgent) else self.text
        name, given = settings_of(text)
        known = [option.name for option in agent_settings(name)]
        left = {key: value for key, value in given.items() if key not in (*WORK, "depth", "time")}
        for word, value in bounds.items():
            names = WORK if word == "nodes" else (word,)
            taken = [each for each in names if each in known]
            if not taken:
                raise AgentError(f"{name} has no limit on {word}")
            left[taken[0]] = value
        return seeded(agent_text(name, left), self.seed)

    def _sync(self, key: tuple[int, str], seated: SeatedAgent) -> None:
        states, actions = self._synced.get(key, ([], []))
        count = len(actions)
        if not states or states[0] != self.states[0] or actions != self.actions[:count]:
            seated.begin(self.states[0], Occasion(self.start_seed))
            count = 0
        for at in range(count, len(self.actions)):
            seated.watch(self.states[at], self.actions[at], self.states[at + 1])
        self._synced[key] = (list(self.states), list(self.actions))
