"""Agents that hardly look ahead: random, greedy, and the one that knows the solution."""

from parlour.agents.base import Agent, Analysis, Choice, Clock, check_decision, line_of
from parlour.core.errors import AgentError
from parlour.core.game import CHANCE, Game, State


class RandomAgent(Agent):
    """Any legal action, each equally likely."""

    def best(self, state: State) -> int:
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

    def analyse(self, state: State) -> Analysis:
        """Every action by what the position after it is worth."""
        check_decision(state)
        clock = Clock(0, 0.0)
        seat = state.actor
        ranked = []
        for action in state.legal_actions():
            value = expected(state.apply(action), seat)
            ranked.append((-value, self.rng.next32(), action))
        ranked.sort()
        choices = tuple(
            Choice(action, text, -value, 0, 1, (text,))
            for value, _, action in ranked
            for text in (state.game.action_to_text(state, action),)
        )
        return Analysis(choices, len(choices), clock.elapsed())


def expected(state: State, seat: int) -> float:
    """The evaluation, averaged over the outcomes where chance is to act."""
    if state.actor != CHANCE:
        return state.evaluate(seat)
    return sum(
        probability * expected(state.apply(outcome), seat)
        for outcome, probability in state.chance_outcomes()
    )


class ExactAgent(Agent):
    """Plays the shortest way to win, in games that have a solver."""

    def check_game(self, game: Game) -> None:
        """`AgentError` if the game has no solver."""
        if type(game).solution is Game.solution:
            raise AgentError(f"{game.name} has no solver; use another agent than exact")

    def analyse(self, state: State) -> Analysis:
        """The one choice that the solution makes.

        Where there is no way to win any more, what `greedy` thinks; `AgentError` if the game
        has no solver.
        """
        check_decision(state)
        self.check_game(state.game)
        clock = Clock(0, 0.0)
        moves = state.solution()
        if moves is None:
            return GreedyAgent(self.rng.next32(), 0.0).analyse(state)
        line = line_of(state, moves)
        choice = Choice(moves[0], line[0], 1.0, 0, len(moves), line)
        return Analysis((choice,), len(moves), clock.elapsed())
