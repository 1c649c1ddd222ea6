"""The contract: a `Game` (its description and its start) and a `State` (a position).

What an author must write is marked abstract; everything else has a default that is
right for any game and may be replaced, to say more or for speed. Neither class derives
from `ABC`: compiled classes would share its cache, and `isinstance` would mix them up.
"""

from abc import abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Self

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from parlour.core import signals
from parlour.core.author import StateT, with_folded_seed, with_list, wrap
from parlour.core.checks import as_int, check_text, shown, type_name
from parlour.core.errors import (
    ActionTextError,
    ContractError,
    IllegalAction,
    ParlourError,
)
from parlour.core.options import Option, Value
from parlour.core.outside import refuse_foreign_layout
from parlour.core.result import COMMON, ZERO_SUM, Result
from parlour.core.rng import Rng
from parlour.core.scene import NO_BOARD, ActionView, Board, Scene

if TYPE_CHECKING:
    from parlour.core.guide import Guide
    from parlour.core.heuristics import Heuristics
    from parlour.core.observer import Observer

CHANCE: Final = -1
OVER: Final = -2

PLIES_PER_SIGNAL: Final[i64] = 1024  # a power of two


@mypyc_attr(allow_interpreted_subclasses=True)
class Game(Generic[StateT]):
    """One game with its options chosen. Equal by value, hashable, picklable, immutable.

    >>> import parlour
    >>> game = parlour.game("octa:size=1")
    >>> game.title, game.seats, game.num_actions, game.options["turn_limit"]
    ('Octa', 2, 9, 8)
    >>> game.start(seed=8) == game.state_from_text(game.state_to_text(game.start(seed=8)))
    True

    An author writes `start`, `state_to_text`, `state_from_text` and `scene`; the other
    methods have defaults. `parlour.testing.check_game` checks every promise made here.
    """

    OPTIONS: ClassVar[tuple[Option, ...]] = ()
    """What the constructor takes, by keyword; it checks them with `check_options`."""

    DRAW_OFFERS: ClassVar[bool] = False
    """Whether two players may agree on a draw."""

    FORMATS: ClassVar[tuple[Any, ...]] = ()
    """The `RecordFormat`s that other programs keep such games in."""

    def __init_subclass__(cls) -> None:
        """Refuse a class that was compiled in a way that would crash; let `start` fold seeds."""
        super().__init_subclass__()
        refuse_foreign_layout(cls)
        wrap(cls, "start", with_folded_seed)

    def __init__(
        self,
        *,
        name: str,
        title: str,
        seats: int,
        num_actions: int,
        max_plies: int,
        options: Mapping[str, Any] | None = None,
        utility: str = "",
        teams: tuple[int, ...] = (),
        has_chance: bool = False,
        has_secrets: bool = False,
        board: Board = NO_BOARD,
        faces: tuple[str, ...] = (),
    ) -> None:
        """Describe the game; a subclass calls this with its checked options.

        `max_plies` bounds the decisions of any game, stalling play included. A game whose
        states never are at CHANCE leaves `has_chance` false; one in which every seat sees
        everything leaves `has_secrets` false. `faces` are all names that `Cell.face` can be.

        `utility` relates the returns of the seats: "zero-sum" (the default), "common" (all seats
        win or lose together) or "general" (neither). `teams` has the team of each seat, such as
        (0, 1, 0, 1) for two pairs of partners; seats of a team have equal returns. By default
        every seat is a team of its own, and a common game has a single team.
        """
        self.name: Final = name
        self.title: Final = title
        self.seats: Final = seats
        self.utility: Final = utility or (ZERO_SUM if seats > 1 else COMMON)
        self.teams: Final[tuple[int, ...]] = teams or _teams(self.utility, seats)
        self.num_teams: Final = len(set(self.teams))
        self.num_actions: Final = num_actions
        self.max_plies: Final = max_plies
        self.options: Final[Mapping[str, Any]] = MappingProxyType(dict(options or {}))
        self.has_chance: Final = has_chance
        self.has_secrets: Final = has_secrets
        self.board: Final = board
        self.faces: Final = faces

    # What an author writes.

    @abstractmethod
    def start(self, seed: int = 0) -> StateT:
        """Return the first position. All randomness of the set-up comes from the seed.

        Core folds any int into the range of seeds and refuses other types. Nothing in a start is
        secret, because seeds are public: deal hidden things by chance.
        """
        raise _undefined(self, "start")

    @abstractmethod
    def state_to_text(self, state: StateT) -> str:
        """The position exactly, in a form that a person can read and edit."""
        raise _undefined(self, "state_to_text")

    @abstractmethod
    def state_from_text(self, text: str) -> StateT:
        """The position that `state_to_text` wrote; `StateTextError` or `InvalidState` if none."""
        raise _undefined(self, "state_from_text")

    @abstractmethod
    def scene(self, state: StateT, seat: int | None) -> Scene:
        """What that seat, or a spectator (`None`), may see: cells, seats and status.

        `State.scene` adds the board, the seats' names, who is to act, and the actions.
        """
        raise _undefined(self, "scene")

    # What an author may replace: actions in text, in words and on the board.

    def action_to_text(self, state: StateT, action: int) -> str:
        """The action's text: no spaces, and a chance outcome's starts with `=`, no other does.

        The default is its id.
        """
        return f"={action}" if state.actor == CHANCE else str(action)

    def action_from_text(self, state: StateT, text: str) -> int:
        """The id of the action with that text; `play` then says whether it is legal.

        The default knows the legal actions only. Raises `ActionTextError`.
        """
        wanted = check_text("an action's text", text, ActionTextError)
        legal = state.legal_actions()
        for action in legal:
            if self.action_to_text(state, action) == wanted:
                return action
        raise ActionTextError(f"{shown(wanted)} is not a legal action{self._examples(state)}")

    def action_words(self, state: StateT, action: int, seat: int | None) -> str:
        """The action as that seat, or a spectator, is told of it: "L5 at e14", "a card".

        For people; programs and records use the text, which is the default, or "something"
        for an action that the viewer may not see.
        """
        if is_shown(self, state, action, seat):
            return self.action_to_text(state, action)
        return "something"

    def action_view(self, state: StateT, action: int) -> ActionView:
        """The action with its text and the cells that choose it; by default it has none."""
        return ActionView(action, self.action_to_text(state, action))

    def action_at(self, state: StateT, cells: tuple[int, ...], group: str = "") -> int | None:
        """The action, legal or not, that touching these cells means; the inverse of its view.

        With a `group` the cells may come in any order. The default looks among the legal
        actions; one that also finds others lets displays say why they are not legal.
        """
        wanted = frozenset(cells)
        for action in state.legal_actions():
            view = self.action_view(state, action)
            if view.group != group or not view.cells:
                continue
            if view.cells == cells or (group and frozenset(view.cells) == wanted):
                return action
            if len(cells) == 1 and len(view.cells) == 1 and cells[0] in view.also:
                return action
        return None

    def can_see(self, state: StateT, action: int, seat: int) -> bool:
        """Whether that seat learns which action it was, legal in `state`, that was made there."""
        return True

    # What an author may replace, for those who play and those who look on.

    def seat_names(self, state: StateT) -> tuple[str, ...]:
        """Return what to call each seat; by default `player 1` and so on, with its team."""
        names = [f"player {seat + 1}" for seat in range(self.seats)]
        if 1 < self.num_teams < self.seats:
            names = [
                f"{name} (team {team + 1})" for name, team in zip(names, self.teams, strict=True)
            ]
        return tuple(names)

    def frames(self, state: StateT, action: int, seat: int | None = None) -> list[Scene]:
        """The scenes that show a legal action step by step, as that seat sees it.

        The last one is the scene after the action; by default it is the only one.
        """
        return [state.apply(action).scene(seat)]

    def json_fields(self, state: StateT, seed: int, seat: int | None) -> dict[str, object]:
        """Fields of the game's own for programs that read positions as JSON; plain values."""
        return {}

    def dialect(self, protocol: str) -> Any:
        """The `Dialect` in which engines of that protocol speak of this game, or `None`.

        `gtp`, `cdc` and `uci` need one; through `ugi` any game for two without chance and
        secrets is played by the texts of its actions.
        """
        return None

    def observer(self) -> "Observer":
        """What writes observations of this game for programs that learn; see `Observer`.

        The default makes them from the scenes, which is slow and right for any game.
        """
        # Here, because that module needs this one, and few runs need it.
        from parlour.core.scene_observer import SceneObserver

        return SceneObserver(self)

    def heuristics(self) -> "Heuristics":
        """Return what agents know of this game beyond its rules; see `Heuristics`."""
        from parlour.core.heuristics import Heuristics  # here: that module needs this one

        return Heuristics(self)

    def guide(self) -> "Guide":
        """Return the texts for players: rules, first steps, help; see `Guide`."""
        from parlour.core.guide import Guide  # here: that module needs this one

        return Guide(self)

    # What everybody gets.

    def _examples(self, state: StateT) -> str:
        texts = [self.action_to_text(state, action) for action in state.legal_actions()]
        if not texts:
            return ": the game is over"
        more = ", ..." if len(texts) > 8 else ""
        return "; legal now: " + ", ".join(texts[:8]) + more

    def __eq__(self, other: object) -> bool:
        """Same class and same options."""
        if not isinstance(other, Game):
            return False
        return self is other or (type(self) is type(other) and self.options == other.options)

    def __hash__(self) -> int:
        """Follows equality."""
        return hash((self.name, tuple(self.options.values())))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as its class and its options."""
        return (_rebuild_game, (type(self), dict(self.options)))

    def __repr__(self) -> str:
        """An expression that makes it again, for a registered game."""
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"parlour.game({self.name!r}{options})"


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """A position: immutable to its callers, without randomness.

    It may hold what some seats do not know; then its game says `has_secrets`, and nobody
    hands it to a player but through `determinize` and `scene`.

    >>> import parlour
    >>> state = parlour.game("octa:size=1").start(seed=8)
    >>> state.actor, list(state.legal_actions()), state.result()
    (0, [2, 6], None)
    >>> state.refusal(4)
    'that cell is neutral; player 1 chooses one of their own'
    >>> state.play("1,1").actor
    1

    An author writes `actor`, `legal_actions`, `apply`, `result` and `key`; the other methods
    have defaults. `play` checks its action, `apply` trusts it.
    """

    def __init_subclass__(cls) -> None:
        """Refuse a class that was compiled in a way that would crash; take lists of actions."""
        super().__init_subclass__()
        refuse_foreign_layout(cls)
        wrap(cls, "legal_actions", with_list)

    def __init__(self, game: Game) -> None:
        """Belong to `game`."""
        self.game: Final[Any] = game

    # What an author writes.

    @property
    @abstractmethod
    def actor(self) -> i64:
        """The seat to act, or CHANCE, or OVER."""
        raise _undefined(self, "actor")

    @abstractmethod
    def legal_actions(self) -> vec[i64]:
        """Return the legal ids, ascending; at CHANCE the outcomes; empty only when OVER.

        A subclass in plain Python may return a list. The caller may keep and change it.
        """
        raise _undefined(self, "legal_actions")

    @abstractmethod
    def apply(self, action: i64) -> Self:
        """The next state, for an action taken from `legal_actions()`; no other is checked for."""
        raise _undefined(self, "apply")

    @abstractmethod
    def result(self) -> Result | None:
        """How the game ended, or `None` while it goes on."""
        raise _undefined(self, "result")

    @abstractmethod
    def key(self) -> object:
        """A hashable value; two states of one game are equal iff their keys are."""
        raise _undefined(self, "key")

    # What an author may replace, to say more or to be faster.

    def rule_against(self, action: i64) -> str | None:
        """The rule that forbids this action (an id of the right range) now, in words, or `None`."""
        if action in self.legal_actions():
            return None
        return f"{self.game.action_to_text(self, action)} is not legal now"

    def rewards(self) -> tuple[float, ...]:
        """Return what each seat has collected so far; at the end these are the returns.

        Environments reward an action with the difference that it makes. The default is 0 for
        every seat before the end. Replace it where a game gives points on the way, scaled like
        returns.
        """
        result = self.result()
        return (0.0,) * self.game.seats if result is None else result.returns

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) pairs at CHANCE, ascending, all positive; else empty.

        Outcomes have ids of their own, from 0 on; they share nothing with the ids of actions,
        and `num_actions` does not bound them.
        """
        return []

    def determinize(self, seat: int, rng: Rng) -> Self:
        """A position that this seat cannot tell from this one, what it does not know drawn anew.

        It depends on nothing but what the seat knows, and on the generator: the seat's scene,
        the actor and the actor's legal actions, as far as the seat knows them, stay the same.
        The default, this very position, is right where every seat knows everything.
        """
        return self

    def sample(self, rng: Rng) -> i64:
        """A uniformly random legal action; at CHANCE an outcome by its probability."""
        if self.actor == CHANCE:
            return draw_outcome(self.chance_outcomes(), rng.random())
        actions = self.legal_actions()
        return actions[rng.below(len(actions))]

    def scratch(self) -> Self:
        """A state to `advance` from; this one never changes.

        For playouts and searches. The default suits the default `advance`; replace both or none.
        """
        return self

    def advance(self, action: i64) -> Self:
        """Like `apply`, but may reuse this state, which came from `scratch` and must be dropped."""
        return self.apply(action)

    def playout(self, rng: Rng, limit: i64) -> tuple[Self, i64]:
        """Play on at random: the end, or where `limit` decisions led, and how many were made.

        Uniformly random, and drawn from the generator exactly as `sample` and `advance` would
        in turn; this state does not change. One call for a whole game: replace it where
        calls cost, as they do from compiled code into a package of somebody's own.
        """
        position = self.scratch()
        made: i64 = 0
        actor = position.actor
        while actor != OVER:
            if actor != CHANCE:
                if made == limit:
                    break
                made += 1
                if made & (PLIES_PER_SIGNAL - 1) == 0:
                    signals.let_signals_in()
            position = position.advance(position.sample(rng))
            actor = position.actor
        return position, made

    # What every state has.

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.actor == OVER

    def actions(self) -> list[tuple[str, int]]:
        """Return the legal actions as (text, id) pairs.

        >>> import parlour
        >>> parlour.game("octa:size=1").start(seed=8).actions()
        [('1,1', 2), ('-1,-1', 6)]
        """
        game: Game = self.game
        return [(game.action_to_text(self, action), action) for action in self.legal_actions()]

    def refusal(self, action: object) -> str | None:
        """Why `play(action)` would be refused, or `None`. Never raises, whatever the type."""
        number = as_int(action)
        if number is None:
            if not issubclass(type(action), str):
                return f"an action is an int or a text, not {type_name(action)}"
            try:
                number = self.game.action_from_text(self, str.__str__(action))
            except ParlourError as error:
                return str(error)
        return self._refusal_of(number)

    def play(self, action: object) -> Self:
        """The next state, for an action's id or its text: `state.play("c2-c3")`.

        Raises `IllegalAction` with the rule against it if the action is not legal, and
        `ActionTextError` for a text that is none of an action.
        """
        number = as_int(action)
        if number is None:
            if not issubclass(type(action), str):
                raise IllegalAction(f"an action is an int or a text, not {type_name(action)}")
            number = self.game.action_from_text(self, str.__str__(action))
        reason = self._refusal_of(number)
        if reason is not None:
            raise IllegalAction(reason)
        return self.apply(number)

    def _refusal_of(self, number: int) -> str | None:
        actor = self.actor
        if actor == OVER:
            return "the game is over"
        if actor == CHANCE:
            for outcome, _ in self.chance_outcomes():
                if outcome == number:
                    return None
            return f"{shown(number)} is not among the outcomes that chance can bring now"
        if not 0 <= number < self.game.num_actions:
            return f"an action is an id from 0 to {self.game.num_actions - 1}, not {shown(number)}"
        try:
            return self.rule_against(number)
        except ParlourError:
            raise
        except (Exception, SystemExit) as error:
            raise _failure(self, "rule_against", error) from error

    def scene(self, seat: int | None = None) -> Scene:
        """What that seat, or a spectator (`None`), may see."""
        if seat is not None and not isinstance(seat, int):
            raise TypeError(f"a seat is an int, not {type_name(seat)}")
        game: Game = self.game
        if seat is not None and not 0 <= seat < game.seats:
            raise IndexError(f"{game.name} has seats 0 to {game.seats - 1}, not {seat}")
        try:
            return self._scene(seat)
        except ParlourError:
            raise
        except (Exception, SystemExit) as error:
            raise _failure(game, "scene", error) from error

    def _scene(self, seat: int | None) -> Scene:
        game: Game = self.game
        drawn = game.scene(self, seat)
        actor = int(self.actor)
        views: list[ActionView] = []
        if actor >= 0 and (seat == actor or (seat is None and not game.has_secrets)):
            for action in self.legal_actions():
                views.append(game.action_view(self, action))
        return drawn._replace(
            board=game.board, actor=actor, actions=tuple(views), names=game.seat_names(self)
        )

    def __eq__(self, other: object) -> bool:
        """Same game, same position."""
        if not isinstance(other, State):
            return False
        return self is other or (self.game == other.game and self.key() == other.key())

    def __hash__(self) -> int:
        """Follows equality."""
        return hash(self.key())

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as the game and its text; replace it where that is too slow."""
        return (_rebuild_state, (self.game, self.game.state_to_text(self)))

    def _repr_svg_(self) -> str:
        """Its picture, for notebooks: what a spectator sees, whatever else the state holds."""
        from parlour.drawing.svg import scene_to_svg  # here, because only notebooks need it

        return scene_to_svg(self.scene(None), (), self.game.title)

    def __str__(self) -> str:
        """The position's text."""
        text: str = self.game.state_to_text(self)
        return text

    def __repr__(self) -> str:
        """The game and the position's text."""
        return f"<{self.game.name} state\n{self.game.state_to_text(self)}>"


