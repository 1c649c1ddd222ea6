"""Boards of every kind, no board, and secrets, in every display."""

import asyncio
import io
import json

import pytest
from boardless import TwentyOne
from connect_four import ConnectFour
from goofspiel import Goofspiel
from hex import Hex
from hex_holes import Yavalath
from kuhn import Kuhn

import parlour
from parlour.agents import seat_view
from parlour.agents.hints import analyse
from parlour.core.game import CHANCE
from parlour.core.record import Line
from parlour.drawing.choices import advice_of
from parlour.drawing.svg import scene_to_svg
from parlour.table import PERSON, ChanceSource, LocalGame, Play, Replace, Table
from parlour.table.opening import GameSetup
from parlour.terminal.app import ParlourApp
from parlour.terminal.jsonl import JsonGame
from parlour.terminal.line import LineGame
from parlour.terminal.session import DIRECTIONS, Session

GAMES = [
    Hex(size=3),
    Yavalath(),
    TwentyOne(),
    ConnectFour(rows=4, cols=4),
    Kuhn(),
    Goofspiel(cards=3),
]
SECRET = [Kuhn(), Goofspiel(cards=3)]


def actions_of(game, seed):
    """Return the texts of a random game's decisions."""
    table = Table(game, seed=seed, chance=ChanceSource.from_seed(seed))
    rng, texts = parlour.Rng(seed), []
    while not table.is_over:
        action = table.state.sample(rng)
        texts.append(game.action_to_text(table.state, action))
        table.play(action)
    return texts


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("in_words", [False, True])
def test_a_whole_game_line_by_line(game, in_words):
    lines = actions_of(game, 5)
    if game.has_secrets:
        lines = [part for line in lines for part in ("", line)]
    out = io.StringIO()
    text = "".join(f"{line}\n" for line in [*lines, "cells", "history", "quit"])
    opening = GameSetup(game, (PERSON,) * 2, 5)
    assert LineGame(opening.live, io.StringIO(text), out, in_words).run() == 0
    assert "Type new, undo or quit." in out.getvalue()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_whole_game_for_programs(game):
    texts = actions_of(game, 5)
    out = io.StringIO()
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    JsonGame(GameSetup(game, (PERSON,) * 2, 5).live, io.StringIO(lines), out).run()
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(answers) == len(texts) + 1
    assert answers[-1]["status"] == "over"
    assert answers[-1]["result"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("size", [(80, 24), (44, 14)])
def test_a_whole_game_in_the_full_screen(game, size):
    texts = actions_of(game, 5)
    opening = GameSetup(game, (PERSON,) * 2, 5)

    async def play():
        app = ParlourApp(lambda: LocalGame(opening.sit_down(), isolated=True), frame_seconds=0)
        async with app.run_test(size=size) as pilot:
            session = app.session
            for text in texts:
                if session.is_covered:
                    await pilot.press("enter")
                view = next(view for view in session.scene.actions if view.text == text)
                if view.cells:
                    session.cursor = view.cells[0]
                    await pilot.press("enter")
                else:
                    names = [each.text for each in session.picker.by_name]
                    await pilot.press(str(names.index(text) + 1))
            assert session.game.is_over
            assert "Press n to play again, v" in str(app.static("message").render())
            await pilot.press("v")
            replay = app.screen.replay
            app.screen.stop_review()
            for number in range(replay.last, -1, -1):
                assert replay.at == number
                await pilot.press("left")
            assert app.screen.board.scene.board == game.board
            await pilot.press("q")
            assert session.game.is_over

    asyncio.run(play())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_keys_never_stop_on_a_hole_and_pictures_show_every_position(game):
    session = Session(lambda: LocalGame(Table(game, seed=5, chance=ChanceSource.from_seed(5))))
    for number, text in enumerate(actions_of(game, 5)):
        if session.is_covered:
            session.touch()
        for direction in DIRECTIONS * (1 + number % 3):
            session.move(direction)
            assert session.cursor not in session.scene.board.holes
        assert scene_to_svg(session.scene).startswith("<svg")
        session.ask(Play(text))


def worlds(game, seat, plies, seed):
    """Return two tables that differ only in what the seat cannot see."""
    one = Table(game, (PERSON,) * 2, seed=1, chance=ChanceSource.from_seed(seed))
    rng = parlour.Rng(seed)
    for _ in range(plies):
        one.play(one.state.sample(rng))
    for number in range(60):
        hidden = one.state.determinize(seat, parlour.Rng(number))
        if hidden != one.state:
            break
    else:
        return None
    other = Table(game, (PERSON,) * 2, seed=1, chance=ChanceSource.from_seed(seed))
    other.accept(one.log[len(other.log) :])
    record = other.line
    states = (*record.states[:-1], hidden)
    other._standing = other.standing._replace(
        record=parlour.Record(game, 1, Line(record.actions, states))
    )
    return one, other


@pytest.mark.parametrize("game", SECRET, ids=lambda game: game.name)
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("plies", [0, 1])
def test_positions_that_a_seat_cannot_distinguish_look_the_same(game, seat, plies):
    found = [pair for seed in range(12) if (pair := worlds(game, seat, plies, seed))]
    if not found:
        # Nothing is hidden before the first bid, or from the bidder.
        assert game.name == "goofspiel"
        assert plies == 0 or seat == 0
    for pair in found:
        shown = []
        for table in pair:
            table.request(CHANCE, Replace(1 - seat, "mcts:sims=20"))
            local = LocalGame(table)
            out = io.StringIO()
            program = JsonGame(GameSetup(game).live, io.StringIO(), out)
            program.game = local
            program.say({**program.position(), "scene": program.scene()})
            lines = LineGame(GameSetup(game).live, io.StringIO(), out)
            lines.game = local
            for how in (False, True):
                lines.in_words = how
                lines.show()
            lines.say("\n".join(f"{cell}" for cell in local.scene().cells))
            session = Session(lambda local=local: local)
            lines.say(repr((session.scene, session.marks, session.message)))
            lines.say(scene_to_svg(local.scene()))
            if table.actor == seat:
                secret = table.chance.key
                agent = parlour.agent("mcts:sims=50,seed=3")
                view = seat_view(table.state, seat, secret, table.version)
                lines.say(str(agent.choose(view)))
                advice = analyse(table.state, seat, secret, "mcts:sims=50,seed=3")
                lines.say(repr(advice_of(view, advice, seat).choices))
            shown.append(out.getvalue())
        assert shown[0] == shown[1]


@pytest.mark.parametrize("game", SECRET, ids=lambda game: game.name)
def test_spectators_get_no_actions_no_position_and_no_evaluation(game):
    table = Table(game, ("random", "random"), seed=1, chance=ChanceSource.from_seed(1))
    local = LocalGame(table)
    assert local.scene().actions == ()
    assert local.position_text() is None
    with pytest.raises(parlour.ParlourError, match="secrets"):
        local.analyse()
    out = io.StringIO()
    program = JsonGame(GameSetup(game).live, io.StringIO(), out)
    program.game = local
    answer = program.position(local.history())
    assert answer["state"] is None
    assert answer["actions"] == []
    hidden = [event for event in answer["events"] if event["seat"] is None]
    if game.name == "kuhn":
        assert [event["action"] for event in hidden] == [None, None]
        assert {event["words"] for event in hidden} == {"a card"}
