"""The command `parlour export`."""

import sys
from pathlib import Path

import click

from parlour.commands.parameters import Number, RecordName
from parlour.commands.shared_options import RECORD_HELP
from parlour.core.errors import ParlourError
from parlour.core.record import Record
from parlour.drawing.film import to_gif
from parlour.drawing.pictures import picture, to_png
from parlour.drawing.status_line import StatusLine, progress_bar
from parlour.table import load
from parlour.table.locations import find_record


@click.command(
    epilog=f"""{RECORD_HELP}

\b
Examples:
  parlour export game.parlour --svg last.svg
  parlour export game.parlour --png move-20.png --at 20
  parlour export game.parlour --gif game.gif --delay 0.4
"""
)
@click.argument("record", type=RecordName())
@click.option("--svg", type=click.Path(path_type=Path), help="Draw a position as SVG.")
@click.option("--png", type=click.Path(path_type=Path), help="Draw a position as PNG.")
@click.option("--gif", type=click.Path(path_type=Path), help="Draw the whole game as a GIF.")
@click.option(
    "--at",
    type=int,
    metavar="N",
    help="Draw the position after action N; a GIF ends there.",
    show_default="the last",
)
@click.option(
    "--delay",
    type=Number(0.02, 60),
    metavar="SECONDS",
    default=0.6,
    help="Seconds between frames of a GIF.",
)
def export(
    record: str, svg: Path | None, png: Path | None, gif: Path | None, at: int | None, delay: float
) -> int:
    """Draw a record as SVG, PNG or GIF."""
    if svg is None and png is None and gif is None:
        raise ParlourError("choose what to draw: --svg FILE, --png FILE or --gif FILE")
    return export_record(find_record(record), svg, png, gif, at, delay)


def export_record(
    path: Path, svg: Path | None, png: Path | None, gif: Path | None, at: int | None, delay: float
) -> int:
    """Write the requested pictures. Raise `ParlourError` if one cannot be drawn or written."""
    record = load(path)
    number = len(record.actions) if at is None else at
    record.state_at(number)
    drawn = picture(record, number) if svg or png else ""
    if svg is not None:
        _write(svg, drawn.encode())
    if png is not None:
        _write(png, to_png(drawn))
    if gif is not None:
        _write(gif, _film(record, number, delay))
    return 0


def _film(record: Record, last: int, delay: float) -> bytes:
    """Return the animation, with a status line for its progress."""
    line = StatusLine(sys.stderr)
    try:
        return to_gif(
            record,
            delay,
            lambda done, all_: line.show(lambda: f"Drawing {progress_bar(done, all_)}"),
            last,
        )
    finally:
        line.close()


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise ParlourError(f"{path} cannot be written: {error.strerror}") from None
    print(f"{path}: {len(data)} bytes")