def start_of(game: Any, seed: int) -> State:
    """The start of a game, whoever wrote it: `ContractError` where its code goes wrong."""
    try:
        state: object = game.start(seed)
    except ParlourError:
        raise
    except (Exception, SystemExit) as error:
        raise _failure(game, "start", error) from error
    if not isinstance(state, State):
        raise ContractError(f"{game.name} starts with {shown(state)}, which is not a parlour.State")
    return state


def _failure(owner: object, method: str, error: BaseException) -> ContractError:
    # Here, because that module needs this one, and few runs need it.
    from parlour.core.packages import failure

    return failure(owner, method, error)


def _undefined(owner: object, method: str) -> ContractError:
    """Nothing stops an author who forgot a method from making one; its call does."""
    return ContractError(f"{type(owner).__name__} does not define {method}()")


def _teams(utility: str, seats: int) -> tuple[int, ...]:
    return (0,) * seats if utility == COMMON else tuple(range(seats))


_rebuilt: Final[dict[object, Game]] = {}


def _rebuild_game(cls: type[Game], options: dict[str, Value]) -> Game:
    """Return the game; the same object for all states that are unpickled one after another."""
    key = (cls, tuple(options.items()))
    made = _rebuilt.get(key)
    if made is None:
        make: Any = cls
        made = make(**options)
        _rebuilt.clear()
        _rebuilt[key] = made
    return made


def _rebuild_state(game: Game[State], text: str) -> State:
    return game.state_from_text(text)


def overrides_rewards(state: State) -> bool:
    """Whether a game may reward its seats before the end."""
    kind: Any = type(state)
    base: Any = State
    return kind.rewards is not base.rewards


def has_two_sides(game: Game) -> bool:
    """Whether two seats or teams play against each other: one's return is minus the other's."""
    return game.num_teams == 2 and game.utility == ZERO_SUM


def is_shown(game: Game, state: State, action: int, seat: int | None) -> bool:
    """Whether a viewer learns of the action; a spectator does if every seat does."""
    if not game.has_secrets:
        return True
    if seat is not None:
        return game.can_see(state, action, seat)
    return all(game.can_see(state, action, each) for each in range(game.seats))


def draw_outcome(outcomes: list[tuple[int, float]], point: float) -> i64:
    """The outcome in whose share of [0, 1) the point lies."""
    for outcome, probability in outcomes:
        point -= probability
        if point < 0.0:
            return outcome
    return outcomes[-1][0]
