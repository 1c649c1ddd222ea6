"""The help: a page of keys, and one of rules."""

import asyncio

import pytest
from boardless import TwentyOne
from kuhn import Kuhn
from rich.console import Console
from textual.containers import VerticalScroll

import parlour
from parlour import Guide
from parlour.core.guide import NO_RULES
from parlour.table import PERSON, LocalGame, Table
from parlour.table.opening import GameSetup
from parlour.terminal import palette
from parlour.terminal.app import ParlourApp
from parlour.terminal.help import HelpScreen, RulesPage, rules_page
from parlour.terminal.marks import Marks
from parlour.terminal.pictures import UNMARKED, cell_picture, cell_size, kinds_of


def printed(page, width=76):
    """Return the lines of a page on a terminal of that width."""
    console = Console(width=width, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(page)
    return [line.rstrip() for line in capture.get().splitlines()]


def page_of(game, shows_signs=True, theme=palette.DARK):
    table = Table(game, (PERSON,) * game.seats, seed=8)
    live = LocalGame(table)
    return rules_page(live.rules, live.topics(), live.scene(), theme, shows_signs)


def drive(script, game, size=(80, 24)):
    async def session():
        opening = GameSetup(game, (PERSON,) * game.seats, 8)
        app = ParlourApp(lambda: LocalGame(opening.sit_down()), "dark", frame_seconds=0)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(session())


@pytest.mark.parametrize("width", [36, 76, 116])
@pytest.mark.parametrize("name", parlour.game_names())
def test_the_page_contains_the_rules_and_every_kind_of_cell(name, width):
    game = parlour.game(name)
    lines = printed(page_of(game), width)
    words = " ".join(" ".join(lines).split())
    assert all(section.title in words and section.text in words for section in game.guide().rules())
    for cell in game.start(8).scene(0).cells:
        assert cell.label in words
    assert all(len(line) <= width for line in lines)


@pytest.mark.parametrize("theme", [palette.DARK, palette.LIGHT, palette.COLOURLESS])
@pytest.mark.parametrize("name", parlour.game_names())
def test_all_pictures_of_cells_have_the_same_size(name, theme):
    scene = parlour.game(name).start(8).scene(0)
    size = cell_size(scene, theme, True)
    for cell in kinds_of(scene):
        drawn = cell_picture(cell, UNMARKED, size, theme, True)
        assert len(drawn) == size[1]
        assert {line.cell_len for line in drawn} == {size[0]}


def test_a_pictures_marks_are_drawn_as_on_the_board():
    scene = parlour.game("octa").start(8).scene(0)
    size = cell_size(scene, palette.DARK, True)
    plain = cell_picture(scene.cells[0], UNMARKED, size, palette.DARK, True)
    for mark, sign in (("hint", "!"), ("targets", "›"), ("last", "•"), ("preview", "+")):
        drawn = cell_picture(
            scene.cells[0], Marks(**{mark: (0,)}, shows_cursor=False), size, palette.DARK, True
        )
        assert drawn[0].plain.startswith(sign)
        assert not plain[0].plain.startswith(sign)


def test_the_games_topics_are_shown_verbatim():
    lines = printed(page_of(parlour.game("blokus")))
    at = lines.index("the pieces you still have")
    assert any("■" in line for line in lines[at:])
    assert "a piece in every orientation" in lines[at:]
    assert "it does not fit" in " ".join(lines)
    assert "it does not fit" not in " ".join(printed(page_of(parlour.game("octa"))))


def test_a_game_without_rules_or_board_says_so():
    assert printed(RulesPage((), [], [], [])) == [NO_RULES]
    assert "On the board" not in printed(page_of(TwentyOne()))


class TellingGuide(Guide):
    """Explains what a seat knows."""

    def topics(self):
        return {"card": "your card"}

    def explain(self, state, topic, seat):
        return None if seat is None else f"the seat {seat} has a card"


class Telling(Kuhn):
    def guide(self):
        return TellingGuide(self)


def test_at_a_shared_keyboard_nothing_private_is_explained():
    live = LocalGame(Table(Telling(), (PERSON, PERSON), seed=1))
    assert live.is_shared
    assert live.topics() == []
    alone = LocalGame(Table(Telling(), (PERSON, "random"), seed=1))
    assert alone.topics() == [("your card", "the seat 0 has a card")]


def test_tab_switches_pages_arrows_scroll_and_esc_closes():
    async def script(app, pilot):
        before = app.session.cursor
        await pilot.press("question_mark")
        scroll = app.screen.query_one(VerticalScroll)
        assert scroll.border_title == "Keys"
        await pilot.press("tab")
        await pilot.pause()
        assert scroll.border_title == "How to play"
        assert scroll.max_scroll_y > 0
        await pilot.press("down", "down")
        await pilot.pause(0.5)
        assert scroll.scroll_y > 0
        await pilot.press("left")
        assert scroll.border_title == "Keys"
        assert scroll.scroll_y == 0
        await pilot.press("escape")
        assert not isinstance(app.screen, HelpScreen)
        assert app.session.cursor == before

    drive(script, parlour.game("octa"))


def test_a_click_switches_pages_and_other_keys_do_nothing():
    async def script(app, pilot):
        await pilot.press("question_mark")
        scroll = app.screen.query_one(VerticalScroll)
        await pilot.click("#help")
        assert scroll.border_title == "How to play"
        await pilot.press("u", "n", "h", "x")
        assert isinstance(app.screen, HelpScreen)
        assert app.session.game.version == 0

    drive(script, parlour.game("octa"))


def test_the_help_is_readable_on_the_smallest_screen():
    async def script(app, pilot):
        await pilot.press("question_mark", "tab")
        await pilot.pause()
        scroll = app.screen.query_one(VerticalScroll)
        assert scroll.size.width <= 40
        await pilot.press("end")
        await pilot.pause(0.5)
        assert scroll.scroll_y == scroll.max_scroll_y > 20

    drive(script, parlour.game("banqi"), (40, 12))
