"""A visitor with a browser, who collects errors of the page."""

import time

from node_tools import package
from patience import PATIENCE
from programs import found_program

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]
ABOVE_FINGER = 52
"""Distance between a finger and the piece it holds, as in `hand.js`."""
RESTING = 0.2
"""Seconds between the times of two touch events: slow enough not to be a fling."""
BLOCKED = "Service Worker registration blocked by Playwright"
"""Service workers would answer requests that tests change."""
WITHOUT_COACH = "try { localStorage.setItem('parlour:coach', 'off'); } catch {}"
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}


def found_chromium():
    """Return the path of Chromium; see `found_program`."""
    return found_program("chromium", "chromium", "chromium-browser", "google-chrome")


class Visitor:
    """One browser context with its own cookies and storage."""

    def __init__(self, chromium, server, expected=(), coach=False, **options):
        settings = {"reduced_motion": "reduce", "locale": "en-GB", **DESK}
        settings |= {"service_workers": "block", **options}
        self.server = server
        self.context = chromium.new_context(**settings)
        self.context.set_default_timeout(PATIENCE * 1000)
        if not coach:
            self.context.add_init_script(WITHOUT_COACH)
        self.complaints = []
        self._expected = expected
        self.page = self.open()

    def open(self):
        page = self.context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        return page

    def _console(self, message):
        if message.type in ("error", "warning"):
            text = f"{message.type}: {message.text} {message.location.get('url', '')}"
            if not any(each in text for each in (*self._expected, BLOCKED)):
                self.complaints.append(text)

    # Navigation.

    def sit(self, made):
        """Open a table with the seat of its creator."""
        name = f"seat_{made['table']}"
        cookie = {"name": name, "value": made["token"], "url": self.server.url}
        self.context.add_cookies([cookie])
        return self.watch(made["table"])

    def watch(self, table, query=""):
        self.page.goto(f"{self.server.url}/t/{table}{query}")
        self.page.wait_for_selector(".message, .alone")
        return self

    # State of the page.

    def wait_turn(self):
        """Wait for this player's turn or the end of the game. Return whether it is the turn."""
        found = self.page.wait_for_function(
            "() => document.querySelector('.message.own') ? 'own' : "
            "document.querySelector('.table.over') && 'over'"
        )
        return found.json_value() == "own"

    def scene(self):
        """Return the scene on the board."""
        return self.page.evaluate("() => document.querySelector('parlour-board').scene")

    def cell(self, number):
        return self.page.locator(f'[role=gridcell][data-cell="{number}"]')

    def drag_under(self, number):
        """Drag a finger to just below a cell; the held piece floats above the finger."""
        self.page.evaluate("() => scrollTo(0, 0)")
        box = self.cell(number).bounding_box()
        board = self.page.locator(".cells").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 + ABOVE_FINGER
        start = board["x"] + board["width"] / 2, board["y"] + board["height"] / 2
        self.page.evaluate(
            "() => { window.lifted = ''; for (const kind of ['pointerup', 'pointercancel'])"
            "document.addEventListener(kind, () => { window.lifted ||= kind; }, {once: true}); }"
        )
        self.touch([[start], [(x, y - 9)], [(x, y)], []])
        lifted = self.page.wait_for_function("() => window.lifted").json_value()
        assert lifted == "pointerup"

    def touch(self, moments):
        """Send touch events; each moment lists the points where fingers are down.

        The events carry their own times: the fingers rest before they are lifted, because Chromium
        swallows the tap after a fling.
        """
        session = self.context.new_cdp_session(self.page)
        at, down, last = time.time(), 0, []
        for points in moments:
            resting = [last] if len(points) < down else []
            for now in (*resting, points):
                kinds = {True: "touchStart", False: "touchEnd"}
                kind = "touchMove" if len(now) == down else kinds[len(now) > down]
                listed = [{"x": x, "y": y, "id": each} for each, (x, y) in enumerate(now)]
                event = {"type": kind, "touchPoints": listed, "timestamp": at}
                session.send("Input.dispatchTouchEvent", event)
                at += RESTING
                down = len(now)
            last = points
        session.detach()

    def axe(self, *rules):
        """Return the accessibility violations that axe finds, of all rules or of some."""
        if not self.page.evaluate("() => 'axe' in window"):
            # Evaluate the source: the page's policy blocks injected scripts.
            source = (package("axe-core") / "axe.min.js").read_text("utf-8")
            self.page.evaluate(source)
        found = self.page.evaluate(
            "(rules) => axe.run(document, {resultTypes: ['violations'],"
            "...(rules.length ? {runOnly: rules} : {})})",
            rules,
        )
        return [
            f"{each['id']}: {node['html'][:150]} {node['failureSummary'][:200]}"
            for each in found["violations"]
            for node in each["nodes"]
        ]
