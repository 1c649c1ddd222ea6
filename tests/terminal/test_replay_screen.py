"""The full-screen replay, driven by keys and clicks."""

import asyncio
from functools import cache

import pytest
from boardless import TwentyOne
from climb import Climb
from kuhn import Kuhn
from nim import Nim
from test_app import drive, until
from test_replay import played

import parlour
from parlour import Record
from parlour.agents.process import AgentProcess
from parlour.table import PERSON, Play
from parlour.terminal.graph import HERE, MARGIN, Graph
from parlour.terminal.help import HelpScreen
from parlour.terminal.move_list import MoveList, SeatList
from parlour.terminal.pace import Pace
from parlour.terminal.replay import Replay
from parlour.terminal.replay_screen import ReplayApp, ReplayScreen


@cache
def advices(record):
    """Return an agent's analysis of a game."""
    review = Replay(record).review
    list(review.steps(parlour.agent("greedy").analyse))
    return review.advices


def look_back(script, record, size=(80, 24), reviewer=None, pace=None, thinks=True):
    """Run the screen while `script(view, pilot)` uses it, with a prepared analysis."""

    async def session():
        app = ReplayApp(Replay(record, pace), "dark", reviewer)
        if reviewer is None and thinks:
            app.view.replay.review.advices = advices(record)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app.view, pilot)

    asyncio.run(session())


def text(view, name):
    return str(view.static(name).render())


def line(widget, y):
    return widget.render_line(y).text


@pytest.fixture(scope="module")
def octa():
    return played(parlour.game("octa"), 3)


class TestKeys:
    def test_arrows_home_and_end_walk_through_the_game(self, octa):
        async def script(view, pilot):
            seen = []
            for key in ("right", "down", "full_stop", "left", "up", "pagedown", "pageup", "end"):
                await pilot.press(key)
                seen.append(view.replay.at)
                assert view.board.scene.cells == octa.states[view.replay.ply].scene(None).cells
            assert seen == [1, 2, 3, 2, 1, 11, 1, len(octa.actions)]
            await pilot.press("home")
            assert view.replay.at == 0
            assert "The start." in text(view, "message")

        look_back(script, octa)

    def test_a_typed_number_jumps_there(self, octa):
        async def script(view, pilot):
            await pilot.press("3", "7")
            assert "Go to move 37" in text(view, "message")
            await pilot.press("backspace", "1", "enter")
            assert view.replay.at == 31
            assert "31 of" in text(view, "title")
            await pilot.press("5", "escape", "right")
            assert view.replay.at == 32

        look_back(script, octa)

    def test_automatic_replay_follows_the_clock(self, octa):
        now = [0.0]

        async def script(view, pilot):
            await pilot.press("space")
            for place in (1, 2, 3):
                now[0] += 1.0
                await until(pilot, lambda place=place: view.replay.at == place)
            await pilot.press("plus")
            now[0] += 0.5
            await until(pilot, lambda: view.replay.at == 4)
            await pilot.press("space", "minus")
            now[0] += 100.0
            for _ in range(5):
                await pilot.pause(0.06)
            assert view.replay.at == 4

        look_back(script, octa, pace=Pace(1.0, True, lambda: now[0]))

    def test_marked_moves_the_best_choice_lines_and_exact_texts(self, octa):
        async def script(view, pilot):
            await pilot.press("m")
            first = view.replay.at
            assert view.replay.verdict.mark
            assert set(view.board.marks.hint) == set(view.replay.verdict.best.cells)
            assert "Lost" in text(view, "message")
            await pilot.press("m", "M")
            assert view.replay.at == first
            await pilot.press("b")
            assert "the best choice instead" in text(view, "title")
            before = octa.states[view.replay.move.ply].scene(None).cells
            assert view.board.scene.cells == before
            await pilot.press("b", "a")
            assert not view.query_one(MoveList).display
            assert "Analysis" in text(view, "advice")
            best = view.replay.review.advices[view.replay.ply].choices[0]
            assert best.words[0] in text(view, "advice")
            await pilot.press("end")
            assert "The record ends here." in text(view, "advice")
            await pilot.press("a")
            assert view.query_one(MoveList).display

        look_back(script, octa)

    def test_exact_texts_are_shown(self):
        record = played(parlour.game("blokus", variant="duo"), most=6)

        async def script(view, pilot):
            moves = view.query_one(MoveList)
            await pilot.press("right")
            assert " at " in line(moves, 1)
            await pilot.press("x")
            exact = view.replay.move.text
            assert exact in text(view, "message")
            assert exact[:8] in line(moves, 1)

        look_back(script, record, size=(120, 40))

    def test_theme_letters_and_help(self, octa):
        async def script(view, pilot):
            dark = view.board.palette
            await pilot.press("t")
            assert view.app.theme == "textual-light"
            assert view.board.palette != dark
            assert all(graph.palette is view.board.palette for graph in view.query(Graph))
            signs = view.board.shows_signs
            await pilot.press("l")
            assert view.board.shows_signs != signs
            await pilot.press("question_mark")
            assert isinstance(view.app.screen, HelpScreen)
            await pilot.press("right", "escape")  # the help's other page, and out of it
            assert view.app.screen is view
            assert view.replay.at == 0

        look_back(script, octa)

    @pytest.mark.parametrize("key", ["q", "escape", "ctrl+d"])
    def test_the_replay_can_be_closed(self, octa, key):
        async def script(view, pilot):
            await pilot.press(key)
            assert view.app.return_value == 0

        look_back(script, octa)


