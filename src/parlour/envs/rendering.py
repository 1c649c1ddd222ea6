"""Rendering of positions: as text, as pixels, or printed."""

import io
import sys
from typing import Any

import numpy as np

from parlour.core.errors import MissingExtra
from parlour.core.game import State
from parlour.drawing.pictures import to_png
from parlour.drawing.svg import scene_to_svg
from parlour.drawing.text import draw
from parlour.envs.settings import one_of

ANSI = "ansi"
PIXELS = "rgb_array"
HUMAN = "human"
MODES = [ANSI, PIXELS, HUMAN]
FRAMES_PER_SECOND = 2


def check_mode(mode: object) -> str | None:
    """Return a valid render mode; raises `OptionError` otherwise."""
    known: str | None = one_of("render_mode", mode, [None, *MODES])
    return known


def frame(mode: str | None, state: State, seat: int | None) -> Any:
    """Render the view of a seat or a spectator; `human` prints it, and `None` renders nothing."""
    if mode is None:
        return None
    scene = state.scene(seat)
    if mode == PIXELS:
        return _pixels(scene_to_svg(scene, (), state.game.title))
    if mode == HUMAN:
        print(draw(scene), end="\n\n", file=sys.stdout, flush=True)
        return None
    return draw(scene)


def _pixels(svg: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return the picture as (height, width, 3) bytes."""
    png = to_png(svg)
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtra(
            "a picture in pixels needs the extra: pip install 'parlour[images]'"
        ) from None
    return np.array(Image.open(io.BytesIO(png)).convert("RGB"), np.uint8)
