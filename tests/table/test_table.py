"""A table: seats, events, takeback, resignation, draws, clocks."""

import odd_agents
import pytest
from climb import Climb
from dice import Dice
from hypothesis import given
from hypothesis import strategies as st
from nim import Nim
from scouts import Scouts

import parlour
from parlour import ActionTextError, AgentError, IllegalAction, ParlourError
from parlour.agents import Agent, AgentFault
from parlour.core.game import CHANCE
from parlour.table import (
    PERSON,
    Abandon,
    ChanceSource,
    ClaimTime,
    Decline,
    Event,
    EventKind,
    GameOver,
    LocalGame,
    NotYourTurn,
    OfferDraw,
    Play,
    Players,
    Redo,
    Replace,
    Resign,
    StaleEvents,
    Table,
    TableError,
    TimeControl,
    TimeUp,
    Undo,
)
from parlour.table.events import AskTakeback
from parlour.table.views import event_view, history, moment_of, moments_of


def table(game, *seats, seed=1, **more):
    more.setdefault("chance", ChanceSource.from_seed(seed))
    return Table(game, seats, seed=seed, **more)


def play(table, *texts):
    for text in texts:
        table.play(text)
    return table


def names(table):
    return [table.name_of(seat) for seat in range(table.game.seats)]


def played(table):
    """Return the actions of the game as a spectator reads them."""
    views = history(table.log, None, table.line, names(table))
    return [view.text for view in views]


def let_agents_act(table):
    players = Players(table)
    while table.is_agents_turn:
        table.play(players.choose())


def rebuilt(at):
    """Return a table rebuilt from this one's log."""
    again = Table(at.game, at.seats, seed=at.seed, chance=at.chance, log=())
    again.accept(at.log)
    return again


def test_missing_seats_are_people_and_invalid_agents_are_refused():
    assert table(Nim(), "random").seats == ("random", PERSON)
    with pytest.raises(AgentError, match="did you mean 'random'"):
        table(Nim(), "randon")
    with pytest.raises(TableError, match="has 2 seats, not 3"):
        table(Nim(), "random", "random", "random")


def test_play_returns_numbered_events():
    at = table(Nim(heap=3))
    assert at.play(1) == [Event(1, EventKind.PLAY, 0, 1, 1)]
    assert at.play("take1") == [Event(2, EventKind.PLAY, 1, 2, 0)]
    assert at.version == 2
    assert at.log == (Event(1, EventKind.PLAY, 0, 1, 1), Event(2, EventKind.PLAY, 1, 2, 0))
    assert at.line.states == (Nim(heap=3).start(), *(at.line.states[1:]))
    assert at.state == at.line.final


def test_an_illegal_action_changes_nothing():
    at = table(Nim(heap=1))
    with pytest.raises(IllegalAction):
        at.play(2)
    with pytest.raises(ActionTextError):
        at.play("take2")
    for junk in (None, True, 1.5, [0]):
        with pytest.raises(IllegalAction, match="an int or a text"):
            at.play(junk)
    assert at.log == ()


def test_chance_acts_at_once_and_its_outcome_is_an_event():
    events = table(Dice()).play(1)
    assert [(event.kind, event.seat) for event in events] == [
        (EventKind.PLAY, 0),
        (EventKind.CHANCE, parlour.CHANCE),
    ]
    assert [event.ply for event in events] == [1, 2]


