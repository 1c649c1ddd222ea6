"""The replay of a record, without a display: the current move, and the text about it."""

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
    """An entry of the list: an action with the outcomes of chance that followed it."""

    number: int
    """The number of actions after it, chance included, as `--at` counts them."""
    ply: int
    """The number of actions before it."""
    seat: int
    words: str
    """In short, for a list."""
    sentence: str
    text: str
    cells: tuple[int, ...] = ()
    shape: Shape = ()


class Replay:
    """One record and its current move; 0 is the start."""

    def __init__(self, record: Record, pace: Pace | None = None) -> None:
        """Begin at the start, paused."""
        notes = Notes.of(record)
        self.record = record
        self.game = record.game
        self.ending = notes.ending
        self.review = Review(record, self.ending.returns if self.ending else None)
        self.pace = pace or Pace(SECONDS, is_paused=True)
        self.is_open = self.review.is_allowed
        """Whether everything may be shown: in a game with secrets, only after its end."""
        names = self.game.seat_names(record.final)
        held = notes.seats or (PERSON,) * self.game.seats
        self.names = tuple(
            name if who == PERSON else printable(f"{name} ({without_seed(who)})")
            for name, who in zip(names, held, strict=True)
        )
        self.moves = moves_of(record, self.names, self.is_open)
        self.at = 0
        self.typed = ""
        """The typed digits of a number to jump to."""
        self.shows_best = False
        """Whether the board shows the best choice instead of the move."""
        self.is_exact = False
        """Whether actions are shown as they are typed and stored."""
        self._counted = -1
        self._series: dict[int, list[float | None]] = {}
        self._lost: list[tuple[int, str]] | None = None

    # Navigation.

    @property
    def last(self) -> int:
        """The index of the last move in the list."""
        return len(self.moves)

    @property
    def move(self) -> Move | None:
        """The current move; `None` at the start."""
        return self.moves[self.at - 1] if self.at else None

    @property
    def ply(self) -> int:
        """The number of actions before the current position."""
        return self.move.number if self.move else 0

    def go_to(self, place: int) -> None:
        """Go to the position after that move of the list, or the nearest one."""
        self.at = min(self.last, max(0, place))
        self.typed = ""
        self.shows_best = False

    def go(self, step: int) -> None:
        """Go forward or back, and stop the automatic replay."""
        self.pace.is_paused = True
        self.go_to(self.at + step)

    def jump(self, number: int) -> None:
        """Go to the move that contains the action of that number."""
        self.pace.is_paused = True
        self.go_to(self.place_of(number))

    def place_of(self, number: int) -> int:
        """Return the index of the move that contains the action of that number."""
        found = [place for place, move in enumerate(self.moves, 1) if number <= move.number]
        if number <= 0:
            return 0
        return found[0] if found else self.last

    def to_mark(self, step: int) -> bool:
        """Go to the next or previous mistake; return whether there is one."""
        numbers = [number for number, _ in self.lost()]
        behind = [number for number in numbers if (number - self.ply) * step > 0]
        if behind:
            self.jump(min(behind) if step > 0 else max(behind))
        return bool(behind)

    def toggle_play(self) -> None:
        """Start the automatic replay, from the start if this is the end; or stop it."""
        if self.pace.is_paused and self.at == self.last:
            self.go_to(0)
        self.pace.toggle()

    def tick(self) -> bool:
        """Advance the automatic replay; return whether it moved."""
        if not self.pace.take():
            return False
        self.go_to(self.at + 1)
        self.pace.shown()
        if self.at == self.last:
            self.pace.is_paused = True
        return True

    def type_digit(self, digit: str) -> None:
        """Add a digit to the number to jump to."""
        self.typed = (self.typed + digit)[-MOST_DIGITS:]

    def enter(self) -> None:
        """Jump to the typed number, or go forward by one."""
        if self.typed:
            self.pace.is_paused = True
            self.go_to(int(self.typed))
        else:
            self.go(1)

    # Display.

    @property
    def verdict(self) -> Verdict | None:
        """The review of the current move."""
        return self.review.verdict(self.move.ply) if self.move else None

    @property
    def is_over(self) -> bool:
        """Whether this is the end of a finished game."""
        return self.at == self.last and self.review.returns is not None

    @property
    def scene(self) -> Scene:
        """The position, or the one before it if the best choice is shown."""
        ply = self.move.ply if self.shows_best and self.move else self.ply
        state = self.record.states[ply]
        scene = open_scene(state) if self.is_open else state.scene(None)
        if ply == len(self.record.actions) and self.ending is not None:
            reason = self.ending.reason
            scene = scene._replace(actor=OVER, status=f"{reason[:1].upper()}{reason[1:]}.")
        return scene._replace(actions=())

    @property
    def marks(self) -> Marks:
        """The cells of the move, and those of the better choice after a mistake."""
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
        """The move in a sentence, what it lost, and the evaluation."""
        if self.typed:
            return f"Go to move {self.typed} ... (Enter)"
        move, verdict = self.move, self.verdict
        if move is None:
            words = "The start."
        else:
            action = f"{self.who(move)}: {move.text}" if self.is_exact else move.sentence
            words = f"{self.at}. {action}."
        standing = self.review.words(self.ply)
        if standing:
            standing = f"{standing[:1].upper()}{standing[1:]}."
        return " ".join(filter(None, (words, self.verdict_words(verdict), standing)))

    def verdict_words(self, verdict: Verdict | None) -> str:
        """Return what the move lost compared with the best one."""
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
        """Return the name of the seat that made a move."""
        return "Chance" if move.seat == CHANCE else self.names[move.seat]

    def value_after(self, move: Move) -> float | None:
        """Return the value after a move: for seat 1 of at most two, otherwise for the mover."""
        seat = 0 if self.game.seats <= 2 else max(0, move.seat)
        return self.series(seat)[move.number]

    def series(self, seat: int) -> list[float | None]:
        """Return the value of every position for a seat, cached for each step of the review."""
        self._refresh_cache()
        if seat not in self._series:
            self._series[seat] = self.review.series(seat)
        return self._series[seat]

    def lost(self) -> list[tuple[int, str]]:
        """Return the numbers of the mistakes with their marks, cached in the same way."""
        self._refresh_cache()
        if self._lost is None:
            verdicts = [(move.number, self.review.verdict(move.ply)) for move in self.moves]
            self._lost = [
                (number, found.mark) for number, found in verdicts if found and found.mark
            ]
        return self._lost

    def _refresh_cache(self) -> None:
        """Clear the cached values after a step of the review."""
        count = len(self.review.advices)
        if self._counted != count:
            self._counted, self._series, self._lost = count, {}, None

    def figure_after(self, move: Move) -> str:
        """Return the value in a few characters: `+0.4`, or `+#7` for a proven win in 7."""
        value = self.value_after(move)
        if value is None:
            return ""
        ends_in = self.review.ends_in(move.number)
        if ends_in and value and self.game.seats <= 2:
            return f"{'+' if value > 0 else '-'}#{ends_in}"
        return f"{value:+z.1f}"

    def graph(self, seat: int) -> list[float | None]:
        """Return the values of a seat for the graph.

        With one seat and a proven win throughout, they show how near the win is.
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
        """Return the colour of each seat, matching its cells; all differ."""
        found: list[str] = []
        scenes = [state.scene(None).cells for state in self._some_states()]
        for seat in range(self.game.seats):
            own = [name for cells in scenes for name in seat_colours(cells, seat) if name]
            free = [name for name in (*own, *SEAT_COLOURS) if name not in found]
            found.append(free[0])
        return found

    def _some_states(self) -> Iterable[State]:
        """Return the end, the middle and the start; a seat has cells in one of them, if ever."""
        states = self.record.states
        return (states[-1], states[len(states) // 2], states[0])


def moves_of(record: Record, names: tuple[str, ...], is_open: bool) -> list[Move]:
    """Return the entries of the list; outcomes of chance are added to the action before them."""
    game, moves = record.game, list[Move]()
    for ply, action in enumerate(record.actions):
        state = record.states[ply]
        words = game.action_words(state, action, seat_for_words(game, state, action, is_open))
        view = game.action_view(state, action)
        if not is_open and not is_shown(game, state, action, None):
            view = ActionView(action, words)  # only these words are public
        if state.actor != CHANCE:
            sentence = printable(f"{names[state.actor]}: {words}")
            shape = laid_shape(view, game.board)
            parts = (int(state.actor), words, sentence, view.text, view.cells, shape)
            moves.append(Move(ply + 1, ply, *parts))
        elif moves:
            moves[-1] = _joined(moves[-1], words, view.text)
        else:
            moves.append(Move(ply + 1, ply, CHANCE, words, f"Chance: {words}", view.text))
    return moves


def _joined(move: Move, words: str, text: str) -> Move:
    """Return the move with an outcome of chance; if that has words, they replace the short form."""
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


def seat_for_words(game: Game, state: State, action: int, is_open: bool) -> int | None:
    """Return the seat whose words describe an action: in an open game, one that saw it."""
    if not game.has_secrets or not is_open:
        return None
    if state.actor != CHANCE:
        return int(state.actor)
    seats = (seat for seat in range(game.seats) if game.can_see(state, action, seat))
    return next(seats, None)


def open_scene(state: State) -> Scene:
    """Return what all seats together see, for a finished game without secrets left.

    Every cell and tray is shown as the seat with the most information sees it.
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