class TestMouse:
    def test_a_click_in_the_list_jumps_there(self, octa):
        async def script(view, pilot):
            assert await pilot.click(MoveList, offset=(6, 7))
            assert view.replay.at == 7
            assert view.board.scene.cells == octa.states[7].scene(None).cells
            await pilot.press("end")
            moves = view.query_one(MoveList)
            await pilot.click(MoveList, offset=(6, 0))
            assert view.replay.at == len(octa.actions) + 1 - moves.size.height

        look_back(script, octa)

    def test_the_wheel_scrolls_and_the_next_move_scrolls_back(self, octa):
        async def script(view, pilot):
            moves = view.query_one(MoveList)
            for _ in range(4):
                moves.on_mouse_scroll_down(None)
            assert moves.top == 12
            moves.on_mouse_scroll_up(None)
            assert moves.top == 9
            assert view.replay.at == 0
            await pilot.press("right")
            assert moves.top == 0
            for _ in range(200):
                moves.on_mouse_scroll_down(None)
            assert moves.top == len(octa.actions) + 1 - moves.size.height
            moves.on_mouse_scroll_up(None)
            assert moves.top < len(octa.actions) + 1 - moves.size.height

        look_back(script, octa)

    @pytest.mark.parametrize("size", [(80, 24), (120, 40)])
    def test_a_click_on_the_graph_jumps_there(self, octa, size):
        async def script(view, pilot):
            graph = next(graph for graph in view.query(Graph) if graph.display)
            column = len(graph.shown) // 2
            left, top = graph.content_offset
            await pilot.click(graph, offset=(left + MARGIN + column, top))
            assert view.replay.ply == graph.shown[column]
            marks = line(graph, graph.size.height - 1)
            assert abs(marks.index(HERE) - MARGIN - column) <= 1

        look_back(script, octa, size)


class TestLooks:
    def test_the_current_move_is_marked_and_visible(self, octa):
        async def script(view, pilot):
            moves = view.query_one(MoveList)
            for number in (0, 3, 40, 79, 80):
                view.replay.go_to(number)
                view.show()
                y = number - moves.top
                assert 0 <= y < moves.size.height
                marked = [at for at in range(moves.size.height) if line(moves, at)[0] == "▶"]
                assert marked == [y]
                assert f"{number} " in line(moves, y)

        look_back(script, octa)

    def test_the_seats_are_named_with_their_numbers_and_points(self, octa):
        async def script(view, pilot):
            await pilot.press("end")
            seats = view.query_one(SeatList)
            scene = octa.final.scene(None)
            for seat, name in enumerate(scene.names):
                drawn = line(seats, seat)
                assert f"{seat + 1} {name}" in drawn
                assert scene.seats[seat].score in drawn

        look_back(script, octa)

    def test_without_a_board_the_moves_fill_the_screen_with_sentences(self):
        async def script(view, pilot):
            moves = view.query_one(MoveList)
            assert not view.board.display
            assert moves.size.width == 72
            assert view.replay.moves[0].sentence in line(moves, 1)

        look_back(script, played(TwentyOne()))

    def test_a_graph_is_beside_the_board_or_below_it(self, octa):
        async def script(view, pilot):
            beside, below = view.query(Graph)
            assert (beside.display, below.display) == (True, False)
            await pilot.resize_terminal(120, 40)
            await pilot.pause()
            assert (beside.display, below.display) == (False, True)
            assert below.region.width == 120
            assert below.border_title == "Evaluation"

        look_back(script, octa)

    def test_with_many_seats_each_has_a_line(self):
        record = played(Climb())

        async def script(view, pilot):
            graph = next(graph for graph in view.query(Graph) if graph.display)
            assert graph.size.height == record.game.seats + 1
            for seat in range(record.game.seats):
                assert line(graph, seat).startswith(str(seat + 1))

        look_back(script, record)

    def test_unknown_values_are_not_drawn(self, octa):
        async def script(view, pilot):
            graph = next(graph for graph in view.query(Graph) if graph.display)
            drawn = line(graph, 0) + line(graph, 1)
            # The end is known without an analysis.
            assert drawn.count("·") == len(graph.shown) - 1
            await pilot.press("right", "b", "m")
            assert not view.replay.shows_best
            await pilot.press("a")
            assert "not analysed" in text(view, "advice")

        look_back(script, octa, thinks=False)

    def test_no_color_is_respected(self, octa, monkeypatch):
        monkeypatch.setenv("NO_COLOR", "1")

        async def script(view, pilot):
            await pilot.press("right")
            picture = view.app.export_screenshot()
            assert "#0072b2" not in picture
            assert "▶" in picture

        look_back(script, octa)

    def test_a_short_record_and_one_without_actions_are_drawn(self):
        async def script(view, pilot):
            await pilot.press("right", "left", "end", "m", "b", "a", "a")
            assert view.replay.at == view.replay.last

        look_back(script, Record(Nim(heap=9), 0))
        look_back(script, Record(Nim(heap=9), 0, [0]))


