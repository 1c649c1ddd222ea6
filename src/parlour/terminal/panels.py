"""The panel beside the board: seats, pieces, choices and moves."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from parlour.core.game import CHANCE
from parlour.core.scene import Cell, Scene, SeatView, display_width
from parlour.drawing.picker import Picker
from parlour.drawing.words import seat_colour
from parlour.shapes import Shape, normalise
from parlour.table import EventView, LiveGame
from parlour.table.clock import clock_face
from parlour.terminal.analysis import WIDTH, advice_panel
from parlour.terminal.markup import cropped, escape, packed
from parlour.terminal.palette import DARK, Palette, seat_paint
from parlour.terminal.session import Session
from parlour.terminal.small_shapes import dotted_shape
from parlour.terminal.tray import hand_lines, shapes_of, tray_lines

PLAYERS, WATCHING, ANALYSIS = "Players", "Watching", "Analysis"
PIECES, CHOICES, MOVES = "Pieces", "Choices", "Moves"
SECTIONS = (PLAYERS, WATCHING, ANALYSIS, PIECES, CHOICES, MOVES)
"""The titles of the sections, from top to bottom."""

FEWEST_MOVES = 6
"""Pieces are drawn smaller if fewer lines are left for the moves."""
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
    frame: int = 1
    """The lines of a section's frame; a frame of one line has only the title."""

    def left(self, sections: Mapping[str, Sequence[str]]) -> int:
        """Return the lines that these sections leave free."""
        used = sum(len(lines) + self.frame for lines in sections.values())
        return self.height - used + (self.frame == 1)  # the first title is left out then


def panel_sections(session: Session, scene: Scene, look: PanelLook) -> dict[str, list[str]]:
    """Return the lines of each section by its title, with markup, none wider than the panel.

    The moves get the lines that the other sections leave; the panel is as high as `look` says.
    """
    game, picker = session.game, session.picker
    remark = game.remark()
    players = seat_lines(session, scene, look)
    players += map(escape, wrap(remark, look.width)) if remark else []
    sections = {PLAYERS: players}
    if look.pace and not game.is_over:
        sections[WATCHING] = [look.pace]
    if look.shows_analysis and not game.is_over:
        sections[ANALYSIS] = advice_panel(session.advice, look.is_exact, look.width)[2:]
    owner = tray_seat(session, scene)
    if owner >= 0:
        shapes = {**session.shapes, **shapes_of(scene)}
        names = scene.seats[owner].tray_texts()
        hand = hand_lines(picker, look.width) if game.is_my_turn else []
        takes = picker if game.is_my_turn else NOTHING
        space = look.left(sections) - look.frame - len(hand) - FEWEST_MOVES
        sections[PIECES] = tray_lines(names, shapes, takes, look.width, space) + hand
    if picker.by_name:
        sections[CHOICES] = choice_lines(picker, look.width)
    moves = move_lines(game.history(), scene, look, look.left(sections) - look.frame)
    return {**sections, MOVES: moves} if moves else sections


# Seats.


def seat_lines(session: Session, scene: Scene, look: PanelLook) -> list[str]:
    """Return the seats with colour, name, points, clock and what they hold."""
    game = session.game
    lines: list[str] = []
    clocks = game.clocks
    for number, seat in enumerate(scene.seats):
        is_turn = number == scene.actor and not game.is_over
        lines += head_lines(session, scene, number, is_turn, look)
        if clocks:
            lines.append(f"   ⏱ {clock_face(clocks[number])}")
        if seat.tray and number != tray_seat(session, scene):
            lines += held_lines(session, scene, seat, look)
    return lines


def tray_seat(session: Session, scene: Scene) -> int:
    """Return the seat whose pieces are in the tray: yours, or the one to act; -1 without pieces."""
    game = session.game
    if game.is_my_turn and session.picker.groups:
        return scene.actor
    is_mine = len(game.people) == 1 and shapes_of(scene) and not game.is_over
    return game.people[0] if is_mine else -1


def head_lines(
    session: Session, scene: Scene, number: int, is_turn: bool, look: PanelLook
) -> list[str]:
    """Return a seat's name and its points, in several lines if they do not fit into one."""
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
    holder = ""
    if display_width(name) > space and " (" in name:
        name, _, holder = name.rpartition(" (")
    below = packed([f"({holder} " if holder else "", score], space)
    return [
        f"{head}[{bold}]{escape(cropped(name, space))}[/]",
        *(f"   [$text-muted]{escape(line)}[/]" for line in below if line),
    ]


def is_mine(game: LiveGame, seat: int) -> bool:
    """Return whether the only person here holds that seat, and others play too."""
    return game.people == (seat,) and len(game.names) > 1


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
    lines = []
    for number, view in enumerate(picker.by_name[:9], 1):
        text = escape(cropped(view.text, width - 2))
        lines.append(f"[@click=app.choose({number})][b $accent]{number}[/] {text}[/]")
    if len(picker.by_name) > 9:
        lines.append(f"and {len(picker.by_name) - 9} more: type ':'")
    return lines


def move_lines(views: Sequence[EventView], scene: Scene, look: PanelLook, most: int) -> list[str]:
    """Return the last moves, the latest at the bottom, with their pieces.

    Below them is how long the seat to act has been thinking.
    """
    moves = joined(views)
    lines = []
    digits = len(str(len(moves) + 1))
    most -= bool(look.thinking)
    for number, view in list(enumerate(moves, 1))[-most:] if most > 0 else []:
        text = view.text if look.is_exact and view.text else view.words
        if look.width >= ROOMY and not look.is_exact:
            text = view.sentence
        picture = dotted_shape(lying_shape(view.cells, scene))
        space = look.width - digits - 3
        space -= len(picture) + 1 if picture else 0
        if display_width(text) > space >= display_width(view.text or text):
            text = view.text or text  # the record's notation is shorter
        line = escape(f"{cropped(text, space)} {picture}".rstrip())
        line = f"[b]{line}[/b]" if number == len(moves) else line
        lines.append(
            f"[$text-muted]{number:>{digits}}[/] {chip(scene, view.seat, look.palette)} {line}"
        )
    if look.thinking:
        head = (
            f"[$text-muted]{len(moves) + 1:>{digits}}[/] {chip(scene, scene.actor, look.palette)}"
        )
        lines.append(f"{head} [$text-warning]{escape(look.thinking)}[/]")
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
