"""Agents that hardly look ahead: random, greedy, and the one that knows the solution."""

from typing import ClassVar

from parlour.agents.base import (
    BLUNDER,
    SEED,
    Agent,
    Analysis,
    Choice,
    Clock,
    Limit,
    check_decision,
    line_of,
    refuse_secrets,
)
from parlour.core.errors import AgentError
from parlour.core.game import CHANCE, Game, State
from parlour.core.heuristics import Heuristics
from parlour.core.options import Option

# In a game with secrets an evaluation is averaged over so many worlds that may be the true one.
WORLDS = 16


class RandomAgent(Agent):
    """Any legal action, each equally likely."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (SEED,)

    def __init__(self, seed: int = 0) -> None:
        """Drawn by that seed."""
        super().__init__(seed)

    def best(self, state: State, limit: Limit | None = None) -> int:
        """Drawn at random."""
        return state.sample(self.rng)

    def analyse(self, state: State) -> Analysis:
        """Every action, in random order, each worth as much as any other."""
        check_decision(state)
        actions = list(state.legal_actions())
        for i in range(len(actions) - 1, 0, -1):
            j = self.rng.below(i + 1)
            actions[i], actions[j] = actions[j], actions[i]
        texts = (state.game.action_to_text(state, action) for action in actions)
        choices = tuple(
            Choice(action, text, 0.0, 0, 0, (text,))
            for action, text in zip(actions, texts, strict=True)
        )
        return Analysis(choices, 0, 0.0)


class GreedyAgent(Agent):
    """One ply with the game's evaluation; ties are broken at random."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (SEED, BLUNDER)

    def analyse(self, state: State) -> Analysis:
        """Every action by what the position after it is worth."""
        check_decision(state)
        clock = Clock(0, 0.0, self.now)
        seat = int(state.actor)
        heuristics = self.heuristics_for(state.game)
        worlds = [state]
        if state.game.has_secrets:
            worlds = [state.determinize(seat, self.rng) for _ in range(WORLDS)]
        ranked = []
        for action in state.legal_actions():
            values = [expected(world.apply(action), seat, heuristics) for world in worlds]
            value = sum(values) / len(worlds)
            ranked.append((-value, self.rng.next32(), action))
        ranked.sort()
        choices = tuple(
            Choice(action, text, -value, 0, 1, (text,))
            for value, _, action in ranked
            for text in (state.game.action_to_text(state, action),)
        )
        return Analysis(choices, len(choices) * len(worlds), clock.elapsed())


def expected(state: State, seat: int, heuristics: Heuristics) -> float:
    """Return the evaluation, averaged over the outcomes where chance is to act."""
    if state.actor != CHANCE:
        return heuristics.evaluate(state, seat)
    return sum(
        probability * expected(state.apply(outcome), seat, heuristics)
        for outcome, probability in state.chance_outcomes()
    )


class ExactAgent(Agent):
    """Plays the shortest way to win, in games that have a solver."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (SEED, BLUNDER)

    def check_game(self, game: Game) -> None:
        """`AgentError` if the game has secrets, or no solver."""
        refuse_secrets("exact", game)
        if not game.guide().has_solver:
            raise AgentError(f"{game.name} has no solver; use another agent than exact")

    def analyse(self, state: State) -> Analysis:
        """The one choice that the solution makes.

        Where there is no way to win any more, what `greedy` thinks; `AgentError` if the game
        has no solver.
        """
        check_decision(state)
        self.check_game(state.game)
        clock = Clock(0, 0.0, self.now)
        moves = state.game.guide().solution(state)
        if moves is None:
            return GreedyAgent(self.rng.next32(), 0.0).analyse(state)
        line = line_of(state, moves)
        choice = Choice(moves[0], line[0], 1.0, 0, len(moves), line, ends_in=len(moves))
        return Analysis((choice,), len(moves), clock.elapsed())