class TestPlanAndAccept:
    def test_a_plan_changes_nothing_and_accepting_it_does(self):
        at = table(Dice())
        before = at.standing
        events = at.plan(0, Play("roll"))
        assert at.standing is before
        assert at.log == ()
        at.accept(events)
        assert at.version == 2
        assert at.actor == 1

    def test_a_wrong_event_number_is_refused_without_a_change(self):
        at = table(Nim())
        assert [event.at for event in at.plan(0, Play(0), at=5)] == [5]
        events = at.plan(0, Play(0))
        for wrong in (events[0]._replace(number=2), events[0]._replace(number=0)):
            with pytest.raises(StaleEvents) as caught:
                at.accept([wrong])
            assert caught.value.code == "stale"
        at.accept(events)
        with pytest.raises(StaleEvents):
            at.accept(events)
        assert at.version == 1

    def test_an_outdated_plan_is_not_applied(self):
        at = table(Nim())
        old = at.plan(0, Play(0))
        at.play(2)
        with pytest.raises(StaleEvents):
            at.accept(old)
        assert at.state.heap == 7

    def test_a_second_plan_does_not_affect_the_first(self):
        at = table(Nim())
        first = at.plan(0, Play(0))
        at.plan(0, Play(2))
        at.accept(first)
        assert at.state.heap == 9

    def test_each_request_checks_seat_and_turn(self):
        at = table(Nim())
        with pytest.raises(NotYourTurn, match="the turn of player 1") as caught:
            at.plan(1, Play(0))
        assert caught.value.code == "not_your_turn"
        with pytest.raises(TableError, match="the seat to act still has time left"):
            at.plan(0, ClaimTime())
        with pytest.raises(TableError, match="no action to take back"):
            at.plan(0, Undo())
        at.request(0, Resign())
        for request in (Play(0), Resign(), OfferDraw(), Undo(), ClaimTime()):
            with pytest.raises(GameOver) as over:
                at.plan(1, request)
            assert over.value.code == "over"

    @given(st.lists(st.sampled_from(["play", "undo", "draw", "resign"]), max_size=25))
    def test_a_table_rebuilt_from_its_log_equals_the_live_one(self, deeds):
        at = table(Scouts(), seed=3)
        for number, deed in enumerate(deeds):
            try:
                if deed == "play":
                    legal = at.state.legal_actions()
                    at.play(legal[number % len(legal)] if len(legal) else 0)
                elif deed == "undo":
                    at.request(CHANCE, Undo())
                elif deed == "draw":
                    at.request(number % 2, OfferDraw())
                else:
                    at.request(number % 2, Resign())
            except parlour.ParlourError:
                continue
        assert rebuilt(at).standing == at.standing
        assert rebuilt(at).log == at.log

    def test_a_rebuilt_table_continues_like_the_live_one(self):
        at = play(table(Scouts(), seed=3), "a1")
        again = rebuilt(at)
        for each in (at, again):
            each.play(each.state.legal_actions()[0])
        assert again.standing == at.standing


class Counted(Nim):
    """Counts how often the rules are applied."""

    applied = 0

    def start(self, seed=0):
        start = super().start(seed)
        return CountedState(self, start.heap, start.seat)


class CountedState(type(Nim().start())):
    def apply(self, action):
        Counted.applied += 1
        after = super().apply(action)
        return CountedState(self.game, after.heap, after.seat)


def test_an_action_is_applied_once_and_its_record_applies_nothing(tmp_path):
    at = table(Counted(), path=tmp_path / "game.parlour")
    Counted.applied = 0
    play(at, "take1", "take2", "take1")
    assert Counted.applied == 3
    at.record().to_text()
    at.snapshot().to_text()
    at.save()
    assert Counted.applied == 3


def test_agents_choose_for_their_seats_only():
    at = table(Nim(heap=5), PERSON, "random")
    players = Players(at)
    with pytest.raises(TableError, match="it is not an agent's turn"):
        players.choose()
    at.play(0)
    assert players.choose() in at.state.legal_actions()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Crashing", "the agent odd_agents:Crashing failed: crashed: ZeroDivisionError"),
        ("Quitting", "odd_agents:Quitting failed: crashed: SystemExit: 3"),
        ("Illegal", "odd_agents:Illegal failed: illegal action: an action is an id"),
        ("Silent", "odd_agents:Silent failed: no action: an action is an int"),
    ],
)
def test_a_failing_agent_is_named_and_the_game_is_unchanged(agents_here, name, message):
    at = play(table(Nim(heap=5), PERSON, f"odd_agents:{name}"), "take1")
    before = at.standing
    with pytest.raises(AgentError, match=message):
        Players(at).choose()
    assert at.standing is before


def test_an_agent_that_cannot_play_the_game_is_refused():
    with pytest.raises(AgentError, match="nim has no solver"):
        table(Nim(), PERSON, "exact")
    with pytest.raises(AgentError, match="search needs two seats; blokus has 4"):
        table(parlour.game("blokus"), PERSON, "search")


def test_the_viewer_is_the_person_to_act_or_the_only_one():
    assert table(Nim()).viewer == 0
    assert play(table(Nim()), "take1").viewer == 1
    assert play(table(Nim(), PERSON, "random"), "take1").viewer == 0
    assert table(Nim(), "random", "random").viewer is None


