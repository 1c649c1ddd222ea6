"""`export`: pictures of a record's positions, and a film of the game."""

import sys
from pathlib import Path

from parlour.core.errors import ParlourError
from parlour.core.record import Record
from parlour.scenes.pictures import picture, to_gif, to_png
from parlour.scenes.status_line import StatusLine, progress_bar
from parlour.table import load


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
