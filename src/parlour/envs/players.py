"""Who sits in the other seats: agents by their text, and policies of the user's own."""

from collections.abc import Callable
from typing import Any, NamedTuple

from parlour.agents import AgentFault, SeatedAgent, agent, seeded
from parlour.core.checks import shown
from parlour.core.errors import AgentError, IllegalAction, ParlourError
from parlour.core.game import Game, State
from parlour.envs.observation import Sight

Policy = Callable[[Any, Any], Any]
"""`policy(observation, action_mask)` gives the id of an action."""

Source = str | Policy
"""An agent's text, or a policy."""


def sources(opponents: object) -> tuple[Source, ...]:
    """One text or policy, or several; `AgentError` for anything else."""
    several: list[Any] = list(opponents) if isinstance(opponents, list | tuple) else [opponents]
    if not several:
        raise AgentError("opponents is an agent's text or a list of them, and the list is empty")
    for each in several:
        check_source("an opponent", each)
    return tuple(several)


def check_source(who: str, source: object) -> None:
    """`AgentError` unless it is a text or can be called."""
    if not isinstance(source, str) and not callable(source):
        raise AgentError(
            f"{who} is an agent's text, such as 'level:3', or a function of an observation "
            f"and a mask, not {shown(source)}"
        )


def check_players(game: Game, given: tuple[Source, ...]) -> None:
    """`AgentError` or `OptionError` for an agent that there is not, or that cannot play that."""
    for source in given:
        if isinstance(source, str):
            agent(source).check_game(game)


class Seeds(NamedTuple):
    """What is drawn for a player."""

    own: int
    secret: int
    """What it does not know: the worlds that it is shown in games with secrets follow from it."""


class PolicyPlayer:
    """A policy in a seat: it sees observations and nothing else."""

    def __init__(self, policy: Policy, sight: Sight, seat: int) -> None:
        """For one seat."""
        self._policy = policy
        self._sight = sight
        self._seat = seat

    def begin(self, start: State) -> None:
        """A policy needs no past."""

    def watch(self, before: State, action: int, after: State) -> None:
        """A policy needs no past."""

    def choose(self, state: State) -> int:
        """What the policy does; `IllegalAction` if that is not legal."""
        mask = self._sight.mask(state, self._seat)
        seen = self._sight.observe(state, self._seat, mask)
        chosen = self._policy(seen, mask)
        refusal = state.refusal(chosen)
        if isinstance(chosen, str) or refusal is not None:
            reason = refusal or "an action is an int, not a text"
            raise IllegalAction(f"the policy in seat {self._seat} chose {shown(chosen)}: {reason}")
        return int(chosen)

    def close(self) -> None:
        """Nothing to close."""


class AgentPlayer(SeatedAgent):
    """An agent in a seat, which sees what the seat may know; its faults name its text."""

    def __init__(self, text: str, seat: int, seeds: "Seeds") -> None:
        """With its seed, unless the text gives one."""
        super().__init__(agent(seeded(text, seeds.own)), seat, b"%d" % seeds.secret)
        self._text = text

    def choose(self, state: State, limit: Any = None) -> int:
        """A legal action; `AgentFault` that says which agent it was."""
        try:
            return super().choose(state, limit)
        except AgentFault as fault:
            raise fault.of(self._text) from fault


Player = PolicyPlayer | AgentPlayer


def player(source: Source, sight: Sight, seat: int, seeds: Seeds) -> Player:
    """Who plays that seat."""
    if isinstance(source, str):
        return AgentPlayer(source, seat, seeds)
    return PolicyPlayer(source, sight, seat)


def close_all(players: dict[int, Player]) -> None:
    """Tell all that nobody will ask again; what goes wrong then does not matter any more."""
    for each in players.values():
        try:
            each.close()
        except ParlourError:
            continue
