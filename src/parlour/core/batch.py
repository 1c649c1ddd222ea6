"""Many games of one kind side by side, stepped together, seen as arrays: for learning.

All views are read-only buffers of the batch's own memory: `numpy.asarray(batch.obs)` is an
array without a copy that shows the new positions after each step. Nothing here needs numpy.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from parlour.core import signals
from parlour.core.action_buffer import action_in, read_actions
from parlour.core.checks import as_int, check_count, shown, type_name
from parlour.core.endings import Endings
from parlour.core.errors import ContractError, IllegalAction
from parlour.core.game import CHANCE, OVER, Game, State
from parlour.core.legal_lists import LegalLists
from parlour.core.observer import clear, observer
from parlour.core.registry import game as find_game
from parlour.core.rng import Rng, fold_seed
from parlour.core.start_pool import StartPool, draw_seed

WAIT: Final[i64] = -1
"""In place of an action: this game stays as it is."""

RAISE: Final = "raise"
LOSE: Final = "lose"

_MOST_DEALS: Final = 1000


class Batch:
    """So many games, each waiting for the decision of a seat.

    What chance brings happens inside a step, and a finished game starts anew in the same
    step: at every moment each game has an actor. Every game has random numbers of its own,
    so that it does not depend on how many others there are; the same seed and the same
    actions give the same games.

    >>> import parlour
    >>> batch = parlour.Batch("octa", 4, seed=7)
    >>> batch.obs.shape, batch.mask.shape
    ((4, 11, 9, 9), (4, 81))
    >>> for _ in range(80):
    ...     batch.step(batch.sample())
    >>> batch.done.tolist()
    [1, 1, 1, 1]
    >>> batch.returns.tolist()[0] in ([1.0, -1.0], [-1.0, 1.0], [0.0, 0.0])
    True
    """

    def __init__(
        self,
        game: object,
        count: object,
        seed: object = 0,
        *,
        observe: bool = True,
        mask: bool = True,
        legal: bool = False,
        final: bool = False,
        max_plies: object = None,
        starts: object = None,
        illegal: object = RAISE,
        first: object = 0,
    ) -> None:
        """Start `count` games of a game, or of the game with that name or text.

        `observe`, `mask` and `legal` say which views are kept; what is not kept costs
        nothing. With `final` the last position of a finished game is kept as its seats see
        it. `max_plies` cuts games that go on after so many decisions. With `starts` games
        begin with one of so many starts, for games in which a start takes time to make;
        otherwise every start is a new one. `illegal="lose"` ends a game for who does what is
        not legal, instead of an error. With `first` these are the games of that number and on of
        a larger batch with the same seed: so that several processes may have a part each.
        """
        self.game: Final = game if isinstance(game, Game) else find_game(game)
        self.count: Final = check_count("count", count, 1)
        self.max_plies: Final = (
            None if max_plies is None else check_count("max_plies", max_plies, 1)
        )
        self.starts: Final = None if starts is None else check_count("starts", starts, 1)
        if illegal not in (RAISE, LOSE):
            raise ValueError(f"illegal is {RAISE!r} or {LOSE!r}, not {shown(illegal)}")
        self._loses: Final = illegal == LOSE
        self.first: Final = check_count("first", first, 0)
        self._observes: Final = observe
        self._masks: Final = mask
        self._lists: Final = legal
        self._finals: Final = final
        self.observer: Final = observer(self.game)
        n = self.count
        self._n: Final[i64] = n
        self._choices: Final[i64] = self.game.num_actions
        self._limit: Final[i64] = -1 if self.max_plies is None else self.max_plies
        self._plane_bytes: Final[i64] = self.observer.size
        self._extra_bytes: Final[i64] = self.observer.extras
        # What is seen stands in one of these two.
        self._in_words: Final = self.observer.in_words
        size = n * int(self.observer.size) if observe else 0
        self._obs: Final[vec[u8]] = vec[u8](bytes(0 if self._in_words else size))
        self._words: Final[vec[i64]] = vec[i64]([0] * (size // 8 if self._in_words else 0))
        self._extras: Final[vec[u8]] = vec[u8](bytes(n * self.observer.extras if observe else 0))
        self._actor: Final[vec[i64]] = vec[i64]([0] * n)
        self._acted: Final[vec[i64]] = vec[i64]([WAIT] * n)
        self._plies: Final[vec[i64]] = vec[i64]([0] * n)
        self._start_seeds: Final[vec[i64]] = vec[i64]([0] * n)
        self._legal: Final = LegalLists(n, self.game.num_actions, mask)
        self._ends: Final = Endings(n, self.observer, observe and final)
        self._states: list[State] = []
        self._rngs: list[Rng] = []
        self._seed = 0
        self._sampler = Rng(0)
        self._pool = StartPool(self.game, None, self._sampler)
        self._is_whole = True
        self._seed_all(fold_seed(seed))
        self._begin_all()

    # What happens.

    def step(self, actions: object) -> None:
        """Make one decision in every game, by a buffer of int64 or a list: one action each.

        WAIT (-1) leaves a game as it is. An action that is not legal is an `IllegalAction`
        that names the game and the rule; another type or length is a `TypeError` or a
        `ValueError`. Then nothing has changed.
        """
        self._check_whole()
        data = read_actions(actions, self.count)
        self._check(data)
        self._is_whole = False
        signals.let_signals_in()
        self._ends.forget()
        limit = self._limit
        i: i64 = 0
        while i < self._n:
            action = action_in(data, i)
            if action == WAIT:
                self._acted[i] = WAIT
                if self._masks or self._lists:
                    self._legal.repeat(i)
                i += 1
                continue
            seat = self._actor[i]
            self._acted[i] = seat
            plies = self._plies[i] + 1
            self._plies[i] = plies
            state = self._states[i]
            if self._loses and not self._is_legal(i, action):
                self._ends.forfeit(i, state, seat)
                self._states[i] = self._begin(i)
            else:
                state = state.advance(action)
                actor = state.actor
                if actor == CHANCE:
                    state = _dealt(state, self._rngs[i])
                    actor = state.actor
                if actor == OVER:
                    self._ends.finish(i, state)
                    self._states[i] = self._begin(i)
                elif plies == limit:
                    self._ends.truncate(i, state)
                    self._states[i] = self._begin(i)
                else:
                    if self._ends.has_rewards:
                        self._ends.collect(i, state.rewards())
                    self._states[i] = state
                    self._actor[i] = actor
            self._look(i)
            i += 1
        self._is_whole = True

    def sample(self) -> memoryview:
        """A random legal action for every game, each as likely, to be handed to `step`.

        The same actions whichever views are kept; and the games do not depend on it.
        """
        self._check_whole()
        drawn = vec[i64]([0] * self.count)
        rng = self._sampler
        i: i64 = 0
        while i < self._n:
            if self._masks or self._lists:
                drawn[i] = self._legal.nth(i, rng.below(self._legal.size(i)))
            else:
                legal = self._states[i].legal_actions()
                drawn[i] = legal[rng.below(len(legal))]
            i += 1
        return memoryview(drawn)

    def reset(self, seed: object = None) -> None:
        """Start all games anew: with a seed as a new batch of that seed, otherwise going on."""
        if seed is not None:
            self._seed_all(fold_seed(seed))
        if not self._is_whole:
            self._legal.forget()
        self._ends.forget()
        self._begin_all()

    def state(self, index: object) -> State:
        """The position of one game, for displays and searches: with its secrets, and to keep."""
        self._check_whole()
        number = as_int(index)
        if number is None:
            raise TypeError(f"a game's index is an int, not {type_name(index)}: {shown(index)}")
        if not 0 <= number < self.count:
            raise IndexError(f"the games are 0 to {self.count - 1}, not {shown(number)}")
        return self._states[number].scratch()

    def save(self) -> bytes:
        """All of it: `Batch.restore` makes a batch that goes on exactly as this one does."""
        from parlour.core.saved_batch import saved  # here, because few runs need it

        self._check_whole()
        return saved(self)

    @staticmethod
    def restore(data: bytes, game: Game | None = None) -> "Batch":
        """The batch that `save` wrote; `RecordError` if the data are damaged.

        A game that is not registered must be handed over, with the same options.
        """
        from parlour.core.saved_batch import restored

        return restored(data, game)

    def __reduce__(self) -> tuple[object, ...]:
        """Copied and pickled as `save` writes it."""
        from parlour.core.saved_batch import restored

        return (restored, (self.save(), self.game))

    def __repr__(self) -> str:
        """The game, and how many of it."""
        return f"<batch of {self.count} of {self.game!r}>"

    # What is seen. Every view but `legal_ids` shows the new positions after a step by itself.

    @property
    def obs(self) -> memoryview:
        """(count, planes, rows, cols) bytes: what the seat to act sees; see `Observer`."""
        _check_kept(self._observes, "obs", "observe")
        shape = (self.count, *self.observer.shape)
        if self._in_words:
            return memoryview(self._words).cast("B").cast("B", shape)
        return _shaped(self._obs, shape)

    @property
    def extras(self) -> memoryview:
        """(count, extras) bytes: further numbers that the seat to act sees."""
        _check_kept(self._observes, "extras", "observe")
        return _shaped(self._extras, (self.count, self.observer.extras))

    @property
    def mask(self) -> memoryview:
        """(count, num_actions) bytes: 1 where an action is legal, otherwise 0."""
        _check_kept(self._masks, "mask", "mask")
        return _shaped(self._legal.mask, (self.count, self.game.num_actions))

    @property
    def legal_ids(self) -> memoryview:
        """int64: the legal actions of game 0, ascending, then those of game 1 and so on.

        Ask for it after each step: its length changes.
        """
        _check_kept(self._lists, "legal_ids", "legal")
        return memoryview(self._legal.ids())

    @property
    def legal_starts(self) -> memoryview:
        """(count + 1) int64: game i has `legal_ids[legal_starts[i] : legal_starts[i + 1]]`."""
        _check_kept(self._lists, "legal_starts", "legal")
        return memoryview(self._legal.starts)

    @property
    def actor(self) -> memoryview:
        """(count) int64: the seat to act."""
        return memoryview(self._actor)

    @property
    def acted(self) -> memoryview:
        """(count) int64: the seat that acted in the last step, or -1 where the game waited."""
        return memoryview(self._acted)

    @property
    def plies(self) -> memoryview:
        """(count) int64: the decisions made in each game since it started."""
        return memoryview(self._plies)

    @property
    def start_seeds(self) -> memoryview:
        """(count) int64: `game.start` of it is how each game started."""
        return memoryview(self._start_seeds)

    @property
    def done(self) -> memoryview:
        """(count) bytes: what the last step did: 1 finished a game, 2 cut it at `max_plies`."""
        return memoryview(self._ends.done)

    @property
    def returns(self) -> "memoryview[float]":
        """(count, seats) float64: each seat's result of a game that the last step finished.

        0 in all other games, those that were cut among them.
        """
        return memoryview(self._ends.returns).cast("B").cast("d", (self.count, self.game.seats))

    @property
    def rewards(self) -> "memoryview[float]":
        """(count, seats) float64: what the last step added to `State.rewards`.

        The rewards of a game add up to its returns. Without rewards before the end they are the
        returns.
        """
        ends = self._ends
        kept = ends.rewards if ends.has_rewards else ends.returns
        return memoryview(kept).cast("B").cast("d", (self.count, self.game.seats))

    @property
    def final_obs(self) -> memoryview:
        """(count, seats, planes, rows, cols) bytes: how each seat saw the end; 0 elsewhere."""
        _check_kept(self._observes and self._finals, "final_obs", "final")
        return _shaped(self._ends.obs, (self.count, self.game.seats, *self.observer.shape))

    @property
    def final_extras(self) -> memoryview:
        """(count, seats, extras) bytes: the further numbers of `final_obs`."""
        _check_kept(self._observes and self._finals, "final_extras", "final")
        shape = (self.count, self.game.seats, self.observer.extras)
        return _shaped(self._ends.extras, shape)

    @property
    def final_actor(self) -> memoryview:
        """(count) int64: who was to act where the last step cut a game, otherwise OVER."""
        return memoryview(self._ends.actor)

    # Inside.

    def _seed_all(self, seed: int) -> None:
        """Every stream of random numbers anew; those of a game do not depend on the count."""
        self._seed = seed
        master = Rng(seed)
        self._sampler = Rng(draw_seed(master))
        self._pool = StartPool(self.game, self.starts, Rng(draw_seed(master)))
        for _ in range(self.first):
            draw_seed(master)
        self._rngs = [Rng(draw_seed(master)) for _ in range(self.count)]

    def _begin_all(self) -> None:
        self._is_whole = False
        self._states = []
        i: i64 = 0
        while i < self._n:
            self._acted[i] = WAIT
            self._states.append(self._begin(i))
            self._look(i)
            i += 1
        self._is_whole = True

    def _begin(self, i: i64) -> State:
        """A new start for game i, up to its first decision."""
        rng = self._rngs[i]
        deals = 0
        while deals < _MOST_DEALS:
            seed = self._pool.draw(rng)
            state = _dealt(self._pool.start(seed).scratch(), rng)
            actor = state.actor
            if actor >= 0:
                self._start_seeds[i] = seed
                self._actor[i] = actor
                self._plies[i] = 0
                self._ends.begin(i, state)
                return state
            deals += 1
        raise ContractError(f"{self.game.name} starts with games that are over: nobody decides")

    def _look(self, i: i64) -> None:
        """Write what is seen of game i, whose position is new."""
        state = self._states[i]
        if self._masks or self._lists:
            # Unordered, where only a mask is kept: Blokus makes 1.2 times the steps.
            observer = self.observer
            self._legal.add(
                i, state.legal_actions() if self._lists else observer.legal_actions(state)
            )
        if self._observes:
            seat = self._actor[i]
            size = self._plane_bytes
            if self._in_words:
                # Of Blokus, 4,800 bytes, this makes twice the steps.
                self.observer.write_words(state, seat, self._words, i * (size // 8))
            else:
                clear(self._obs, i * size, size)
                self.observer.write(state, seat, self._obs, i * size)
            size = self._extra_bytes
            if size != 0:
                clear(self._extras, i * size, size)
                self.observer.write_extras(state, seat, self._extras, i * size)

    def _check(self, data: bytes) -> None:
        """`IllegalAction` for the first action that cannot be."""
        i: i64 = 0
        while i < self._n:
            action = action_in(data, i)
            if action < 0 or action >= self._choices:
                if action != WAIT:
                    raise IllegalAction(
                        f"game {i}: an action is an id from 0 to {self._choices - 1}, or {WAIT} to "
                        f"wait, not {action}"
                    )
            elif not self._loses and not self._is_legal(i, action):
                raise IllegalAction(f"game {i}: {self._states[i].refusal(action)}")
            i += 1

    def _is_legal(self, i: i64, action: i64) -> bool:
        if self._masks:
            return self._legal.is_marked(i, action)
        return self._states[i].rule_against(action) is None

    def _check_whole(self) -> None:
        if not self._is_whole:
            raise ContractError(
                f"a step of this batch of {self.game.name} has failed halfway: reset it"
            )

    # Inside: what a saved batch is made of.

    def _settings(self) -> dict[str, object]:
        return {
            "count": self.count,
            "seed": self._seed,
            "observe": self._observes,
            "mask": self._masks,
            "legal": self._lists,
            "final": self._finals,
            "max_plies": self.max_plies,
            "starts": self.starts,
            "illegal": LOSE if self._loses else RAISE,
            "first": self.first,
        }

    def _streams(self) -> list[Rng]:
        return [self._sampler, *self._rngs]

    def _go_on(self, streams: list[Rng], states: list[State]) -> None:
        """Take over the positions of a saved batch, and what follows from them."""
        if len(streams) != self.count + 1 or len(states) != self.count:
            raise ValueError(f"there are not {self.count} games")
        self._sampler = streams[0]
        self._rngs = streams[1:]
        self._states = [state.scratch() for state in states]
        i: i64 = 0
        while i < self._n:
            actor = self._states[i].actor
            if actor < 0:
                raise ValueError(f"nobody is to act in game {i}")
            self._actor[i] = actor
            self._ends.begin(i, self._states[i])
            self._look(i)
            i += 1

    def _set_numbers(self, i: i64, plies: i64, start_seed: i64, acted: i64) -> None:
        self._plies[i] = plies
        self._start_seeds[i] = start_seed
        self._acted[i] = acted


def _dealt(state: State, rng: Rng) -> State:
    """What chance makes of a position, up to the next decision or the end."""
    while state.actor == CHANCE:
        state = state.advance(state.sample(rng))
    return state


def _check_kept(kept: bool, view: str, option: str) -> None:
    if not kept:
        raise ValueError(f"{view} is not kept: make the batch with {option}=True")


def _shaped(data: vec[u8], shape: tuple[int, ...]) -> memoryview:
    """A view of that shape; an empty one has no shape, because memoryviews do not allow that."""
    view = memoryview(data)
    return view.cast("B", shape) if len(data) != 0 else view