class TestAnalysis:
    def test_the_review_runs_in_its_own_process(self):
        record = played(Nim(heap=12), 2)

        async def script(view, pilot):
            await pilot.press("right")
            assert view.replay.at == 1
            await until(pilot, lambda: view.replay.review.is_whole and view._process is None)
            assert "Analys" not in text(view, "message")
            assert None not in view.replay.series(0)

        look_back(script, record, reviewer="mcts:sims=20,seed=1")

    def test_the_review_shows_progress_and_can_be_stopped_and_resumed(self, octa):
        async def script(view, pilot):
            assert "Analysing 0 of 80 (c stops)." in text(view, "message")
            await pilot.press("c")
            assert view._process is None
            assert "Analysed 0 of 80." in text(view, "message")
            view.reviewer = "greedy"
            await pilot.press("c")
            await until(pilot, lambda: view.replay.review.is_whole)

        look_back(script, octa, size=(120, 40), reviewer="mcts:time=600")

    def test_leaving_ends_the_process(self, octa, monkeypatch):
        stopped = []
        stop = AgentProcess.stop
        monkeypatch.setattr(AgentProcess, "stop", lambda self: (stopped.append(self), stop(self)))

        async def script(view, pilot):
            process = view._process
            await pilot.press("q")
            await until(pilot, lambda: process in stopped)

        look_back(script, octa, reviewer="mcts:time=600")

    def test_a_failing_reviewer_is_reported_and_the_replay_continues(self, octa):
        async def script(view, pilot):
            await until(pilot, lambda: "No analysis: " in text(view, "message"))
            await pilot.press("right")
            assert view.replay.at == 1

        look_back(script, octa, reviewer="odd_agents:Crashing")

    def test_an_unfinished_game_with_secrets_is_not_analysed(self):
        record = played(Kuhn(), most=3)

        async def script(view, pilot):
            assert view._process is None
            assert "This game has secrets: no analysis before its end." in text(view, "message")
            await pilot.press("c", "right")
            assert view.replay.review.advices == {}

        look_back(script, record, reviewer="mcts:sims=10")


class TestFromTheGame:
    def test_v_opens_the_replay_after_the_end_and_q_returns(self):
        async def script(app, pilot):
            await pilot.press("v")
            assert not isinstance(app.screen, ReplayScreen)
            assert "once it is over" in str(app.static("message").render())
            while not app.session.game.is_over:
                app.session.ask(Play(0))
            app.show()
            assert "v replay" in str(app.static("keys").render())
            await pilot.press("v")
            assert isinstance(app.screen, ReplayScreen)
            replay = app.screen.replay
            assert replay.at == replay.last
            version = app.session.game.version
            await pilot.press("left", "u", "n", "1", "enter")
            assert (replay.at, app.session.game.version) == (1, version)
            await pilot.press("q")
            assert not isinstance(app.screen, ReplayScreen)
            assert app.session.game.version == version
            await pilot.press("u")
            assert not app.session.game.is_over

        drive(script, Nim(heap=5), (PERSON, PERSON))

    def test_a_theme_chosen_in_the_replay_is_kept(self):
        async def script(app, pilot):
            app.session.ask(Play(0))
            app.show()
            await pilot.press("v", "t", "q")
            assert app.theme == "textual-light"
            assert app.board.palette == app.paints

        drive(script, Nim(heap=1), (PERSON, PERSON))
