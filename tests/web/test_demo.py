"""The demo in the documentation: whole games in the browser without any other host."""

import pytest
from browser import DESK, PHONE, WITHOUT_COACH, Visitor
from patience import PATIENCE
from players import by_mouse, play

GAMES = {
    "octa": {"#option-size": "1"},
    "banqi": {"#option-quiet_limit": "1"},
    "cat_mouse": {"#option-ply_cap": "6"},
    "blokus": {"#option-variant": "duo"},
}
"""Every game, with options for a short game."""


class Guest(Visitor):
    """A player in the frame of the demo."""

    def __init__(self, frame):
        self.page = frame


@pytest.fixture
def demo(site, serve_folder, chromium):
    """Open the demo; the test fails on errors and on requests to other hosts."""
    contexts, complaints = [], []
    address = serve_folder(site)

    def begin(**options):
        context = chromium.new_context(locale="en-GB", reduced_motion="reduce", **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE * 1000)
        context.add_init_script(WITHOUT_COACH)

        def check(route):
            if route.request.url.startswith((f"{address}/", "data:", "blob:")):
                route.continue_()
            else:
                complaints.append(route.request.url)
                route.abort()

        context.route("**/*", check)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{address}/demo/index.html")
        frame = page.wait_for_selector("#frame").content_frame()
        frame.wait_for_selector(".game")
        return frame

    yield begin
    for context in contexts:
        context.close()
    assert complaints == []


def test_a_game_of_each_kind_is_played_to_its_end(demo):
    frame = demo(**DESK)
    assert frame.locator(".game").count() == len(GAMES)
    for name, options in GAMES.items():
        frame.locator(f'[data-game="{name}"] [data-way="customise"]').click()
        for field, value in options.items():
            if frame.wait_for_selector(field).evaluate("field => field.tagName") == "SELECT":
                frame.select_option(field, value)
            else:
                frame.fill(field, value)
        for number, seat in enumerate(frame.locator(".setup fieldset select").all()):
            levels = seat.locator("optgroup option").all_inner_texts()
            assert levels in ([], [f"Level {level} of 4" for level in range(1, 5)])
            if number and levels:
                seat.select_option("1")
        frame.locator(".setup .button.main").click()
        frame.wait_for_selector("parlour-board [role=gridcell]")
        assert play(Guest(frame), by_mouse)
        frame.locator(".top .home").click()
        frame.wait_for_selector(".game")
    frame.wait_for_selector(".tables li")
    assert frame.locator(".tables li").count() == len(GAMES)


def test_it_fits_on_a_phone_and_gives_hints(demo):
    frame = demo(color_scheme="dark", **PHONE)
    for shown in (frame.page, frame):
        wide = shown.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0
    assert frame.evaluate("() => innerWidth") == PHONE["viewport"]["width"]
    frame.locator('[data-game="cat_mouse"] [data-way="now"]').tap()
    frame.get_by_role("button", name="Hint").tap()
    frame.wait_for_selector("parlour-board .hint, parlour-board .mark, .toast.shown")
