"""The contract: a `Game` (its description and its start) and a `State` (a position).

Authors must write the abstract methods. The other methods have defaults that are right for any
game; replace them to say more or for speed. Neither class derives from `ABC`: compiled classes
would share its cache, and `isinstance` would mix them up.
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
    """A game with its options chosen: immutable, equal by value, hashable and picklable.

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
    """The keyword arguments of the constructor, which passes them through `check_options`."""

    DRAW_OFFERS: ClassVar[bool] = False
    """Whether two players may agree on a draw."""

    FIXED_VIEWS: ClassVar[bool] = False
    """Whether `action_view` depends on the action alone, so that each view is encoded once."""

    FORMATS: ClassVar[tuple[Any, ...]] = ()
    """The `RecordFormat`s of other programs for this game."""

    def __init_subclass__(cls) -> None:
        """Refuse classes that mypyc compiled separately, and let `start` fold seeds."""
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
        board: Board | None = None,
        faces: tuple[str, ...] = (),
    ) -> None:
        """Describe the game. A subclass calls this with its checked options.

        `max_plies` is an upper bound on the decisions of a game, stalling play included. Set
        `has_chance` if states can be at CHANCE, and `has_secrets` if a seat may see less than
        another. `faces` lists every value that `Cell.face` can have. `board` is `None` for a game
        without a board.

        `utility` relates the returns of the seats: "zero-sum" (the default), "common" (all seats
        win or lose together) or "general" (neither). `teams` has the team of each seat, such as
        (0, 1, 0, 1) for two pairs of partners; seats of a team have equal returns. By default
        every seat is a separate team, and a common game has a single team.
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
        self.board: Final = NO_BOARD if board is None else board
        self.faces: Final = faces

    # Required of authors.

    @abstractmethod
    def start(self, seed: int = 0) -> StateT:
        """Return the first position. All randomness of the set-up comes from the seed.

        Core folds any int into the range of seeds and refuses other types. Nothing in a start is
        secret, because seeds are public: deal hidden cards and pieces by chance.

        >>> import parlour
        >>> parlour.game("octa").start(seed=1) == parlour.game("octa").start(seed=1)
        True
        """
        raise _undefined(self, "start")

    @abstractmethod
    def state_to_text(self, state: StateT) -> str:
        """Return the whole position as text that a person can read and edit.

        >>> import parlour
        >>> game = parlour.game("octa:size=1")
        >>> game.state_to_text(game.start(seed=8)).splitlines()[0]
        'turn 0, player 1 to move'
        """
        raise _undefined(self, "state_to_text")

    @abstractmethod
    def state_from_text(self, text: str) -> StateT:
        """Return the position of a text that `state_to_text` wrote.

        Raises `StateTextError` for other texts, and `InvalidState` for an impossible position.

        >>> import parlour
        >>> game = parlour.game("octa:size=1")
        >>> game.state_from_text(game.state_to_text(game.start(seed=8))).actor
        0
        """
        raise _undefined(self, "state_from_text")

    @abstractmethod
    def scene(self, state: StateT, seat: int | None) -> Scene:
        """Return the cells, seats and status that a seat, or a spectator (`None`), may see.

        `State.scene` calls it and adds the board, the names of the seats, the actor and the
        actions.

        >>> import parlour
        >>> game = parlour.game("octa:size=1")
        >>> len(game.scene(game.start(seed=8), None).cells)
        9
        """
        raise _undefined(self, "scene")

    # Optional: actions in text, in words and on the board.

    def action_to_text(self, state: StateT, action: int) -> str:
        """Return the action's text, without spaces. The default is its id.

        The texts of chance outcomes start with `=`, and no others do.

        >>> import parlour
        >>> game = parlour.game("octa:size=1")
        >>> game.action_to_text(game.start(seed=8), 2)
        '1,1'
        """
        return f"={action}" if state.actor == CHANCE else str(action)

    def action_from_text(self, state: StateT, text: str) -> int:
        """Return the id of the action with that text, legal or not.

        The default finds legal actions only. Raises `ActionTextError` for other texts.

        >>> import parlour
        >>> game = parlour.game("octa:size=1")
        >>> game.action_from_text(game.start(seed=8), "1,1")
        2
        """
        wanted = check_text("an action's text", text, ActionTextError)
        legal = state.legal_actions()
        for action in legal:
            if self.action_to_text(state, action) == wanted:
                return action
        raise ActionTextError(f"{shown(wanted)} is not a legal action{self._examples(state)}")

    def action_words(self, state: StateT, action: int, seat: int | None) -> str:
        """Return the action in words for a seat or a spectator: "L5 at e14", "a card".

        The default is the action's text, or "something" if the viewer may not see the action.

        >>> import parlour
        >>> game = parlour.game("blokus")
        >>> state = game.start()
        >>> game.action_words(state, state.legal_actions()[0], None)
        'I1 at a20'
        """
        if is_shown(self, state, action, seat):
            return self.action_to_text(state, action)
        return "something"

    def action_view(self, state: StateT, action: int) -> ActionView:
        """Return the action with its text and the cells that choose it; by default none.

        >>> import parlour
        >>> game = parlour.game("octa:size=1")
        >>> game.action_view(game.start(seed=8), 2).cells
        (2,)
        """
        return ActionView(action, self.action_to_text(state, action))

    def action_at(self, state: StateT, cells: tuple[int, ...], group: str = "") -> int | None:
        """Return the action that these cells choose, or `None`: the inverse of `action_view`.

        With a `group` the cells may come in any order. The default finds legal actions only. If
        you find illegal ones too, displays can say why they are refused.

        >>> import parlour
        >>> game = parlour.game("octa:size=1")
        >>> game.action_at(game.start(seed=8), (2,))
        2
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
        """Whether `seat` may see `action` when it is played in `state`.

        A game with secrets must replace it.

        >>> import parlour
        >>> game = parlour.game("octa")
        >>> game.can_see(game.start(), 0, 1)
        True
        """
        return True

    # Optional: for players and spectators.

    def seat_names(self, state: StateT) -> tuple[str, ...]:
        """Return the name of each seat; by default `player 1` and so on, with its team.

        >>> import parlour
        >>> game = parlour.game("octa")
        >>> game.seat_names(game.start())
        ('player 1', 'player 2')
        """
        names = [f"player {seat + 1}" for seat in range(self.seats)]
        if 1 < self.num_teams < self.seats:
            names = [
                f"{name} (team {team + 1})" for name, team in zip(names, self.teams, strict=True)
            ]
        return tuple(names)

    def frames(self, state: StateT, action: int, seat: int | None = None) -> list[Scene]:
        """Return the scenes that show a legal action step by step to a seat or a spectator.

        The last one is the scene after the action; by default it is the only one.

        >>> import parlour
        >>> game = parlour.game("octa:size=1")
        >>> game.frames(game.start(seed=8), 2)[-1] == game.start(seed=8).play("1,1").scene()
        True
        """
        return [state.apply(action).scene(seat)]

    def json_fields(self, state: StateT, seed: int, seat: int | None) -> dict[str, object]:
        """Return further fields for programs that read positions as JSON; values JSON can hold.

        >>> import parlour
        >>> game = parlour.game("octa")
        >>> game.json_fields(game.start(), 0, None)
        {}
        """
        return {}

    def dialect(self, protocol: str) -> Any:
        """Return the `Dialect` of this game for an engine protocol, or `None`.

        `gtp`, `cdc` and `uci` need one. `ugi` works for any game of two seats without chance and
        secrets, with the texts of its actions.

        >>> import parlour
        >>> parlour.game("octa").dialect("gtp") is None
        True
        """
        return None

    def observer(self) -> "Observer":
        """Return the `Observer` that writes observations of this game for machine learning.

        The default makes them from the scenes, which is slow but right for any game.

        >>> import parlour
        >>> parlour.game("octa:size=1").observer().shape
        (11, 3, 3)
        """
        # Imported here: that module imports this one, and few runs need it.
        from parlour.core.scene_observer import SceneObserver

        return SceneObserver(self)

    def heuristics(self) -> "Heuristics":
        """Return what agents know about this game beyond its rules; see `Heuristics`.

        >>> import parlour
        >>> parlour.game("banqi").heuristics().best_agent
        'search'
        """
        from parlour.core.heuristics import Heuristics  # here: that module imports this one

        return Heuristics(self)

    def guide(self) -> "Guide":
        """Return the texts for players: rules, first steps, help; see `Guide`.

        >>> import parlour
        >>> parlour.game("octa").guide().rules()[1].title
        'Your turn'
        """
        from parlour.core.guide import Guide  # here: that module imports this one

        return Guide(self)

    # For every game.

    def _examples(self, state: StateT) -> str:
        texts = [self.action_to_text(state, action) for action in state.legal_actions()]
        if not texts:
            return ": the game is over"
        more = ", ..." if len(texts) > 8 else ""
        return "; legal now: " + ", ".join(texts[:8]) + more

    def __eq__(self, other: object) -> bool:
        """Compare class and options."""
        if not isinstance(other, Game):
            return False
        return self is other or (type(self) is type(other) and self.options == other.options)

    def __hash__(self) -> int:
        """Hash the name and the options."""
        return hash((self.name, tuple(self.options.values())))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the class and the options."""
        return (_rebuild_game, (type(self), dict(self.options)))

    def __repr__(self) -> str:
        """Return the expression that makes this game if it is registered."""
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"parlour.game({self.name!r}{options})"


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """A position: immutable to its callers, and without randomness.

    If `game.has_secrets`, it may hold what a seat must not know: show it to players only through
    `determinize` and `scene`.

    >>> import parlour
    >>> state = parlour.game("octa:size=1").start(seed=8)
    >>> state.actor, list(state.legal_actions()), state.result()
    (0, [2, 6], None)
    >>> state.refusal(4)
    'that cell is neutral; choose one of your own'
    >>> state.play("1,1").actor
    1

    An author writes `actor`, `legal_actions`, `apply`, `result` and `key`; the other methods
    have defaults. `play` checks its action, `apply` trusts it.
    """

    def __init_subclass__(cls) -> None:
        """Refuse classes that mypyc compiled separately, and accept lists of actions."""
        super().__init_subclass__()
        refuse_foreign_layout(cls)
        wrap(cls, "legal_actions", with_list)

    def __init__(self, game: Game) -> None:
        """Store the game."""
        self.game: Final[Any] = game

    # Required of authors.

    @property
    @abstractmethod
    def actor(self) -> i64:
        """The seat to act, or CHANCE, or OVER.

        >>> import parlour
        >>> parlour.game("octa").start().actor
        0
        """
        raise _undefined(self, "actor")

    @abstractmethod
    def legal_actions(self) -> vec[i64]:
        """Return the legal ids, ascending; at CHANCE the outcomes; empty only when OVER.

        A subclass in plain Python may return a list. The caller may keep and change it.

        >>> import parlour
        >>> list(parlour.game("octa:size=1").start(seed=8).legal_actions())
        [2, 6]
        """
        raise _undefined(self, "legal_actions")

    @abstractmethod
    def apply(self, action: i64) -> Self:
        """Return the state after a legal action, which is not checked; `play` checks it.

        >>> import parlour
        >>> parlour.game("octa:size=1").start(seed=8).apply(2).actor
        1
        """
        raise _undefined(self, "apply")

    @abstractmethod
    def result(self) -> Result | None:
        """Return how the game ended, or `None` before the end.

        >>> import parlour
        >>> parlour.game("octa").start().result() is None
        True
        """
        raise _undefined(self, "result")

    @abstractmethod
    def key(self) -> object:
        """Return a hashable value; two states of one game are equal iff their keys are.

        >>> import parlour
        >>> state = parlour.game("octa:size=1").start(seed=8)
        >>> state.key() == state.play("1,1").key()
        False
        """
        raise _undefined(self, "key")

    # Optional: replace these to say more or for speed.

    def rule_against(self, action: i64) -> str | None:
        """Return the rule that forbids this action now, in words, or `None` if it is legal.

        `action` is an id from 0 to `num_actions - 1`.

        >>> import parlour
        >>> parlour.game("octa:size=1").start(seed=8).rule_against(4)
        'that cell is neutral; choose one of your own'
        """
        if action in self.legal_actions():
            return None
        return f"{self.game.action_to_text(self, action)} is not legal now"

    def rewards(self) -> tuple[float, ...]:
        """Return what each seat has collected so far; at the end these are the returns.

        Environments reward an action with the difference that it makes. The default is 0 for
        every seat before the end. Replace it where a game gives points on the way, scaled like
        returns.

        >>> import parlour
        >>> parlour.game("octa").start().rewards()
        (0.0, 0.0)
        """
        result = self.result()
        return (0.0,) * self.game.seats if result is None else result.returns

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return (outcome, probability) pairs at CHANCE, ascending; otherwise an empty list.

        Probabilities are positive. Outcomes have ids from 0, unrelated to the ids of actions and
        not bounded by `num_actions`.

        >>> import parlour
        >>> state = parlour.game("banqi").start().play("a1")
        >>> len(state.chance_outcomes())
        14
        """
        return []

    def determinize(self, seat: int, rng: Rng) -> Self:
        """Return a random position that the seat cannot distinguish from this one.

        It depends only on what the seat knows and on the generator. The actor, the seat's scene
        and, on its turn, its legal actions stay the same. The default returns this position, which
        is right for games of perfect information.

        >>> import parlour
        >>> state = parlour.game("octa").start()
        >>> state.determinize(0, parlour.Rng(1)) == state
        True
        """
        return self

    def sample(self, rng: Rng) -> i64:
        """Return a uniformly random legal action; at CHANCE an outcome by its probability.

        >>> import parlour
        >>> state = parlour.game("octa:size=1").start(seed=8)
        >>> state.sample(parlour.Rng(1)) in (2, 6)
        True
        """
        if self.actor == CHANCE:
            return draw_outcome(self.chance_outcomes(), rng.random())
        actions = self.legal_actions()
        return actions[rng.below(len(actions))]

    def scratch(self) -> Self:
        """Return a copy that `advance` may change; this state never changes.

        For playouts and searches. The default suits the default `advance`: replace both or neither.

        >>> import parlour
        >>> state = parlour.game("octa:size=1").start(seed=8)
        >>> state.scratch().advance(2) == state.apply(2)
        True
        """
        return self

    def advance(self, action: i64) -> Self:
        """Return the state after a legal action, like `apply`, but reuse this state's memory.

        Call it only on a state that came from `scratch`, and do not use that state again.

        >>> import parlour
        >>> parlour.game("octa:size=1").start(seed=8).scratch().advance(2).actor
        1
        """
        return self.apply(action)

    def playout(self, rng: Rng, limit: i64) -> tuple[Self, i64]:
        """Play at random to the end, or for `limit` decisions. Return the state and their number.

        Actions are uniformly random, and drawn from the generator exactly as `sample` draws them.
        This state does not change. Replace it where calls are slow, such as calls from compiled
        code into an interpreted package.

        >>> import parlour
        >>> end, plies = parlour.game("octa:size=1").start(seed=8).playout(parlour.Rng(1), 100)
        >>> end.is_over, plies <= 8
        (True, True)
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

    # For every state.

    @property
    def is_over(self) -> bool:
        """Whether the game has ended.

        >>> import parlour
        >>> parlour.game("octa").start().is_over
        False
        """
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
        """Return why `play(action)` would be refused, or `None`. Accepts any type.

        >>> import parlour
        >>> parlour.game("octa:size=1").start(seed=8).refusal(1.5)
        'an action is an int or a text, not float'
        """
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
        """Return the state after an action, given by id or text: `state.play("c2-c3")`.

        Raises `IllegalAction` with the rule against it if the action is not legal, and
        `ActionTextError` for a text that no action has.

        >>> import parlour
        >>> parlour.game("octa:size=1").start(seed=8).play("1,1").actor
        1
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
            return f"{shown(number)} is not a possible outcome now"
        if not 0 <= number < self.game.num_actions:
            return f"an action is an id from 0 to {self.game.num_actions - 1}, not {shown(number)}"
        try:
            return self.rule_against(number)
        except ParlourError:
            raise
        except (Exception, SystemExit) as error:
            raise _failure(self, "rule_against", error) from error

    def scene(self, seat: int | None = None, with_actions: bool = True) -> Scene:
        """Return what a seat, or a spectator (`None`), may see.

        `with_actions=False` leaves the actions empty, which is faster.

        >>> import parlour
        >>> parlour.game("octa").start().scene().status
        'Turn 1 of 80: player 1 to move.'
        """
        if seat is not None and not isinstance(seat, int):
            raise TypeError(f"a seat is an int, not {type_name(seat)}")
        game: Game = self.game
        if seat is not None and not 0 <= seat < game.seats:
            raise IndexError(f"{game.name} has seats 0 to {game.seats - 1}, not {seat}")
        try:
            return self._scene(seat, with_actions)
        except ParlourError:
            raise
        except (Exception, SystemExit) as error:
            raise _failure(game, "scene", error) from error

    def _scene(self, seat: int | None, with_actions: bool) -> Scene:
        game: Game = self.game
        drawn = game.scene(self, seat)
        actor = int(self.actor)
        views: list[ActionView] = []
        is_shown = actor >= 0 and (seat == actor or (seat is None and not game.has_secrets))
        if with_actions and is_shown:
            for action in self.legal_actions():
                views.append(game.action_view(self, action))
        return Scene(
            drawn.cells,
            drawn.seats,
            drawn.status,
            game.board,
            actor,
            tuple(views),
            drawn.actors,
            game.seat_names(self),
        )

    def __eq__(self, other: object) -> bool:
        """Compare game and key."""
        if not isinstance(other, State):
            return False
        return self is other or (self.game == other.game and self.key() == other.key())

    def __hash__(self) -> int:
        """Hash the key."""
        return hash(self.key())

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the game and the position's text; replace it where that is too slow."""
        return (_rebuild_state, (self.game, self.game.state_to_text(self)))

    def _repr_svg_(self) -> str:
        """Return the picture that a spectator sees, for notebooks."""
        from parlour.drawing.svg import scene_to_svg  # here, because only notebooks need it

        return scene_to_svg(self.scene(None), (), self.game.title)

    def __str__(self) -> str:
        """Return the position's text."""
        text: str = self.game.state_to_text(self)
        return text

    def __repr__(self) -> str:
        """Return the game and the position's text."""
        return f"<{self.game.name} state\n{self.game.state_to_text(self)}>"