class TestWords:
    def test_an_event_view_has_name_words_and_cells(self):
        at = table(parlour.game("banqi"), PERSON, "level:2,seed=7")
        flip, reveal = (event_view(event, 0, at.line, names(at)) for event in at.play("c2"))
        assert flip.sentence == "player 1, red: flip c2" or "black" in flip.name
        assert (flip.text, flip.cells) == ("c2", (10,))
        assert reveal.name == "Chance"
        assert reveal.words.startswith(("flipped c2: red ", "flipped c2: black "))
        assert reveal.sentence == reveal.words
        assert at.name_of(1).endswith("(level:2)")

    def test_a_takeback_names_the_undone_actions_and_shortens_the_history(self):
        at = play(table(Nim()), "take1", "take2")
        line = at.line
        (event,) = at.request(CHANCE, Undo())
        assert event_view(event, None, line, names(at)).sentence == "Taken back: take2."
        assert played(at) == ["take1"]
        play(at, "take3")
        assert played(at) == [
            "take1",
            "take3",
        ]

    @pytest.mark.parametrize(
        ("event", "sentence"),
        [
            (Event(1, EventKind.JOIN, 0, text="Ada"), "Ada sits down."),
            (Event(1, EventKind.JOIN, 0), "player 1 sits down."),
            (Event(1, EventKind.LEAVE, 1), "Seat 2 is free again."),
            (Event(1, EventKind.REMATCH, 1), "player 2 wants a rematch."),
            (Event(1, EventKind.REMATCH, 0), "player 1 wants a rematch."),
            (Event(1, EventKind.REMATCH, CHANCE), "The next game begins."),
            (
                Event(1, EventKind.ABANDON, CHANCE, text="an update"),
                "The operator has ended the game: an update.",
            ),
        ],
    )
    def test_joining_leaving_and_rematches_have_sentences(self, event, sentence):
        at = table(Nim())
        assert event_view(event, None, at.line, names(at)).sentence == sentence

    def test_rematches_are_offered_declined_and_begun(self):
        standing = table(Nim()).standing
        for seat, offers in ((1, (1,)), (0, (1, 0)), (CHANCE, ())):
            standing = standing.after([Event(standing.version + 1, EventKind.REMATCH, seat)])
            assert standing.rematch_offers == offers
        standing = standing.after([Event(standing.version + 1, EventKind.REMATCH, 0)])
        declined = standing.after([Event(standing.version + 1, EventKind.DECLINE_REMATCH, 1)])
        assert declined.rematch_offers == ()

    def test_a_log_cannot_take_back_more_than_was_played(self):
        at = play(table(Nim()), "take1")
        with pytest.raises(ParlourError, match="event 2 takes back more than was played"):
            at.standing.after([Event(2, EventKind.TAKEBACK, CHANCE, ply=2)])

    def test_offers_and_resignations_have_words(self):
        at = table(Scouts())
        (offer,) = at.request(0, OfferDraw())
        assert event_view(offer, 1, at.line, names(at)).sentence == "one: offers a draw"
        (agreed,) = at.request(1, OfferDraw())
        assert event_view(agreed, 1, at.line, names(at)).sentence == "two: accepts the draw"
        other = table(Scouts())
        assert (
            event_view(other.request(1, Resign())[0], 0, other.line, names(other)).words
            == "resigns"
        )


