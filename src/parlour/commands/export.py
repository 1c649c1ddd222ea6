"""`export`: pictures of a record's positions, and a film of the game."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from parlour.core.errors import MissingExtra, ParlourError
from parlour.core.game import CHANCE
from parlour.core.record import Record
from parlour.core.svg import scene_to_svg
from parlour.scenes.status_line import StatusLine, progress_bar
from parlour.table import load

MOST_FRAMES = 2000
LAST_FRAME = 4  # the final position stays this many times as long


def export_record(
    path: Path, svg: Path | None, png: Path | None, gif: Path | None, at: int | None, delay: float
) -> int:
    """Write the pictures that were asked for; `ParlourError` says what cannot be done."""
    record = load(path)
    number = len(record.actions) if at is None else at
    record.state_at(number)
    drawn = picture(record, number) if svg or png else ""
    if svg is not None:
        _write(svg, drawn.encode())
    if png is not None:
        _write(png, to_png(drawn))
    if gif is not None:
        _write(gif, _film(record, delay))
    return 0


def _film(record: Record, delay: float) -> bytes:
    """The film, with a line on how far it is where somebody waits for it."""
    line = StatusLine(sys.stderr)
    try:
        return to_gif(
            record,
            delay,
            lambda done, all_: line.show(lambda: f"Drawing {progress_bar(done, all_)}"),
        )
    finally:
        line.close()


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise ParlourError(f"{path} cannot be written: {error.strerror}") from None
    print(f"{path}: {len(data)} bytes")


def picture(record: Record, number: int) -> str:
    """The SVG of the position after that many actions; the last action's cells are framed."""
    states, game = record.states, record.game
    last: tuple[int, ...] = ()
    if number:
        before, action = states[number - 1], record.actions[number - 1]
        if before.actor == CHANCE and number > 1:
            before, action = states[number - 2], record.actions[number - 2]
        last = game.action_view(before, action).cells
    return scene_to_svg(states[number].scene(None), last, record.game.title)


def _missing(what: str) -> MissingExtra:
    return MissingExtra(f"{what} needs the extra: pip install 'parlour[images]'")


def to_png(svg: str) -> bytes:
    """The picture in pixels; `MissingExtra` without the extra [images]."""
    try:
        import cairosvg
    except (ImportError, OSError):  # OSError: cairo itself is not installed
        raise _missing("--png") from None
    return bytes(cairosvg.svg2png(bytestring=svg.encode()))


def to_gif(record: Record, delay: float, tell: Callable[[int, int], None]) -> bytes:
    """Every position, one after another; `MissingExtra` without the extra [images].

    Tells how many pictures are done, and of how many.
    """
    try:
        from PIL import Image
    except ImportError:
        raise _missing("--gif") from None
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
