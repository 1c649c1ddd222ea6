"""The pictures of the site, taken from the program itself.

Those of the start page exist nowhere else. With `everything` the pictures that docs/images keeps
for forges are taken anew too, and the site shows the new ones.
"""

import asyncio
import re
import sys
import tempfile
from base64 import b64encode
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / name) for name in ("web", "server", "terminal", "examples")]
sys.path.append(str(ROOT / "tests" / "games"))

import contact_sheet  # noqa: E402
import observation_pictures  # noqa: E402
import screens  # noqa: E402
from node_tools import package  # noqa: E402

FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
WEIGHTS = {"Regular": 400, "Bold": 700}

START = {
    "blokus-desk": ("blokus", "desk"),
    "banqi-desk": ("banqi", "desk"),
    "octa-desk": ("octa", "desk"),
    "cat-mouse-desk": ("cat and mouse", "desk"),
    "banqi-phone": ("banqi", "phone"),
}
"""What the start page shows of the page, in both themes: its state and its size."""


def take(folder: Path, everything: bool) -> None:
    """Put the pictures into the folder."""
    wanted: dict[str, list[str]] = {}
    for state, size in START.values():
        wanted.setdefault(size, []).append(state)
    if everything:
        wanted = {size: [*contact_sheet.STATES] for size in contact_sheet.SIZES}
    found = {}
    for size, states in wanted.items():
        with tempfile.TemporaryDirectory() as games:
            found |= contact_sheet.shots(games, states, [size], contact_sheet.THEMES)
    for name, (state, size) in START.items():
        for theme in contact_sheet.THEMES:
            save(found[theme, state, size], folder / f"site-{name}-{theme}.png")
    if not everything:
        return
    for theme in contact_sheet.THEMES:
        save(contact_sheet.sheet(found, theme), folder / f"page-{theme}.png")
    for state, theme in contact_sheet.FOR_READERS.items():
        save(found[theme, state, "desk"], folder / f"page-{state}.png")
    for name in observation_pictures.SHEETS:
        path = folder / observation_pictures.path_of(name).name
        path.write_text(observation_pictures.picture(name), "utf-8")
    for name, shot in screens.FOR_READERS.items():
        (folder / f"{name}.svg").write_text(asyncio.run(shot()), "utf-8")
        print(f"  {name}", flush=True)


def save(image, path: Path) -> None:
    """Keep a picture."""
    contact_sheet.save(image, path)
    print(f"  {path.name}", flush=True)


def with_font(svg: str) -> str:
    """Embed the font into a picture of the terminal, which would load it from another host."""
    faces = iter([font_faces()])
    return FONT.sub(lambda _: next(faces, ""), svg)


@cache
def font_faces() -> str:
    """Fira Code, in which lines and blocks meet as they do in a terminal."""
    folder = package("firacode") / "distr" / "woff2"
    faces = []
    for name, weight in WEIGHTS.items():
        data = b64encode((folder / f"FiraCode-{name}.woff2").read_bytes()).decode()
        source = f"url(data:font/woff2;base64,{data})"
        faces.append(
            f'@font-face {{font-family: "Fira Code"; font-weight: {weight}; src: {source}}}'
        )
    return "\n".join(faces)
