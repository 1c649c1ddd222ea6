"""A recorded walk through the terminal for the documentation: one SVG that plays by itself.

    python tests/terminal/recorded_walk.py

plays a scripted session and writes docs/images/walk.svg.
"""

import asyncio
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from screens import IMAGES, octa, start_app

from parlour.table import PERSON, LocalGame
from parlour.table.opening import GameSetup
from parlour.terminal.app import ParlourApp

SIZE = (80, 24)
SECONDS = 1.8
"""How long each frame is shown."""

UNNEEDED = (
    r"(?s)@font-face \{.*?\}",
    r"(?s)<!--.*?-->",
    r"(?s)<clipPath.*?</clipPath>",
    r' clip-path="[^"]*"',
    r' shape-rendering="[^"]*"',
    r"\n\s+",
)
"""Parts of a screen's SVG that a frame does without: fonts of other hosts, clipping, blanks."""

CHOOSING = (("down", "down", "down"), ("tab", *["down"] * 6), ("right", "right"))
PLAYING = ((), ("enter",), ("enter",), ("question_mark", "tab"), ("escape", "a"))
"""The keys before each frame: on the start screen, then in a game."""


def animated(frames):
    """Return one picture that shows the frames in turn; the last one if motion is unwanted."""
    head = re.match(r"<svg[^>]*>", frames[0])[0]
    total, share = len(frames) * SECONDS, 100 / len(frames)
    css = (
        f".frame{{visibility:hidden;animation:show {total:.1f}s step-end infinite}}"
        f"@keyframes show{{0%{{visibility:visible}}{share:.3f}%{{visibility:hidden}}}}"
        "@media(prefers-reduced-motion){.frame{animation:none}"
        ".frame:last-of-type{visibility:visible}}"
    )
    parts = [head, f"<style>{css}</style>"]
    for number, frame in enumerate(frames):
        inner = re.sub(r"^<svg[^>]*>|</svg>\s*$", "", frame.strip())
        for unneeded in UNNEEDED:
            inner = re.sub(unneeded, "", inner)
        delay = f"animation-delay:{number * SECONDS:.1f}s"
        parts.append(f'<g class="frame" style="{delay}">{inner}</g>')
    return "".join([*parts, "</svg>\n"])


async def shoot_walk():
    """Return the frames of a session: choose Octa and a level, play, read the rules, analyse."""
    frames = []

    async def shoot(app, pilot, steps):
        for keys in steps:
            if keys == ("enter",):
                app.session.cursor = app.session.scene.actions[-1].cells[-1]
            await pilot.press(*keys)
            while isinstance(app, ParlourApp) and not app.session.game.is_my_turn:
                await pilot.pause(0.1)
            while isinstance(app, ParlourApp) and app.shows_analysis and not app.session.advice:
                await pilot.pause(0.1)
            await pilot.pause()
            frames.append(app.export_screenshot(title="parlour play", simplify=True))

    app = start_app(False, "dark")
    async with app.run_test(size=SIZE) as pilot:
        await shoot(app, pilot, CHOOSING)
    opening = GameSetup(octa(), (PERSON, "greedy:seed=3"), 8)
    app = ParlourApp(lambda: LocalGame(opening.sit_down()), "dark", frame_seconds=0)
    async with app.run_test(size=SIZE) as pilot:
        await shoot(app, pilot, PLAYING)
        app.workers.cancel_all()
    return frames


if __name__ == "__main__":
    (IMAGES / "walk.svg").write_text(animated(asyncio.run(shoot_walk())), "utf-8")
