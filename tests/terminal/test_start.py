"""The start screen by keys and mouse, and the way to a game and back."""

import asyncio

import pytest
from boardless import TwentyOne
from goofspiel import Goofspiel
from hex_holes import Yavalath
from nim import Nim
from test_draft import OURS, draft_of, left
from textual.widgets import Input

import parlour
from parlour.commands import full_screen
from parlour.commands.play import Wish
from parlour.core.errors import ParlourError
from parlour.core.scene import display_width
from parlour.table import PERSON
from parlour.table.locations import unfinished_games
from parlour.terminal import palette
from parlour.terminal.app import TO_START, ParlourApp
from parlour.terminal.draft import Draft, GameChoice
from parlour.terminal.help import HelpScreen
from parlour.terminal.last_choices import LastChoices
from parlour.terminal.pictures import picture
from parlour.terminal.start import Card, Picture, StartApp

SIZES = [(80, 24), (120, 40), (40, 12), (200, 60)]


def drive(script, draft=None, size=(80, 24), begin=lambda choice: choice, theme="dark", note=""):
    """Run the start screen while `script(app, pilot)` uses it; return its result."""

    async def session():
        app = StartApp(draft or draft_of(), begin, theme, note)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)
        return app.return_value

    return asyncio.run(session())


def text(app, name):
    return str(app.static(name).render())