class TestRedo:
    def test_repeats_the_action_and_the_agents_replies(self):
        at = play(table(Nim(heap=20), PERSON, "random"), "take1")
        let_agents_act(at)
        before, version = at.line, at.version
        at.request(CHANCE, Undo())
        assert bool(at.standing.undone)
        events = at.request(CHANCE, Redo())
        assert [(event.kind, event.seat) for event in events] == [
            (EventKind.PLAY, 0),
            (EventKind.PLAY, 1),
        ]
        assert at.line == before
        assert at.version == version + 3
        assert not bool(at.standing.undone)

    def test_people_redo_one_after_another_until_there_is_nothing(self):
        at = play(table(Nim(heap=20)), "take1", "take2", "take3")
        before = at.line
        for _ in range(3):
            at.request(CHANCE, Undo())
        for count in (1, 2, 3):
            at.request(CHANCE, Redo())
            assert at.line == before.cut(count)
        with pytest.raises(TableError, match="there is nothing to redo"):
            at.request(CHANCE, Redo())

    def test_a_different_action_clears_it_and_the_same_one_does_not(self):
        at = play(table(Nim(heap=20)), "take1", "take2")
        at.request(CHANCE, Undo())
        at.request(CHANCE, Undo())
        play(at, "take1")
        assert bool(at.standing.undone)
        play(at, "take3")
        assert not bool(at.standing.undone)
        with pytest.raises(TableError, match="nothing to redo"):
            at.request(CHANCE, Redo())

    def test_only_the_person_who_acted_may_redo(self):
        at = play(table(Nim(heap=20)), "take1", "take2")
        at.request(1, Undo())
        with pytest.raises(TableError, match="another person"):
            at.request(0, Redo())
        at.request(1, Redo())
        assert len(at.line.actions) == 2

    def test_a_new_holder_or_an_end_clears_it(self):
        at = play(table(Nim(heap=20), PERSON, "random"), "take1")
        at.request(CHANCE, Undo())
        at.request(CHANCE, Replace(1, "greedy"))
        assert not bool(at.standing.undone)
        at = play(table(Nim(heap=20)), "take1")
        at.request(CHANCE, Undo())
        at.request(0, Resign())
        assert not bool(at.standing.undone)
        with pytest.raises(GameOver):
            at.request(CHANCE, Redo())

    def test_can_repeat_the_last_action_of_a_game(self):
        at = play(table(Nim(heap=1)), "take1")
        assert at.is_over
        at.request(CHANCE, Undo())
        at.request(CHANCE, Redo())
        assert at.is_over

    def test_never_crosses_a_random_event(self):
        """A random event cannot be taken back, so there is none to repeat."""
        at = table(Dice())
        while not at.is_over:
            at.play(at.state.legal_actions()[-1])
            try:
                (event,) = at.request(CHANCE, Undo())
            except TableError as error:
                assert "random event" in str(error)
                assert not bool(at.standing.undone)
                continue
            before = at.log[: event.number - 1]
            assert all(again.kind is EventKind.PLAY for again in at.request(CHANCE, Redo()))
            assert at.log[: len(before)] == before

    def test_redo_gains_no_time(self):
        now = [0.0]
        at = table(Nim(heap=20), control=TimeControl(60, 10), now=lambda: now[0])
        play(at, "take1")
        left = at.clocks.all_left()
        at.request(CHANCE, Undo())
        at.request(CHANCE, Redo())
        assert at.clocks.all_left() == left

    def test_a_table_rebuilt_from_its_log_can_redo(self):
        at = play(table(Nim(heap=20)), "take1", "take2")
        at.request(CHANCE, Undo())
        again = table(Nim(heap=20), log=at.log)
        assert again.standing == at.standing
        assert again.plan(1, Redo()) == at.plan(1, Redo())

    def test_the_record_after_redo_equals_the_one_before_undo(self):
        at = play(table(Nim(heap=20)), "take1", "take2")
        plain = at.record().to_text()
        at.request(CHANCE, Undo())
        at.request(CHANCE, Redo())
        assert at.record().to_text() == plain
        assert played(at) == [
            "take1",
            "take2",
        ]


class TestTakeback:
    def test_takes_back_an_action_and_the_agents_replies(self):
        at = play(table(Nim(), PERSON, "random"), "take1")
        let_agents_act(at)
        (event,) = at.request(CHANCE, Undo())
        assert (event.kind, event.seat, event.ply) == (EventKind.TAKEBACK, 0, 0)
        assert at.state == at.start
        assert at.actor == 0

    def test_people_take_back_one_after_another(self):
        at = play(table(Nim()), "take1", "take1")
        at.request(CHANCE, Undo())
        at.request(CHANCE, Undo())
        with pytest.raises(TableError, match="no action to take back"):
            at.request(CHANCE, Undo())

    def test_an_agents_first_action_alone_cannot_be_taken_back(self):
        at = table(Nim(), "random", PERSON)
        let_agents_act(at)
        with pytest.raises(TableError, match="no action to take back"):
            at.request(CHANCE, Undo())

    def test_never_across_another_persons_action(self):
        at = play(table(Nim()), "take1", "take1")
        with pytest.raises(TableError, match="another person"):
            at.request(0, Undo())
        assert at.version == 2
        at.request(1, Undo())
        assert at.actor == 1

    def test_never_across_a_random_event(self):
        at = play(table(Scouts()), "a1")
        with pytest.raises(TableError, match="random event"):
            at.request(CHANCE, Undo())
        assert at.version == 2

    def test_never_across_an_agents_random_event(self, agents_here):
        at = play(table(Dice(), PERSON, "odd_agents:Last"), "walk")
        let_agents_act(at)
        assert at.log[-1].seat == parlour.CHANCE
        with pytest.raises(TableError, match="random event"):
            at.request(CHANCE, Undo())

    def test_works_after_the_rules_ended_the_game(self):
        at = play(table(Nim(heap=1)), "take1")
        assert at.is_over
        at.request(CHANCE, Undo())
        assert not at.is_over

    def test_it_clears_a_draw_offer(self):
        at = play(table(Scouts(), seed=3), "a1", "b1", "c1", "a2", "b2", "c2")
        quiet = [a for a in at.state.legal_actions() if a >= 6]
        at.play(quiet[0])
        at.request(0, OfferDraw())
        at.request(CHANCE, Undo())
        assert at.standing.draw_offer is None

    def test_agents_see_the_game_again_from_the_start(self, agents_here):
        at = table(Nim(), PERSON, "odd_agents:Listening")
        heard = []

        def make(text):
            agent = parlour.agent(text)
            agent.heard = heard
            return agent

        players = Players(at, make)
        play(at, "take1")
        at.play(players.choose())
        at.request(CHANCE, Undo())
        play(at, "take2")
        at.play(players.choose())
        players.close()
        assert [what for what, *_ in heard] == [
            *("begin", "watch"),
            *("begin", "watch"),
            *("watch", "close"),
        ]
        assert [heard[number][1] for number in (1, 3)] == [0, 1]


