"""A table: seats, history, takeback, resignation, draws, and its file."""

import errno
import os

import pytest
from dice import Dice
from nim import Nim
from scouts import Scouts
from tiles import Tiles

import parlour
from parlour import ActionTextError, AgentError, IllegalAction, RecordError
from parlour.table import PERSON, ChanceSource, Table, TableError, TimeControl, load


def table(game, *seats, seed=1, **more):
    more.setdefault("chance", ChanceSource.from_seed(seed))
    return Table(game, seats, seed=seed, **more)


def play(table, *texts):
    for text in texts:
        table.play(table.game.action_from_text(table.state, text))
    return table


def let_agents_act(table):
    while not table.is_over and table.seats[table.actor] != PERSON:
        table.play(table.agent_choice())


def test_missing_seats_are_persons_and_wrong_agents_are_refused():
    assert table(Nim(), "random").seats == ("random", PERSON)
    with pytest.raises(AgentError, match="did you mean 'random'"):
        table(Nim(), "randon")
    with pytest.raises(TableError, match="has 2 seats, not 3"):
        table(Nim(), "random", "random", "random")


def test_play_returns_what_happened():
    at = table(Nim(heap=3))
    (event,) = at.play(1)
    assert (event.seat, event.action, event.text) == (0, 1, "take2")
    assert event.before == Nim(heap=3).start()
    assert event.after == at.state
    assert at.actor == 1


def test_an_illegal_action_changes_nothing():
    at = table(Nim(heap=1))
    with pytest.raises(IllegalAction):
        at.play(2)
    with pytest.raises(ActionTextError):
        at.play("take2")
    assert at.events == []


def test_chance_acts_at_once_and_its_outcome_is_an_event():
    events = table(Dice()).play(1)
    assert [event.seat for event in events] == [0, parlour.CHANCE]


def test_agents_choose_for_their_seats_only():
    at = table(Nim(heap=5), PERSON, "random")
    with pytest.raises(TableError, match="no agent"):
        at.agent_choice()
    at.play(0)
    assert at.agent_choice() in at.state.legal_actions()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Crashing", "the agent odd_agents:Crashing cannot go on: crashed: ZeroDivisionError"),
        ("Quitting", "odd_agents:Quitting cannot go on: crashed: SystemExit: 3"),
        ("Illegal", "odd_agents:Illegal cannot go on: illegal action: an action is an id"),
        ("Silent", "odd_agents:Silent cannot go on: no action: an action is an int"),
    ],
)
def test_an_agent_that_goes_wrong_is_named_and_the_game_stays_as_it_was(name, message):
    at = play(table(Nim(heap=5), PERSON, f"odd_agents:{name}"), "take1")
    before = at.state
    with pytest.raises(AgentError, match=message):
        at.agent_choice()
    assert at.state == before


def test_an_agent_that_cannot_play_the_game_gets_no_seat():
    with pytest.raises(AgentError, match="nim has no solver"):
        table(Nim(), PERSON, "exact")
    with pytest.raises(AgentError, match="search is for two seats; blokus has 4"):
        table(parlour.game("blokus"), PERSON, "search")


def test_the_viewer_is_the_person_to_act_or_the_only_one():
    assert table(Nim()).viewer == 0
    assert play(table(Nim()), "take1").viewer == 1
    assert play(table(Nim(), PERSON, "random"), "take1").viewer == 0
    assert table(Nim(), "random", "random").viewer is None


class TestTakeback:
    def test_takes_back_an_action_and_the_agents_answers(self):
        at = play(table(Nim(), PERSON, "random"), "take1")
        let_agents_act(at)
        undone = at.takeback()
        assert [event.seat for event in undone] == [1, 0]
        assert at.state == at.start
        assert at.actor == 0

    def test_people_take_back_one_after_another(self):
        at = play(table(Nim()), "take1", "take1")
        at.takeback()
        at.takeback()
        with pytest.raises(TableError, match="no action to take back"):
            at.takeback()

    def test_never_across_another_persons_action(self):
        at = play(table(Nim()), "take1", "take1")
        with pytest.raises(TableError, match="another person"):
            at.takeback(0)
        assert len(at.events) == 2

    def test_never_across_a_random_event(self):
        at = play(table(Scouts()), "a1")
        with pytest.raises(TableError, match="random event"):
            at.takeback()
        assert len(at.events) == 2

    def test_never_across_an_agents_random_event(self):
        at = play(table(Dice(), PERSON, "random:seed=1"), "walk")
        while at.events[-1].seat != parlour.CHANCE:
            let_agents_act(at)
            if at.events[-1].seat != parlour.CHANCE:
                play(at, "walk")
        with pytest.raises(TableError, match="random event"):
            at.takeback()

    def test_goes_back_after_the_end_by_the_rules(self):
        at = play(table(Nim(heap=1)), "take1")
        assert at.is_over
        at.takeback()
        assert not at.is_over


class TestResignation:
    def test_the_other_wins(self):
        at = table(Nim())
        ending = at.resign(0)
        assert ending.returns == (-1.0, 1.0)
        assert at.is_over
        assert at.outcome_words() == "Player 1 resigned."
        with pytest.raises(TableError, match="over"):
            at.play(0)
        with pytest.raises(TableError, match="over"):
            at.takeback()
        with pytest.raises(TableError, match="over"):
            at.resign(1)

    def test_alone_it_is_a_loss(self):
        assert table(parlour.game("cat_mouse")).resign(0).returns == (-1.0,)


