"""The panel beside the board: seats, pieces and choices; and the line of keys."""

from collections import Counter
from collections.abc import Sequence

from parlour.core.game import CHANCE
from parlour.core.scene import Scene
from parlour.drawing.picker import Picker
from parlour.shapes import Shape, normalise
from parlour.table import EventView, LiveGame
from parlour.table.clock import clock_face
from parlour.terminal.analysis import WIDTH, advice_panel
from parlour.terminal.markup import cropped, escape
from parlour.terminal.pace import Pace
from parlour.terminal.session import Session
from parlour.terminal.small_shapes import dotted_shape, shape_lines, small_shape

HELP = """\
[b]Choose[/b] with Enter, space or a click: a cell, then a target. Esc cancels.
  arrow keys     move the cursor, or play the action of that name
  1 to 9         play a numbered action
  :              type an action

[b]Place pieces[/b]
  A to Z, Tab    take a piece by its first letter; take the next; or click
  r  f           rotate it; flip it
  .  ,           the next place where it fits; the previous one
  Enter, click   place it

[b]The game[/b]
  u y n s v      undo; redo; new game; save; replay after the end
  h a e x        hint; analysis; evaluation bar; exact texts of actions
  Ctrl+R Ctrl+D  resign; offer or accept a draw
  space → + -    when watching: pause; one step; faster; slower
  o  g           after an agent fails: take over; use another agent
  t  l           light or dark; letters or characters on the pieces
  ?  m  q        this help; back to the start screen; quit

[b]Signs[/b] › can be chosen  • last action  ! hint  + would change hands
      × the piece does not fit here"""


TRAY_WIDTH = 21
"""The columns for the shapes of a tray."""


def tray_lines(names: Sequence[str], shapes: dict[str, Shape], picker: Picker) -> list[str]:
    """Return a tray's pieces as small shapes; pieces that fit can be clicked."""
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
    """Return one line of a small shape, with markup."""
    text = drawn[number] if number < len(drawn) else " " * len(drawn[0])
    if name not in picker.by_group:
        return f"[dim]{escape(text)}[/dim]"
    style = "reverse" if name == picker.group else "b"
    return f"[{style} @click=app.take({name!r})]{escape(text)}[/]"


def counted(names: Sequence[str]) -> list[str]:
    """Return the distinct names, repeated ones with their count."""
    return [f"{name}×{count}" if count > 1 else name for name, count in Counter(names).items()]


PLAYING = ("h hint", "u undo", "n new", "a analysis", "e bar", "s save", ": type")
REDOING = ("u undo", "y redo", "n new", "h hint", "a analysis", "e bar", ": type")
WATCHING = ("n new", "e bar", "a analysis", "+ faster", "- slower", "→ step", "space pause")
FINISHED = ("u undo", "s save", "n new", "m games", "v replay")
ALWAYS = ("? help", "q quit")


def key_line(game: LiveGame, width: int) -> str:
    """Return the most useful keys now; the first ones are dropped if space is short."""
    keys: Sequence[str]
    if game.is_over:
        keys = FINISHED if game.has_people else FINISHED[1:]
    elif not game.has_people:
        keys = WATCHING
    else:
        keys = REDOING if game.can_redo else PLAYING
    return fitting_keys((*keys, *ALWAYS), width)


def fitting_keys(keys: Sequence[str], width: int) -> str:
    """Return the keys in a line; the first ones are dropped if space is short."""
    line = "  ".join(keys)
    while len(line) > width and "  " in line:
        line = line.partition("  ")[2]
    return line


def panel_lines(
    session: Session,
    scene: Scene,
    pace: Pace | None,
    shows_analysis: bool,
    is_exact: bool = False,
    space: int = 0,
) -> list[str]:
    """Return the side panel; `pace` is for a game between agents.

    Up to `space` actions before the last one are listed.
    """
    game = session.game
    lines: list[str] = []
    if shows_analysis and not game.is_over:  # first, because trays may be long
        lines += [*advice_panel(session.advice, is_exact)[1:], ""]
    lines += seat_lines(game, scene, session.picker, session.shapes)
    remark = game.remark()
    if remark:
        lines += ["", escape(remark)]
    last = game.last_event
    if last is not None:
        words = last.text if is_exact and last.text else last.sentence
        lines += ["", f"[b]Last[/b] {escape(words)}", *last_shape(game, scene)]
    lines += history_lines(game.history()[:-1][-space:] if space else [], scene, is_exact)
    lines += choice_lines(session.picker)
    if pace is not None and not game.is_over:
        lines += ["", f"[b]Watching[/b] {pace.words()}"]
    promise, proof = game.promise(), game.proof()
    if promise:
        lines += ["", "[b]Chance[/b] SHA-256:", promise]
    if proof:
        lines += ["", "Chance key:", proof]
    return lines


def history_lines(views: Sequence[EventView], scene: Scene, is_exact: bool) -> list[str]:
    """Return the earlier actions, latest first, with pictures of the pieces."""
    if not views:
        return []
    lines = ["", "[b]Before[/b]"]
    for view in reversed(views):
        text = view.text if is_exact and view.text else view.words
        seat = "=" if view.seat == CHANCE else str(view.seat + 1)
        picture = dotted_shape(lying_shape(view.cells, scene))
        words = cropped(f"{seat} {text}", WIDTH - 1 - (len(picture) + 1 if picture else 0))
        lines.append(f"  [dim]{escape(f'{words} {picture}'.rstrip())}[/dim]")
    return lines


def lying_shape(cells: tuple[int, ...], scene: Scene) -> Shape:
    """Return the shape of a placed piece on several cells; empty if there is none."""
    if len(cells) < 2 or not all(scene.cells[cell].piece for cell in cells):
        return ()
    return normalise(divmod(cell, scene.board.cols) for cell in cells)


def last_shape(game: LiveGame, scene: Scene) -> list[str]:
    """Return a picture of the last placed piece; empty if there is none."""
    shape = lying_shape(game.last_cells, scene)
    return [f"  {line}" for line in small_shape(shape, lies_down=False)] if shape else []


def seat_lines(game: LiveGame, scene: Scene, picker: Picker, shapes: dict[str, Shape]) -> list[str]:
    """Return the seats with points, clock and tray; pieces that fit can be clicked."""
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
                lines += tray_lines(seat.tray_texts(), shapes, picker)
            else:
                lines.append("  " + escape(" ".join(counted(seat.tray_texts()))))
        if is_turn:
            lines += hand_lines(picker)
    return lines


def hand_lines(picker: Picker) -> list[str]:
    """Return the piece in hand and the number of its places."""
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
    """Return the actions without cells by number; each can be clicked."""
    if not picker.by_name:
        return []
    lines = ["", "Choose by number:"]
    for number, view in enumerate(picker.by_name[:9], 1):
        lines.append(f"  [@click=app.choose({number})]{number} {escape(view.text)}[/]")
    if len(picker.by_name) > 9:
        lines.append(f"  and {len(picker.by_name) - 9} more: type ':'")
    return lines
