"""What stands beside the board: seats, pieces, choices; and the words on the keys."""

from collections import Counter
from collections.abc import Sequence
from functools import cache

from textual.markup import escape as escape_markup

from parlour.core.checks import printable
from parlour.core.scene import Scene
from parlour.core.shapes import Shape, normalise, turned
from parlour.scenes.choices import Advice, value_figure
from parlour.scenes.picker import Picker
from parlour.table import LiveGame
from parlour.table.clock import clock_face
from parlour.terminal.session import Session

HELP = """\
[b]Choose[/b] Enter, space or a click: the cell; where to, if it asks. Esc: let go.
  arrow keys     move the cursor; play, where actions are named like them
  1 to 9         an action without a cell, as numbered beside the board
  :              type an action

[b]Lay pieces[/b]
  A to Z, Tab    take a piece by its first letter; the next one; or click it
  r  f           turn it; flip it
  .  ,           the next place where it fits; the one before
  Enter, click   lay it

[b]The game[/b]
  u  n  s        undo; new game; save
  h  a  e        hint; analysis; evaluation bar
  Ctrl+R Ctrl+D  resign; offer or accept a draw
  +  -  space    when watching: faster; slower; pause
  o  g           after an agent has failed: take over; let another go on
  t  l           light or dark; letters or characters on the pieces
  ?  m  q        this help; another game; leave

[b]Signs[/b] › can be chosen  • last action  ! hint  + would change hands
      × the piece does not fit here"""


def escape(text: str) -> str:
    """The text as it is: nothing in it is markup, or steers the terminal."""
    return escape_markup(printable(text))


TRAY_WIDTH = 21
"""The columns for the shapes of a tray."""


@cache
def small_shape(shape: Shape, lies_down: bool = True) -> tuple[str, ...]:
    """A piece in half blocks: one column and half a line for each of its cells."""
    if lies_down and max(row for row, _ in shape) > max(col for _, col in shape):
        shape = turned(shape)
    cells = frozenset(shape)
    rows = max(row for row, _ in shape) + 1
    cols = max(col for _, col in shape) + 1
    return tuple(
        "".join(HALVES[(row, col) in cells, (row + 1, col) in cells] for col in range(cols))
        for row in range(0, rows, 2)
    )


HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}


def tray_lines(names: Sequence[str], shapes: dict[str, Shape], picker: Picker) -> list[str]:
    """The pieces of a tray as small shapes side by side; each that fits can be clicked."""
    lines: list[str] = []
    row: list[tuple[str, tuple[str, ...]]] = []
    for name in (*names, ""):
        drawn = small_shape(shapes[name]) if name in shapes else (name,)
        width = sum(len(part[0]) + 1 for _, part in row)
        if row and (not name or width + len(drawn[0]) > TRAY_WIDTH):
            for number in range(max(len(part) for _, part in row)):
                texts = (_part(name, part, number, picker) for name, part in row)
                lines.append("  " + " ".join(texts).rstrip())
            row = []
        row.append((name, drawn))
    return lines


def _part(name: str, drawn: tuple[str, ...], number: int, picker: Picker) -> str:
    """A line of a small shape, marked up."""
    text = drawn[number] if number < len(drawn) else " " * len(drawn[0])
    if name not in picker.by_group:
        return f"[dim]{escape(text)}[/dim]"
    style = "reverse" if name == picker.group else "b"
    return f"[{style} @click=app.take({name!r})]{escape(text)}[/]"


def counted(names: Sequence[str]) -> list[str]:
    """Names that stand there several times once, with their number."""
    return [f"{name}×{count}" if count > 1 else name for name, count in Counter(names).items()]


@cache
def shape_lines(shape: Shape) -> list[str]:
    """A piece as a small drawing."""
    rows = max(row for row, _ in shape) + 1
    cols = max(col for _, col in shape) + 1
    return [
        "".join("██" if (row, col) in shape else "  " for col in range(cols)) for row in range(rows)
    ]


KEYS = (
    "h hint",
    "u undo",
    "n new",
    "a analysis",
    "e bar",
    "s save",
    ": type",
    "? help",
    "q quit",
)


def key_line(width: int) -> str:
    """The keys to know, the last ones where there is not room for all."""
    keys = "  ".join(KEYS)
    while len(keys) > width and "  " in keys:
        keys = keys.partition("  ")[2]
    return keys


