"""A whole game as a GIF.

    python -P -m parlour.drawing.film DELAY < GAME > GIF

writes it in a separate process. GAME is a record, or a line of play from any position as JSON:
`{"game": NAME, "options": {}, "position": TEXT, "actions": [ID, ...]}`. Only what changes is drawn:
the parts of many frames that differ from the frame before are rendered together, as one sheet, and
pasted in turn.
"""

import io
import itertools
import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from parlour.core.errors import MissingExtra, ParlourError
from parlour.core.game import CHANCE, State
from parlour.core.record import Line, Record
from parlour.core.registry import game
from parlour.core.scene import POINTS, Scene
from parlour.drawing.artwork import has_artwork
from parlour.drawing.pictures import missing_images, to_png
from parlour.drawing.score_sheet import last_cells
from parlour.drawing.svg import (
    LINE,
    TextLine,
    board_to_svg,
    cell_centre,
    lines_to_svg,
    picture_size,
    scene_to_svg,
)
from parlour.drawing.svg_cells import CELL, FONTS, Point
from parlour.exit_codes import MISSING_EXTRA, WRONG
from parlour.files import LARGEST_FILE

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_FRAMES = 2000
LAST_FRAME = 4
"""The final position is shown this many times as long."""
SHEET = 2000
"""The width of a sheet, and about its largest height, in pixels."""
NO_LINE = TextLine(0, 0, "")


class Frame(NamedTuple):
    """A position to draw."""

    scene: Scene
    last: frozenset[int]


class Patch(NamedTuple):
    """A part of a frame that differs from the frame before."""

    left: int
    top: int
    right: int
    bottom: int
    drawing: str
    rim: int = 0
    """Pixels around it that the drawing covers too."""

    @property
    def size(self) -> tuple[int, int]:
        """Return the width and height of its place on a sheet."""
        twice = 2 * self.rim
        return self.right - self.left + twice, self.bottom - self.top + twice


def to_gif(
    record: Record | Line, delay: float, tell: Callable[[int, int], None], last: int | None = None
) -> bytes:
    """Return a GIF of every position up to action `last`, by default of the whole game or line.

    Raise `MissingExtra` without the extra [images]. Calls `tell` with the number of frames done
    and in total.
    """
    try:
        from PIL import Image
    except ImportError:
        raise missing_images("a film") from None
    states = record.states if last is None else record.states[: last + 1]
    if len(states) > MOST_FRAMES:
        raise ParlourError(f"a GIF has at most {MOST_FRAMES} positions; this game has more")
    frames = [
        Frame(state.scene(None), frozenset(last_cells(record, number)))
        for number, state in enumerate(states)
        if state.actor != CHANCE
    ]
    sizes = [picture_size(frame.scene) for frame in frames]
    size = max(wide for wide, _ in sizes), max(tall for _, tall in sizes)
    tell(0, len(frames))
    title = states[0].game.title
    ends = [_drawn(frame, title, size) for frame in (frames[0], frames[-1])]
    both = Image.new("RGB", (size[0], 2 * size[1]))
    both.paste(ends[0], (0, 0))
    both.paste(ends[1], (0, size[1]))
    palette = both.quantize(dither=Image.Dither.NONE)
    shown = ends[0].quantize(palette=palette, dither=Image.Dither.NONE)
    films = [shown.copy()]
    for patches, sheet in _sheets(frames, size):
        colours = sheet.quantize(palette=palette, dither=Image.Dither.NONE)
        for places in patches:
            for patch, left, top in places:
                right, bottom = left + patch.size[0], top + patch.size[1]
                rim = patch.rim
                part = colours.crop((left + rim, top + rim, right - rim, bottom - rim))
                shown.paste(part, (patch.left, patch.top))
            films.append(shown.copy())
            tell(len(films), len(frames))
    out = io.BytesIO()
    pauses = [int(delay * 1000)] * (len(films) - 1) + [int(delay * 1000 * LAST_FRAME)]
    films[0].save(out, "GIF", save_all=True, append_images=films[1:], duration=pauses, loop=0)
    return out.getvalue()


def _drawn(frame: Frame, title: str, size: tuple[int, int]) -> "Image":
    """Return a whole frame in pixels, on white."""
    from PIL import Image

    with Image.open(io.BytesIO(to_png(scene_to_svg(frame.scene, frame.last, title)))) as pixels:
        whole = Image.new("RGB", size, "white")
        whole.paste(pixels, (0, 0), pixels)
        return whole


# Sheets of patches.

Placed = tuple[Patch, int, int]
"""A patch, and its left and top edge on the sheet."""


def _sheets(
    frames: list[Frame], size: tuple[int, int]
) -> Iterator[tuple[list[list[Placed]], "Image"]]:
    """Yield the patches of some frames after the first, and the sheet that shows them."""
    waiting: list[list[Patch]] = []
    area = 0
    for before, after in itertools.pairwise(frames):
        waiting.append(list(_patches(before, after, size)))
        area += sum(patch.size[0] * patch.size[1] for patch in waiting[-1])
        if area > SHEET * SHEET:
            yield _sheet(waiting)
            waiting, area = [], 0
    if waiting:
        yield _sheet(waiting)


