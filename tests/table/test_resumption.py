"""What a record gives back to a table: its events, notes and intermediate scenes."""

from dataclasses import replace

import pytest
from dice import Dice

import parlour
from parlour import CHANCE, Record, RecordError
from parlour.table import Notes, Play, Table
from parlour.table.events import EventKind
from parlour.table.live import steps_to
from parlour.table.local import LocalGame
from parlour.table.resumption import log_of, seats_to_resume

ROLLED = [1, 4, 0, 1, 6]


@pytest.fixture
def record():
    parlour.register("dice", Dice)
    return Record(Dice(), actions=ROLLED)


def test_the_log_of_a_record_tells_chance_from_plays(record):
    log = log_of(record, (), before=3)
    assert [event.number for event in log] == [4, 5, 6, 7, 8]
    assert [event.action for event in log] == ROLLED
    chance = [state.actor == CHANCE for state in record.states[:-1]]
    assert chance == [False, True, False, False, True]
    assert [event.kind == EventKind.CHANCE for event in log] == chance
    assert all(event.kind in (EventKind.PLAY, EventKind.CHANCE) for event in log)


def test_notes_keep_the_nonce_of_every_seat(record):
    notes = Notes(("person", "person"), nonces=("swordfish", "herring"))
    assert Notes.of(record.with_notes(notes.to_lines())).nonces == ("swordfish", "herring")


def test_an_agent_that_is_not_installed_is_named_with_its_seat(record):
    notes = Notes(("person", "nobodys:Agent"))
    with pytest.raises(RecordError, match=r"^seat 2 was played by .* add --seat 2=AGENT$"):
        seats_to_resume(notes, {})


def test_a_local_game_says_why_it_ended():
    local = LocalGame(Table(Dice(turns=1), seed=1))
    assert local.ending_reason is None
    local.send(Play("walk"))
    assert local.ending_reason == local.table.state.result().reason


def test_only_plays_have_intermediate_scenes():
    local = LocalGame(Table(parlour.game("octa", size=2), seed=3))
    (played,) = local.send(Play(local.table.state.legal_actions()[0]))
    states = local.table.line.states
    assert steps_to(states, played, None) == states[0].game.frames(states[0], played.action)[:-1]
    assert steps_to(states[:1], played, None) == []
    assert steps_to(states, replace(played, kind=EventKind.CHANCE), None) == []
    assert steps_to(states, replace(played, action=None), None) == []
