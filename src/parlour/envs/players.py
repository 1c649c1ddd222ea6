"""Players of the other seats: agents by their text, and policies of the user."""

from collections.abc import Callable
from typing import Any, NamedTuple

from parlour.agents import AgentFault, SeatedAgent, agent, seeded
from parlour.core.checks import shown
from parlour.core.errors import AgentError, IllegalAction, ParlourError
from parlour.core.game import Game, State
from parlour.envs.observation import ObservationEncoder

Policy = Callable[[Any, Any], Any]
"""A function `policy(observation, action_mask)` that returns an action id."""

Source = str | Policy
"""An agent's text or a policy."""


def sources(opponents: object) -> tuple[Source, ...]:
    """Return the opponents as a tuple; raises `AgentError` unless they are texts or policies."""
    several: list[Any] = list(opponents) if isinstance(opponents, list | tuple) else [opponents]
    if not several:
        raise AgentError("opponents must be an agent's text or a list of them; the list is empty")
    for each in several:
        check_source("an opponent", each)
    return tuple(several)


def check_source(name: str, source: object) -> None:
    """Raise `AgentError` unless the source is a text or callable."""
    if not isinstance(source, str) and not callable(source):
        raise AgentError(
            f"{name} must be an agent's text, such as 'level:3', or a function of an observation "
            f"and a mask, not {shown(source)}"
        )


def check_players(game: Game, given: tuple[Source, ...]) -> None:
    """Raise `AgentError` or `OptionError` for an unknown agent or one that cannot play the game."""
    for source in given:
        if isinstance(source, str):
            agent(source).check_game(game)


class Seeds(NamedTuple):
    """Seeds of one player."""

    own: int
    secret: int
    """The seed of the sampled worlds in games with hidden information. The player never sees it."""


class PolicyPlayer:
    """A policy in a seat: it gets only observations."""

    def __init__(self, policy: Policy, encoder: ObservationEncoder, seat: int) -> None:
        """Seat the policy."""
        self._policy = policy
        self._encoder = encoder
        self._seat = seat

    def begin(self, start: State) -> None:
        """Ignore the start: a policy has no memory."""

    def watch(self, before: State, action: int, after: State) -> None:
        """Ignore the action: a policy has no memory."""

    def choose(self, state: State) -> int:
        """Return the policy's choice; raises `IllegalAction` if it is illegal."""
        mask = self._encoder.mask(state, self._seat)
        seen = self._encoder.observe(state, self._seat, mask)
        chosen = self._policy(seen, mask)
        refusal = state.refusal(chosen)
        if isinstance(chosen, str) or refusal is not None:
            reason = refusal or "an action must be an int, not a text"
            raise IllegalAction(f"the policy in seat {self._seat} chose {shown(chosen)}: {reason}")
        return int(chosen)

    def close(self) -> None:
        """Release nothing."""


class AgentPlayer(SeatedAgent):
    """An agent in a seat; its faults name its text."""

    def __init__(self, text: str, seat: int, seeds: "Seeds") -> None:
        """Create the agent with its seed, unless the text sets one."""
        super().__init__(agent(seeded(text, seeds.own)), seat, b"%d" % seeds.secret)
        self._text = text

    def choose(self, state: State, limit: Any = None) -> int:
        """Return a legal action; raises `AgentFault` with the agent's text."""
        try:
            return super().choose(state, limit)
        except AgentFault as fault:
            raise fault.of(self._text) from fault


Player = PolicyPlayer | AgentPlayer


def player(source: Source, encoder: ObservationEncoder, seat: int, seeds: Seeds) -> Player:
    """Return the player of a seat."""
    if isinstance(source, str):
        return AgentPlayer(source, seat, seeds)
    return PolicyPlayer(source, encoder, seat)


def close_all(players: dict[int, Player]) -> None:
    """Close all players; errors no longer matter."""
    for each in players.values():
        try:
            each.close()
        except ParlourError:
            continue