def _sheet(frames: list[list[Patch]]) -> tuple[list[list[Placed]], "Image"]:
    """Place the patches of frames in rows, those of about the same height together."""
    placed: list[list[Placed]] = [[] for _ in frames]
    left = top = tall = 0
    numbered = [(number, patch) for number, patches in enumerate(frames) for patch in patches]
    for number, patch in sorted(numbered, key=lambda each: each[1].size[1]):
        width, height = patch.size
        if left + width > SHEET:
            left, top, tall = 0, top + tall, 0
        placed[number].append((patch, left, top))
        left, tall = left + width, max(tall, height)
    return placed, _rendered(placed, top + tall)


def _rendered(placed: list[list[Placed]], height: int) -> "Image":
    """Draw a sheet."""
    from PIL import Image

    parts = [
        f'<g transform="translate({left - patch.left + patch.rim} {top - patch.top + patch.rim})">'
        f"{patch.drawing}</g>"
        for places in placed
        for patch, left, top in places
    ]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SHEET}" height="{max(1, height)}" '
        f'font-family="{FONTS}"><rect width="100%" height="100%" fill="#ffffff"/>'
        f"{''.join(parts)}</svg>"
    )
    with Image.open(io.BytesIO(to_png(svg))) as pixels:
        return pixels.convert("RGB")


def _patches(before: Frame, after: Frame, size: tuple[int, int]) -> Iterator[Patch]:
    """Yield what differs: parts of the board, and lines of text."""
    board, cells = after.scene.board, after.scene.cells
    changed = [
        cell_centre(board, cell)
        for cell, content in enumerate(cells)
        if content != before.scene.cells[cell] or (cell in before.last) != (cell in after.last)
    ]
    # What a cell draws reaches beyond its edge: frames a little, artwork more.
    beyond = CELL * (0.3 if any(has_artwork(content.face) for content in cells) else 0.1)
    reach, far = CELL / 2 + beyond, CELL + 2 * beyond
    rim = int(far + 5)
    is_linked = board.shape == POINTS  # long lines belong to no part of the board
    everywhere = [cell_centre(board, cell) for cell in range(board.size)]
    for group in [everywhere] if is_linked and changed else _groups(changed):
        left, right = (end(x for x, _ in group) for end in (min, max))
        top, bottom = (end(y for _, y in group) for end in (min, max))
        near = {
            cell
            for cell in range(board.size)
            for x, y in [cell_centre(board, cell)]
            if left - far < x < right + far and top - far < y < bottom + far
        }
        drawn = "".join(board_to_svg(after.scene, after.last, near))
        left, top = int(left - reach), int(top - reach)
        yield Patch(left, top, int(right + reach) + 1, int(bottom + reach) + 1, drawn, rim)
    old, new = (
        {line.below: line for line in lines_to_svg(frame.scene)} for frame in (before, after)
    )
    for below in sorted(old.keys() | new.keys()):
        gone, shown = old.get(below, NO_LINE), new.get(below, NO_LINE)
        if gone.drawing != shown.drawing:
            right = min(size[0], max(gone.right, shown.right))
            yield Patch(0, below - LINE + 6, right, below + 6, shown.drawing)


def _groups(points: list[Point]) -> list[list[Point]]:
    """Return the points in groups that are some cells apart from each other."""
    groups: list[list[Point]] = []
    for x, y in points:
        near, far = [(x, y)], []
        for group in groups:
            if any(abs(x - a) < 3 * CELL and abs(y - b) < 3 * CELL for a, b in group):
                near += group
            else:
                far.append(group)
        groups = [*far, near]
    return groups


# In a process of its own.


def line_to_json(line: Line) -> str:
    """Return a line of play as this program reads it."""
    first = line.states[0]
    played = first.game
    return json.dumps(
        {
            "game": played.name,
            "options": dict(played.options),
            "position": played.state_to_text(first),
            "actions": line.actions,
        }
    )


def line_from_json(text: str) -> Line:
    """Return a line of play from a position. Raise `ParlourError` for one that is not legal."""
    given = json.loads(text)
    played = game(given["game"], **given["options"])
    states = [played.state_from_text(given["position"])]
    states += itertools.accumulate(given["actions"], State.play, initial=states.pop())
    return Line(tuple(given["actions"]), tuple(states))


def main() -> int:
    """Write the GIF of the game on standard input; return its exit status."""
    text = sys.stdin.buffer.read(LARGEST_FILE).decode("utf-8", "replace")
    try:
        found = line_from_json(text) if text.startswith("{") else Record.from_text(text)
        film = to_gif(found, float(sys.argv[1]), lambda done, all_: None)
    except MissingExtra as error:
        print(error, file=sys.stderr)
        return MISSING_EXTRA
    except ParlourError as error:
        print(error, file=sys.stderr)
        return WRONG
    sys.stdout.buffer.write(film)
    return 0


if __name__ == "__main__":
    sys.exit(main())
