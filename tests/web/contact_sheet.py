"""Take pictures of the page: `python tests/web/contact_sheet.py [FOLDER]`, by default docs/images.

Makes a contact sheet for each theme (a row for each state, a column for each size) and the
pictures of the README. Look at them after each change to the page's appearance.
"""

import json
import random
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / name) for name in ("web", "server", "examples")]

from browser import ARGUMENTS, WITHOUT_COACH, found_chromium  # noqa: E402
from hex import Hex  # noqa: E402
from kuhn import Kuhn  # noqa: E402
from live_server import GENEROUS, LiveServer  # noqa: E402
from PIL import Image, ImageDraw  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

import parlour  # noqa: E402

SIZES = {"phone": (360, 640), "landscape": (844, 390), "desk": (1440, 900)}
THEMES = ("light", "dark")
ROW = 300
GAP = 14
BOARD = "document.querySelector('parlour-board')"


def record(name, plies, seed=1, **options):
    """Return a game of some plies with seat 0 to act."""
    game = parlour.game(name, **options)
    rng, state, actions = random.Random(seed), game.start(seed), []
    while state.result() is None and (len(actions) < plies or state.actor != 0):
        if state.actor < 0:
            action = rng.choice([action for action, _ in state.chance_outcomes()])
        else:
            legal = list(state.legal_actions())
            action = max(legal) if name == "blokus" else rng.choice(legal)
        actions.append(action)
        state = state.apply(action)
    return parlour.Record(game, seed=seed, actions=actions).to_text()


class Studio:
    """A server with a table for each state."""

    def __init__(self, folder):
        parlour.register("hex", Hex)
        parlour.register("kuhn", Kuhn)
        self.server = LiveServer(Path(folder) / "games.sqlite", agent_budget=GENEROUS)
        self.tables = {
            "octa": self.resumed("octa", 30),
            "banqi": self.resumed("banqi", 64, clock="10m+5"),
            "blokus": self.resumed("blokus", 40, others=3),
            "cat_mouse": self.resumed("cat_mouse", 8, others=0),
            "hex": self.resumed("hex", 20, size=7),
            "kuhn": self.server.table("kuhn", ["me", 2], name="Ada"),
            "waiting": self.server.table("octa", ["me", "open"], name="Ada"),
            "over": self.resumed("octa", 1000, options_size=2),
        }

    def resumed(self, name, plies, others=1, clock="", options_size=None, **options):
        if options_size:
            options["size"] = options_size
        seats = [{"kind": "me"}] + [{"kind": "agent", "level": 3}] * others
        body = {"record": record(name, plies, **options), "seats": seats, "name": "Ada"}
        answer = self.server.post("/tables", {**body, "clock": clock})
        assert answer.status_code == 201, answer.text
        return answer.json()


def at_table(name, prepare=None, query=""):
    """Return a pose: at this table, after `prepare(page)`."""

    def pose(studio, page):
        made, url = studio.tables[name], studio.server.url
        if made.get("token"):
            cookie = {"name": f"seat_{made['table']}", "value": made["token"], "url": url}
            page.context.add_cookies([cookie])
        page.goto(f"{url}/?quiet")
        kept = [f"parlour:invites:{made['table']}", json.dumps(made.get("invitations", []))]
        page.evaluate("([name, value]) => localStorage.setItem(name, value)", kept)
        page.goto(f"{url}/t/{made['table']}{query}")
        page.wait_for_selector(".table.ready")
        if prepare:
            prepare(page)
        page.wait_for_timeout(350)

    return pose


def in_lobby(studio, page):
    page.goto(studio.server.url)
    page.wait_for_selector(".lists")
    page.wait_for_timeout(200)


def customising(studio, page):
    in_lobby(studio, page)
    page.get_by_role("button", name="Customise: Octa").click()
    page.wait_for_selector(".setup")


def joining(studio, page):
    page.goto(studio.tables["waiting"]["invitations"][0]["url"])
    page.wait_for_selector(".joining")


