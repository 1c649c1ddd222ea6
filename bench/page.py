"""Measure the web page in Chromium: bytes before the first board, layout shift, time of a move.

    python bench/page.py [--json]

The targets are 60 KB compressed in at most 15 requests, 26 KB of them scripts; a layout shift of at
most 0.02; and a move on the screen in the frame after its message.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests" / "web"), str(ROOT / "tests" / "server")]

from browser import ARGUMENTS, found_chromium  # noqa: E402
from live_server import LiveServer  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

SIZES = {"phone": (360, 640), "landscape": (844, 390), "desk": (1440, 900)}
GAMES = {"octa": ["me", 1], "banqi": ["me", 1], "blokus": ["me", 1, 1, 1], "cat_mouse": ["me"]}

WATCH = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({type: 'layout-shift', buffered: true});
new MutationObserver(() => {
  const board = document.querySelector('.cells [role=gridcell]');
  if (board) window.boardAt ||= performance.now();
}).observe(document, {childList: true, subtree: true});
"""
MOVE = """
async () => {
  const board = document.querySelector('parlour-board');
  const times = [];
  const show = board.show.bind(board);
  board.show = (...all) => {
    const begin = performance.now();
    show(...all);
    times.push(performance.now() - begin);
  };
  const {actions} = board.scene;
  board.choose(actions[0]);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  return Math.max(0, ...times);
}
"""


LOADED = """
() => {
  const all = performance.getEntriesByType('resource');
  const early = all.filter((entry) => entry.startTime < window.boardAt);
  const [page] = performance.getEntriesByType('navigation');
  const size = (entries) => entries.reduce((sum, entry) => sum + entry.encodedBodySize, 0);
  return {
    requests: early.length + 2,
    bytes: size([...early, page]),
    script_bytes: size(early.filter((entry) => entry.name.endsWith('.js'))),
    board_ms: Math.round(window.boardAt),
    shift: Number(window.shift.toFixed(4)),
  };
}
"""
"""Counts the requests before the board: the page, the socket, and their resources."""


def measured(page, address):
    """Measure one fresh page of a table."""
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_function("() => window.boardAt")
    page.wait_for_timeout(600)
    return {**page.evaluate(LOADED), "show_ms": round(page.evaluate(MOVE), 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = LiveServer(Path(folder) / "games.sqlite")
        path = found_chromium()
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for game, seats in GAMES.items():
            for name, (width, height) in SIZES.items():
                made = server.table(game, seats, seed=1)
                context = browser.new_context(viewport={"width": width, "height": height})
                cookie = {"name": f"seat_{made['table']}", "value": made["token"]}
                context.add_cookies([{**cookie, "url": server.url}])
                row = measured(context.new_page(), f"{server.url}/t/{made['table']}")
                rows.append({"game": game, "size": name, **row})
                context.close()
        browser.close()
        server.stop()
    if wanted.json:
        print(json.dumps(rows, indent=1))
        return
    print(" | ".join(rows[0]))
    for row in rows:
        print(" | ".join(str(value) for value in row.values()))


if __name__ == "__main__":
    main()
