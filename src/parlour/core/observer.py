"""What a program sees of a position: planes of the board and further numbers, as bytes.

An observation is made for one seat, from what that seat may know: own things come first, the
other seats follow in turn. Cells and actions keep their places, so that an action's id means
the same whoever looks.
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
    """Tables that turn a position into one that is worth the same, for training on both.

    What stands at an index goes to the place that the table has there: cell `c` to `cells[c]`,
    plane `p` to `planes[p]`, extra `e` to `extras[e]`, action `a` to `actions[a]`, and what
    seat `s` sees, does and wins to seat `seats[s]`. With numpy arrays of one observation:

        turned[np.ix_(symmetry.planes, symmetry.cells)] = planes.reshape(len(planes), -1)
        turned_policy[list(symmetry.actions)] = policy
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
    """Writes observations of one game. A game that has its own returns it by `Game.observer`.

    >>> import parlour
    >>> observer = parlour.observer("octa:size=1")
    >>> observer.shape
    (11, 3, 3)
    >>> observer.planes[:3]
    ('own', 'other', 'blocked')
    """

    def __init_subclass__(cls) -> None:
        """Refuse a class that was compiled in a way that would crash."""
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
        """Name the planes, and the extras after them; the grid is the board unless said.

        With `in_words` there is `write_words` too, and the planes fill whole words of 8 bytes.
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
            raise ContractError(f"{self.size} bytes of planes are not written in words of 8")

    # What an author writes.

    @abstractmethod
    def write(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write the planes as this seat sees them to `out[at : at + size]`, which is all 0.

        Plane by plane, each in reading order. It says nothing that the seat does not know:
        `state.determinize(seat, rng)` gives the same bytes.
        """
        raise ContractError(f"{type(self).__name__} does not define write()")

    # What an author may replace.

    def write_extras(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write the extras to `out[at : at + extras]`, which is all 0; by the same rule."""
        if self.extras != 0:
            raise ContractError(f"{type(self).__name__} does not define write_extras()")

    def write_words(self, state: State, seat: i64, out: vec[i64], at: i64) -> None:
        """Write what `write` does to `out[at : at + size // 8]`, over whatever stands there.

        For large boards of which a turn changes little: eight bytes at a time, as they follow
        one another in memory.
        """
        raise ContractError(f"{type(self).__name__} does not define write_words()")

    def legal_actions(self, state: State) -> vec[i64]:
        """Return the legal actions in any order, for masks; replace it where sorting costs."""
        return state.legal_actions()

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Every symmetry of the game that is true in all positions; the identity is the first."""
        return (self.identity(),)

    def action_grid(self) -> memoryview | None:
        """For a convolutional head: each action's (plane, row, column), or `None`.

        The view has the shape (num_actions, 3) and holds int64; no two actions share a place.
        """
        return None

    # What everybody gets.

    def observe(self, state: State, seat: int) -> tuple[bytes, bytes]:
        """The planes and the extras as this seat sees them."""
        extras = vec[u8](bytes(self.extras))
        self.write_extras(state, seat, extras, 0)
        if self.in_words:
            words = vec[i64]([0] * (self.size // 8))
            self.write_words(state, seat, words, 0)
            return bytes(memoryview(words)), bytes(memoryview(extras))
        planes = vec[u8](bytes(self.size))
        self.write(state, seat, planes, 0)
        return bytes(memoryview(planes)), bytes(memoryview(extras))

    def identity(self) -> Symmetry:
        """The symmetry that changes nothing."""
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
        """Copied and pickled as its game."""
        return (observer, (self.game,))

    def __repr__(self) -> str:
        """The game, and how much is seen."""
        return f"<observer of {self.game!r}: shape {self.shape}, {self.extras} extras>"


def observer(game: object) -> Observer:
    """The observer of a game, or of the game with that name or text.

    Every game has one: its own, or one that is made from its scenes.
    """
    known = game if isinstance(game, Game) else find_game(game)
    author: Any = known  # whose method may return anything
    made: object = author.observer()
    if not isinstance(made, Observer):
        raise ContractError(
            f"{known.name}.observer() returns a parlour.Observer, not {shown(made)}"
        )
    return made


def grid_view(places: vec[i64]) -> memoryview:
    """The numbers as a view of rows of three, as `Observer.action_grid` returns it."""
    return memoryview(places).cast("B").cast("q", [len(places) // 3, 3])


def share(part: i64, whole: i64) -> i64:
    """A part of a whole as a byte: 255 for all of it, 0 for none and for nothing else."""
    if part <= 0:
        return 0
    return (part * 255 + whole - 1) // whole


def clear(out: vec[u8], at: i64, size: i64) -> None:
    """Make so many bytes 0: what an observer needs before it writes."""
    end = at + size
    while at < end:
        out[at] = 0
        at += 1
