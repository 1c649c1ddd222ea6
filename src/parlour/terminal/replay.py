"""A record that is looked back on, without a display: where one is, and what is said of it."""

from collections.abc import Iterable
from typing import NamedTuple

from parlour.core.checks import printable
from parlour.core.colours import SEAT_COLOURS, seat_colours
from parlour.core.game import CHANCE, OVER, Game, State, is_shown
from parlour.core.record import Record
from parlour.core.scene import ActionView, Cell, Scene
from parlour.drawing.choices import laid_shape, value_words
from parlour.drawing.review import MUCH, Review, Verdict
from parlour.shapes import Shape
from parlour.table import PERSON, Notes
from parlour.table.notes import without_seed
from parlour.terminal.marks import Marks
from parlour.terminal.pace import Pace

PAGE = 10
SECONDS = 1.0
MOST_DIGITS = 6


class Move(NamedTuple):
    """A line of the list: an action, with the outcomes of chance that followed it."""

    number: int
    """How many actions there are after it, as `--at` counts them."""
    ply: int
    """How many there are before it."""
    seat: int
    words: str
    """In short, for a list."""
    sentence: str
    text: str
    cells: tuple[int, ...] = ()
    shape: Shape = ()


class Replay:
    """One record, and the move that is looked at: 0 is the start."""

    def __init__(self, record: Record, pace: Pace | None = None) -> None:
        """Begin at the start, paused."""
        notes = Notes.of(record)
        self.record = record
        self.game = record.game
        self.ending = notes.ending
        self.review = Review(record, self.ending.returns if self.ending else None)
        self.pace = pace or Pace(SECONDS, is_paused=True)
        self.is_open = self.review.is_allowed
        """Whether everything may be seen: in a game with secrets once it is over."""
        names = self.game.seat_names(record.final)
        held = notes.seats or (PERSON,) * self.game.seats
        self.names = tuple(
            name if who == PERSON else printable(f"{name} ({without_seed(who)})")
            for name, who in zip(names, held, strict=True)
        )
        self.moves = moves_of(record, self.names, self.is_open)
        self.at = 0
        self.typed = ""
        """The digits of a number to jump to."""
        self.shows_best = False
        """Whether the board shows what was best instead of what was done."""
        self.is_exact = False
        """Whether actions are shown as they are typed and stored."""
        self._counted = -1
        self._series: dict[int, list[float | None]] = {}
        self._lost: list[tuple[int, str]] | None = None

    # Where one is.

    @property
    def last(self) -> int:
        """The number of the last move in the list."""
        return len(self.moves)

    @property
    def move(self) -> Move | None:
        """The move that led here; `None` at the start."""
        return self.moves[self.at - 1] if self.at else None

    @property
    def ply(self) -> int:
        """How many actions led to the position that is looked at."""
        return self.move.number if self.move else 0

    def go_to(self, place: int) -> None:
        """Look at the position after that move of the list; the nearest there is."""
        self.at = min(self.last, max(0, place))
        self.typed = ""
        self.shows_best = False

    def go(self, step: int) -> None:
        """Forth or back; whoever walks by hand is not driven on."""
        self.pace.is_paused = True
        self.go_to(self.at + step)

    def jump(self, number: int) -> None:
        """To the move with that number: the one that has this action in it."""
        self.pace.is_paused = True
        self.go_to(self.place_of(number))

    def place_of(self, number: int) -> int:
        """The place in the list of the move that has this action in it."""
        found = [place for place, move in enumerate(self.moves, 1) if number <= move.number]
        if number <= 0:
            return 0
        return found[0] if found else self.last

    def to_mark(self, step: int) -> bool:
        """To the next move that lost something, or the one before; whether there is one."""
        numbers = [number for number, _ in self.lost()]
        behind = [number for number in numbers if (number - self.ply) * step > 0]
        if behind:
            self.jump(min(behind) if step > 0 else max(behind))
        return bool(behind)

    def toggle_play(self) -> None:
        """Go on by itself, from the start if this is the end; or stop."""
        if self.pace.is_paused and self.at == self.last:
            self.go_to(0)
        self.pace.toggle()

    def tick(self) -> bool:
        """Now and then: whether it went on by itself."""
        if not self.pace.take():
            return False
        self.go_to(self.at + 1)
        self.pace.shown()
        if self.at == self.last:
            self.pace.is_paused = True
        return True

    def type_digit(self, digit: str) -> None:
        """A further digit of the number to jump to."""
        self.typed = (self.typed + digit)[-MOST_DIGITS:]

    def enter(self) -> None:
        """Jump to what was typed; without that, on by one."""
        if self.typed:
            self.jump(int(self.typed))
        else:
            self.go(1)

    # What there is to see.

    @property
    def verdict(self) -> Verdict | None:
        """What the agent thinks of the move that led here."""
        return self.review.verdict(self.move.ply) if self.move else None

    @property
    def is_over(self) -> bool:
        """Whether this is the end of a game that was played to its end."""
        return self.at == self.last and self.review.returns is not None

    @property
    def scene(self) -> Scene:
        """The position, or the one before it where the best choice is shown."""
        ply = self.move.ply if self.shows_best and self.move else self.ply
        state = self.record.states[ply]
        scene = open_scene(state) if self.is_open else state.scene(None)
        if ply == len(self.record.actions) and self.ending is not None:
            reason = self.ending.reason
            scene = scene._replace(actor=OVER, status=f"{reason[:1].upper()}{reason[1:]}.")
        return scene._replace(actions=())

    @property
    def marks(self) -> Marks:
        """The move's cells, and the better choice's where it lost something."""
        move, verdict = self.move, self.verdict
        cells = move.cells if move else ()
        better = verdict.best.cells if verdict and (verdict.mark or self.shows_best) else ()
        cursor = next(iter(better or cells), 0)
        if self.shows_best and verdict is not None:
            ghost = better if verdict.best.shape else ()
            return Marks(
                cursor=cursor, hint=better, ghost=ghost, ghost_fits=True, shows_cursor=False
            )
        return Marks(cursor=cursor, last=cells, hint=better, shows_cursor=False)

    @property
    def message(self) -> str:
        """The move in a sentence, what it lost, and how the game stands."""
        if self.typed:
            return f"Go to move {self.typed} ... (Enter)"
        move, verdict = self.move, self.verdict
        if move is None:
            told = "The start."
        else:
            words = f"{self.who(move)}: {move.text}" if self.is_exact else move.sentence
            told = f"{move.number}. {words}."
        standing = self.review.words(self.ply)
        if standing:
            standing = f"{standing[:1].upper()}{standing[1:]}."
        return " ".join(filter(None, (told, self.verdict_words(verdict), standing)))

    def verdict_words(self, verdict: Verdict | None) -> str:
        """What the move lost against the best one."""
        if verdict is None or not (verdict.mark or self.shows_best):
            return ""
        best = verdict.best
        name = best.choice.text if self.is_exact else best.words[0]
        if verdict.is_best:
            return f"That was best ({value_words(best.choice)})."
        if verdict.detour:
            steps = "1 step" if verdict.detour == 1 else f"{verdict.detour} steps"
            return f"Lost {steps}: {name} was {value_words(best.choice)}."
        how = "Lost much" if verdict.mark == MUCH else "Lost a little" if verdict.mark else "Best"
        return f"{how}: {name} was {value_words(best.choice)}."

    def who(self, move: Move) -> str:
        """Who made a move."""
        return "Chance" if move.seat == CHANCE else self.names[move.seat]

    def value_after(self, move: Move) -> float | None:
        """What the position after a move is worth: to the first of two seats, else the mover."""
        seat = 0 if self.game.seats <= 2 else max(0, move.seat)
        return self.series(seat)[move.number]

    def series(self, seat: int) -> list[float | None]:
        """What every position was worth to a seat; made once for each step of the review."""
        self._forget()
        if seat not in self._series:
            self._series[seat] = self.review.series(seat)
        return self._series[seat]

    def lost(self) -> list[tuple[int, str]]:
        """The numbers of the moves that lost something, with their marks; made once as well."""
        self._forget()
        if self._lost is None:
            verdicts = [(move.number, self.review.verdict(move.ply)) for move in self.moves]
            self._lost = [
                (number, found.mark) for number, found in verdicts if found and found.mark
            ]
        return self._lost

    def _forget(self) -> None:
        """What was made before the last step of the review."""
        count = len(self.review.advices)
        if self._counted != count:
            self._counted, self._series, self._lost = count, {}, None

    def figure_after(self, move: Move) -> str:
        """The same in few signs: `+0.4`, and `+#7` where a win in 7 is proven."""
        value = self.value_after(move)
        if value is None:
            return ""
        ends_in = self.review.ends_in(move.number)
        if ends_in and value and self.game.seats <= 2:
            return f"{'+' if value > 0 else '-'}#{ends_in}"
        return f"{value:+.1f}"

    def graph(self, seat: int) -> list[float | None]:
        """What the graph shows of a seat: what each position was worth to it.

        With one seat and a win that is proven throughout, how near that is.
        """
        series = self.series(seat)
        ends = [self.review.ends_in(ply) for ply in range(len(series))]
        if self.game.seats > 1 or not any(ends):
            return series
        longest = max(ends)
        return [
            1 - 2 * end / longest if end and value is not None and value > 0 else value
            for end, value in zip(ends, series, strict=True)
        ]

    def colours(self) -> list[str]:
        """The colour of each seat, as its cells are; all of them differ."""
        found: list[str] = []
        scenes = [state.scene(None).cells for state in self._some_states()]
        for seat in range(self.game.seats):
            own = [name for cells in scenes for name in seat_colours(cells, seat) if name]
            free = [name for name in (*own, *SEAT_COLOURS) if name not in found]
            found.append(free[0])
        return found

    def _some_states(self) -> Iterable[State]:
        """The end, the middle and the start: a seat has cells in one of them, if ever."""
        states = self.record.states
        return (states[-1], states[len(states) // 2], states[0])


def moves_of(record: Record, names: tuple[str, ...], is_open: bool) -> list[Move]:
    """The lines of the list; outcomes of chance stand with the action before them."""
    game, moves = record.game, list[Move]()
    for ply, action in enumerate(record.actions):
        state = record.states[ply]
        words = game.action_words(state, action, told_seat(game, state, action, is_open))
        view = game.action_view(state, action)
        if not is_open and not is_shown(game, state, action, None):
            view = ActionView(action, words)  # nothing of it is known but these words
        if state.actor != CHANCE:
            sentence = printable(f"{names[state.actor]}: {words}")
            shape = laid_shape(view, game.board)
            told = (int(state.actor), words, sentence, view.text, view.cells, shape)
            moves.append(Move(ply + 1, ply, *told))
        elif moves:
            moves[-1] = _joined(moves[-1], words, view.text)
        else:
            moves.append(Move(ply + 1, ply, CHANCE, words, f"Chance: {words}", view.text))
    return moves


def _joined(move: Move, words: str, text: str) -> Move:
    """The move with what chance brought; where that has words they tell the whole in short."""
    is_bare = words.startswith("=")
    is_first = move.number == move.ply + 1
    if move.seat == CHANCE or not is_first:
        short = f"{move.words}, {words}"
    else:
        short = f"{move.words} {words}" if is_bare else words
    return move._replace(
        number=move.number + 1,
        words=short,
        sentence=printable(f"{move.sentence}{' ' if is_bare else '; '}{words}"),
        text=f"{move.text}{'' if text.startswith('=') else ' '}{text}",
    )


def told_seat(game: Game, state: State, action: int, is_open: bool) -> int | None:
    """Whose words an action is told in: once all is open, those of a seat that saw it."""
    if not game.has_secrets or not is_open:
        return None
    if state.actor != CHANCE:
        return int(state.actor)
    seats = (seat for seat in range(game.seats) if game.can_see(state, action, seat))
    return next(seats, None)


def open_scene(state: State) -> Scene:
    """What all seats together see: every cell and tray as somebody sees it who sees more.

    For a game that is over, in which nothing is a secret any more.
    """
    scene = state.scene(None)
    if not state.game.has_secrets:
        return scene
    views = [state.scene(seat) for seat in range(state.game.seats)]
    cells = tuple(
        _opened(cell, [view.cells[at] for view in views]) for at, cell in enumerate(scene.cells)
    )
    seats = tuple(views[seat].seats[seat] for seat in range(state.game.seats))
    return scene._replace(cells=cells, seats=seats)


def _opened(cell: Cell, seen: list[Cell]) -> Cell:
    return next((other for other in seen if other != cell), cell)