def drawn_text(app):
    """Return all text on the screen."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


async def click_on(app, pilot, word, within="fields"):
    """Click the first place of a word in the form."""
    widget = app.static(within)
    for y in range(widget.size.height):
        line = widget.render_line(y).text
        if word in line:
            x = display_width(line[: line.index(word)])
            assert await pilot.click(f"#{within}", offset=(x, y))
            await pilot.pause()
            return
    raise AssertionError(f"{word} is not there")


def test_enter_plays_the_chosen_game_at_once():
    async def script(app, pilot):
        await pilot.press("down", "down", "enter")

    assert drive(script) == GameChoice("cat_mouse", (), (PERSON,), None, None, None)


def test_the_labels_of_our_games_fit_a_small_screen():
    async def script(app, pilot):
        for _ in OURS:
            assert "…" not in text(app, "fields")
            await pilot.press("down")

    drive(script)


def test_options_seats_and_clock_are_chosen_by_keys():
    async def script(app, pilot):
        await pilot.press("down", "down", "down", "tab")
        await pilot.press("left", "down", "right")
        assert "Board size        ‹ 3 ›" in text(app, "fields")
        await pilot.press(*["down"] * 3, "right", *["down"] * 3, "right")
        await pilot.press("enter")

    chosen = drive(script)
    assert chosen.settings == ("size=3", "win_condition=elimination")
    assert chosen.seats == (PERSON, PERSON)
    assert chosen.clock == "1m"


def test_a_value_can_be_typed_and_an_invalid_one_shows_a_message():
    async def script(app, pilot):
        await pilot.press("down", "down", "down", "tab", "colon")
        entry = app.screen.query_one(Input)
        assert entry.display
        await pilot.press(*"77", "enter")
        assert not entry.display
        shown = " ".join(text(app, "fields").split())
        assert "‹ 77 › size must be an int from 1 to 20, not 77" in shown
        assert text(app, "message") == "Size must be an int from 1 to 20, not 77."
        await pilot.press("tab", "enter")
        assert app.return_value is None
        assert text(app, "message") == "Size must be an int from 1 to 20, not 77."
        await pilot.press("tab", "colon", "backspace", "escape")
        assert app.draft.fields[0].value == "77"
        assert app.in_form
        await pilot.press("colon", "7", "enter", "enter")

    assert drive(script).settings == ("size=7",)


def test_letters_are_text_while_a_value_is_typed():
    async def script(app, pilot):
        await pilot.press("down", "down", "down", "tab", *["down"] * 6, "colon")
        await pilot.press(*["backspace"] * 10, *"qtl: ?", "enter")
        assert app.draft.seats[1] == "qtl: ?"
        assert "qtl" in app.draft.problem

    drive(script)


def test_everything_works_by_mouse():
    async def script(app, pilot):
        cards = list(app.query(Card))
        await pilot.click(cards[3])
        assert app.draft.name == "octa"
        await click_on(app, pilot, "›")
        assert app.draft.settings == ("size=5",)
        await click_on(app, pilot, "‹")
        await click_on(app, pilot, "‹")
        assert app.draft.settings == ("size=3",)
        await click_on(app, pilot, "Turns")
        assert app.row == 2
        await click_on(app, pilot, "person")
        assert app.screen.query_one(Input).display
        await pilot.press("escape")
        await click_on(app, pilot, "  Play  ")

    assert drive(script) == GameChoice("octa", ("size=3",), (PERSON, "level:3"), None, None, None)


def test_unfinished_games_are_resumed(tmp_path):
    left(tmp_path, "octa", 2)
    left(tmp_path, "cat_mouse", 1, seats=(PERSON,))
    found = unfinished_games(tmp_path)

    async def script(app, pilot):
        await pilot.press("up", "tab", "down")
        assert "2 actions, with level:2" in text(app, "fields")
        assert "2 unfinished" in text(app, "message")
        await pilot.press("enter")

    draft = draft_of(unfinished=found)
    assert drive(script, draft) == GameChoice(resumed=found[1].path)

    async def clicks(app, pilot):
        await pilot.click(next(iter(app.query(Card))))
        await click_on(app, pilot, "Octa:")
        await pilot.press("colon")  # nothing can be typed here
        await click_on(app, pilot, "Resume")

    draft = draft_of(unfinished=found)
    octa = next(each.path for each in found if each.record.game.name == "octa")
    assert drive(clicks, draft) == GameChoice(resumed=octa)


def test_a_game_that_cannot_start_shows_a_message():
    def begin(choice):
        raise ParlourError("somebody else plays this game")

    async def script(app, pilot):
        await pilot.press("enter")
        assert text(app, "message") == "Somebody else plays this game."
        await pilot.press("down")
        assert text(app, "message") == "Press Enter to play, Tab for options."

    assert drive(script, begin=begin) is None


def test_a_key_opens_the_rules_of_the_chosen_game():
    async def script(app, pilot):
        await pilot.press("down", "question_mark")
        assert isinstance(app.screen, HelpScreen)
        assert app.screen.query_one("VerticalScroll").border_title == "How to play"
        await pilot.press("tab")
        assert "Choose a game" in str(app.screen.query_one("#help").render())
        await pilot.press("escape", "q")

    assert drive(script) is None


def test_a_game_that_does_not_load_is_reported_first():
    async def script(app, pilot):
        assert text(app, "message") == "The game 'x' does not load."

    drive(script, note="The game 'x' does not load.")


def strangers():
    games = {"nim": Nim(), "hex_holes": Yavalath(), "boardless": TwentyOne(), "cards": Goofspiel()}
    return Draft({**games, **{f"nim{n}": Nim(heap=n) for n in range(3, 9)}})


async def at_every_size(app, pilot):
    """Resize the terminal to each of the sizes in turn."""
    for size in SIZES:
        await pilot.resize_terminal(*size)
        assert app.size == size
        yield size


def test_third_party_games_are_listed_and_the_list_scrolls():
    async def script(app, pilot):
        async for _ in at_every_size(app, pilot):
            app.draft.at = 0
            app.done()
            await pilot.pause()
            for number, name in enumerate(app.draft.entries):
                assert app.draft.name == name
                card = next(card for card in app.query(Card) if card.number == number)
                title = app.draft.games[name].title
                assert any(title[:8] in card.render_line(y).text for y in range(card.size.height))
                shelf = app.pane("shelf").region
                assert shelf.contains_region(card.region) or card.region.height > shelf.height
                await pilot.press("down")

    drive(script, strangers())


def test_the_chosen_field_is_visible():
    async def script(app, pilot):
        await pilot.press("down", "down", "down", "tab")
        async for _ in at_every_size(app, pilot):
            app.action_pick(0)
            await pilot.pause()
            for row, field in enumerate(app.draft.fields):
                assert app.row == row
                assert f"▸ {field.heading[:4]}" in drawn_text(app)
                await pilot.press("down")

    drive(script)


def test_no_line_is_wider_than_the_screen_and_no_corner_is_empty():
    async def script(app, pilot):
        for theme in ("light", "dark"):
            await pilot.press("t")
            assert app.wanted_theme == theme
            async for _ in at_every_size(app, pilot):
                app.draft.at = 0
                app.done()
                await pilot.pause()
                for _ in OURS:
                    has_nothing_too_wide_or_empty(app)
                    await pilot.press("down")

    drive(script, theme="dark")


def has_nothing_too_wide_or_empty(app):
    for card in app.query(Card):
        wide, lines = app.picture_size
        assert card.size.width >= wide + 2
        assert card.size.height in (lines or 1, lines + 1)
    view = app.query_one("#view")
    form = app.pane("form")
    if view.display:
        assert view.size.width <= form.size.width
        assert form.max_scroll_y == 0
        # The rest below the picture is too small for another.
        assert form.region.bottom - view.region.bottom < 6


def test_fields_and_values_are_shown_in_words():
    async def script(app, pilot):
        await pilot.press("down", "down", "down")
        shown = text(app, "fields")
        for words in ("Board size", "Most cells at the end", "level 3 of 9", "a person", "‹ no ›"):
            assert words in shown
        assert "_" not in shown

    drive(script)


class TestLastChoices:
    def test_the_next_start_screen_begins_with_the_last_choice(self, tmp_path):
        path = tmp_path / "choices.json"
        LastChoices(path).keep(GameChoice("banqi", (), (PERSON, "level:1")))
        made = GameChoice("octa", ("size=2",), (PERSON, "level:7"), None)
        LastChoices(path).keep(made)
        games = {name: parlour.game(name) for name in ("banqi", "octa")}
        draft = Draft(games, before=LastChoices(path).by_game)
        assert draft.choice() == made

    @pytest.mark.parametrize("content", ["", "[1]", '{"octa": 3}', '{"octa": [[1], [], null]}'])
    def test_a_damaged_file_counts_as_empty(self, tmp_path, content):
        path = tmp_path / "choices.json"
        path.write_text(content)
        assert LastChoices(path).by_game == {}


def test_resizing_keeps_the_selection():
    async def script(app, pilot):
        await pilot.press("down", "down", "down", "tab", "right")
        for size in ((40, 12), (30, 8), (120, 40), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert app.screen.has_class("tiny") == (size == (30, 8))
        assert app.in_form
        assert app.draft.settings == ("size=5",)
        await pilot.press("enter")

    assert drive(script).settings == ("size=5",)


def test_the_chosen_field_stays_visible_in_a_smaller_terminal():
    async def script(app, pilot):
        await pilot.press("down", "down", "down", "tab", *["down"] * 10)
        assert app.row == app.rows - 1
        await pilot.resize_terminal(40, 12)
        assert "▸ Seed" in drawn_text(app)
        await pilot.press(*["up"] * 10)
        assert "▸ Boar" in drawn_text(app)

    drive(script, size=(120, 40))


@pytest.mark.parametrize("theme", [palette.DARK, palette.LIGHT, palette.COLOURLESS])
@pytest.mark.parametrize("signs", [True, False])
@pytest.mark.parametrize("size", [(16, 4), (16, 3), (24, 8), (70, 20), (5, 2)], ids=str)
def test_a_picture_has_exactly_its_size(size, signs, theme):
    draft = strangers()
    draft.games |= {name: parlour.game(name) for name in OURS}
    for name in draft.entries:
        drawn = picture(draft.scene_of(name), *size, theme, signs)
        assert len(drawn) == size[1]
        assert all(display_width(line.plain) <= max(size[0], 6) for line in drawn)
        if size[0] > 5:
            assert {display_width(line.plain) for line in drawn} == {size[0]}


def test_a_picture_shows_the_busiest_part():
    scene = draft_of("blokus").scene
    drawn = picture(scene, 16, 4, palette.DARK, True)
    coloured = {str(span.style) for line in drawn for span in line.spans}
    assert any(paint.fill in style for style in coloured for paint in palette.COLOURS.values())


# From the start screen to a game and back.


def test_m_returns_to_the_start_screen():
    async def session():
        sitting = full_screen._begin(
            Wish(keep=False), GameChoice("octa", (), (PERSON, PERSON)), LastChoices()
        )
        app = full_screen._app(sitting, "dark", 0.5)
        async with app.run_test() as pilot:
            await pilot.press("m")
        return app.return_value

    assert asyncio.run(session()) == TO_START


class Script:
    """The exit values of the apps, in order."""

    def __init__(self, monkeypatch, *steps):
        self.steps = list(steps)
        self.apps = []
        monkeypatch.setattr(StartApp, "run", self.start)
        monkeypatch.setattr(ParlourApp, "run", self.play)

    @property
    def start(self):
        def run(app):
            self.apps.append(app)
            step = self.steps.pop(0)
            return step(app) if callable(step) else step

        return run

    @property
    def play(self):
        def run(app):
            self.apps.append(app)
            step = self.steps.pop(0)
            ended = step(app) if callable(step) else step
            app.session.game.close()
            return ended

        return run


def enter(app):
    return app.begin(app.draft.choice())


@pytest.fixture
def records(tmp_path, monkeypatch):
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path))
    return tmp_path / "records"


def test_games_and_the_start_screen_alternate(monkeypatch, records, capsys):
    def play_one(app):
        assert app.session.game.title == "Octa"
        app.session.play_text(app.session.scene.actions[0].text)
        app.wanted_theme = "light"
        return TO_START

    def resume(app):
        assert app.draft.entries[0] == ""
        assert app.wanted_theme == "light"
        app.draft.at = 0
        return enter(app)

    def look(app):
        assert len(app.session.game.history()) == 1
        return 0

    def octa(app):
        app.draft.step(3)
        return enter(app)

    script = Script(monkeypatch, octa, play_one, resume, look)
    wish = Wish(theme="dark", people=True, settings=["size=2"], seed=5)
    assert full_screen.run(wish, None) == 0
    assert [type(app) for app in script.apps] == [StartApp, ParlourApp] * 2
    assert "The game is saved in" in capsys.readouterr().out
    (path,) = records.glob("*.parlour")
    assert "seed 5" in path.read_text("utf-8")


def test_quitting_the_start_screen_ends_the_program(monkeypatch, records, capsys):
    Script(monkeypatch, None)
    assert full_screen.run(Wish(), None) == 0
    assert capsys.readouterr().out == ""


def test_a_game_without_people_is_watched(monkeypatch, records):
    def watch(app):
        assert app.pace.delay == 0.25
        return 0

    def nobody(app):
        app.draft.set([field.name for field in app.draft.fields].index("people"), "0")
        return enter(app)

    def a_player(app):
        assert app.pace is None
        return TO_START

    Script(monkeypatch, enter, a_player, nobody, watch)
    assert full_screen.run(Wish(delay=0.25), None) == 0


@pytest.mark.parametrize(("people", "is_offered"), [(True, True), (False, False)])
def test_only_a_game_with_a_person_is_offered_to_resume(
    monkeypatch, records, capsys, people, is_offered
):
    def begin(app):
        app.draft.step(3)
        if not people:
            app.draft.set([field.name for field in app.draft.fields].index("people"), "0")
        return enter(app)

    def play_one(app):
        game = app.session.game
        if people:
            app.session.play_text(app.session.scene.actions[0].text)
        else:
            game.next_events()
        return 0

    Script(monkeypatch, begin, play_one)
    assert full_screen.run(Wish(delay=0.25), None) == 0
    printed = capsys.readouterr().out
    assert "The game is saved in" in printed
    assert ("parlour play --resume" in printed) == is_offered


def test_the_draft_contains_the_command_lines_choices(monkeypatch, records):
    def look(app):
        while app.draft.name != "octa":
            app.draft.step(1)
        assert app.draft.choice() == GameChoice(
            "octa", ("size=2",), ("best", PERSON), "5m", 7, None
        )

    Script(monkeypatch, look)
    wish = Wish(settings=["size=2"], mine=2, against="best", clock="5m", seed=7)
    assert full_screen.run(wish, None) == 0
    with pytest.raises(ParlourError, match="no game has an option 'sise'"):
        full_screen.run(Wish(settings=["sise=2"]), None)


def test_a_seat_that_only_one_game_has_is_accepted(monkeypatch, records):
    def look(app):
        while app.draft.name != "octa":
            app.draft.step(1)
        assert app.draft.problem == "Octa has seats 1 to 2, not 3"
        app.draft.set([field.name for field in app.draft.fields].index("people"), "2")
        return enter(app)

    script = Script(monkeypatch, look, 0)
    assert full_screen.run(Wish(mine=3), None) == 0
    assert script.apps[1].session.game.table.people == [0, 1]


def test_the_area_around_the_large_picture_has_the_colour_of_the_theme():
    async def script(app, pilot):
        await pilot.press("tab")
        picture = app.query_one(Picture)
        for y in range(picture.size.height):
            assert all(
                segment.style is not None and segment.style.bgcolor is not None
                for segment in picture.render_line(y)
            )

    drive(script, size=(120, 40), theme="light")
