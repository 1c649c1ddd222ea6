"""One agent in one seat: it hears what happens, is asked when it is its turn, and sees no more
than its seat may know.

This is the only place where a position is made fit for an agent. What the seat does not
know is drawn anew, by a generator that depends on a secret of the game's owner, the seat and
the number of the event: never on the agent, which could guess its own seed, nor on anything
that another repetition of the same game would not have.
"""

from hashlib import blake2b

from parlour.agents.base import Agent, Analysis, Limit, Occasion
from parlour.agents.guard import analysis_of, check_legal, choice_of, held_to_account
from parlour.core.game import State, is_shown
from parlour.core.rng import Rng


def seat_view(state: State, seat: int, secret: bytes, number: int) -> State:
    """The state as it may be handed to whoever plays that seat.

    In a game without secrets it is the state itself. Otherwise it is a position that the seat
    cannot tell from it; the same secret, seat and number give the same one.
    """
    if not state.game.has_secrets:
        return state
    words = b"%d/%d/" % (seat, number) + secret
    seed = int.from_bytes(blake2b(words, digest_size=8).digest(), "big")
    return state.determinize(seat, Rng(seed))


class SeatedAgent:
    """An agent in its seat, as the owner of a game deals with it.

    The owner tells it everything, in order, and keeps the truth; after a takeback or when a
    game is resumed it calls `begin` and every `watch` again. What the agent does wrong is an
    `AgentFault`, in each of these methods.
    """

    def __init__(self, player: Agent, seat: int, secret: bytes) -> None:
        """`secret` is known to nobody who plays."""
        self.player = player
        self.seat = seat
        self._secret = secret
        self._events = 0
        # Who does not listen needs no view, and no copy of it.
        self._hears_begin = type(player).begin is not Agent.begin
        self._hears_watch = type(player).watch is not Agent.watch

    def __repr__(self) -> str:
        """The agent and its seat; never the secret."""
        return f"<SeatedAgent {self.player!r} in seat {self.seat}>"

    def begin(self, start: State, occasion: Occasion | None = None) -> None:
        """A game begins there; `occasion` says which one it is."""
        self._events = 0
        if occasion is not None:
            self.player.occasion = occasion
        if self._hears_begin:
            view = self._view(start)
            held_to_account(lambda: self.player.begin(view.scratch(), self.seat))

    def watch(self, before: State, action: int, after: State) -> None:
        """Somebody, this seat and chance included, did that."""
        self._events += 1
        if self._hears_watch:
            shown = action if is_shown(before.game, before, action, self.seat) else None
            view = self._view(after)
            held_to_account(lambda: self.player.watch(shown, view.scratch()))

    def choose(self, state: State, limit: Limit | None = None) -> int:
        """What the agent plays: a legal action of this state."""
        view = self._view(state)
        chosen = choice_of(self.player, view, limit)
        if view is not state:
            check_legal(state, chosen)
        return chosen

    def analyse(self, state: State) -> Analysis:
        """What the agent thinks, with a choice at least."""
        return analysis_of(self.player, self._view(state))

    def close(self) -> None:
        """Nobody will ask again."""
        held_to_account(self.player.close)

    def _view(self, state: State) -> State:
        return seat_view(state, self.seat, self._secret, self._events)