def panel_lines(
    session: Session, scene: Scene, watching: str | None, shows_analysis: bool
) -> list[str]:
    """The side panel; `watching` is the speed of a game between agents."""
    game = session.game
    lines = seat_lines(game, scene, session.picker, session.shapes)
    remark = game.remark()
    if remark:
        lines += ["", escape(remark)]
    last = game.last_event
    if last is not None:
        lines += ["", f"[b]Last[/b] {escape(last.sentence())}", *last_shape(game, scene)]
    lines += choice_lines(session.picker)
    if watching is not None:
        lines += ["", f"{watching}: + - space"]
    if shows_analysis and not game.is_over:
        lines += advice_panel(session.advice)
    promise, proof = game.promise(), game.proof()
    if promise:
        lines += ["", "[b]Chance[/b] SHA-256:", promise]
    if proof:
        lines += ["", "Chance key:", proof]
    return lines


def last_shape(game: LiveGame, scene: Scene) -> list[str]:
    """The piece that was laid last, as it lies; nothing where none was."""
    cells = game.last_cells
    if not cells or not all(scene.cells[cell].piece for cell in cells):
        return []
    shape = normalise(divmod(cell, scene.board.cols) for cell in cells)
    return [f"  {line}" for line in small_shape(shape, lies_down=False)]


def seat_lines(game: LiveGame, scene: Scene, picker: Picker, shapes: dict[str, Shape]) -> list[str]:
    """Who sits where, with points, clock and tray; pieces that fit can be clicked."""
    lines: list[str] = []
    clocks = game.clocks
    names = game.names
    for number, seat in enumerate(scene.seats):
        is_turn = number == scene.actor and not game.is_over
        name = escape(names[number])
        lines.append(f"{'▶' if is_turn else ' '} [b]{name}[/b]" if is_turn else f"  {name}")
        if seat.score:
            lines.append(f"  {escape(seat.score)}")
        if clocks:
            lines.append(f"  ⏱ {clock_face(clocks[number])}")
        if seat.tray and not is_turn and len(scene.seats) > 2:
            lines[-1] += f", {len(seat.tray)} left"
        elif seat.tray:
            if is_turn and picker.groups:
                lines += tray_lines(seat.tray, shapes, picker)
            else:
                lines.append("  " + escape(" ".join(counted(seat.tray))))
        if is_turn:
            lines += hand_lines(picker)
    return lines


def hand_lines(picker: Picker) -> list[str]:
    """The piece in hand, and how many places it has."""
    if not picker.groups:
        return []
    if not picker.shape:
        return ["  Take one: A to Z, Tab", "  or a click."]
    return [
        f"  [b]{escape(picker.group)}[/b] in hand: {_count(len(picker.places()))}",
        *(f"    {line}" for line in shape_lines(picker.shape)),
        "  r turn, f flip, . next",
    ]


def _count(places: int) -> str:
    return "1 place" if places == 1 else f"{places} places"


def choice_lines(picker: Picker) -> list[str]:
    """Actions without cells, by number; each can be clicked."""
    if not picker.by_name:
        return []
    lines = ["", "Choose by number:"]
    for number, view in enumerate(picker.by_name[:9], 1):
        lines.append(f"  [@click=app.choose({number})]{number} {escape(view.text)}[/]")
    if len(picker.by_name) > 9:
        lines.append(f"  and {len(picker.by_name) - 9} more: type ':'")
    return lines


def advice_panel(advice: Advice | None) -> list[str]:
    """The best choices, narrow: each with its value, and its visits where they order them."""
    if advice is None:
        return ["", "[b]Analysis[/b]", "  thinking ..."]
    lines = ["", "[b]Analysis[/b]"]
    for choice, words in advice.choices[:6]:
        visits = f" ({choice.visits})" if choice.visits else ""
        lines.append(f"  {value_figure(choice)}{visits} {escape(words[0])}")
        rest = ", ".join(words[1:4])
        if rest:
            lines.append(f"        [dim]{escape(rest)}[/dim]")
    return lines


def evaluation_text(session: Session, width: int) -> str:
    """The evaluation bar, or why there is none."""
    scene = session.scene
    names = [seat.name for seat in scene.seats]
    returns = session.game.returns
    if returns is not None:
        return evaluation_bar(names, returns[0], width)
    if session.advice is None:
        return "thinking ..."
    value = session.advice.choices[0].choice.value
    if len(names) == 2:
        value = value if scene.actor == 0 else -value
    else:
        names = [names[scene.actor]]
    return evaluation_bar(names, value, width)


def evaluation_bar(names: list[str], value: float, width: int) -> str:
    """How the game stands: a bar from the first seat's side, and the figure."""
    room = max(10, min(40, width - 30))
    filled = round((value + 1) / 2 * room)
    bar = "█" * filled + "░" * (room - filled)
    other = names[1] if len(names) == 2 else ""
    return escape(f"{names[0]} {bar} {other} {value:+.2f}")
