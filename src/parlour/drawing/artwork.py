"""The artwork of faces: the symbols of the page's `pieces.svg`, with colours for pictures."""

import re
from functools import cache
from importlib.resources import files

SIZE = 40
"""Width and height of a symbol."""

_SYMBOL = re.compile(r'<symbol id="face-([^"]+)"[^>]*>(.*?)</symbol>', re.DOTALL)
_USE = re.compile(r'<use href="#face-([^"]+)"[^>]*/>')
_LOOKS = {
    "body": 'fill="{fill}" stroke="{edge}" stroke-width="2"',
    "mark-line": 'fill="none" stroke="{edge}" stroke-width="1.8"',
    "tail": 'fill="none" stroke="{edge}" stroke-width="2.4"',
    "thin": 'fill="none" stroke="#1d1a14" stroke-width="1.3"',
    "ink": 'fill="#1d1a14"',
    "white": 'fill="#fffdf6"',
    "blush": 'fill="#f2a9a0"',
}
"""How the page's `board.css` draws the parts of a symbol."""


@cache
def _symbols() -> dict[str, str]:
    text = files("parlour.web").joinpath("pieces.svg").read_text(encoding="utf-8")
    return {name: " ".join(parts.split()) for name, parts in _SYMBOL.findall(text)}


def has_artwork(face: str) -> bool:
    """Return whether there is a symbol for a face."""
    return face in _symbols()


def artwork(face: str, fill: str, edge: str) -> str:
    """Return the symbol of a face, `SIZE` wide and high, in these colours."""
    drawn = _USE.sub(lambda found: _symbols()[found[1]], _symbols()[face])
    for name, looks in _LOOKS.items():
        drawn = drawn.replace(f'class="{name}"', looks.format(fill=fill, edge=edge))
    return drawn