def start_of(game: Any, seed: int) -> State:
    """Return the start of a game. Raises `ContractError` if the game's code fails."""
    try:
        state: object = game.start(seed)
    except ParlourError:
        raise
    except (Exception, SystemExit) as error:
        raise _failure(game, "start", error) from error
    if not isinstance(state, State):
        raise ContractError(
            f"{game.name}.start() must return a parlour.State, but returned {shown(state)}"
        )
    return state


def _failure(owner: object, method: str, error: BaseException) -> ContractError:
    # Imported here: that module imports this one, and few runs need it.
    from parlour.core.packages import failure

    return failure(owner, method, error)


def _undefined(owner: object, method: str) -> ContractError:
    """Return the error of an abstract method that a subclass does not define."""
    return ContractError(f"{type(owner).__name__} does not define {method}()")


def _teams(utility: str, seats: int) -> tuple[int, ...]:
    return (0,) * seats if utility == COMMON else tuple(range(seats))


_rebuilt: Final[dict[object, Game]] = {}


def _rebuild_game(cls: type[Game], options: dict[str, Value]) -> Game:
    """Return the game, and share it among states that are unpickled one after another."""
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
    """Whether two seats or teams play a zero-sum game."""
    return game.num_teams == 2 and game.utility == ZERO_SUM


def is_shown(game: Game, state: State, action: int, seat: int | None) -> bool:
    """Whether a viewer may see the action; a spectator may if every seat may."""
    if not game.has_secrets:
        return True
    if seat is not None:
        return game.can_see(state, action, seat)
    return all(game.can_see(state, action, each) for each in range(game.seats))


def draw_outcome(outcomes: list[tuple[int, float]], point: float) -> i64:
    """Return the outcome at `point` in [0, 1) of the cumulative distribution."""
    for outcome, probability in outcomes:
        point -= probability
        if point < 0.0:
            return outcome
    return outcomes[-1][0]
