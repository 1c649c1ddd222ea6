"""The game that an endpoint plays, and the agents that play it: nothing of a protocol."""

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
"""The settings that bound what an agent does for a move; a protocol calls both nodes."""


def limit_for(seconds: float) -> Limit:
    """The clock on which our agents take just so long for one move."""
    left = (seconds + MARGIN) / LARGEST_SHARE
    return Limit(left, left)


class EngineSession:
    """A line of play and an agent for each seat that was asked for a move.

    An agent is told of the whole line before it is asked, and anew when the line is another.
    """

    def __init__(self, game: Game, text: str, start_seed: int = 0, seed: int | None = None) -> None:
        """With agents of that text; `AgentError` or `OptionError` if they cannot play the game."""
        self.text = text
        self.start_seed = start_seed
        self.seed = secrets.randbits(32) if seed is None else seed
        self.opinion: float | None = None
        """What the last choice was thought to be worth, from -1 to 1."""
        self._is_stopped = False
        self._seated: dict[tuple[int, str], SeatedAgent] = {}
        self._told: dict[tuple[int, str], tuple[list[State], list[int]]] = {}
        self.check(game, text)
        self.reset(game)

    @staticmethod
    def check(game: Game, text: str) -> None:
        """`AgentError` or `OptionError` if such an agent cannot play such a game."""
        agent(text).check_game(game)

    # The line of play.

    @property
    def game(self) -> Game:
        """With the options of the moment."""
        game: Game = self.states[0].game
        return game

    @property
    def state(self) -> State:
        """The last position."""
        return self.states[-1]

    def reset(self, game: Game | None = None) -> None:
        """A new game, perhaps another one: agents are told that it begins."""
        played = self.game if game is None else game
        self.states: list[State] = [played.start(self.start_seed)]
        self.actions: list[int] = []
        self._told.clear()

    def play(self, actions: Sequence[int]) -> None:
        """Go on with these; for one that is not legal `IllegalAction`, and nothing changes."""
        states = [self.state]
        for action in actions:
            states.append(states[-1].play(action))
        self.states += states[1:]
        self.actions += actions

    def undo(self) -> None:
        """Take the last action back; `AgentError` if there is none."""
        if not self.actions:
            raise AgentError("there is nothing to undo")
        self.states.pop()
        self.actions.pop()

    def place(self, first: State, actions: Sequence[int], is_same_game: bool = False) -> None:
        """Another line of play, legal from that state on.

        In the same game agents are not told that one begins: they are sent its positions.
        """
        states = [first]
        for action in actions:
            states.append(states[-1].play(action))
        self.states, self.actions = states, list(actions)
        if is_same_game:
            for key in self._told:
                self._told[key] = (list(states), list(actions))

    # Who plays.

    def choose(self, limit: Limit | None = None, **bounds: int) -> int:
        """What our agent plays here; `bounds` are `nodes` or `depth` for this choice.

        `AgentError` if nobody is to act, or the agent has no such bound; `AgentFault` if it
        goes wrong.
        """
        state = self.state
        seat = int(state.actor)
        if seat < 0:
            what = "the game is over" if seat == OVER else "a piece is about to show"
            raise AgentError(f"nobody is to move: {what}")
        text = self._text(bounds)
        key = (seat, text)
        seated = self._seated.get(key)
        if seated is None:
            seated = self._seated[key] = SeatedAgent(self._agent(text), seat, b"")
        self._tell(key, seated)
        self._is_stopped = False
        action = seated.choose(state, self._default(text) if limit is None else limit)
        self.opinion = seated.player.opinion
        return action

    def stop(self) -> None:
        """Let who thinks against a clock come to an end."""
        self._is_stopped = True

    def set_agent(self, text: str) -> None:
        """Let another agent play from now on; `AgentError` or `OptionError` if it cannot."""
        self.check(self.game, text)
        self.close()
        self.text = text

    def set_seed(self, seed: int) -> None:
        """Let agents draw by another seed from now on."""
        self.close()
        self.seed = seed

    def close(self) -> None:
        """Let the agents go."""
        for seated in self._seated.values():
            with contextlib.suppress(ParlourError):
                seated.close()
        self._seated.clear()
        self._told.clear()

    def _agent(self, text: str) -> Agent:
        settings = {"time": LONGEST_TIME - 1} if self._default(text) is not None else {}
        made = agent(seeded(text, self.seed), **settings)
        made.now = self._now
        return made

    def _now(self) -> float:
        """The agents' clock: after `stop` all time is up."""
        return math.inf if self._is_stopped else time.perf_counter()

    def _default(self, text: str) -> Limit | None:
        """The clock of an agent whose time is ours to choose, because its text chooses none.

        It is made with all the time there is, so that a host can give it more than its own.
        """
        name, given = settings_of(text)
        for option in agent_settings(name):
            if option.name == "time" and isinstance(option.default, float | int):
                return None if "time" in given else limit_for(float(option.default))
        return None

    def _text(self, bounds: dict[str, int]) -> str:
        """The agent's text with these bounds instead of its own."""
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
                raise AgentError(f"{name} has no bound on {word}")
            left[taken[0]] = value
        return seeded(agent_text(name, left), self.seed)

    def _tell(self, key: tuple[int, str], seated: SeatedAgent) -> None:
        states, actions = self._told.get(key, ([], []))
        count = len(actions)
        if not states or states[0] != self.states[0] or actions != self.actions[:count]:
            seated.begin(self.states[0], Occasion(self.start_seed))
            count = 0
        for at in range(count, len(self.actions)):
            seated.watch(self.states[at], self.actions[at], self.states[at + 1])
        self._told[key] = (list(self.states), list(self.actions))
