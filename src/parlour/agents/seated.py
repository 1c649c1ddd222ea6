"""An agent in a seat: it observes the game, chooses on its turn, and sees only what its seat may.

This is the only place where states are prepared for an agent. Hidden information is sampled
with a generator that depends on a secret of the game's owner, the seat and the number of the
event. It never depends on the agent, which could guess its own seed, so a repetition of the
game samples the same.
"""

from hashlib import blake2b

from parlour.agents.base import Agent, Analysis, Limit, Occasion
from parlour.agents.guard import analysis_of, check_legal, choice_of, guarded
from parlour.core.game import State, is_shown
from parlour.core.rng import Rng


def seat_view(state: State, seat: int, secret: bytes, number: int) -> State:
    """Return the state as the player of that seat may see it.

    In a game without hidden information it is the state itself. Otherwise it is a state that is
    consistent with the seat's observations; equal secrets, seats and numbers give equal states.

    >>> import parlour
    >>> from parlour.agents import seat_view
    >>> state = parlour.game("octa").start()
    >>> seat_view(state, 0, b"secret", 0) is state
    True
    """
    if not state.game.has_secrets:
        return state
    words = b"%d/%d/" % (seat, number) + secret
    seed = int.from_bytes(blake2b(words, digest_size=8).digest(), "big")
    return state.determinize(seat, Rng(seed))


class SeatedAgent:
    """An agent in its seat, used by the owner of a game.

    The owner passes every event in order and keeps the true state. After a takeback or when a
    game is resumed it calls `begin` and every `watch` again. Each method raises `AgentFault` if
    the agent fails.

    >>> import parlour
    >>> from parlour.agents import SeatedAgent
    >>> SeatedAgent(parlour.agent("random:seed=1"), 0, b"secret")
    <SeatedAgent parlour.agent('random:seed=1') in seat 0>
    """

    def __init__(self, player: Agent, seat: int, secret: bytes) -> None:
        """Seat the agent; no player may know `secret`."""
        self.player = player
        self.seat = seat
        self._secret = secret
        self._events = 0
        # An agent that does not override these methods needs no view and no copy.
        self._overrides_begin = type(player).begin is not Agent.begin
        self._overrides_watch = type(player).watch is not Agent.watch

    def __repr__(self) -> str:
        """Return the agent and its seat, without the secret."""
        return f"<SeatedAgent {self.player!r} in seat {self.seat}>"

    def begin(self, start: State, occasion: Occasion | None = None) -> None:
        """Start a game; `occasion` describes it."""
        self._events = 0
        if occasion is not None:
            self.player.occasion = occasion
        if self._overrides_begin:
            view = self._view(start)
            guarded(lambda: self.player.begin(view.scratch(), self.seat))

    def watch(self, before: State, action: int, after: State) -> None:
        """Pass on an action of any seat or of chance."""
        self._events += 1
        if self._overrides_watch:
            shown = action if is_shown(before.game, before, action, self.seat) else None
            view = self._view(after)
            guarded(lambda: self.player.watch(shown, view.scratch()))

    def choose(self, state: State, limit: Limit | None = None) -> int:
        """Return the agent's choice, which is legal in this state."""
        view = self._view(state)
        chosen = choice_of(self.player, view, limit)
        if view is not state:
            check_legal(state, chosen)
        return chosen

    def analyse(self, state: State) -> Analysis:
        """Return the agent's analysis, with at least one choice."""
        return analysis_of(self.player, self._view(state))

    def close(self) -> None:
        """Release the agent's resources."""
        guarded(self.player.close)

    def _view(self, state: State) -> State:
        return seat_view(state, self.seat, self._secret, self._events)
