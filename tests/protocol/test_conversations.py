"""Recorded conversations: the client's core understands them, and the server still speaks so."""

import json
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import record  # noqa: E402
from replayed import expectation, replay  # noqa: E402

from parlour.client.conversation import Conversation, Ended, Reconnect  # noqa: E402
from parlour.core.errors import BadMessage, NotFound  # noqa: E402
from parlour.protocol.errors import WrongVersion  # noqa: E402

EXPECTED = json.loads((record.FOLDER / "expected.json").read_text("utf-8"))
EACH = pytest.mark.parametrize("scenario", record.SCENARIOS, ids=lambda each: each.__name__)


def lines_of(name):
    text = (record.FOLDER / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def shape(lines):
    """Who says what, without what is dealt."""
    told = ("t", "id", "v", "ply", "kind", "seat", "code", "status")

    def parts(message):
        return [message, message.get("standing", {}), *message.get("events", [])]

    return [
        (
            line["dir"],
            [([part.get(name) for name in told], sorted(part)) for part in parts(line["msg"])],
        )
        for line in lines
    ]


@EACH
def test_the_core_says_what_was_recorded_and_knows_what_it_must_know(scenario):
    assert expectation(lines_of(scenario.__name__)) == EXPECTED[scenario.__name__]


@EACH
def test_the_server_still_speaks_as_it_was_recorded(scenario, tmp_path):
    found, kept = record.record(scenario, tmp_path), lines_of(scenario.__name__)
    if scenario.__name__ in record.VARYING:
        assert shape(found) == shape(kept)
    else:
        assert found == kept


@EACH
def test_every_message_twice_changes_nothing(scenario):
    lines = lines_of(scenario.__name__)
    doubled = [line for line in lines for _ in range(2 if line["dir"] == "S" else 1)]
    wanted = expectation(lines)
    # What is said is no event: nothing tells it from the same words said again.
    for name in ("said", "talk"):
        wanted[name] = None
    assert {**expectation(doubled), "said": None, "talk": None} == wanted


def test_a_missing_version_asks_for_a_new_connection():
    lines = lines_of("whole_game")
    talk, _ = replay(lines[:2])
    events = [line["msg"] for line in lines if line["msg"]["t"] == "update"]
    assert isinstance(talk.receive(json.dumps(events[1]))[0], Reconnect)
    assert talk.receive(json.dumps(events[0])) == []
    talk.connected()
    assert json.loads(talk.outgoing[0])["v"] == lines[1]["msg"]["standing"]["v"]


def test_what_nobody_knows_is_ignored_and_what_cannot_be_read_ends_it():
    talk, _ = replay(lines_of("whole_game")[:2])
    assert talk.receive('{"t": "fireworks", "colour": "red"}') == []
    (ended,) = talk.receive("nonsense")
    assert isinstance(ended.error, BadMessage)


def test_a_refused_hello_ends_it_unless_it_may_be_granted_later():
    talk = Conversation("nosuch")
    talk.connected()
    (reconnect,) = talk.receive(
        '{"t": "error", "code": "closing", "message": "soon", "retry_after": 3}'
    )
    assert reconnect == Reconnect("soon", 3)
    talk.connected()
    (ended,) = talk.receive('{"t": "error", "code": "not_found", "message": "no such table"}')
    assert isinstance(ended, Ended)
    assert isinstance(ended.error, NotFound)


def test_a_server_of_another_version_ends_it_and_says_what_to_update():
    welcome = lines_of("whole_game")[1]["msg"]
    for version, older in ((0, "server"), (2, "client")):
        talk = Conversation("table-1")
        talk.connected()
        (ended,) = talk.receive(json.dumps({**welcome, "protocol": version}))
        assert isinstance(ended.error, WrongVersion)
        assert f"update the {older}" in str(ended.error)
        assert talk.view is None


def test_a_scene_that_cannot_be_asks_for_a_new_connection():
    lines = lines_of("whole_game")
    talk, _ = replay(lines[:2])
    event = next(line["msg"] for line in lines if line["msg"]["t"] == "update")
    event["diff"]["cells"] = [[0, 99]]
    assert isinstance(talk.receive(json.dumps(event))[0], Reconnect)
    assert talk.view.v == lines[1]["msg"]["standing"]["v"]