class TestResignation:
    def test_the_other_wins(self):
        at = table(Nim())
        at.request(0, Resign())
        assert at.ending.returns == (-1.0, 1.0)
        assert at.is_over
        assert at.outcome_words() == "Player 1 resigned."
        for request in (Play(0), Undo(), Resign()):
            with pytest.raises(GameOver, match="over"):
                at.request(1, request)

    def test_with_one_seat_resigning_loses(self):
        at = table(parlour.game("cat_mouse"))
        at.request(0, Resign())
        assert at.ending.returns == (-1.0,)

    def test_with_three_seats_an_agent_takes_over(self):
        at = table(parlour.game("blokus"))
        (event,) = at.request(2, Resign())
        assert (event.kind, event.seat, event.who) == (EventKind.RESIGN, 2, "level:1")
        assert at.ending is None
        assert at.seats == (PERSON, PERSON, "level:1", PERSON)
        assert (
            event_view(event, None, at.line, names(at)).sentence == "red: resigns; level:1 plays on"
        )

    def test_a_resigned_seat_cannot_be_resigned_again_or_taken(self):
        at = table(parlour.game("blokus"))
        at.request(2, Resign())
        for deed in (
            lambda: at.request(2, Resign()),
            lambda: at.request(CHANCE, Replace(2, PERSON)),
        ):
            with pytest.raises(TableError, match="given up"):
                deed()

    def test_the_log_restores_resigned_seats(self):
        at = table(parlour.game("blokus"))
        at.request(2, Resign())
        at.request(0, Resign())
        again = table(parlour.game("blokus"), log=at.log)
        assert again.standing == at.standing

    def test_only_the_owner_can_abandon_a_game(self):
        at = table(Nim())
        with pytest.raises(TableError, match="only the owner of the table can abandon a game"):
            at.request(0, Abandon())
        (event,) = at.request(CHANCE, Abandon())
        assert at.ending.returns == (0.0, 0.0)
        assert event_view(event, None, at.line, names(at)).sentence == "The game was abandoned."


class TestTakebackByConsent:
    def test_with_one_person_a_takeback_needs_no_consent(self):
        at = table(Nim(), PERSON, "random")
        at.play("take1")
        at.play(at.state.legal_actions()[0])
        (event,) = at.request(0, AskTakeback())
        assert (event.kind, at.line.actions) == (EventKind.TAKEBACK, ())

    def test_with_two_people_the_other_must_agree_and_later_actions_go_too(self):
        at = table(Nim())
        at.play("take1")
        at.play("take2")
        (asked,) = at.request(0, AskTakeback())
        assert (asked.kind, at.standing.consents, len(at.line.actions)) == (EventKind.ASK, (0,), 2)
        (event,) = at.request(1, AskTakeback())
        assert (event.kind, event.seat, event.ply) == (EventKind.TAKEBACK, 0, 0)
        assert at.standing.consents == ()

    def test_asking_twice_is_refused(self):
        at = table(Nim())
        at.play("take1")
        at.request(0, AskTakeback())
        with pytest.raises(TableError, match="already"):
            at.request(0, AskTakeback())

    def test_playing_an_action_declines_the_takeback(self):
        at = table(Nim())
        at.play("take1")
        at.request(0, AskTakeback())
        at.play("take1")
        assert at.standing.consents == ()

    def test_declining_or_withdrawing_closes_the_request(self):
        for seat in (0, 1):
            at = table(Nim())
            at.play("take1")
            at.request(0, AskTakeback())
            (event,) = at.request(seat, Decline("takeback"))
            assert (event.kind, event.seat) == (EventKind.DECLINE_TAKEBACK, seat)
            assert (at.standing.consents, len(at.line.actions)) == ((), 1)
            with pytest.raises(TableError, match="no takeback offer"):
                at.request(1, Decline("takeback"))

    def test_a_takeback_never_crosses_chance_or_the_start(self):
        with pytest.raises(TableError, match="no action"):
            table(Nim()).request(0, AskTakeback())
        at = table(parlour.game("banqi"))
        at.play(at.state.legal_actions()[0])
        with pytest.raises(TableError, match="random event"):
            at.request(0, AskTakeback())


