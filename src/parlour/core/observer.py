"""Observations for machine learning: planes of the board and further numbers (extras), as bytes.

An observation belongs to one seat and holds only what that seat may know. Its own planes come
first, those of the other seats follow in order of play. Cells and actions are not rotated, so an
action's id means the same for every seat.
"""

from abc import abstractmethod
from typing import Any, Final, NamedTuple

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr, u8

from parlour.core.checks import shown
from parlour.core.errors import ContractError
from parlour.core.game import Game, State
from parlour.core.outside import refuse_foreign_layout
from parlour.core.registry import game as find_game


class Symmetry(NamedTuple):
    """Tables that map a position to an equivalent one, for data augmentation.

    Each table maps an index to its image: cell `c` to `cells[c]`, plane `p` to `planes[p]`, extra
    `e` to `extras[e]`, action `a` to `actions[a]`, and seat `s` to `seats[s]`. With numpy arrays of
    one observation:

        turned[np.ix_(symmetry.planes, symmetry.cells)] = planes.reshape(len(planes), -1)
        turned_policy[list(symmetry.actions)] = policy

    >>> import parlour
    >>> len(parlour.observer("octa").symmetries())
    4
    """

    name: str
    """In words: `rotated by 90 degrees`."""
    cells: tuple[int, ...]
    planes: tuple[int, ...]
    extras: tuple[int, ...]
    actions: tuple[int, ...]
    seats: tuple[int, ...]


