"""OpenSpiel bots as agents: `openspiel:mcts,sims=200`.

They play any game without hidden information. OpenSpiel's C++ bots cannot play games that are
implemented in Python, so these are its Python bots.
"""

import numpy as np

from parlour.agents.base import (
    SEED,
    Agent,
    Analysis,
    Choice,
    Limit,
    check_decision,
    refuse_secrets,
)
from parlour.core.errors import MissingExtra
from parlour.core.game import Game, State
from parlour.core.options import choice, fraction, integer
from parlour.envs.openspiel import OpenSpielGame, OpenSpielState, wrapped

try:
    from open_spiel.python.algorithms import mcts
    from open_spiel.python.bots import uniform_random
except ModuleNotFoundError:
    raise MissingExtra("OpenSpiel is not installed: pip install open_spiel") from None

MCTS = "mcts"
RANDOM = "random"


class OpenSpielAgent(Agent):
    """Plays the choice of an OpenSpiel bot, which is created for the game at hand."""

    BARE = "bot"
    SETTINGS = (
        choice("bot", MCTS, (MCTS, RANDOM), "OpenSpiel bot"),
        integer("sims", 100, 1, 10_000_000, "simulations per move of mcts"),
        fraction("exploration", 2.0, 0, 100, "UCT exploration constant"),
        integer("rollouts", 1, 1, 1000, "rollouts per simulation of mcts"),
        SEED,
    )

    def __init__(
        self,
        bot: str = MCTS,
        sims: int = 100,
        exploration: float = 2.0,
        rollouts: int = 1,
        seed: int = 0,
    ) -> None:
        """Create a seeded numpy generator."""
        super().__init__(seed)
        self._bot = bot
        self._sims = sims
        self._exploration = exploration
        self._rollouts = rollouts
        self._random = np.random.RandomState(seed % 2**32)
        self._game: OpenSpielGame | None = None

    def check_game(self, game: Game) -> None:
        """Raise `AgentError` for games with hidden information."""
        refuse_secrets("openspiel", game)

    def analyse(self, state: State) -> Analysis:
        """Return the bot's choice, then the others by visits."""
        check_decision(state)
        self.check_game(state.game)
        if self._game is None or self._game.parlour_game != state.game:
            self._game = wrapped(state.game)
        asked = self._game.state_of(state)
        before = self.now()
        if self._bot == RANDOM:
            choices, work = self._drawn(state, asked), 0
        else:
            choices, work = self._searched(state, asked), self._sims
        return Analysis(choices, work, self.now() - before)

    def best(self, state: State, limit: Limit | None = None) -> int:
        """Return the bot's choice; clocks are ignored."""
        return super().best(state)

    def _drawn(self, state: State, asked: OpenSpielState) -> tuple[Choice, ...]:
        bot = uniform_random.UniformRandomBot(int(state.actor), self._random)
        return (_choice(state, int(bot.step(asked)), 0.0, 0),)

    def _searched(self, state: State, asked: OpenSpielState) -> tuple[Choice, ...]:
        evaluator = mcts.RandomRolloutEvaluator(self._rollouts, self._random)
        bot = mcts.MCTSBot(
            self._game, self._exploration, self._sims, evaluator, random_state=self._random
        )
        root = bot.mcts_search(asked)
        ranked = sorted(root.children, key=mcts.SearchNode.sort_key, reverse=True)
        return tuple(
            _choice(state, each.action, _value(each), each.explore_count) for each in ranked
        )


def _value(node: "mcts.SearchNode") -> float:
    """Return the expected or proven return."""
    if node.outcome is not None:
        return float(node.outcome[node.player])
    return float(node.total_reward / node.explore_count) if node.explore_count else 0.0


def _choice(state: State, action: int, value: float, visits: int) -> Choice:
    text = state.game.action_to_text(state, action)
    return Choice(action, text, value, visits, 0, (text,))
