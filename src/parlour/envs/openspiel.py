"""Parlour's games in OpenSpiel, named `parlour_octa`, `parlour_banqi` and so on.

    parlour.envs.openspiel.register()
    game = pyspiel.load_game("parlour_octa(size=2,seed=7)")

The parameters are the game's options, `seed` (the start) and `starts` (the number of starts
from that seed on, of which chance draws one). Pass one less than the lowest value to leave an
optional number unset; an optional flag is -1, 0 or 1. Games run through Python: use this for
OpenSpiel's algorithms, not for speed.
"""

from typing import Any, ClassVar

import numpy as np

from parlour.core.errors import IllegalAction, MissingExtra, OptionError
from parlour.core.game import CHANCE, OVER, Game, State, is_shown, start_of
from parlour.core.options import AUTO, Option
from parlour.core.registry import game_class, game_names
from parlour.core.result import GENERAL, ZERO_SUM
from parlour.drawing.text import draw
from parlour.envs.observation import ObservationEncoder
from parlour.envs.settings import count

try:
    import pyspiel
except ModuleNotFoundError:
    raise MissingExtra("OpenSpiel is not installed: pip install open_spiel") from None

PREFIX = "parlour_"

MOST_PLAYERS = 64
# Games do not declare how many chance outcomes they may have.
MOST_OUTCOMES = 4096

_registered: set[str] = set()
_classes: dict[type[Game], type["OpenSpielGame"]] = {}


def register() -> list[str]:
    """Register every game with pyspiel; return their names there.

    Call it again after `parlour.register`.
    """
    for name in game_names():
        if name not in _registered:
            source = game_class(name)
            parameters = _parameters(source.OPTIONS)
            kind = _game_type(PREFIX + name, name, parameters, None, True)
            pyspiel.register_game(kind, _class_of(name, source))
            _registered.add(name)
    return [PREFIX + name for name in game_names()]


def wrapped(game: Game) -> "OpenSpielGame":
    """Return a Parlour game as an OpenSpiel game; it need not be registered."""
    declared = {each.name: each for each in game.OPTIONS}
    given = {
        name: _default(declared[name]) if value is None else value
        for name, value in game.options.items()
    }
    return _class_of(game.name, type(game))(given)


def _class_of(name: str, source: type[Game]) -> type["OpenSpielGame"]:
    """Return one class per game: pyspiel pickles by name and passes only the parameters."""
    made = _classes.get(source)
    if made is None:
        known = f"OpenSpielGame_{name}"
        if known in globals():  # another class has the same name
            known += f"_{len(_classes)}"
        attributes = {"name": name, "source": source, "__module__": __name__}
        made = type(known, (OpenSpielGame,), attributes)
        globals()[known] = _classes[source] = made
    return made


def _parameters(declared: tuple[Option, ...]) -> dict[str, Any]:
    """Return the options with their defaults, and the parameters of the start."""
    return {**{each.name: _default(each) for each in declared}, "seed": 0, "starts": 1}


def _default(option: Option) -> Any:
    """Return the default; an optional one becomes an impossible value of the same type."""
    if option.default is not None:
        return option.default
    if option.kind == "integer":
        return int(option.low) - 1
    if option.kind == "fraction":
        return float(option.low) - 1.0
    return -1 if option.kind == "flag" else AUTO


def _value(option: Option, given: Any) -> Any:
    """Return the option's value for a parameter."""
    if option.default is None and given == _default(option):
        return None
    return bool(given) if option.kind == "flag" and given in (0, 1) else given


def _game_type(
    name: str, title: str, parameters: dict[str, Any], game: Game | None, draws: bool
) -> Any:
    """Return pyspiel's game type; without a game, one that holds for all its options."""
    kind = pyspiel.GameType
    low, high = (1, MOST_PLAYERS) if game is None else (game.seats, game.seats)
    has_secrets = game is None or game.has_secrets
    chance, knowledge = kind.ChanceMode, kind.Information
    return kind(
        short_name=name,
        long_name=title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if draws else chance.DETERMINISTIC,
        information=(
            knowledge.IMPERFECT_INFORMATION if has_secrets else knowledge.PERFECT_INFORMATION
        ),
        utility=_utility(game),
        reward_model=kind.RewardModel.TERMINAL,
        min_num_players=low,
        max_num_players=high,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


def _utility(game: Game | None) -> Any:
    kinds = pyspiel.GameType.Utility
    if game is None or game.utility == GENERAL or game.seats == 1:
        return kinds.GENERAL_SUM
    return kinds.ZERO_SUM if game.utility == ZERO_SUM else kinds.IDENTICAL


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A Parlour game with the interface of pyspiel."""

    name: ClassVar[str]
    source: ClassVar[type[Game]]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Create the game from its parameters."""
        given = dict(params or {})
        declared = self.source.OPTIONS
        known = _parameters(declared)
        values = {**known, **given}
        self.seed = count("seed", values["seed"], 0)
        self.starts = count("starts", values["starts"], 1)
        options = {each.name: _value(each, values[each.name]) for each in declared}
        make: Any = self.source
        self.parlour_game: Game = make(**options)
        game = self.parlour_game
        self._kept: dict[int, State] = {}
        self.encoder = ObservationEncoder(game, flat=True)
        draws = game.has_chance or self.starts > 1
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=max(MOST_OUTCOMES, self.starts) if draws else 0,
            num_players=game.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if game.utility == ZERO_SUM else None,
            max_game_length=game.max_plies,
        )
        kind = _game_type(PREFIX + self.name, game.title, known, game, draws)
        super().__init__(kind, info, given)

    def new_initial_state(self) -> "OpenSpielState":
        """Return the start, or the chance node that draws one."""
        return OpenSpielState(self, HistoryNode(self, None if self.starts > 1 else self.start(0)))

    def start(self, number: int) -> State:
        """Return a start by number; cached, because pyspiel asks for it often."""
        if number not in self._kept:
            self._kept[number] = start_of(self.parlour_game, self.seed + number)
        return self._kept[number]

    def state_of(self, state: State) -> "OpenSpielState":
        """Return a state as an OpenSpiel state without history."""
        return OpenSpielState(self, HistoryNode(self, state))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "_Observer":
        """Return pyspiel's observer, which fills a tensor and writes strings."""
        if params:
            raise OptionError(f"observations have no parameters: {params}")
        return _Observer(self.encoder, iig_obs_type is not None and iig_obs_type.perfect_recall)