def selected(page):
    page.evaluate(
        f"() => {{ const view = {BOARD}.picker.byCells.find((each) => each.cells.length > 1);"
        f"if (view) {BOARD}.activate(view.cells[0], false); }}"
    )


def previewed(page):
    page.locator(".can").nth(3).hover()


def holding(page):
    page.locator(".piece").last.click()


def refused(page):
    page.evaluate(f"() => {BOARD}.activate({BOARD}.scene.cells.length >> 1, false)")
    page.wait_for_selector(".toast.shown")


def analysed(page):
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".graph .line")
    page.wait_for_function("() => !document.querySelector('.past-note [role=status]')")
    page.locator(".history button").nth(9).click()
    page.wait_for_selector(".lines button")


def hinted(page):
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".lines button")


def menu(page):
    page.get_by_role("button", name="More").click()


def rules(page):
    menu(page)
    page.get_by_role("button", name="Rules").click()
    page.wait_for_selector(".rules figure")


def themed(name):
    return lambda page: page.evaluate(
        f"() => {{ document.documentElement.dataset.board = '{name}'; }}"
    )


STATES = {
    "lobby": in_lobby,
    "customising": customising,
    "invite": at_table("waiting"),
    "join": joining,
    "octa": at_table("octa", previewed),
    "refused": at_table("octa", refused),
    "banqi": at_table("banqi", selected),
    "wood": at_table("banqi", themed("wood")),
    "slate": at_table("octa", themed("slate")),
    "blokus": at_table("blokus", holding),
    "cat and mouse": at_table("cat_mouse"),
    "hexagons": at_table("hex"),
    "secrets": at_table("kuhn"),
    "hint": at_table("octa", hinted),
    "analysis": at_table("over", analysed),
    "menu": at_table("octa", menu),
    "rules": at_table("blokus", rules),
}


FOR_READERS = {"blokus": "light", "octa": "light", "banqi": "dark"}
"""Pictures in the documentation: a state and its theme."""


def shots(folder, states, sizes, themes):
    """Take every picture. Return {(theme, state, size): image}."""
    found = {}
    with sync_playwright() as playwright:
        studio = Studio(folder)
        path = found_chromium()
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for theme in themes:
            for size in sizes:
                width, height = SIZES[size]
                for state in states:
                    context = browser.new_context(
                        viewport={"width": width, "height": height},
                        color_scheme=theme,
                        has_touch=size != "desk",
                        locale="en-GB",
                    )
                    if state != "coach":
                        context.add_init_script(WITHOUT_COACH)
                    page = context.new_page()
                    STATES[state](studio, page)
                    file = Path(folder) / "shot.png"
                    page.screenshot(path=file)
                    found[theme, state, size] = Image.open(file).convert("RGB").copy()
                    context.close()
        browser.close()
        studio.server.stop()
    return found


def sheet(found, theme):
    """Combine all states of a theme in one picture."""
    widths = [round(ROW * width / height) for width, height in SIZES.values()]
    left = 110
    whole = Image.new(
        "RGB",
        (left + sum(widths) + GAP * 4, (ROW + GAP) * len(STATES) + GAP),
        "#8b8a86" if theme == "light" else "#3a3b3f",
    )
    draw = ImageDraw.Draw(whole)
    for row, state in enumerate(STATES):
        y = GAP + row * (ROW + GAP)
        draw.text((GAP, y + 8), state, fill="white", font_size=17)
        x = left
        for size, width in zip(SIZES, widths, strict=True):
            picture = found[theme, state, size].resize((width, ROW), Image.Resampling.LANCZOS)
            whole.paste(picture, (x, y))
            x += width + GAP
    return whole


def save(image, path):
    image.quantize(96, dither=Image.Dither.NONE).save(path, optimize=True)


def main():
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images"
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        found = shots(folder, STATES, SIZES, THEMES)
    for theme in THEMES:
        save(sheet(found, theme), target / f"page-{theme}.png")
    for state, theme in FOR_READERS.items():
        save(found[theme, state, "desk"], target / f"page-{state}.png")


if __name__ == "__main__":
    main()
