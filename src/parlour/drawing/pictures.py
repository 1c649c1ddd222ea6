"""Records as pictures: a position as SVG or PNG, a whole game as a GIF.

    python -P -m parlour.drawing.pictures DELAY < RECORD > GIF

writes a film in a process of its own, for whoever has something else to do meanwhile.
"""

import io
import sys
from collections.abc import Callable
from typing import Any

from parlour.core.errors import MissingExtra, ParlourError
from parlour.core.game import CHANCE
from parlour.core.record import Record
from parlour.drawing.score_sheet import last_cells
from parlour.drawing.svg import scene_to_svg
from parlour.files import LARGEST_FILE

MOST_FRAMES = 2000
LAST_FRAME = 4  # the final position stays this many times as long


def picture(record: Record, number: int) -> str:
    """The SVG of the position after that many actions; the last action's cells are framed."""
    scene = record.state_at(number).scene(None)
    return scene_to_svg(scene, last_cells(record, number), record.game.title)


def _missing(what: str) -> MissingExtra:
    return MissingExtra(f"{what} needs the extra: pip install 'parlour[images]'")


def to_png(svg: str) -> bytes:
    """The picture in pixels; `MissingExtra` without the extra [images]."""
    try:
        import resvg_py
    except ImportError:
        raise _missing("a picture in pixels") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))


def to_gif(record: Record, delay: float, tell: Callable[[int, int], None]) -> bytes:
    """Every position, one after another; `MissingExtra` without the extra [images].

    Tells how many pictures are done, and of how many.
    """
    try:
        from PIL import Image
    except ImportError:
        raise _missing("a film") from None
    if len(record.states) > MOST_FRAMES:
        raise ParlourError(f"a film of more than {MOST_FRAMES} positions would be too large")
    shown = [number for number, state in enumerate(record.states) if state.actor != CHANCE]
    frames: list[Any] = []
    for done, number in enumerate(shown):
        tell(done, len(shown))
        pixels = to_png(picture(record, number))
        frames.append(Image.open(io.BytesIO(pixels)).convert("P", palette=Image.Palette.ADAPTIVE))
    out = io.BytesIO()
    pauses = [int(delay * 1000)] * (len(frames) - 1) + [int(delay * 1000 * LAST_FRAME)]
    frames[0].save(
        out, "GIF", save_all=True, append_images=frames[1:], duration=pauses, loop=0, disposal=2
    )
    return out.getvalue()


def main() -> int:
    """The film of the record on the standard input; 3 without the extra, 2 if it cannot be."""
    text = sys.stdin.buffer.read(LARGEST_FILE).decode("utf-8", "replace")
    try:
        film = to_gif(Record.from_text(text), float(sys.argv[1]), lambda done, all_: None)
    except MissingExtra as error:
        print(error, file=sys.stderr)
        return 3
    except ParlourError as error:
        print(error, file=sys.stderr)
        return 2
    sys.stdout.buffer.write(film)
    return 0


if __name__ == "__main__":
    sys.exit(main())
