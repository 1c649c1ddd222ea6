"""Draw the layers of the packages: `python tools/package_diagram.py` writes the picture.

The layers come from the contract of import-linter in pyproject.toml, the highest first.
"""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "images" / "packages.svg"

WIDTH, MARGIN, TOP = 640, 16, 44
ROW, BOX, GAP = 32, 26, 8
ARROW_X = 40
LEFT = 72


def layers() -> list[list[str]]:
    """Return the names in each layer, the highest layer first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (layered,) = [contract for contract in contracts if contract["type"] == "layers"]
    return [layer.split(" | ") for layer in layered["layers"]]


def picture() -> str:
    """Return the diagram as SVG."""
    rows = layers()
    height = TOP + len(rows) * ROW + MARGIN
    words = "; ".join(", ".join(names) for names in rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" role="img" font-family="sans-serif" font-size="13">',
        f"<title>Layers of parlour, the highest first: {words}</title>",
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#faf9f4"/>',
        f'<text x="{LEFT}" y="28" fill="#444">'
        "Each package of parlour imports only packages in lower rows.</text>",
        arrow(TOP + 4, height - MARGIN - 10),
    ]
    for number, names in enumerate(rows):
        parts += boxes(names, TOP + number * ROW)
    return "\n".join([*parts, "</svg>", ""])


def arrow(top: int, bottom: int) -> str:
    """Draw the direction of imports, downwards."""
    head = f"M{ARROW_X - 6} {bottom - 9} L{ARROW_X} {bottom} L{ARROW_X + 6} {bottom - 9}"
    line = f"M{ARROW_X} {top} V{bottom} {head}"
    return f'<path d="{line}" fill="none" stroke="#1f6f6b" stroke-width="2"/>'


def boxes(names: list[str], top: int) -> list[str]:
    """Draw the packages of a layer side by side."""
    room = WIDTH - LEFT - MARGIN
    width = (room - GAP * (len(names) - 1)) / len(names)
    drawn = []
    for number, name in enumerate(names):
        left = LEFT + number * (width + GAP)
        drawn.append(
            f'<rect x="{left:g}" y="{top}" width="{width:g}" height="{BOX}" rx="4" '
            'fill="#dcebe9" stroke="#1f6f6b"/>'
        )
        middle = left + width / 2
        drawn.append(
            f'<text x="{middle:g}" y="{top + 18}" text-anchor="middle" fill="#1b1b1b">{name}</text>'
        )
    return drawn


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
