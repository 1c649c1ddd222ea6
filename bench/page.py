"""Measure a table's page in Chromium: requests, bytes, first board, click to paint, layout shift.

    python bench/page.py [--json]

A row for each game, on a desktop and on a phone. The first board is measured on this machine, and
again at 1.6 Mbit/s with a latency of 40 ms and a fourth of the CPU. A click is measured until the
changed cells are painted: it goes to the server and back. The layout shift is the sum over a game
of some moves, also right after clicks. `TARGETS` has the limits; a row that misses one ends with
its name.
"""

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests" / "web"), str(ROOT / "tests" / "server")]

from browser import ARGUMENTS, Visitor, found_chromium  # noqa: E402
from live_server import GENEROUS, LiveServer  # noqa: E402
from players import by_mouse, choose  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

SIZES = {"desk": (1440, 900), "phone": (360, 640)}
GAMES = {"octa": ["me", 1], "banqi": ["me", 1], "blokus": ["me", 1, 1, 1], "cat_mouse": ["me"]}
TARGETS = {
    "requests": 30,
    "kilobytes": 60.0,
    "board_ms": 1000,
    "slow_board_ms": 2500,
    "click_ms": 50.0,
    "shift": 0.0,
}
SLOW = {"offline": False, "latency": 40, "downloadThroughput": 2e5, "uploadThroughput": 1e5}
"""1.6 Mbit/s down, 0.8 Mbit/s up; bytes per second."""
SLOW_CPU = 4
LOADS = 3
MOVES = 8

WATCH = """
window.shift = 0;
window.clicks = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shift += entry.value;
}).observe({type: 'layout-shift', buffered: true});
const painted = (done) => requestAnimationFrame(() => {
  const {port1, port2} = new MessageChannel();
  port1.onmessage = done;
  port2.postMessage(null);
});
let clicked = 0;
addEventListener('pointerup', (event) => { clicked = event.timeStamp; }, true);
const moves = new MutationObserver(() => {
  if (!clicked) return;
  const begin = clicked;
  clicked = 0;
  painted(() => window.clicks.push(performance.now() - begin));
});
const first = new MutationObserver(() => {
  if (!document.querySelector('.cells [role=gridcell]')) return;
  first.disconnect();
  window.loadedAt = performance.now();
  painted(() => { window.boardAt = performance.now(); });
  for (const name of ['grounds', 'figures', 'lines']) {
    moves.observe(document.querySelector(`.layer-${name}`), {childList: true});
  }
});
first.observe(document, {childList: true, subtree: true});
"""
LOADED = """
() => {
  const all = performance.getEntriesByType('resource');
  const early = all.filter((entry) => entry.startTime < window.loadedAt);
  const [page] = performance.getEntriesByType('navigation');
  const bytes = [...early, page].reduce((sum, entry) => sum + entry.encodedBodySize, 0);
  return {requests: early.length + 2, kilobytes: bytes / 1000};
}
"""
"""Counts what is loaded before the board: the page, the socket, and their resources."""


class Bench:
    """A browser and a server."""

    def __init__(self, browser, server):
        self.browser, self.server = browser, server

    def visitor(self, size):
        width, height = SIZES[size]
        viewport = {"width": width, "height": height}
        person = Visitor(self.browser, self.server, viewport=viewport)
        person.context.add_init_script(WATCH)
        person.context.set_default_timeout(60_000)
        return person

    def loaded(self, game, size, is_slow):
        """Return a visitor at a new table, after its first board."""
        person = self.visitor(size)
        if is_slow:
            session = person.context.new_cdp_session(person.page)
            session.send("Network.enable")
            session.send("Network.emulateNetworkConditions", SLOW)
            session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})
        person.sit(self.server.table(game, GAMES[game], seed=1))
        person.page.wait_for_function("() => window.boardAt")
        return person

    def board_ms(self, game, size, is_slow):
        """Return the median time of some loads without a cache."""
        times = []
        for _ in range(LOADS):
            person = self.loaded(game, size, is_slow)
            times.append(person.page.evaluate("() => window.boardAt"))
            person.context.close()
        return round(median(times))

    def row(self, game, size):
        """Return the measurements of one game."""
        person = self.loaded(game, size, is_slow=False)
        found = person.page.evaluate(LOADED)
        rng = random.Random(1)
        for _ in range(MOVES):
            if not person.wait_turn():
                break
            before = person.page.evaluate("() => window.clicks.length")
            scene = person.scene()
            by_mouse(person, scene, choose(scene, rng))
            person.page.wait_for_function(f"() => window.clicks.length > {before}")
        clicks, shift = person.page.evaluate("() => [window.clicks, window.shift]")
        person.context.close()
        return {
            "game": game,
            "size": size,
            "requests": found["requests"],
            "kilobytes": round(found["kilobytes"], 1),
            "board_ms": self.board_ms(game, size, is_slow=False),
            "slow_board_ms": self.board_ms(game, size, is_slow=True),
            "click_ms": round(median(clicks), 1),
            "shift": round(shift, 4),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = LiveServer(Path(folder) / "games.sqlite", agent_budget=GENEROUS)
        browser = playwright.chromium.launch(executable_path=found_chromium(), args=ARGUMENTS)
        bench = Bench(browser, server)
        rows = [bench.row(game, size) for game in GAMES for size in SIZES]
        browser.close()
        server.stop()
    if wanted.json:
        print(json.dumps(rows, indent=1))
        return
    print(" | ".join(rows[0]))
    for row in rows:
        missed = [name for name, most in TARGETS.items() if row[name] > most]
        print(" | ".join(map(str, [*row.values(), *missed])))


if __name__ == "__main__":
    main()
