"""Records as pictures: a position as SVG or PNG, a whole game as a GIF.

    python -P -m parlour.drawing.pictures DELAY < RECORD > GIF

writes a GIF in a separate process.
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
LAST_FRAME = 4  # the final position is shown this many times as long


def picture(record: Record, number: int) -> str:
    """Return the SVG after this many actions; the cells of the last action are framed."""
    scene = record.state_at(number).scene(None)
    return scene_to_svg(scene, last_cells(record, number), record.game.title)


def _missing(what: str) -> MissingExtra:
    return MissingExtra(f"{what} needs the extra: pip install 'parlour[images]'")


def to_png(svg: str) -> bytes:
    """Render a picture in pixels; raises `MissingExtra` without the extra [images]."""
    try:
        import resvg_py
    except ImportError:
        raise _missing("a picture in pixels") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))


def to_gif(record: Record, delay: float, tell: Callable[[int, int], None]) -> bytes:
    """Return a GIF of every position; raises `MissingExtra` without the extra [images].

    Calls `tell` with the number of frames done and in total.
    """
    try:
        from PIL import Image
    except ImportError:
        raise _missing("a film") from None
    if len(record.states) > MOST_FRAMES:
        raise ParlourError(f"a GIF has at most {MOST_FRAMES} positions; this game has more")
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
    """Write the GIF of the record on standard input; return 3 without the extra, 2 on errors."""
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
