"""The full-screen game, driven by key presses and mouse clicks."""

import asyncio
import errno
import os
import threading
import time

import pytest
from dice import Dice
from nim import Nim
from patience import PATIENCE
from scouts import Scouts
from textual.widgets import Static
from tiles import Tiles

import parlour
from parlour.drawing.choices import advice_of
from parlour.table import PERSON, LocalGame, Play, TimeControl
from parlour.table.opening import GameSetup
from parlour.terminal.app import ParlourApp
from parlour.terminal.board import BoardWidget
from parlour.terminal.help import HelpScreen

PEOPLE = (PERSON, PERSON)


def drive(script, game, seats=PEOPLE, size=(80, 24), frames=0.0, seed=8, delay=None, **opening):
    """Run the app while `script(app, pilot)` uses it."""

    async def session():
        opened = GameSetup(game, seats[: game.seats], seed, **opening)
        app = ParlourApp(
            lambda: LocalGame(opened.sit_down(), isolated=True), None, delay, frame_seconds=frames
        )
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(session())


async def until(pilot, holds):
    """Wait for another process or a timer."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        await pilot.pause(0.02)


async def go_to(app, pilot, cell):
    """Move the cursor to a cell."""
    row, col = divmod(cell, app.session.scene.board.cols)
    at_row, at_col = divmod(app.session.cursor, app.session.scene.board.cols)
    down, right = row - at_row, col - at_col
    await pilot.press(*["down" if down > 0 else "up"] * abs(down))
    await pilot.press(*["right" if right > 0 else "left"] * abs(right))
    assert app.session.cursor == cell


class FailingScene(Nim):
    """A game whose scene fails after two moves."""

    def scene(self, state, seat):
        if state.heap < 9:
            raise RuntimeError("no more [stones] to draw")
        return super().scene(state, seat)


def test_a_failing_game_ends_the_app_with_a_message_and_keeps_the_record(tmp_path, capsys):
    found = []

    async def script(app, pilot):
        found.append(app)
        await pilot.press("colon", *"take1", "enter")
        assert app.return_code is None
        app.call_later(lambda: app.session.ask(Play(0)))
        while app.return_code is None:
            await asyncio.sleep(0.01)

    drive(script, FailingScene(), folder=tmp_path)
    (app,) = found
    assert app.return_code == 2
    message = " ".join(capsys.readouterr().err.split())
    assert message.startswith("parlour: the game nim of the package ")
    assert message.endswith("failed in scene(): RuntimeError: no more [stones] to draw")
    (path,) = tmp_path.glob("*.parlour")
    assert "2. take1" in path.read_text("utf-8")


async def click(app, pilot, cell):
    assert await pilot.click(BoardWidget, offset=app.board.point_of(cell))
    await pilot.pause()


def solution(state):
    return state.game.guide().solution(state)


def table(app):
    return app.session.game.table


def text(app, name):
    return str(app.static(name).render())


class TestWholeGames:
    def test_octa_by_keys(self):
        async def script(app, pilot):
            plies = 0
            while not table(app).is_over:
                await go_to(app, pilot, app.session.scene.actions[-1].cells[0])
                await pilot.press("enter")
                plies += 1
                assert len(table(app).line.actions) == plies
            assert "wins" in text(app, "message") or "tie" in text(app, "message")
            assert "Press n to play again, v to replay, m to return to the start screen." in text(
                app, "message"
            )

        drive(script, parlour.game("octa", size=1))

    def test_octa_by_mouse(self):
        async def script(app, pilot):
            while not table(app).is_over:
                plies = len(table(app).line.actions)
                await click(app, pilot, app.session.scene.actions[0].cells[0])
                assert len(table(app).line.actions) == plies + 1

        drive(script, parlour.game("octa", size=2, turn_limit=12))

    def test_cat_and_mouse_by_arrow_keys_with_a_closing_word(self):
        async def script(app, pilot):
            assert "par is 9" in text(app, "players")
            await pilot.press("h")
            await until(pilot, lambda: app.session.hints)
            for action in solution(table(app).state):
                await pilot.press(("up", "down", "left", "right")[action])
            assert table(app).state.result().returns == (1.0,)
            assert "9 steps, par 9: a perfect hunt!" in text(app, "message")
            assert "You used 1 hint." in text(app, "message")

        drive(script, parlour.game("cat_mouse"), seed=40)

    def test_cat_and_mouse_by_mouse_on_a_board_that_scrolls(self):
        async def script(app, pilot):
            for action in solution(table(app).state):
                (cell,) = next(v.cells for v in app.session.scene.actions if v.action == action)
                app.session.cursor = cell
                app.show()
                await pilot.pause()
                await click(app, pilot, cell)
            assert table(app).is_over

        drive(script, parlour.game("cat_mouse"), size=(60, 16), seed=78)

    def test_moves_from_cell_to_cell_and_chance_by_keys(self):
        async def script(app, pilot):
            moved = False
            while not table(app).is_over:
                view = app.session.scene.actions[-1]
                for cell in view.cells:
                    await go_to(app, pilot, cell)
                    await pilot.press("enter")
                moved = moved or len(view.cells) == 2
            assert moved
            await pilot.press("question_mark", "tab")
            page = app.screen.query_one("#help", Static).content
            assert table(app).reveal().hex() in dict(page.topics)["Chance"]

        drive(script, Scouts())

    def test_moves_from_cell_to_cell_by_mouse(self):
        async def script(app, pilot):
            while not table(app).is_over:
                for cell in app.session.scene.actions[-1].cells:
                    await click(app, pilot, cell)

        drive(script, Scouts())

    def test_pieces_by_keys(self):
        async def script(app, pilot):
            while not table(app).is_over:
                plies = len(table(app).line.actions)
                await pilot.press(app.session.picker.groups[-1][0])
                await pilot.press("full_stop")
                assert "fits: press Enter to place it" in text(app, "message")
                await pilot.press("enter")
                assert len(table(app).line.actions) == plies + 1

        drive(script, Tiles())

    def test_pieces_by_mouse(self):
        async def script(app, pilot):
            while not table(app).is_over:
                plies = len(table(app).line.actions)
                name = app.session.picker.groups[0]
                lines = text(app, "pieces").splitlines()
                places = [(line.find(name), y) for y, line in enumerate(lines)]
                await pilot.press("escape")
                x, y = next(place for place in places if place[0] >= 0)
                await pilot.click("#pieces", offset=(x, y + 1))  # below the title
                await pilot.pause()
                assert app.session.picker.group == name
                await click(app, pilot, app.session.picker.places()[0])
                assert len(table(app).line.actions) == plies + 1

        drive(script, Tiles())

    def test_banqi_by_keys(self):
        async def script(app, pilot):
            while not table(app).is_over:
                # Captures and moves before flips keep the game short.
                view = max(
                    app.session.scene.actions, key=lambda view: ("x" in view.text, len(view.text))
                )
                for cell in view.cells:
                    await go_to(app, pilot, cell)
                    await pilot.press("enter")
            assert "n to play again" in text(app, "message")

        drive(script, parlour.game("banqi", quiet_limit=6))

    def test_banqi_by_mouse(self):
        async def script(app, pilot):
            while not table(app).is_over:
                plies = sum(event.seat >= 0 for event in table(app).log)
                view = max(
                    app.session.scene.actions, key=lambda view: ("x" in view.text, len(view.text))
                )
                for cell in view.cells:
                    await click(app, pilot, cell)
                assert sum(event.seat >= 0 for event in table(app).log) == plies + 1

        drive(script, parlour.game("banqi", quiet_limit=6), seed=9)

    def test_blokus_by_keys(self):
        async def script(app, pilot):
            while not table(app).is_over:
                plies = len(table(app).line.actions)
                await pilot.press("tab", "full_stop")
                assert f"{app.session.picker.group} fits: press Enter to place it" in text(
                    app, "message"
                )
                await pilot.press("enter")
                assert len(table(app).line.actions) == plies + 1
            assert "wins" in text(app, "message") or "share" in text(app, "message")

        drive(script, parlour.game("blokus", variant="duo"), size=(100, 30))

    def test_blokus_by_mouse(self):
        async def script(app, pilot):
            while not table(app).is_over:
                plies = len(table(app).line.actions)
                await pilot.press("tab", "full_stop")
                await click(app, pilot, app.session.cursor)
                assert len(table(app).line.actions) == plies + 1

        drive(script, parlour.game("blokus", variant="duo"), size=(100, 30), seed=3)

    def test_actions_without_cells_by_digits(self):
        async def script(app, pilot):
            while not table(app).is_over:
                await pilot.press("1" if len(table(app).line.actions) % 2 else "2")
            assert "n to play again" in text(app, "message")

        drive(script, Dice())

    def test_against_an_agent(self):
        async def script(app, pilot):
            while not table(app).is_over:
                await until(pilot, lambda: table(app).is_over or table(app).actor == 0)
                if not table(app).is_over:
                    await click(app, pilot, app.session.scene.actions[0].cells[0])
            assert {event.seat for event in table(app).log} == {0, 1}

        drive(script, parlour.game("octa", size=1), (PERSON, "random"))

    def test_every_action_of_a_watched_game_is_shown(self, monkeypatch):
        shown = []
        report = ParlourApp.report
        monkeypatch.setattr(
            ParlourApp, "report", lambda app, views: (shown.extend(views), report(app, views))
        )

        async def script(app, pilot):
            await until(pilot, lambda: table(app).is_over)
            await until(pilot, lambda: len(shown) == len(table(app).log))
            assert [view.v for view in shown] == [event.number for event in table(app).log]

        drive(script, Nim(heap=40), ("odd_agents:First", "odd_agents:First"), delay=0.02)


class TestBoard:
    def test_legal_targets_and_the_last_action_are_marked(self):
        async def script(app, pilot):
            assert set(app.board.marks.targets) == {v.cells[0] for v in app.session.scene.actions}
            first = app.session.scene.actions[0].cells[0]
            await click(app, pilot, first)
            assert set(app.board.marks.last) == {first}

        drive(script, parlour.game("octa"))

    def test_a_chosen_cell_marks_its_targets(self):
        async def script(app, pilot):
            while all(len(view.cells) == 1 for view in app.session.scene.actions):
                await pilot.press(
                    "enter"
                ) if app.session.cursor in app.session.picker.targets() else None
                await go_to(app, pilot, sorted(app.session.picker.targets())[0])
            start, to = next(
                view.cells for view in app.session.scene.actions if len(view.cells) == 2
            )
            await click(app, pilot, start)
            assert app.board.marks.touched == (start,)
            assert to in app.board.marks.targets
            assert "Where to?" in text(app, "message")
            await pilot.press("escape")
            assert app.board.marks.touched == ()

        drive(script, Scouts())

    def test_a_refusal_says_why(self):
        async def script(app, pilot):
            await click(app, pilot, 40)
            assert "Not legal: that cell is neutral" in text(app, "message")
            assert table(app).line.actions == ()

        drive(script, parlour.game("octa"))

    def test_an_illegal_arrow_key_says_why(self):
        async def script(app, pilot):
            for _ in range(30):
                before = len(table(app).line.actions)
                await pilot.press("left")
                if len(table(app).line.actions) == before:
                    break
            assert "The cat cannot go left: " in text(app, "message")

        drive(script, parlour.game("cat_mouse"))

    def test_a_large_board_scrolls_with_the_cursor_and_the_wheel(self):
        async def script(app, pilot):
            board = app.board
            for cell in (0, 17 * 17 - 1, 16, 17 * 16):
                await go_to(app, pilot, cell)
                assert board.cell_at(*board.point_of(cell)) == cell
                x, y = board.point_of(cell)
                assert 0 <= x < board.size.width
                assert 0 <= y < board.size.height
            top = board.top
            board.on_mouse_scroll_up(None)
            assert board.top == top - 1
            board.on_mouse_scroll_down(None)
            assert board.top == top

        drive(script, parlour.game("octa", size=8), size=(56, 14))

    def test_a_small_terminal_shows_a_notice_and_keeps_the_game(self):
        async def script(app, pilot):
            await pilot.press("enter")
            await pilot.resize_terminal(30, 8)
            await pilot.pause()
            assert app.screen.has_class("tiny")
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            assert not app.screen.has_class("tiny")
            assert len(table(app).line.actions) == 1

        drive(script, parlour.game("octa"))


class TestPieces:
    def test_a_piece_that_does_not_fit_says_why_and_is_not_placed(self):
        async def script(app, pilot):
            await pilot.press("V", "full_stop", "enter")
            assert len(table(app).line.actions) == 1
            await pilot.press("I")
            await go_to(app, pilot, table(app).line.states[1].board.index("0"))
            assert "I1 does not fit: a piece lies there already." in text(app, "message")
            await pilot.press("enter")
            assert "I1 does not fit here: a piece lies there already." in text(app, "message")
            assert len(table(app).line.actions) == 1

        drive(script, Tiles())

    def test_tab_and_shift_tab_take_the_next_and_previous_piece(self):
        async def script(app, pilot):
            taken = []
            for key in ("tab", "tab", "shift+tab", "shift+tab"):
                await pilot.press(key)
                taken.append(app.session.picker.group)
            first, second = app.session.picker.groups[:2]
            assert taken == [first, second, first, app.session.picker.groups[-1]]

        drive(script, Tiles())

    def test_turning_and_flipping_change_the_ghost(self):
        async def script(app, pilot):
            await pilot.press("V", "full_stop")
            seen = {app.session.picker.shape}
            for key in ("r", "r", "r", "f"):
                await pilot.press(key)
                seen.add(app.session.picker.shape)
                assert set(app.board.marks.ghost) == set(
                    app.session.picker.ghost(app.session.cursor).cells
                )
            assert len(seen) == 4

        drive(script, Tiles())

    def test_piece_keys_without_a_piece_show_a_message(self):
        async def script(app, pilot):
            await pilot.press("r")
            assert "Take a piece first" in text(app, "message")
            await pilot.press("enter")
            assert "Take a piece first" in text(app, "message")
            await pilot.press("Z")
            assert "No piece whose name begins with Z fits" in text(app, "message")
            await pilot.press("tab", "shift+tab", "comma")
            assert app.session.picker.shape

        drive(script, Tiles())


class TestGame:
    def test_undo_takes_back(self):
        async def script(app, pilot):
            await pilot.press("enter", "u")
            assert table(app).line.actions == ()
            assert "Taken back" in text(app, "message")
            await pilot.press("u")
            assert "There is no action to take back." in text(app, "message")

        drive(script, parlour.game("octa"))

    def test_redo_works_until_another_action_is_played(self):
        async def script(app, pilot):
            await pilot.press("enter")
            made = table(app).line.actions
            assert "y redo" not in text(app, "keys")
            await pilot.press("u")
            assert "y redo" in text(app, "keys")
            await pilot.press("y")
            assert table(app).line.actions == made
            await pilot.press("y")
            assert "There is nothing to redo." in text(app, "message")

        drive(script, parlour.game("octa"))

    def test_undo_interrupts_a_thinking_agent(self):
        async def script(app, pilot):
            await pilot.press("enter", "u")
            assert table(app).line.actions == ()
            assert table(app).actor == 0
            await pilot.press("enter")
            assert len(table(app).line.actions) == 1

        drive(script, parlour.game("octa"), (PERSON, "mcts:time=600"))

    def test_a_new_game_needs_confirmation(self):
        async def script(app, pilot):
            first = table(app)
            await pilot.press("enter", "n")
            assert table(app) is first
            assert "Press n again" in text(app, "message")
            await pilot.press("u", "n")
            assert table(app) is not first

        drive(script, parlour.game("octa"))

    def test_save_says_where(self, tmp_path):
        async def script(app, pilot):
            await pilot.press("enter", "s")
            assert table(app).path.exists()
            assert "Saved in" in text(app, "message")

        drive(script, parlour.game("octa"), folder=tmp_path)

    def test_a_full_disk_shows_a_warning_and_the_game_continues(self, tmp_path, monkeypatch):
        def full(_):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        async def script(app, pilot):
            monkeypatch.setattr(os, "fsync", full)
            await pilot.press("enter")
            assert "could not be saved (No space left on device)" in text(app, "message")
            monkeypatch.undo()
            await pilot.press("u")
            assert "could not be saved" not in text(app, "message")

        drive(script, parlour.game("octa"), folder=tmp_path)

    def test_hint_analysis_and_evaluation(self):
        async def script(app, pilot):
            await pilot.press("h")
            await until(pilot, lambda: "Hint:" in text(app, "message"))
            assert app.board.marks.hint
            await pilot.press("a", "e")
            await until(pilot, lambda: app.static("analysis").display and app.session.advice)
            assert text(app, "bar").startswith("player 1 ")
            await pilot.press("a", "e")
            assert not app.static("analysis").display
            assert not app.static("bar").display

        drive(script, parlour.game("octa", size=1))

    def test_the_analysis_deepens_until_the_player_moves(self, monkeypatch):
        asked, thinks = [], threading.Event()

        def analyse(self, deeper=0, shown=()):
            asked.append((self.version, deeper, tuple(shown)))
            if deeper == 2:
                thinks.wait(PATIENCE)
            state = self.table.state
            found = parlour.agent("search:depth=1").analyse(state)
            return advice_of(state, found, 0, shown)

        monkeypatch.setattr(LocalGame, "analyse", analyse)

        async def script(app, pilot):
            await pilot.press("a")
            await until(pilot, lambda: len(asked) == 3)
            version = table(app).version
            shown = app.session.advice.actions
            assert asked == [(version, 0, ()), (version, 1, shown), (version, 2, shown)]
            typed = app.session.scene.actions[0].text
            await pilot.press("a", "colon", *["comma" if c == "," else c for c in typed], "enter")
            assert table(app).version > version
            thinks.set()
            await pilot.press("a")
            await until(pilot, lambda: asked[-1][0] > version)
            assert [deeper for at, deeper, _ in asked if at == version] == [0, 1, 2]

        drive(script, parlour.game("octa"))

    def test_a_hint_takes_the_piece_and_moves_it_to_its_place(self):
        async def script(app, pilot):
            await pilot.press("h")
            await until(pilot, lambda: "Hint:" in text(app, "message"))
            assert app.session.picker.ghost(app.session.cursor).action is not None
            await pilot.press("enter")
            assert len(table(app).line.actions) == 1

        drive(script, Tiles())

    def test_an_action_can_be_typed(self):
        async def script(app, pilot):
            view = app.session.scene.actions[0]
            await pilot.press("colon", *["comma" if c == "," else c for c in view.text], "enter")
            assert table(app).line.actions[0] == view.action
            await pilot.press("colon", "x", "y", "enter")
            assert "is not a cell" in text(app, "message")
            await pilot.press("colon", "escape", "u")
            assert table(app).line.actions == ()

        drive(script, parlour.game("octa"))

    def test_resigning_and_offering_a_draw_need_confirmation(self):
        async def script(app, pilot):
            await pilot.press("ctrl+o")
            assert table(app).standing.draw_offer is None
            assert "Press Ctrl+O again to offer a draw." in text(app, "message")
            await pilot.press("ctrl+o")
            assert "A draw is offered" in text(app, "message")
            await pilot.press("ctrl+r")
            assert not table(app).is_over
            await pilot.press("ctrl+r")
            assert "One resigned." in text(app, "message")
            await pilot.press("enter")
            assert "The game is over" in text(app, "message")

        drive(script, Scouts())

    def test_ctrl_d_leaves(self):
        async def script(app, pilot):
            await pilot.press("ctrl+d")
            assert app.return_value == 0

        drive(script, Scouts())

    def test_keys_of_the_last_line_can_be_clicked(self):
        async def script(app, pilot):
            view = app.session.scene.actions[0]
            await click(app, pilot, view.cells[0])
            assert table(app).line.actions == (view.action,)
            for label, happened in (
                ("undo", lambda: table(app).line.actions == ()),
                ("hint", lambda: app.session.hints == 1),
                ("help", lambda: isinstance(app.screen, HelpScreen)),
            ):
                await pilot.click("#keys", offset=(1 + text(app, "keys").index(label), 0))
                await until(pilot, happened)

        drive(script, parlour.game("octa", size=1))

    def test_esc_clears_the_message_about_the_piece(self):
        async def script(app, pilot):
            await pilot.press("V")
            assert "fits" in text(app, "message")
            await pilot.press("escape")
            assert text(app, "message") == app.session.scene.status

        drive(script, Tiles())

    def test_a_small_letter_without_a_command_takes_a_piece(self):
        async def script(app, pilot):
            for key, taken in (("z", "Z"), ("v", "V"), ("f", "V"), ("l", "L")):
                await pilot.press(key)
                assert app.session.picker.group[0] == taken

        drive(script, parlour.game("blokus"), (PERSON,) * 4)

    def test_a_game_without_draws_refuses_an_offer(self):
        async def script(app, pilot):
            await pilot.press("ctrl+o", "ctrl+o")
            assert "Octa has no draws by agreement." in text(app, "message")

        drive(script, parlour.game("octa"))

    def test_help_opens_and_closes(self):
        async def script(app, pilot):
            await pilot.press("question_mark")
            assert isinstance(app.screen, HelpScreen)
            await pilot.press("q")
            assert not isinstance(app.screen, HelpScreen)
            assert not app.is_exact  # the key only closes the help
            await pilot.press("f1", "escape")
            assert not isinstance(app.screen, HelpScreen)

        drive(script, parlour.game("octa"))

    def test_light_and_dark(self):
        async def script(app, pilot):
            assert app.theme == "textual-dark"
            await pilot.press("t")
            assert app.theme == "textual-light"

        drive(script, parlour.game("octa"))

    def test_time_runs_out(self):
        async def script(app, pilot):
            assert "⏱" in text(app, "players")
            await until(pilot, lambda: table(app).is_over)
            await until(pilot, lambda: "layer 1 ran out of time" in text(app, "message"))

        drive(script, Nim(), control=TimeControl(0.2))

    def test_q_quits(self):
        async def script(app, pilot):
            await pilot.press("q")
            assert app.return_value == 0

        drive(script, Nim())


class TestChain:
    def test_an_animation_is_shown_and_then_the_game_continues(self, monkeypatch):
        async def script(app, pilot):
            shown = []
            show = app.board.show
            monkeypatch.setattr(
                app.board, "show", lambda scene, marks: (shown.append(scene), show(scene, marks))
            )
            before = table(app).state
            await pilot.press("enter")
            await until(pilot, lambda: not app.session.frames)
            steps = before.game.frames(before, table(app).line.actions[0], None)
            assert [scene.cells for scene in shown[: len(steps)]] == [s.cells for s in steps]
            assert len(shown) > 2
            assert app.board.scene == app.session.scene

        drive(script, parlour.game("octa"), frames=0.01)

    @pytest.mark.parametrize("key", ["x", "enter", "n", "5", "left"])
    def test_any_key_only_skips_the_animation(self, key):
        async def script(app, pilot):
            cursor = app.session.cursor
            await pilot.press("enter")
            await pilot.press(key)
            assert not app.session.frames
            assert app.board.scene == app.session.scene
            assert len(table(app).line.actions) == 1
            assert app.session.cursor == cursor

        drive(script, parlour.game("octa"), frames=60)

    @pytest.mark.parametrize("key", ["q", "ctrl+q"])
    def test_a_quit_key_quits_during_an_animation(self, key):
        async def script(app, pilot):
            await pilot.press("enter")
            assert app.session.frames
            await pilot.press(key)
            assert app.return_value == 0

        drive(script, parlour.game("octa"), frames=60)

    def test_a_click_skips_the_animation(self):
        async def script(app, pilot):
            await pilot.press("enter")
            assert "any key skips" in text(app, "message")
            await click(app, pilot, 0)
            assert not app.session.frames

        drive(script, parlour.game("octa"), frames=60)


def test_the_input_line_shows_an_action_of_the_game_as_an_example():
    async def script(app, pilot):
        await pilot.press("colon")
        assert app.query_one("#entry").placeholder == "type an action, for example take1"

    drive(script, Nim(heap=3))


def test_no_color_is_respected(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    async def script(app, pilot):
        assert app.no_color
        strip = app.board.render_line(5)
        picture = app.export_screenshot()
        assert "#0072b2" not in picture
        assert "1" in strip.text

    drive(script, parlour.game("octa"))


def test_a_light_terminal_gets_the_light_theme(monkeypatch):
    monkeypatch.setenv("COLORFGBG", "0;15")

    async def script(app, _):
        assert app.theme == "textual-light"

    drive(script, Nim())


class TestAgentsThatFail:
    """Any failure of an agent shows one message, and the game continues."""

    def stuck(self, name, script, **more):
        async def play(app, pilot):
            await pilot.press("colon", *"take1", "enter")
            await until(pilot, lambda: app.session.has_fault)
            await script(app, pilot)

        seats = (PERSON, f"odd_agents:{name}")
        drive(play, Nim(heap=9), seats, **more)

    @pytest.mark.parametrize("name", ["Crashing", "Illegal"])
    def test_a_fault_shows_a_message_with_the_keys(self, name, agents_here):
        self.check_sentence(name)

    @pytest.mark.parametrize("name", ["Dying", "Forking", "Forger"])
    def test_a_crashed_process_shows_a_message_with_the_keys(self, name):
        self.check_sentence(name)

    def check_sentence(self, name):
        async def script(app, pilot):
            message = text(app, "message")
            assert message.startswith(f"The agent odd_agents:{name} failed: ")
            assert "Press o to take over, g to let level:3 continue" in message
            await pilot.press("enter")
            assert "Press o to take over" in text(app, "message")
            assert table(app).version == 1

        self.stuck(name, script, size=(200, 24))

    def test_the_player_can_take_over(self, agents_here):
        async def script(app, pilot):
            await pilot.press("o")
            assert "A person takes the seat of player 2." in text(app, "message")
            await pilot.press("colon", *"take2", "enter")
            assert table(app).state.heap == 6

        self.stuck("Crashing", script)

    def test_the_default_opponent_can_take_over(self):
        async def script(app, pilot):
            await pilot.press("g")
            await until(pilot, lambda: app.session.game.is_my_turn)
            assert table(app).seats[1].startswith("level:3,seed=")
            assert not app.session.has_fault

        self.stuck("Dying", script)

    def test_another_agent_can_be_typed(self, agents_here):
        async def script(app, pilot):
            await pilot.press("colon", *"nobody", "enter")
            assert "Unknown agent 'nobody'" in text(app, "message")
            await pilot.press("colon", *"greedy", "enter")
            await until(pilot, lambda: app.session.game.is_my_turn)
            assert table(app).seats[1].startswith("greedy")

        self.stuck("Crashing", script)

    def test_undo_goes_back_before_the_failed_turn(self, agents_here):
        async def script(app, pilot):
            await pilot.press("u")
            assert not app.session.has_fault
            assert app.session.game.is_my_turn

        self.stuck("Crashing", script)

    def test_replacing_needs_a_failed_agent(self):
        async def script(app, pilot):
            await pilot.press("o")
            assert text(app, "message") == "No agent has failed."
            assert table(app).version == 0

        drive(script, Nim(heap=9), (PERSON, "random"))

    def test_an_agents_output_is_not_on_the_screen(self, capfd):
        async def script(app, pilot):
            await pilot.press("colon", *"take1", "enter")
            await until(pilot, lambda: table(app).version == 2)
            assert not app.session.has_fault

        drive(script, Nim(heap=9), (PERSON, "odd_agents:Spewing"))
        assert "spew" not in "".join(capfd.readouterr())
