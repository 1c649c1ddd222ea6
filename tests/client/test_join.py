"""`parlour join`: a table on a server in every display, and the return to the same seat."""

import functools
import io
import json
import os
import pty
import random
import select
import subprocess
import sys
import time

import pytest
from kuhn import Kuhn
from patience import PATIENCE
from two_servers import until

import parlour
from parlour.cli import main
from parlour.client import Link, Retry
from parlour.client.visit import SavedTokens, Visit
from parlour.protocol.errors import ClaimUsed
from parlour.table import (
    EventKind,
    GameLost,
    OfferDraw,
    Play,
    Replace,
    Resign,
    TableError,
    Undo,
)
from parlour.terminal.jsonl import JsonGame
from parlour.terminal.line import LineGame
from parlour.terminal.session import Session

"""Seconds to wait for a line; it normally comes at once."""
SMALL = {"size": 2}


@pytest.fixture
def visit():
    """Visits by a link, closed after the test."""
    made = []

    def begin(url, name="Bob"):
        made.append(Visit(Link.from_text(url), name))
        return made[-1]

    yield begin
    for each in made:
        each.close()


def invited(client, game="octa", **more):
    """Return a table with an invitation for the second seat."""
    if game == "octa":
        more = {"options": SMALL, "seed": 5, **more}
    table = client.create(game, seats=["me", "open"], name="Ann", **more)
    return table, table.invitations[0].url


class TestRemoteGame:
    def test_it_shows_the_same_as_a_local_table(self, client, visit):
        ann, url = invited(client)
        there = visit(url).live()
        ann.turn()
        rng = random.Random(1)
        for _ in range(6):
            action = rng.choice(ann.scene.actions).action
            ann.play(action)
            assert [view.action for view in there.next_events()] == [action]
            if there.is_over:
                break
            assert there.next_events() is None
            view = there.last_event
            states = there.table.positions.states(there.table.view)
            frames = states[-2].game.frames(states[-2], action, 1)
            assert there.frames(view) == frames[:-1]
            own = there.scene().actions[0].action
            changed = there.preview(own)
            assert changed == tuple(sorted(changed))
            there.send(Play(own))
            ann.wait(lambda view: view.is_my_turn or view.is_over)
            if ann.is_over:
                break
        assert there.names == ("player 1 (Ann)", "player 2 (Bob)")
        assert there.version == there.table.view.v

    def test_a_display_sees_the_table_as_of_the_last_events(self, client, visit):
        ann, url = invited(client)
        there = visit(url).live()
        ann.turn()
        before = there.scene()
        ann.play(ann.scene.actions[0].action)
        there.table.wait(lambda view: view.ply == 1)
        assert (there.scene(), there.is_my_turn) == (before, False)
        assert len(there.check_clocks()) == 1
        assert there.is_my_turn
        assert there.scene() != before

    def test_a_game_that_is_not_installed_is_played_from_the_servers_scenes(self, client, visit):
        parlour.register("kuhn", Kuhn)
        ann, url = invited(client, "kuhn")
        there = visit(url).live()
        ann.turn()
        ann.play("bet")
        there.next_events()
        assert [view.text for view in there.scene().actions] == ["pass", "bet"]
        assert (there.frames(there.last_event), there.preview(0), there.why_not((0,), "")) == (
            [], (), "",
        )  # fmt: skip
        assert there.position_text().startswith("cards ")
        events = there.send(Play("pass"))
        assert events[-1].text == "pass"
        assert there.is_over
        assert there.returns[0] == -there.returns[1] > 0
        assert there.proof()

    def test_requests_reach_the_server_and_refusals_come_back(self, client, visit):
        ann, url = invited(client, "banqi")
        there = visit(url).live()
        ann.turn()
        with pytest.raises(TableError):
            there.send(Play("a1"))
        assert there.send(OfferDraw())[0].kind == EventKind.OFFER
        assert there.draw_offer is None
        ann.play(ann.scene.actions[0].action)
        there.next_events()
        with pytest.raises(TableError, match="level:1"):
            there.send(Replace(1, "best"))
        with pytest.raises(TableError, match="your own seat"):
            there.send(Replace(0, "level:1"))
        with pytest.raises(TableError):
            there.send(Undo())
        assert there.send(Resign())[0].kind == EventKind.RESIGN
        assert there.outcome()
        assert there.record_text().startswith("parlour record 1")

    def test_chat_and_seat_changes_are_reported(self, client, visit):
        ann, url = invited(client)
        there = visit(url).live()
        ann.turn()
        ann.say("good luck")
        assert [view.sentence for view in there.next_events()] == ["Ann: good luck."]

    def test_a_session_plays_a_whole_game_and_its_rematch(self, client, visit):
        table = client.create("octa", options=SMALL, seats=["open", 1], seed=5)
        session = Session(visit(table.invitations[0].url).live, shows_frames=False)
        session.new()
        session.new()
        assert "This game is not over" in session.message
        for _ in range(200):
            game = session.game
            if game.is_over:
                break
            if game.is_my_turn:
                session.play_text(game.scene().actions[0].text)
            else:
                session.happened(game.next_events())
        assert session.game.is_over
        first = session.game.table.id
        session.new()
        assert session.game.table.id != first
        assert session.game.viewer == 1

    def test_a_spectator_waits_for_the_players_to_agree_on_a_rematch(self, client, visit):
        ann, url = invited(client)
        client.join(url)
        ann.resign()
        there = visit(ann.watch_url)
        assert "To come back: parlour watch 'http" in there.live().where()
        with pytest.raises(TableError, match="the players have not agreed on a rematch"):
            there.join_rematch()

    def test_analysis_comes_from_the_server(self, client, visit):
        table = client.create("octa", options=SMALL, seats=["open", 1], seed=5)
        there = visit(table.invitations[0].url).live()
        assert there.analyse().choices[0].words
        _, url = invited(client)
        with pytest.raises(TableError, match="only after it is over"):
            visit(url).live().analyse()