class HistoryNode:
    """A state and its history. It is immutable, so copies share it."""

    def __init__(
        self,
        game: OpenSpielGame,
        state: State | None,
        before: "HistoryNode | None" = None,
        action: int = 0,
    ) -> None:
        """Create the node; a state of `None` comes before the start is drawn."""
        self.game = game
        self.state = state
        self.before = before
        self.action = action

    def after(self, action: int) -> "HistoryNode":
        """Return the node after an action or a draw."""
        state = self.game.start(action) if self.state is None else self.state.apply(action)
        return HistoryNode(self.game, state, self, action)

    def __deepcopy__(self, memo: object) -> "HistoryNode":
        """Return itself."""
        return self

    def information_state(self, seat: int) -> str:
        """Return the information state of a seat: everything it has observed, in order."""
        words = []
        node = self
        while node.before is not None:
            then = node.before.state
            if then is None:
                words.append(f"start {node.action}")
            elif is_shown(then.game, then, node.action, seat):
                words.append(then.game.action_to_text(then, node.action))
            else:
                words.append("?")
            node = node.before
        return " ".join([f"seat {seat}:", *reversed(words)])


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A state with the interface of pyspiel."""

    def __init__(self, game: OpenSpielGame, node: HistoryNode) -> None:
        """Create the state; call the game's methods instead."""
        super().__init__(game)
        # pyspiel copies all attributes of a state, so there is only this one.
        self.node = node

    @property
    def state(self) -> State:
        """The Parlour state, once a start is drawn."""
        state = self.node.state
        if state is None:
            raise IllegalAction("chance has not drawn a start yet")
        return state

    def current_player(self) -> int:
        """Return the seat to act, or pyspiel's ids of chance and the end."""
        state = self.node.state
        actor = CHANCE if state is None else int(state.actor)
        if actor == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if actor == CHANCE else actor

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.state.legal_actions())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the chance outcomes with their probabilities."""
        if self.node.state is None:
            starts = self.node.game.starts
            return [(number, 1.0 / starts) for number in range(starts)]
        return self.node.state.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.node = self.node.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        state = self.node.state
        if state is None:
            return f"=start{action}"
        text: str = state.game.action_to_text(state, action)
        return text

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.node.state is not None and self.node.state.actor == OVER

    def returns(self) -> list[float]:
        """Return the cumulative reward of each player."""
        state = self.node.state
        collected = (0.0,) * self.num_players() if state is None else state.rewards()
        return [float(value) for value in collected]

    def rewards(self) -> list[float]:
        """Return the rewards of the last action."""
        before = self.node.before
        if before is None or before.state is None:
            return [0.0] * self.num_players()
        pairs = zip(self.returns(), before.state.rewards(), strict=True)
        return [now - then for now, then in pairs]

    def __str__(self) -> str:
        """Return the state as text."""
        state = self.node.state
        return "before the start" if state is None else state.game.state_to_text(state)


class _Observer:
    """An observer with the interface of pyspiel."""

    def __init__(self, encoder: ObservationEncoder, has_recall: bool) -> None:
        self._encoder = encoder
        self._has_recall = has_recall
        size = int(encoder.space.shape[0])  # type: ignore[index]
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fill the tensor with the observation of a player."""
        if state.node.state is None:
            self.tensor.fill(0.0)
        else:
            seen: Any = self._encoder.observe(state.node.state, player)
            self.tensor[:] = seen

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return the scene of a player, or its information state with perfect recall."""
        if self._has_recall:
            return state.node.information_state(player)
        if state.node.state is None:
            return str(state)
        return draw(state.node.state.scene(player))
