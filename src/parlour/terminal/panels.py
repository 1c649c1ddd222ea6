"""The panel beside the board: seats, pieces, choices and moves."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from parlour.core.colours import COLOURS, seat_colours
from parlour.core.game import CHANCE
from parlour.core.scene import Cell, Scene, SeatView, display_width
from parlour.drawing.picker import Picker
from parlour.shapes import Shape, normalise
from parlour.table import EventView, LiveGame
from parlour.table.clock import clock_face
from parlour.terminal.analysis import WIDTH, advice_panel
from parlour.terminal.markup import cropped, escape
from parlour.terminal.palette import DARK, Palette, seat_paint
from parlour.terminal.session import Session
from parlour.terminal.small_shapes import dotted_shape
from parlour.terminal.tray import hand_lines, shapes_of, tray_lines

FEWEST_MOVES = 4
"""This many moves are listed even if the panel has to scroll."""
TALL = 50
"""From this many lines on, the pieces of all seats are shown."""
NOTHING = Picker(Scene(), lambda cells, group: "")
"""A picker without choices."""
ROOMY = 50
"""From this many columns on, moves are shown as whole sentences."""


@dataclass(frozen=True)
class PanelLook:
    """What the panel's text depends on besides the game."""

    width: int = WIDTH
    height: int = 20
    palette: Palette = DARK
    shows_signs: bool = True
    shows_analysis: bool = False
    is_exact: bool = False
    """Whether actions are shown as they are typed and stored."""
    pace: str = ""
    """The speed of a watched game, in words."""
    thinking: str = ""
    """How long the agent to act has been thinking, in words."""


def panel_lines(session: Session, scene: Scene, look: PanelLook) -> list[str]:
    """Return the side panel, one line of markup each; no line is wider than the panel."""
    game = session.game
    lines: list[str] = []
    if look.pace and not game.is_over:
        lines += [f"[b]Watching[/b] {look.pace}", ""]
    if look.shows_analysis and not game.is_over:  # first, because trays may be long
        lines += [*advice_panel(session.advice, look.is_exact, look.width)[1:], ""]
    lines += seat_lines(session, scene, look)
    remark = game.remark()
    if remark:
        lines += ["", *map(escape, wrap(remark, look.width))]
    lines += choice_lines(session.picker, look.width)
    left = max(FEWEST_MOVES, look.height - len(lines) - 2)
    return lines + move_lines(game.history(), scene, look, left)


# Seats.


def seat_lines(session: Session, scene: Scene, look: PanelLook) -> list[str]:
    """Return the seats with colour, name, points, clock and pieces; pieces can be clicked."""
    game, picker = session.game, session.picker
    lines: list[str] = []
    clocks = game.clocks
    for number, seat in enumerate(scene.seats):
        is_turn = number == scene.actor and not game.is_over
        lines += head_lines(session, scene, number, is_turn, look)
        if clocks:
            lines.append(f"   ⏱ {clock_face(clocks[number])}")
        if is_turn and look.thinking:
            lines.append(f"   [$text-warning]{escape(look.thinking)}[/]")
        if is_turn and picker.groups:
            shapes = {**session.shapes, **shapes_of(scene)}
            hand = hand_lines(picker)
            others = 2 * len(scene.seats) + len(hand) + FEWEST_MOVES
            space = look.height - len(lines) - others
            lines += tray_lines(seat.tray_texts(), shapes, picker, look.width, space) + hand
        elif seat.tray:
            lines += held_lines(session, scene, seat, look)
    return lines


def head_lines(
    session: Session, scene: Scene, number: int, is_turn: bool, look: PanelLook
) -> list[str]:
    """Return a seat's name at the left and its points at the right, in two lines if need be."""
    game = session.game
    name = game.names[number] + (" (you)" if is_mine(game, number) else "")
    score = scene.seats[number].score
    space = look.width - 3
    pointer = "▶" if is_turn else " "
    head = f"{pointer}{chip(scene, number, look.palette)} "
    bold = "b" if is_turn else "not bold"
    gap = space - display_width(name) - display_width(score)
    if score and gap > 0:
        return [f"{head}[{bold}]{escape(name)}[/]{' ' * gap}[$text-muted]{escape(score)}[/]"]
    lines = [f"{head}[{bold}]{escape(cropped(name, space))}[/]"]
    if score:
        lines.append(f"   [$text-muted]{escape(cropped(score, space))}[/]")
    return lines


def is_mine(game: LiveGame, seat: int) -> bool:
    """Return whether the only person here holds that seat, and others play too."""
    return game.people == (seat,) and len(game.names) > 1


def seat_colour(scene: Scene, seat: int) -> str:
    """Return the name of a seat's colour on the board, or in its name; empty if it has none."""
    words = scene.names[seat].replace(",", " ").split() if seat < len(scene.names) else []
    named = [word for word in words if word in COLOURS]
    return next(iter([*seat_colours(scene.cells, seat), *named]), "")


