"""Parlour's games in OpenSpiel, under the names `parlour_octa`, `parlour_banqi` and so on.

    parlour.envs.openspiel.register()
    game = pyspiel.load_game("parlour_octa(size=2,seed=7)")

Parameters are the game's options, `seed` (which start) and `starts` (how many starts, from that
seed on, of which chance draws one). An option that may be left open is so at one less than its
least value; a flag of that kind is -1, 0 or 1. What OpenSpiel's algorithms make of a game goes
through Python: this is for their sake, not for speed.
"""

from typing import Any, ClassVar

import numpy as np

from parlour.core.errors import IllegalAction, MissingExtra, OptionError
from parlour.core.game import CHANCE, OVER, Game, State, is_shown, start_of
from parlour.core.options import AUTO, Option
from parlour.core.registry import game_class, game_names
from parlour.core.result import GENERAL, ZERO_SUM
from parlour.drawing.text import draw
from parlour.envs.observation import Sight
from parlour.envs.settings import count

try:
    import pyspiel
except ModuleNotFoundError:
    raise MissingExtra("OpenSpiel is not installed: pip install open_spiel") from None

PREFIX = "parlour_"

MOST_PLAYERS = 64
# No game says how many outcomes chance may have.
MOST_OUTCOMES = 4096

_registered: set[str] = set()
_classes: dict[type[Game], type["OpenSpielGame"]] = {}


def register() -> list[str]:
    """Make every game known to pyspiel that is not yet; their names there.

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
    """A game of ours as one of theirs, for their algorithms; it need not be registered."""
    declared = {each.name: each for each in game.OPTIONS}
    given = {
        name: _default(declared[name]) if value is None else value
        for name, value in game.options.items()
    }
    return _class_of(game.name, type(game))(given)


def _class_of(name: str, source: type[Game]) -> type["OpenSpielGame"]:
    """A class for each game: pyspiel pickles it by its name, and calls it with parameters alone."""
    made = _classes.get(source)
    if made is None:
        known = f"OpenSpielGame_{name}"
        if known in globals():  # another class with the same name
            known += f"_{len(_classes)}"
        attributes = {"name": name, "source": source, "__module__": __name__}
        made = type(known, (OpenSpielGame,), attributes)
        globals()[known] = _classes[source] = made
    return made


def _parameters(declared: tuple[Option, ...]) -> dict[str, Any]:
    """The options with their defaults, and which starts there are."""
    return {**{each.name: _default(each) for each in declared}, "seed": 0, "starts": 1}


def _default(option: Option) -> Any:
    """The default; where that is none, what no value can be, of the type that values have."""
    if option.default is not None:
        return option.default
    if option.kind == "integer":
        return int(option.low) - 1
    if option.kind == "fraction":
        return float(option.low) - 1.0
    return -1 if option.kind == "flag" else AUTO


def _value(option: Option, given: Any) -> Any:
    """What the game is given for a parameter."""
    if option.default is None and given == _default(option):
        return None
    return bool(given) if option.kind == "flag" and given in (0, 1) else given


def _game_type(
    name: str, title: str, parameters: dict[str, Any], game: Game | None, draws: bool
) -> Any:
    """What pyspiel is told of a game; without one, what holds whatever its options are."""
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
    """A game as pyspiel sees it."""

    name: ClassVar[str]
    source: ClassVar[type[Game]]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """The game with its parameters."""
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
        self.sight = Sight(game, flat=True)
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
        """The start, or the draw of one."""
        return OpenSpielState(self, Moment(self, None if self.starts > 1 else self.start(0)))

    def start(self, number: int) -> State:
        """The start of that number; made once, because pyspiel asks for it often."""
        if number not in self._kept:
            self._kept[number] = start_of(self.parlour_game, self.seed + number)
        return self._kept[number]

    def state_of(self, state: State) -> "OpenSpielState":
        """A position of ours as one of theirs, without the past that led there."""
        return OpenSpielState(self, Moment(self, state))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "_Observer":
        """What fills a tensor with what a player sees, and puts it into words."""
        if params:
            raise OptionError(f"there are no parameters for observations: {params}")
        return _Observer(self.sight, iig_obs_type is not None and iig_obs_type.perfect_recall)


class Moment:
    """A position and how it came about; it never changes, so that copies share it."""

    def __init__(
        self,
        game: OpenSpielGame,
        state: State | None,
        before: "Moment | None" = None,
        action: int = 0,
    ) -> None:
        """`None` is the time before a start was drawn."""
        self.game = game
        self.state = state
        self.before = before
        self.action = action

    def after(self, action: int) -> "Moment":
        """What follows an action, or a draw."""
        state = self.game.start(action) if self.state is None else self.state.apply(action)
        return Moment(self.game, state, self, action)

    def __deepcopy__(self, memo: object) -> "Moment":
        """Itself."""
        return self

    def told(self, seat: int) -> str:
        """All that the seat has learned so far, in turn."""
        words = []
        moment = self
        while moment.before is not None:
            then = moment.before.state
            if then is None:
                words.append(f"start {moment.action}")
            elif is_shown(then.game, then, moment.action, seat):
                words.append(then.game.action_to_text(then, moment.action))
            else:
                words.append("?")
            moment = moment.before
        return " ".join([f"seat {seat}:", *reversed(words)])


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A position as pyspiel sees it."""

    def __init__(self, game: OpenSpielGame, moment: Moment) -> None:
        """Made by the game."""
        super().__init__(game)
        # Their copies copy what a state holds: so it holds this and nothing else.
        self.moment = moment

    @property
    def state(self) -> State:
        """Ours; there is one once a start is drawn."""
        state = self.moment.state
        if state is None:
            raise IllegalAction("chance has not drawn a start yet")
        return state

    def current_player(self) -> int:
        """The seat to act, or pyspiel's numbers of chance and the end."""
        state = self.moment.state
        actor = CHANCE if state is None else int(state.actor)
        if actor == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if actor == CHANCE else actor

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.state.legal_actions())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring, with its odds."""
        if self.moment.state is None:
            starts = self.moment.game.starts
            return [(number, 1.0 / starts) for number in range(starts)]
        return self.moment.state.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.moment = self.moment.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        state = self.moment.state
        if state is None:
            return f"=start{action}"
        text: str = state.game.action_to_text(state, action)
        return text

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.moment.state is not None and self.moment.state.actor == OVER

    def returns(self) -> list[float]:
        """Return what each player has collected so far."""
        state = self.moment.state
        collected = (0.0,) * self.num_players() if state is None else state.rewards()
        return [float(value) for value in collected]

    def rewards(self) -> list[float]:
        """Return what the last action added to the returns."""
        before = self.moment.before
        if before is None or before.state is None:
            return [0.0] * self.num_players()
        pairs = zip(self.returns(), before.state.rewards(), strict=True)
        return [now - then for now, then in pairs]

    def __str__(self) -> str:
        """The position's text."""
        state = self.moment.state
        return "before the start" if state is None else state.game.state_to_text(state)


class _Observer:
    """What a player sees, as the interface of pyspiel's observers wants it."""

    def __init__(self, sight: Sight, has_recall: bool) -> None:
        self._sight = sight
        self._has_recall = has_recall
        size = int(sight.space.shape[0])  # type: ignore[index]
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fill the tensor."""
        if state.moment.state is None:
            self.tensor.fill(0.0)
        else:
            seen: Any = self._sight.observe(state.moment.state, player)
            self.tensor[:] = seen

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The scene of that player, or all that it has learned so far."""
        if self._has_recall:
            return state.moment.told(player)
        if state.moment.state is None:
            return str(state)
        return draw(state.moment.state.scene(player))