class TestDraw:
    def test_needs_a_game_that_knows_it(self):
        with pytest.raises(TableError, match="Nim knows no draw"):
            table(Nim()).offer_draw(0)

    def test_the_other_accepts_by_offering_too(self):
        at = table(Scouts())
        assert at.offer_draw(0) is None
        assert at.draw_offer == 0
        assert at.offer_draw(1).returns == (0.0, 0.0)
        assert at.is_over

    def test_playing_on_declines(self):
        at = table(Scouts())
        at.offer_draw(1)
        play(at, "a1")
        assert at.draw_offer is None

    def test_an_agent_accepts_when_it_stands_worse(self):
        at = table(Scouts(), PERSON, "random")
        with pytest.raises(TableError, match="declines"):
            at.offer_draw(0)
        better = Scouts().state_from_text("AA.B.. turn 2 flipping -1 down 00")
        at.events.append(at.play(0)[0]._replace(after=better))
        assert at.offer_draw(0) is not None


class TestClocks:
    def test_the_time_of_the_seat_to_act_runs(self):
        now = [0.0]
        at = table(Nim(), control=TimeControl(60, 2), now=lambda: now[0])
        now[0] = 10.0
        assert at.clocks.left(0) == 50.0
        assert at.clocks.left(1) == 60.0
        play(at, "take1")
        assert at.clocks.left(0) == 52.0
        now[0] = 15.0
        assert at.clocks.left(1) == 55.0

    def test_who_has_no_time_left_has_lost(self):
        now = [0.0]
        at = table(Nim(), control=TimeControl(60), now=lambda: now[0])
        assert at.check_clocks() is None
        now[0] = 61.0
        with pytest.raises(TableError, match="time is up"):
            at.play(0)
        assert at.ending.returns == (-1.0, 1.0)
        assert "time of player 1 is up" in at.ending.reason

    def test_a_taken_up_game_has_the_time_that_was_left(self):
        now = [0.0]
        at = table(Nim(), control=TimeControl(60), now=lambda: now[0])
        now[0] = 20.0
        play(at, "take1")
        again = Table.resume(at.record(), now=lambda: 1000.0)
        assert again.clocks.left(0) == 40.0
        assert again.clocks.left(1) == 60.0


@pytest.fixture
def known():
    for game in (Nim, Dice, Scouts, Tiles):
        parlour.register(game().name, game)


@pytest.mark.usefixtures("known")
class TestFile:
    def test_every_action_is_on_the_disk_at_once(self, tmp_path):
        path = tmp_path / "deep" / "game.parlour"
        at = table(Nim(), path=path)
        assert not path.exists()
        for count in (1, 2, 3):
            at.play(0)
            assert len(load(path).actions) == count
        at.takeback()
        assert len(load(path).actions) == 2
        assert [entry.name for entry in path.parent.iterdir()] == ["game.parlour"]

    def test_a_game_is_taken_up_where_it_was(self, tmp_path):
        path = tmp_path / "game.parlour"
        at = play(table(Scouts(), PERSON, "level:2", path=path, chance=None), "a1")
        again = Table.resume(load(path), path=path)
        assert again.state == at.state
        assert again.seats == at.seats
        assert again.commitment == at.commitment
        for each in (at, again):
            each.play(each.state.legal_actions()[0])
        assert again.state == at.state

    def test_an_agent_with_spaces_in_its_text_is_taken_up_too(self):
        at = table(Nim(), PERSON, "mcts: sims=5, seed=1")
        assert Table.resume(at.record()).seats == (PERSON, "mcts:sims=5,seed=1")

    def test_how_players_ended_it_is_kept(self, tmp_path):
        path = tmp_path / "game.parlour"
        at = table(Nim(), path=path)
        at.resign(1)
        again = Table.resume(load(path))
        assert again.ending == at.ending
        assert again.is_over

    def test_damaged_notes_are_a_record_error(self):
        record = table(Nim()).record()
        for key, value in (("key", "xx"), ("key", "00"), ("seats", "nobody"), ("ending", "a: b")):
            wrong = parlour.Record(record.game, 1, (), {**record.notes, key: value})
            with pytest.raises(RecordError, match="notes"):
                Table.resume(wrong)

    def test_a_full_disk_is_one_sentence_and_the_game_goes_on(self, tmp_path, monkeypatch):
        path = tmp_path / "game.parlour"
        at = play(table(Nim(), path=path), "take1")
        before = path.read_text()

        def full(_):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            play(at, "take1")
        assert at.save_problem == (
            "The game could not be saved (No space left on device); it goes on unsaved."
        )
        assert path.read_text() == before
        assert [entry.name for entry in tmp_path.glob("*game*")] == ["game.parlour"]
        play(at, "take1")
        assert at.save_problem == ""
        assert len(load(path).actions) == 3


def test_a_file_that_is_no_record_says_so(tmp_path):
    (tmp_path / "a").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "b").write_text("hello")
    for name, words in (("a", "no text file"), ("b", "line 1"), ("c", "No such file")):
        with pytest.raises(RecordError, match=words):
            load(tmp_path / name)