class TestDisplays:
    def test_the_line_display_plays_on_a_server(self, client, visit):
        table = client.create("octa", options=SMALL, seats=["open", 1], seed=5)
        out = io.StringIO()
        there = visit(table.invitations[0].url)
        there.sit_down()
        text = there.table.scene.actions[0].text
        lines = io.StringIO(f"{text}\nhistory\nnew\nhelp\nquit\n")
        assert LineGame(there.live, lines, out).run() == 0
        told = out.getvalue()
        assert "You are player 1 (Bob)." in told
        assert "player 2 (level:1):" in told
        assert "This game is not over" in told
        assert "The server keeps this game. To come back: parlour join 'http" in told

    def test_the_json_display_plays_on_a_server(self, client, visit):
        table = client.create("octa", options=SMALL, seats=["open", 1], seed=5)
        there = visit(table.invitations[0].url)
        there.sit_down()
        text = there.table.scene.actions[0].text
        out = io.StringIO()
        lines = io.StringIO(json.dumps({"action": text}) + '\n"0,0"\n{"command": "resign"}\n')
        assert JsonGame(there.live, lines, out).run() == 0
        first, second, third, fourth = map(json.loads, out.getvalue().splitlines())
        assert (first["game"], first["seed"], first["actor"]) == ("octa", None, 0)
        assert [event["seat"] for event in second["events"]] == [0, 1]
        assert third["code"] == "illegal"
        assert fourth["result"]["returns"] == [-1.0, 1.0]


class Terminal:
    """`parlour join`, or another command, on a pseudo-terminal."""

    def __init__(self, *arguments, command="join"):
        ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "parlour.cli", command, *arguments],
            stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True,
        )  # fmt: skip
        os.close(theirs)
        self.file = ours
        self.text = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.file)

    def until(self, text):
        end = time.monotonic() + PATIENCE
        while text not in self.text:
            assert time.monotonic() < end, self.text
            if select.select([self.file], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self.file, 65536).decode()
                except OSError:
                    assert text in self.text, self.text
        before, _, self.text = self.text.partition(text)
        return before

    def type(self, line):
        os.write(self.file, f"{line}\n".encode())