class TestDraw:
    def test_draws_need_a_game_that_allows_them(self):
        with pytest.raises(TableError, match="Nim has no draws"):
            table(Nim()).request(0, OfferDraw())

    def test_the_other_seat_accepts_by_offering(self):
        at = table(Scouts())
        at.request(0, OfferDraw())
        assert at.standing.draw_offer == 0
        assert not at.is_over
        at.request(1, OfferDraw())
        assert at.ending.returns == (0.0, 0.0)
        assert at.is_over
        assert at.standing.draw_offer is None

    def test_a_declined_or_withdrawn_offer_can_be_made_again(self):
        for seat in (0, 1):
            at = table(Scouts())
            at.request(0, OfferDraw())
            (event,) = at.request(seat, Decline("draw"))
            assert (event.kind, event.seat) == (EventKind.DECLINE_DRAW, seat)
            assert at.standing.draw_offer is None
            with pytest.raises(TableError, match="no draw offer"):
                at.request(seat, Decline("draw"))
            at.request(1, OfferDraw())
            assert at.standing.draw_offer == 1

    def test_offering_twice_is_not_accepting(self):
        at = table(Scouts())
        at.request(0, OfferDraw())
        with pytest.raises(TableError, match="a draw is already offered"):
            at.request(0, OfferDraw())
        assert not at.is_over

    def test_playing_on_declines(self):
        at = table(Scouts())
        at.request(1, OfferDraw())
        play(at, "a1")
        assert at.standing.draw_offer is None

    def test_the_offering_seat_may_play_on(self):
        at = table(Scouts())
        at.request(0, OfferDraw())
        play(at, "a1")
        assert at.standing.draw_offer == 0

    def test_an_agent_accepts_a_draw_when_it_is_behind(self):
        at = table(Scouts(), PERSON, "random")
        with pytest.raises(TableError, match="declines"):
            at.request(0, OfferDraw())
        assert at.standing.draw_offer is None

        class Losing(Scouts):
            def start(self, seed=0):
                return self.state_from_text("turn 2 flipping -1 down 00\nAA./B..")

        worse = table(Losing(), PERSON, "random")
        worse.request(0, OfferDraw())
        assert worse.ending.reason == "the players agreed on a draw"


