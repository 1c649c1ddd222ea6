"""Many games stepped together, with observations as arrays, for machine learning.

All views are read-only buffers of the batch's memory: `numpy.asarray(batch.obs)` is an array
without a copy, and shows the new positions after each step. Nothing here needs numpy.
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
"""Passed instead of an action, it leaves a game as it is."""

RAISE: Final = "raise"
LOSE: Final = "lose"

_MOST_DEALS: Final = 1000


class Batch:
    """A number of games, each at the decision of a seat.

    Chance is resolved inside a step, and a finished game restarts in the same step, so every game
    always has a seat to act. Each game has its own random numbers, so it does not depend on
    how many others there are. The same seed and the same actions give the same games.

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
        """Start `count` games. `game` is a `Game`, or its name or text.

        - `observe`, `mask` and `legal` choose the views; a view that is not kept costs nothing.
        - `final` keeps the final observations of finished games.
        - `max_plies` truncates games after that many decisions.
        - `starts` is the size of a pool of starts, for games whose starts are slow to make. By
          default every start is new.
        - `illegal="lose"` makes an illegal action a forfeit instead of an error.
        - `first` is the number of the first game in a larger batch with the same seed, so that
          several processes can share one.
        """
        self.game: Final = game if isinstance(game, Game) else find_game(game)
        self.count: Final = check_count("count", count, 1)
        self.max_plies: Final = (
            None if max_plies is None else check_count("max_plies", max_plies, 1)
        )
        self.starts: Final = None if starts is None else check_count("starts", starts, 1)
        if illegal not in (RAISE, LOSE):
            raise ValueError(f"illegal must be {RAISE!r} or {LOSE!r}, not {shown(illegal)}")
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
        # One of these two holds the planes.
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

    # Play.

    def step(self, actions: object) -> None:
        """Play one action in every game; `actions` is a buffer of int64 or a list.

        WAIT (-1) leaves a game as it is. Raises `IllegalAction`, which names the game and the
        rule, and `TypeError` or `ValueError` for another type or length. Then nothing has changed.

        >>> import parlour
        >>> batch = parlour.Batch("octa:size=1", 2)
        >>> batch.step([-1, batch.sample()[1]])
        >>> batch.plies.tolist()
        [0, 1]
        """
        self._check_whole()
        data = read_actions(actions, self.count)
        self._check(data)
        self._is_whole = False
        signals.let_signals_in()
        self._ends.reset()
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
                    state = _resolve_chance(state, self._rngs[i])
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
            self._observe(i)
            i += 1
        self._is_whole = True

    def sample(self) -> memoryview:
        """Return a uniformly random legal action for every game, for `step`.

        The actions are the same whichever views are kept, and calls do not change the games.

        >>> import parlour
        >>> len(parlour.Batch("octa", 4).sample())
        4
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
        """Restart all games. With a seed they are those of a new batch with that seed.

        >>> import parlour
        >>> batch = parlour.Batch("octa", 2)
        >>> batch.step(batch.sample())
        >>> batch.reset()
        >>> batch.plies.tolist()
        [0, 0]
        """
        if seed is not None:
            self._seed_all(fold_seed(seed))
        if not self._is_whole:
            self._legal.clear()
        self._ends.reset()
        self._begin_all()

    def state(self, index: object) -> State:
        """Return a copy of one game's position, secrets included, for displays and searches.

        >>> import parlour
        >>> parlour.Batch("octa", 2).state(1).actor
        0
        """
        self._check_whole()
        number = as_int(index)
        if number is None:
            raise TypeError(f"the index must be an int, not {type_name(index)}: {shown(index)}")
        if not 0 <= number < self.count:
            raise IndexError(f"the index must be 0 to {self.count - 1}, not {shown(number)}")
        return self._states[number].scratch()

    def save(self) -> bytes:
        """Return the whole batch as bytes; `Batch.restore` makes an identical batch of them.

        >>> import parlour
        >>> batch = parlour.Batch("octa", 2, seed=7)
        >>> parlour.Batch.restore(batch.save()).sample() == batch.sample()
        True
        """
        from parlour.core.saved_batch import saved  # here, because few runs need it

        self._check_whole()
        return saved(self)

    @staticmethod
    def restore(data: bytes, game: Game | None = None) -> "Batch":
        """Return the batch that `save` wrote. Raises `RecordError` if the data are damaged.

        Pass `game`, with the same options, if it is not registered.

        >>> import parlour
        >>> parlour.Batch.restore(parlour.Batch("octa", 2).save()).count
        2
        """
        from parlour.core.saved_batch import restored

        return restored(data, game)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy the bytes of `save`."""
        from parlour.core.saved_batch import restored

        return (restored, (self.save(), self.game))

    def __repr__(self) -> str:
        """Return the game and the number of games."""
        return f"<batch of {self.count} of {self.game!r}>"

    # Views. Every view except `legal_ids` shows the new positions after a step.

    @property
    def obs(self) -> memoryview:
        """(count, planes, rows, cols) bytes: the planes of the seat to act; see `Observer`.

        >>> import parlour
        >>> parlour.Batch("octa:size=1", 2).obs.shape
        (2, 11, 3, 3)
        """
        _check_kept(self._observes, "obs", "observe")
        shape = (self.count, *self.observer.shape)
        if self._in_words:
            return memoryview(self._words).cast("B").cast("B", shape)
        return _shaped(self._obs, shape)

    @property
    def extras(self) -> memoryview:
        """(count, extras) bytes: the extras of the seat to act.

        >>> import parlour
        >>> parlour.Batch("banqi", 2).extras.shape
        (2, 18)
        """
        _check_kept(self._observes, "extras", "observe")
        return _shaped(self._extras, (self.count, self.observer.extras))

    @property
    def mask(self) -> memoryview:
        """(count, num_actions) bytes: 1 where an action is legal, otherwise 0.

        >>> import parlour
        >>> parlour.Batch("octa:size=1", 1, seed=8).mask.shape
        (1, 9)
        """
        _check_kept(self._masks, "mask", "mask")
        return _shaped(self._legal.mask, (self.count, self.game.num_actions))

    @property
    def legal_ids(self) -> memoryview:
        """int64: the legal actions of game 0, ascending, then those of game 1 and so on.

        Read it again after each step: its length changes.

        >>> import parlour
        >>> batch = parlour.Batch("octa:size=1", 2, legal=True)
        >>> len(batch.legal_ids) == batch.legal_starts[2]
        True
        """
        _check_kept(self._lists, "legal_ids", "legal")
        return memoryview(self._legal.ids())

    @property
    def legal_starts(self) -> memoryview:
        """(count + 1) int64: game i has `legal_ids[legal_starts[i] : legal_starts[i + 1]]`.

        >>> import parlour
        >>> parlour.Batch("octa", 2, legal=True).legal_starts[0]
        0
        """
        _check_kept(self._lists, "legal_starts", "legal")
        return memoryview(self._legal.starts)

    @property
    def actor(self) -> memoryview:
        """(count) int64: the seat to act.

        >>> import parlour
        >>> parlour.Batch("octa", 2).actor.tolist()
        [0, 0]
        """
        return memoryview(self._actor)

    @property
    def acted(self) -> memoryview:
        """(count) int64: the seat that acted in the last step, or -1 if the game waited.

        >>> import parlour
        >>> parlour.Batch("octa", 2).acted.tolist()
        [-1, -1]
        """
        return memoryview(self._acted)

    @property
    def plies(self) -> memoryview:
        """(count) int64: the decisions made in each game since it started.

        >>> import parlour
        >>> parlour.Batch("octa", 2).plies.tolist()
        [0, 0]
        """
        return memoryview(self._plies)

    @property
    def start_seeds(self) -> memoryview:
        """(count) int64: the seed of each game's start, for `game.start`.

        >>> import parlour
        >>> batch = parlour.Batch("octa", 2)
        >>> batch.game.start(batch.start_seeds[1]) == batch.state(1)
        True
        """
        return memoryview(self._start_seeds)

    @property
    def done(self) -> memoryview:
        """(count) bytes: 1 if the last step finished a game, 2 if it truncated it, otherwise 0.

        >>> import parlour
        >>> parlour.Batch("octa", 2).done.tolist()
        [0, 0]
        """
        return memoryview(self._ends.done)

    @property
    def returns(self) -> "memoryview[float]":
        """(count, seats) float64: the returns of games that the last step finished.

        0 in all other games, truncated ones included.

        >>> import parlour
        >>> parlour.Batch("octa", 2).returns.tolist()
        [[0.0, 0.0], [0.0, 0.0]]
        """
        return memoryview(self._ends.returns).cast("B").cast("d", (self.count, self.game.seats))

    @property
    def rewards(self) -> "memoryview[float]":
        """(count, seats) float64: what the last step added to `State.rewards`.

        The rewards of a game add up to its returns. Without rewards before the end they are the
        returns.

        >>> import parlour
        >>> parlour.Batch("octa", 2).rewards.shape
        (2, 2)
        """
        ends = self._ends
        kept = ends.rewards if ends.has_rewards else ends.returns
        return memoryview(kept).cast("B").cast("d", (self.count, self.game.seats))

    @property
    def final_obs(self) -> memoryview:
        """(count, seats, planes, rows, cols) bytes: the final planes of each seat; otherwise 0.

        >>> import parlour
        >>> parlour.Batch("octa:size=1", 2, final=True).final_obs.shape
        (2, 2, 11, 3, 3)
        """
        _check_kept(self._observes and self._finals, "final_obs", "final")
        return _shaped(self._ends.obs, (self.count, self.game.seats, *self.observer.shape))

    @property
    def final_extras(self) -> memoryview:
        """(count, seats, extras) bytes: the final extras of each seat.

        >>> import parlour
        >>> parlour.Batch("banqi", 2, final=True).final_extras.shape
        (2, 2, 18)
        """
        _check_kept(self._observes and self._finals, "final_extras", "final")
        shape = (self.count, self.game.seats, self.observer.extras)
        return _shaped(self._ends.extras, shape)

    @property
    def final_actor(self) -> memoryview:
        """(count) int64: the seat to act in games that the last step truncated, otherwise OVER.

        >>> import parlour
        >>> parlour.Batch("octa", 2).final_actor.tolist() == [parlour.OVER] * 2
        True
        """
        return memoryview(self._ends.actor)

    # Private.

    def _seed_all(self, seed: int) -> None:
        """Seed every generator; that of a game does not depend on the count."""
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
            self._observe(i)
            i += 1
        self._is_whole = True

    def _begin(self, i: i64) -> State:
        """Return a new start for game i, at its first decision."""
        rng = self._rngs[i]
        deals = 0
        while deals < _MOST_DEALS:
            seed = self._pool.draw(rng)
            state = _resolve_chance(self._pool.start(seed).scratch(), rng)
            actor = state.actor
            if actor >= 0:
                self._start_seeds[i] = seed
                self._actor[i] = actor
                self._plies[i] = 0
                self._ends.begin(i, state)
                return state
            deals += 1
        raise ContractError(
            f"{self.game.name}: the last {_MOST_DEALS} starts were over before a decision"
        )

    def _observe(self, i: i64) -> None:
        """Update the views of game i, whose position is new."""
        state = self._states[i]
        if self._masks or self._lists:
            # Unordered if only a mask is kept: 1.2 times the steps per second in Blokus.
            observer = self.observer
            self._legal.add(
                i, state.legal_actions() if self._lists else observer.legal_actions(state)
            )
        if self._observes:
            seat = self._actor[i]
            at = i * self._plane_bytes
            further = i * self._extra_bytes
            clear(self._extras, further, self._extra_bytes)
            if self._in_words:
                # Twice the steps per second in Blokus, whose planes have 4,800 bytes.
                self.observer.write_words(state, seat, self._words, at // 8)
                if self._extra_bytes != 0:
                    self.observer.write_extras(state, seat, self._extras, further)
            else:
                clear(self._obs, at, self._plane_bytes)
                self.observer.write_both(state, seat, self._obs, at, self._extras, further)

    def _check(self, data: bytes) -> None:
        """Raise `IllegalAction` for the first illegal action."""
        i: i64 = 0
        while i < self._n:
            action = action_in(data, i)
            if action < 0 or action >= self._choices:
                if action != WAIT:
                    raise IllegalAction(
                        f"game {i}: an action must be an id from 0 to {self._choices - 1}, or "
                        f"{WAIT} to wait, not {action}"
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
                f"a step of this batch of {self.game.name} failed halfway: call reset()"
            )

    # Private: for saved batches.

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

    def _resume(self, streams: list[Rng], states: list[State]) -> None:
        """Continue with the generators and positions of a saved batch."""
        if len(streams) != self.count + 1 or len(states) != self.count:
            raise ValueError(f"the data are not of {self.count} games")
        self._sampler = streams[0]
        self._rngs = streams[1:]
        self._states = [state.scratch() for state in states]
        i: i64 = 0
        while i < self._n:
            actor = self._states[i].actor
            if actor < 0:
                raise ValueError(f"no seat is to act in game {i}")
            self._actor[i] = actor
            self._ends.begin(i, self._states[i])
            self._observe(i)
            i += 1

    def _set_numbers(self, i: i64, plies: i64, start_seed: i64, acted: i64) -> None:
        self._plies[i] = plies
        self._start_seeds[i] = start_seed
        self._acted[i] = acted


def _resolve_chance(state: State, rng: Rng) -> State:
    """Play chance at random up to the next decision or the end."""
    while state.actor == CHANCE:
        state = state.advance(state.sample(rng))
    return state


def _check_kept(kept: bool, view: str, option: str) -> None:
    if not kept:
        raise ValueError(f"{view} is not kept: make the batch with {option}=True")


def _shaped(data: vec[u8], shape: tuple[int, ...]) -> memoryview:
    """Return a view of that shape; an empty view keeps its own, as memoryviews require."""
    view = memoryview(data)
    return view.cast("B", shape) if len(data) != 0 else view
