"""Positions as pictures, in SVG or PNG."""

from parlour.core.errors import MissingExtra
from parlour.core.record import Record
from parlour.drawing.score_sheet import last_cells
from parlour.drawing.svg import scene_to_svg


def picture(record: Record, number: int) -> str:
    """Return the SVG after this many actions; the cells of the last action are framed."""
    scene = record.state_at(number).scene(None)
    return scene_to_svg(scene, last_cells(record, number), record.game.title)


def to_png(svg: str) -> bytes:
    """Render a picture in pixels; raises `MissingExtra` without the extra [images]."""
    try:
        import resvg_py
    except ImportError:
        raise missing_images("a picture in pixels") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))


def missing_images(what: str) -> MissingExtra:
    """Return the error that names the extra."""
    return MissingExtra(f"{what} needs the extra: pip install 'parlour[images]'")