class TestClocks:
    @pytest.fixture
    def now(self):
        return [0.0]

    def test_the_clock_of_the_seat_to_act_runs(self, now):
        at = table(Nim(), control=TimeControl(60, 2), now=lambda: now[0])
        now[0] = 10.0
        assert at.clocks.left(0) == 50.0
        assert at.clocks.left(1) == 60.0
        (event,) = at.play("take1")
        assert event.left == (52.0, 60.0)
        assert at.clocks.left(0) == 52.0
        now[0] = 15.0
        assert at.clocks.left(1) == 55.0

    def test_running_out_of_time_loses(self, now):
        at = table(Nim(), control=TimeControl(60), now=lambda: now[0])
        assert at.check_clocks() == []
        now[0] = 61.0
        with pytest.raises(TimeUp, match="time is up") as caught:
            at.plan(0, Play(0))
        assert caught.value.code == "time_up"
        with pytest.raises(TimeUp, match="time is up"):
            at.play(0)
        assert at.ending.returns == (-1.0, 1.0)
        assert "player 1 ran out of time" in at.ending.reason
        assert at.log[-1].kind is EventKind.TIME_UP

    def test_after_the_end_no_clock_runs(self, now):
        at = table(Nim(heap=1), control=TimeControl(60), now=lambda: now[0])
        now[0] = 5.0
        play(at, "take1")
        now[0] = 500.0
        assert at.clocks.all_left() == (55.0, 60.0)
        assert at.check_clocks() == []
        resigned = table(Nim(), control=TimeControl(60), now=lambda: now[0])
        now[0] = 510.0
        resigned.request(0, Resign())
        now[0] = 600.0
        assert resigned.clocks.all_left() == (50.0, 60.0)

    def test_a_takeback_starts_the_right_clock(self, now):
        at = table(Nim(), control=TimeControl(60), now=lambda: now[0])
        play(at, "take1")
        now[0] = 4.0
        at.request(CHANCE, Undo())
        now[0] = 10.0
        assert at.clocks.all_left() == (54.0, 56.0)

    def test_a_resumed_game_keeps_the_time_left(self, now):
        at = table(Nim(), control=TimeControl(60), now=lambda: now[0])
        now[0] = 20.0
        play(at, "take1")
        again = Table.resume(at.snapshot(), now=lambda: 1000.0)
        assert again.clocks.left(0) == 40.0
        assert again.clocks.left(1) == 60.0
        assert again.clocks.control == (60.0, 0.0)

    def test_agents_get_the_clocks_as_a_limit(self, now):
        at = table(
            Nim(), PERSON, "odd_agents:Listening", control=TimeControl(60, 2), now=lambda: now[0]
        )
        heard = []

        def make(text):
            agent = parlour.agent(text)
            agent.heard = heard
            return agent

        now[0] = 10.0
        play(at, "take1")
        now[0] = 15.0
        Players(at, make).choose()
        assert heard[-1] == ("choose", (55.0, 2.0, (52.0,)))

    def test_with_three_seats_an_agent_takes_over_without_a_clock(self):
        now = [0.0]
        at = table(parlour.game("blokus"), control=TimeControl(60), now=lambda: now[0])
        now[0] = 61.0
        (event,) = at.check_clocks()
        assert (event.kind, event.who, at.ending) == (EventKind.TIME_UP, "level:1", None)
        assert at.standing.gone == (0,)
        now[0] = 600.0
        assert at.check_clocks() == []
        assert Players(at)._limit(0) is None
        at.play(at.state.legal_actions()[0])
        assert at.clocks.all_left() == (-1.0, 60.0, 60.0, 60.0)
        kept = Table.resume(at.snapshot(), now=lambda: now[0])
        assert kept.standing.gone == (0,)

    def test_elapsed_time_can_be_charged(self):
        now = [0.0]
        at = table(Nim(), control=TimeControl(60), now=lambda: now[0])
        at.clocks.charge(5)
        assert at.clocks.all_left() == (55.0, 60.0)


class TestSeatsThatChangeHands:
    def test_an_agents_seat_can_be_given_to_a_person_or_an_agent(self):
        at = table(Nim(), PERSON, "random")
        assert at.request(CHANCE, Replace(1, PERSON)) == [
            Event(1, EventKind.SEAT, 1, 0, who=PERSON)
        ]
        assert at.people == [0, 1]
        (event,) = at.request(1, Replace(1, " greedy "))
        assert (event.who, at.seats) == ("greedy", (PERSON, "greedy"))
        assert at.version == 2

    def test_a_seat_change_is_worded_without_seeds(self):
        at = table(Nim(), PERSON, "random")
        words = [
            event_view(event, 0, at.line, names(at)).sentence
            for who in (PERSON, "level:3,seed=5")
            for event in at.request(CHANCE, Replace(1, who))
        ]
        assert words == [
            "A person takes the seat of player 2.",
            "level:3 takes the seat of player 2.",
        ]

    @pytest.mark.parametrize(
        ("seat", "place", "who", "message"),
        [
            (0, 0, PERSON, "a person already holds this seat"),
            (1, 0, "random", "an agent cannot give a seat away"),
            (2, 0, "random", "this seat belongs to another person"),
            (0, 4, "random", "the seats are 0 to 3, not 4"),
            (0, -1, "random", "the seats are 0 to 3, not -1"),
            (0, 1, "nobody", "unknown agent 'nobody'"),
            (0, 1, "exact", "climb has no solver"),
        ],
    )
    def test_forbidden_seat_changes_are_refused(self, seat, place, who, message):
        at = table(Climb(), PERSON, "random", PERSON, PERSON)
        with pytest.raises(ParlourError, match=message):
            at.request(seat, Replace(place, who))
        assert at.log == ()

    def test_seats_do_not_change_after_the_end(self):
        at = table(Nim(), PERSON, "random")
        at.request(0, Resign())
        with pytest.raises(GameOver):
            at.request(CHANCE, Replace(1, PERSON))

    def test_a_seat_change_is_in_the_snapshot_and_in_the_log(self):
        at = table(Nim(), PERSON, "random")
        at.play("take1")
        at.request(CHANCE, Replace(1, "greedy"))
        assert Table.resume(at.snapshot()).seats == (PERSON, "greedy")
        again = Table(at.game, (PERSON, "random"), seed=at.seed, chance=at.chance, log=at.log)
        assert again.standing == at.standing

    def test_a_seat_change_clears_the_seats_offer(self):
        at = table(Scouts(), PERSON, PERSON)
        at.request(0, OfferDraw())
        at.request(CHANCE, Replace(0, "random"))
        assert at.standing.draw_offer is None

    def test_a_new_agent_sees_the_whole_game(self, agents_here):
        game = LocalGame(play(table(Nim(heap=9), PERSON, "odd_agents:Crashing"), "take1"))
        with pytest.raises(AgentFault, match="failed: crashed"):
            game.next_events()
        game.send(Replace(1, "odd_agents:Diary"))
        assert game.names[1] == "player 2 (odd_agents:Diary)"
        assert game.next_events()[0].words == "take1"
        game.close()