def chip(scene: Scene, seat: int, palette: Palette) -> str:
    """Return the number of a seat in its colours, with markup; chance has none."""
    if seat < 0:
        return " "
    colour = seat_colour(scene, seat)
    if not colour or not palette.has_colours:
        return f"[b]{seat + 1}[/b]"
    paint = seat_paint(palette, colour)
    return f"[b {paint.ink} on {paint.fill}]{seat + 1}[/]"


def held_lines(session: Session, scene: Scene, seat: SeatView, look: PanelLook) -> list[str]:
    """Return what a seat holds, or has captured: as pieces if the game draws them."""
    names = seat.tray_texts()
    legend = {cell.glyph: cell for cell in (*session.game.legend(), *scene.cells) if cell.face}
    if names and all(name in legend for name in names):
        return captured_lines([legend[name] for name in names], look)
    shapes = shapes_of(scene)
    if shapes:
        is_roomy = look.height >= TALL
        return tray_lines(names, shapes, NOTHING, look.width, 0) if is_roomy else []
    return [f"   {escape(cropped(' '.join(counted(names)), look.width - 3))}"]


def captured_lines(cells: Sequence[Cell], look: PanelLook) -> list[str]:
    """Return captured pieces in their colours, repeated ones with their count."""
    parts: list[tuple[int, str]] = []
    for cell, count in Counter(cells).items():
        sign = cell.sign if look.shows_signs and cell.sign else cell.glyph
        text = f" {sign} "
        if look.palette.has_colours and cell.colour:
            paint = seat_paint(look.palette, cell.colour)
            drawn = f"[b {paint.ink} on {paint.fill}]{escape(text)}[/]"
        else:
            drawn = f"[b]{escape(text)}[/]"
        times = f"×{count} " if count > 1 else " "
        parts.append((display_width(text + times), drawn + times))
    lines, used = ["   "], 0
    for wide, drawn in parts:
        if used and used + wide > look.width - 3:
            lines.append("   ")
            used = 0
        lines[-1] += drawn
        used += wide
    return [line.rstrip() for line in lines]


def counted(names: Sequence[str]) -> list[str]:
    """Return the distinct names, repeated ones with their count."""
    return [f"{name}×{count}" if count > 1 else name for name, count in Counter(names).items()]


# Choices and moves.


def choice_lines(picker: Picker, width: int) -> list[str]:
    """Return the actions without cells by number; each can be clicked."""
    if not picker.by_name:
        return []
    lines = ["", "Choose by number:"]
    for number, view in enumerate(picker.by_name[:9], 1):
        text = escape(cropped(view.text, width - 4))
        lines.append(f"  [@click=app.choose({number})][b]{number}[/b] {text}[/]")
    if len(picker.by_name) > 9:
        lines.append(f"  and {len(picker.by_name) - 9} more: type ':'")
    return lines


def move_lines(views: Sequence[EventView], scene: Scene, look: PanelLook, most: int) -> list[str]:
    """Return the last moves under a heading, the latest at the bottom, with their pieces."""
    moves = joined(views)
    if not moves:
        return []
    lines = ["", f"[b]Moves[/b] [$text-muted]{'─' * (look.width - 6)}[/]"]
    digits = len(str(len(moves)))
    for number, view in list(enumerate(moves, 1))[-most:]:
        text = view.text if look.is_exact and view.text else view.words
        if look.width >= ROOMY and not look.is_exact:
            text = view.sentence
        picture = dotted_shape(lying_shape(view.cells, scene))
        space = look.width - digits - 4
        words = cropped(text, space - (len(picture) + 1 if picture else 0))
        line = escape(f"{words} {picture}".rstrip())
        line = f"[b]{line}[/b]" if number == len(moves) else line
        lines.append(
            f"[$text-muted]{number:>{digits}}[/] {chip(scene, view.seat, look.palette)} {line}"
        )
    return lines


def joined(views: Iterable[EventView]) -> list[EventView]:
    """Return the actions with the outcomes of chance that followed them."""
    moves: list[EventView] = []
    for view in views:
        if view.seat != CHANCE or not moves or moves[-1].seat == CHANCE:
            moves.append(view)
            continue
        is_bare = view.words.startswith("=")
        words = f"{moves[-1].words} {view.words}" if is_bare else view.words
        sentence = f"{moves[-1].name}: {words}"
        text = f"{moves[-1].text or ''}{view.text or ''}"
        moves[-1] = replace(moves[-1], words=words, sentence=sentence, text=text or None)
    return moves


def lying_shape(cells: tuple[int, ...], scene: Scene) -> Shape:
    """Return the shape of a placed piece on several cells; empty if there is none."""
    if len(cells) < 2 or not all(scene.cells[cell].piece for cell in cells):
        return ()
    return normalise(divmod(cell, scene.board.cols) for cell in cells)