@mypyc_attr(allow_interpreted_subclasses=True)
class Observer:
    """Writes the observations of one game. `Game.observer` returns it.

    >>> import parlour
    >>> observer = parlour.observer("octa:size=1")
    >>> observer.shape
    (11, 3, 3)
    >>> observer.planes[:3]
    ('own', 'other', 'blocked')
    """

    def __init_subclass__(cls) -> None:
        """Refuse classes that mypyc compiled separately."""
        super().__init_subclass__()
        refuse_foreign_layout(cls)

    def __init__(
        self,
        game: Game,
        planes: tuple[str, ...],
        extra_names: tuple[str, ...] = (),
        rows: int = -1,
        cols: int = -1,
        *,
        in_words: bool = False,
    ) -> None:
        """Name the planes and the extras. The grid is the board unless `rows` and `cols` are given.

        With `in_words` the observer also has `write_words`; the planes must then fill whole words
        of 8 bytes.
        """
        self.game: Final = game
        self.planes: Final = planes
        self.extra_names: Final = extra_names
        self.extras: Final = len(extra_names)
        height = game.board.rows if rows < 0 else rows
        width = game.board.cols if cols < 0 else cols
        self.shape: Final = (len(planes), height, width)
        self.size: Final[i64] = len(planes) * height * width
        self.in_words: Final = in_words
        if in_words and (self.size == 0 or self.size % 8 != 0):
            raise ContractError(
                f"in_words needs planes whose bytes are a multiple of 8, not {self.size}"
            )

    # Required of authors.

    @abstractmethod
    def write(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write the seat's planes to `out[at : at + size]`, which is all 0.

        Plane by plane, each in reading order. Write only what the seat knows:
        `state.determinize(seat, rng)` must give the same bytes.

        >>> import parlour
        >>> from librt.vecs import vec
        >>> from mypy_extensions import u8
        >>> state = parlour.game("octa:size=1").start(seed=8)
        >>> out = vec[u8](bytes(99))
        >>> parlour.observer(state.game).write(state, 0, out, 0)
        >>> out[2], out[6]  # own cells, the first plane
        (1, 1)
        """
        raise ContractError(f"{type(self).__name__} does not define write()")

    # Optional.

    def write_extras(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write the seat's extras to `out[at : at + extras]`, which is all 0.

        >>> import parlour
        >>> from librt.vecs import vec
        >>> from mypy_extensions import u8
        >>> state = parlour.game("octa:size=1").start(seed=8)
        >>> out = vec[u8](bytes(parlour.observer(state.game).extras))
        >>> parlour.observer(state.game).write_extras(state, 0, out, 0)
        >>> out[0]  # the share of turns that are left
        255
        """
        if self.extras != 0:
            raise ContractError(f"{type(self).__name__} does not define write_extras()")

    def write_both(
        self, state: State, seat: i64, planes: vec[u8], at: i64, extras: vec[u8], further: i64
    ) -> None:
        """Write the planes and the extras; replace it where they share work.

        >>> import parlour
        >>> from librt.vecs import vec
        >>> from mypy_extensions import u8
        >>> state = parlour.game("octa:size=1").start(seed=8)
        >>> planes, extras = vec[u8](bytes(99)), vec[u8](bytes(2))
        >>> parlour.observer(state.game).write_both(state, 0, planes, 0, extras, 0)
        >>> planes[2], extras[0]
        (1, 255)
        """
        self.write(state, seat, planes, at)
        if self.extras != 0:
            self.write_extras(state, seat, extras, further)

    def write_words(self, state: State, seat: i64, out: vec[i64], at: i64) -> None:
        """Write the bytes of `write` to `out[at : at + size // 8]`, over the previous content.

        For speed on large boards: eight bytes at a time, in memory order.

        >>> import parlour
        >>> from librt.vecs import vec
        >>> from mypy_extensions import i64
        >>> observer = parlour.observer("blokus")
        >>> out = vec[i64]([0] * (observer.size // 8))
        >>> observer.write_words(observer.game.start(), 0, out, 0)
        """
        raise ContractError(f"{type(self).__name__} does not define write_words()")

    def legal_actions(self, state: State) -> vec[i64]:
        """Return the legal actions in any order, for masks; replace it where sorting is slow.

        >>> import parlour
        >>> state = parlour.game("octa:size=1").start(seed=8)
        >>> sorted(parlour.observer(state.game).legal_actions(state))
        [2, 6]
        """
        return state.legal_actions()

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the symmetries that hold in every position; the identity is the first.

        >>> import parlour
        >>> parlour.observer("octa").symmetries()[0] == parlour.observer("octa").identity()
        True
        """
        return (self.identity(),)

    def action_grid(self) -> memoryview | None:
        """Return each action's (plane, row, column) for a convolutional head, or `None`.

        The view has the shape (num_actions, 3) and holds int64; no two actions share a place.

        >>> import parlour
        >>> parlour.observer("octa:size=1").action_grid().shape
        (9, 3)
        """
        return None

    # For every game.

    def observe(self, state: State, seat: int) -> tuple[bytes, bytes]:
        """Return the planes and the extras of a seat.

        >>> import parlour
        >>> planes, extras = parlour.observer("octa:size=1").observe(
        ...     parlour.game("octa:size=1").start(), 0
        ... )
        >>> len(planes)
        99
        """
        extras = vec[u8](bytes(self.extras))
        if self.in_words:
            self.write_extras(state, seat, extras, 0)
            words = vec[i64]([0] * (self.size // 8))
            self.write_words(state, seat, words, 0)
            return bytes(memoryview(words)), bytes(memoryview(extras))
        planes = vec[u8](bytes(self.size))
        self.write_both(state, seat, planes, 0, extras, 0)
        return bytes(memoryview(planes)), bytes(memoryview(extras))

    def identity(self) -> Symmetry:
        """Return the symmetry that changes nothing.

        >>> import parlour
        >>> parlour.observer("octa:size=1").identity().cells
        (0, 1, 2, 3, 4, 5, 6, 7, 8)
        """
        planes, rows, cols = self.shape
        return Symmetry(
            "as it is",
            tuple(range(rows * cols)),
            tuple(range(planes)),
            tuple(range(self.extras)),
            tuple(range(self.game.num_actions)),
            tuple(range(self.game.seats)),
        )

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy the game."""
        return (observer, (self.game,))

    def __repr__(self) -> str:
        """Return the game, the shape of the planes and the number of extras."""
        return f"<observer of {self.game!r}: shape {self.shape}, {self.extras} extras>"


def observer(game: object) -> Observer:
    """Return the observer of a game. `game` is a `Game`, or its name or text.

    A game that defines no observer gets one that reads its scenes.

    >>> import parlour
    >>> parlour.observer("octa:size=1").shape
    (11, 3, 3)
    """
    known = game if isinstance(game, Game) else find_game(game)
    author: Any = known  # untyped: the method of a plain Python class may return anything
    made: object = author.observer()
    if not isinstance(made, Observer):
        raise ContractError(
            f"{known.name}.observer() must return a parlour.Observer, not {shown(made)}"
        )
    return made


def grid_view(places: vec[i64]) -> memoryview:
    """Return the numbers as a view of rows of three, for `Observer.action_grid`."""
    return memoryview(places).cast("B").cast("q", [len(places) // 3, 3])


def share(part: i64, whole: i64) -> i64:
    """Return a part of a whole as a byte: 255 for all of it, and 0 only for none."""
    if part <= 0:
        return 0
    return (part * 255 + whole - 1) // whole


def clear(out: vec[u8], at: i64, size: i64) -> None:
    """Set `size` bytes to 0, as observers expect them."""
    end = at + size
    while at < end:
        out[at] = 0
        at += 1
