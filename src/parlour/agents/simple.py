"""Agents with little or no search: random, greedy, and the game's solver."""

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

# In games with hidden information, evaluations are averaged over this many sampled worlds.
WORLDS = 16


class RandomAgent(Agent):
    """Plays a random legal action."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (SEED,)

    def __init__(self, seed: int = 0) -> None:
        """Set the seed."""
        super().__init__(seed)

    def best(self, state: State, limit: Limit | None = None) -> int:
        """Return a random legal action."""
        return state.sample(self.rng)

    def analyse(self, state: State) -> Analysis:
        """Return every action in random order, with equal values."""
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
    """Searches one ply with the game's evaluation; breaks ties at random."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (SEED, BLUNDER)

    def analyse(self, state: State) -> Analysis:
        """Return every action, ordered by the evaluation of the position after it."""
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
    """Return the evaluation, averaged over the outcomes of chance."""
    if state.actor != CHANCE:
        return heuristics.evaluate(state, seat)
    return sum(
        probability * expected(state.apply(outcome), seat, heuristics)
        for outcome, probability in state.chance_outcomes()
    )


class ExactAgent(Agent):
    """Plays the shortest win, in games that have a solver."""

    SETTINGS: ClassVar[tuple[Option, ...]] = (SEED, BLUNDER)

    def check_game(self, game: Game) -> None:
        """Raise `AgentError` if the game has hidden information or no solver."""
        refuse_secrets("exact", game)
        if not game.guide().has_solver:
            raise AgentError(f"{game.name} has no solver; choose another agent")

    def analyse(self, state: State) -> Analysis:
        """Return the solver's choice, or the analysis of `greedy` if no win is left.

        Raises `AgentError` if the game has no solver.
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