class TestCommand:
    def test_a_stopped_server_ends_the_game(self, start, connect):
        server = start()
        _, url = invited(connect(server))
        there = Visit(Link.from_text(url), retry=Retry(attempts=0))
        there.sit_down()
        server.stop()
        with pytest.raises(GameLost):
            LineGame(there.live, io.StringIO(), io.StringIO()).run()
        there.close()

    def test_an_unavailable_server_is_reported_before_the_client_gives_up(
        self, monkeypatch, capsys
    ):
        once = functools.partial(Retry, attempts=2, first=0.01)
        monkeypatch.setattr("parlour.client.retry.Retry", once)
        assert main(["join", "http://127.0.0.1:1/t/abc", "--plain"]) == 2
        said = capsys.readouterr().err.splitlines()
        assert said[0] == "http://127.0.0.1:1 is not available. Trying again ..."
        assert len(said) == 2
        assert "http://127.0.0.1:1 does not answer" in said[1]

    def test_a_killed_terminal_returns_to_the_same_seat(self, client):
        ann, url = invited(client)
        with Terminal(url, "--plain", "--name", "Bob") as terminal:
            terminal.until("You are player 2 (Bob).")
            ann.play(ann.scene.actions[0].action)
            terminal.until("player 1")
            terminal.until("> ")
        with Terminal(url, "--plain") as terminal:
            terminal.until("You are player 2 (Bob).")
            terminal.until("> ")
            terminal.type(ann.state.game.action_to_text(ann.state, ann.state.legal_actions()[0]))
            assert ann.wait(lambda view: view.ply == 2).you == 0
            terminal.type("quit")
        other = Visit(Link.from_text(url))
        other._tokens = SavedTokens(other._tokens._folder / "elsewhere")
        with pytest.raises(ClaimUsed):
            other.sit_down()
        other.close()

    def test_two_terminals_find_each_other(self, server, client):
        wish = (server.url, "--find", "octa", "--set", "size=2", "--clock", "5m", "--plain")
        with Terminal(*wish, "--name", "Ann") as ann:
            ann.until("Octa, 5m: looking for an opponent. Press Ctrl-C to stop.")
            until(lambda: server.app.sockets.open)
            with Terminal(*wish, "--name", "Bob") as bob:
                for each, name in ((ann, "Ann"), (bob, "Bob")):
                    each.until("All seats are taken.")
                    each.until(f"({name}).")
                (room,) = server.app.rooms.all_in_memory()
                actor = room.hosted.seat(room.hosted.row.actor)
                first = {"Ann": ann, "Bob": bob}[actor.name]
                first.until("> ")

    def test_options_of_a_game_need_find(self, server, capsys):
        assert main(["join", f"{server.url}/t/x", "--clock", "5m", "--plain"]) == 2
        assert "need --find" in capsys.readouterr().err

    def test_a_link_without_a_claim_watches(self, client):
        ann, url = invited(client)
        bob = client.join(url)
        with Terminal(ann.watch_url, "--plain") as terminal:
            terminal.until("You are watching.")
            ann.play(ann.scene.actions[0].action)
            terminal.until("player 1 (Ann)")
            bob.resign()
            terminal.until("Type new")

    def test_watch_takes_no_seat_and_finds_the_public_game_of_a_server(self, server, client):
        ann, url = invited(client, listed=True)
        assert main(["watch", server.url, "--plain"]) == 2  # it has not begun
        bob = client.join(url)
        for watched in (url, server.url):
            with Terminal(watched, "--plain", command="watch") as terminal:
                terminal.until("You are watching.")
                actor = ann if ann.view.scene.actor == 0 else bob
                chosen = actor.scene.actions[0]
                actor.play(chosen.action)
                terminal.until(f": {chosen.text}")
        assert main(["watch", url, "--plain", "--against", "level:1"]) == 2

    def test_the_saved_token_is_private(self, client, visit, tmp_path):
        _, url = invited(client)
        visit(url).live()
        (kept,) = (tmp_path / "data" / "seats").iterdir()
        assert kept.stat().st_mode & 0o777 == 0o600

    def test_an_invalid_token_is_deleted(self, client, visit):
        url = client.create("octa", seats=["open", "open"]).invitations[1].url
        first = visit(url)
        first.sit_down()
        first.table.leave()
        link = Link.from_text(url)
        with pytest.raises(ClaimUsed):
            visit(url).sit_down()
        assert SavedTokens().find(link.base, link.table, 1) == ""

    @pytest.mark.parametrize("end", ["", "/t/nosuchtable", "/t/nosuchtable#seat=0&claim=x"])
    def test_unusable_links_get_a_one_line_error(self, server, end, capsys):
        assert main(["join", server.url + end, "--plain"]) == 2
        error = capsys.readouterr().err
        assert error.startswith("parlour: ")
        assert error.count("\n") == 1