class TestWhoMayAct:
    def test_people_cannot_play_for_an_agent(self):
        at = play(table(Nim(), PERSON, "random"), "take1")
        with pytest.raises(NotYourTurn, match="it is the turn of player 2"):
            LocalGame(at).send(Play("take1"))
        assert at.version == 1

    def test_people_cannot_resign_or_offer_a_draw_for_an_agent(self):
        at = play(table(Nim(), PERSON, "random"), "take1")
        LocalGame(at).send(Resign())
        assert at.ending.returns == (-1.0, 1.0)
        watched = table(Nim(), "random", "random")
        for request in (Resign(), OfferDraw(), Play(0)):
            with pytest.raises(NotYourTurn):
                LocalGame(watched).send(request)


def test_an_interrupted_agent_sees_the_whole_game_again(agents_here):
    at = play(table(Nim(heap=9), PERSON, "odd_agents:First"), "take1")
    heard = []

    class Interrupted(odd_agents.Listening):
        def choose(self, state, limit=None):
            if heard.count(("begin", 1)) == 1:
                raise KeyboardInterrupt
            return 0

    def make(text):
        made = Interrupted()
        made.heard = heard
        return made

    players = Players(at, make)
    with pytest.raises(KeyboardInterrupt):
        players.choose()
    assert players.choose() == 0
    told = [("begin", 1), ("watch", 0)]
    assert heard == [*told, ("close", None), *told]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["octa", "banqi"])
def test_the_moments_of_a_log_are_those_of_its_events_in_turn(name, seed):
    played, rng = Table(parlour.game(name), seed=seed), parlour.Rng(seed)
    expected = [moment_of(event, played.line) for event in played.log]
    for _ in range(60):
        before = played.line
        takes_back = rng.below(4) == 0
        try:
            if takes_back:
                events = played.request(CHANCE, Undo())
            else:
                events = played.request(played.actor, Play(int(played.state.sample(rng))))
        except TableError:
            continue
        for event in events:
            line = before if event.kind is EventKind.TAKEBACK else played.line
            expected.append(moment_of(event, line))
    assert any(event.kind is EventKind.TAKEBACK for event in played.log)
    found = moments_of(played.log, played.line)
    assert [each.event for each in found] == [each.event for each in expected]
    assert [each.undone for each in found] == [each.undone for each in expected]
    assert [each.state for each in found] == [each.state for each in expected]
    again = Table(parlour.game(name), seed=seed, log=played.log)
    assert again.standing == played.standing


def test_an_agent_sees_each_action_once_and_begins_again_after_a_takeback():
    seen = []

    class Watching(Agent):
        name = "watching"

        def choose(self, state):
            return state.legal_actions()[0]

        def begin(self, start, seat):
            seen.append("begin")

        def watch(self, action, after):
            seen.append(action)

    at = table(Nim(heap=20), PERSON, "random")
    players = Players(at, lambda _: Watching())
    first = at.state.legal_actions()[0]
    play(at, "take1")
    at.play(players.choose())
    assert seen == ["begin", first]
    play(at, "take1")
    at.play(players.choose())
    assert seen == ["begin", first, first, first]
    at.request(CHANCE, Undo())
    play(at, "take2")
    players.choose()
    assert seen[4:] == ["begin", *at.line.actions]
