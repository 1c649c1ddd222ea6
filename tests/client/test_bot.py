"""`parlour bot`: an agent at a table, for one game and its rematches."""

import subprocess
import sys
import threading

import pytest
from kuhn import Kuhn
from patience import PATIENCE

import parlour
from parlour.agents import AgentFault
from parlour.cli import main
from parlour.client.bot import Bot
from parlour.core.errors import AgentError, NotFound


def against_itself(client, text, game, **options):
    """Let bots play a whole game; return the view of the first."""
    first = client.create(game, options=options)
    tables = [first, *(client.join(each.url) for each in first.invitations)]
    ended, problems = [], []

    def play(table):
        bot = Bot(text)
        try:
            ended.append(bot.play(table))
        except BaseException as error:
            problems.append(error)
            first.close()
        finally:
            bot.close()

    threads = [threading.Thread(target=play, args=(table,)) for table in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert problems == []
    return ended


@pytest.mark.parametrize("game", ["octa", "banqi", "blokus"])
def test_bots_play_a_whole_game_against_each_other(client, game):
    options = {"octa": {"size": 2}}.get(game, {})
    ended = against_itself(client, "level:1", game, **options)
    assert len({view.v for view in ended}) == 1
    assert all(view.is_over for view in ended)


def test_a_bot_plays_a_game_with_one_seat(client):
    table = client.create("cat_mouse", seats=["me"])
    view = Bot("best").play(table)
    assert view.ending.returns == [1.0]


def test_a_bot_sees_only_what_its_seat_may_know(client):
    parlour.register("kuhn", Kuhn)
    for _ in range(3):
        ended = against_itself(client, "mcts:sims=20", "kuhn")
        assert [len(view.ending.returns) for view in ended] == [2, 2]


def test_a_third_party_agent_runs_in_its_own_process(client):
    table = client.create("octa", options={"size": 2}, seats=["me", 1])
    bot = Bot("odd_agents:First")
    view = bot.play(table)
    bot.close()
    own = [event for event in view.history if event.seat == 0]
    states = table.positions.states(view)
    assert all(event.action == states[event.ply - 1].legal_actions()[0] for event in own)


def test_a_failing_agent_is_named_and_plays_nothing(client):
    table = client.create("octa", options={"size": 2}, seats=["me", 1])
    bot = Bot("odd_agents:Crashing")
    with pytest.raises(AgentFault, match="crashed"):
        bot.play(table)
    bot.close()
    assert table.view.ply == 0


def test_a_bot_needs_a_seat_and_an_installed_game(client):
    made = client.create("octa", seats=["me", 1], options={"size": 2})
    with pytest.raises(AgentError, match="needs a seat"):
        Bot("random").play(client.join(made.watch_url))
    with pytest.raises(AgentError):
        Bot("nobody").play(made)
    parlour.register("kuhn", Kuhn)
    dealt = client.create("kuhn")
    from parlour.core import registry

    registry._registered.pop("kuhn")
    with pytest.raises(NotFound, match="kuhn is not installed"):
        Bot("random").play(client.join(dealt.invitations[0].url))


def test_a_bot_agrees_to_a_takeback(client):
    made = client.create("octa", seats=["open", "me"], options={"size": 2})
    person = client.join(made.invitations[0].url)
    bot = Bot("random")
    thread = threading.Thread(target=bot.play, args=(made,))
    thread.start()
    person.play(person.scene.actions[0].action)
    person.wait(lambda view: view.ply == 2)
    person.takeback()
    person.wait(lambda view: view.ply == 0)
    person.resign()
    thread.join(PATIENCE)
    assert not thread.is_alive()


class TestCommand:
    def test_it_plays_the_seat_of_an_invitation(self, client, capsys):
        made = client.create("octa", seats=["open", 1], options={"size": 2})
        assert main(["bot", made.invitations[0].url, "--agent", "level:1"]) == 0
        view = made.wait(lambda view: view.is_over)
        assert capsys.readouterr().out == f"{view.ending.words}\n"
        assert view.seats[0].name == "level:1"

    def test_it_creates_a_table_and_prints_the_invitations(self, client, server, capsys):
        command = ["bot", server.url, "--create", "octa", "--set", "size=2", "--agent", "random"]
        status = []
        thread = threading.Thread(target=lambda: status.append(main(command)))
        thread.start()
        url = ""
        while not url and thread.is_alive():
            words = capsys.readouterr().out.split()
            url = next((word for word in words if "claim=" in word), "")
        table = client.join(url)
        assert table.view.options["size"] == 2
        table.turn()
        table.resign()
        thread.join(PATIENCE)
        assert status == [0]

    def test_with_rematch_it_plays_the_next_game(self, client):
        made = client.create("octa", seats=["me", "open"], options={"size": 2})
        command = ["bot", made.invitations[0].url, "--agent", "random", "--rematch"]
        running = subprocess.Popen([sys.executable, "-m", "parlour.cli", *command])
        try:
            made.wait(lambda view: view.status == "playing")
            made.resign()
            second = made.rematch()
            assert second.wait(lambda view: view.ply > 0).you == 1
            second.resign()
            third = second.rematch()
            assert third.turn()
        finally:
            running.kill()
            running.wait()

    def test_invalid_links_and_options_get_a_one_line_error(self, server, capsys):
        assert main(["bot", "nonsense"]) == 2
        assert "a link to a table looks like" in capsys.readouterr().err
        assert main(["bot", f"{server.url}/t/nosuch", "--set", "size=2"]) == 2
        assert "--create" in capsys.readouterr().err
        assert main(["bot", f"{server.url}/t/nosuch"]) == 2
        assert capsys.readouterr().err.startswith("parlour: ")
