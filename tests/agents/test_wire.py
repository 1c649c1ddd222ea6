"""The protocol between a program and its agents' processes."""

import json
import os
import pickle

import pytest
from nim import Nim

from parlour.agents import AgentFault, Analysis, Choice, wire
from parlour.agents.process import AgentProcess


@pytest.fixture(scope="module")
def process():
    made = AgentProcess()
    yield made
    made.stop()


@pytest.fixture
def pipe():
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


@pytest.mark.parametrize("what", ["pickle", "bare", "huge", "short", "junk"])
def test_a_forged_answer_is_a_fault_and_runs_no_code(what, process, tmp_path):
    marker = tmp_path / "marker"
    with pytest.raises(AgentFault, match=r"crashed: its process (sent|ended)"):
        process.agent(f"odd_agents:Forger:what={what},path={marker}").choose(Nim().start())
    assert not marker.exists()
    assert process.agent("random").choose(Nim().start()) in (0, 1, 2)


def test_the_forged_pickle_leaves_a_file_if_unpickled(tmp_path):
    import odd_agents

    pickle.loads(pickle.dumps(odd_agents.Evil(str(tmp_path / "marker")))).close()
    assert (tmp_path / "marker").exists()


def test_frames_round_trip(pipe):
    for data in (b"", b"x", b"y" * 1000):
        wire.write_frame(pipe[1], data)
        assert wire.read_frame(pipe[0], 1000) == data


def test_a_frame_that_is_too_large_is_not_read(pipe):
    wire.write_frame(pipe[1], b"x" * 1001)
    with pytest.raises(wire.BadFrame, match="1001 bytes at once; the limit is 1000"):
        wire.read_frame(pipe[0], 1000)


def test_reading_from_a_dead_process_ends_even_if_the_pipe_is_open(pipe):
    wire.write_frame(pipe[1], b"last words")
    assert wire.read_frame(pipe[0], 1000, lambda: False) == b"last words"
    with pytest.raises(EOFError):
        wire.read_frame(pipe[0], 1000, lambda: False)
    with pytest.raises(TimeoutError):
        wire.read_frame(pipe[0], 1000, seconds=0)


def test_a_question_that_cannot_be_pickled_is_a_bad_frame(monkeypatch):
    with pytest.raises(wire.BadFrame, match="cannot be sent to another process"):
        wire.question_to_bytes(wire.Question(1, "random", wire.CHOOSE, (lambda: 0,)))
    monkeypatch.setattr(wire, "LARGEST_QUESTION", 1000)
    with pytest.raises(wire.BadFrame, match="too large"):
        wire.question_to_bytes(wire.Question(1, "random", wire.CHOOSE, ("x" * 1000,)))


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff\xfe",
        pickle.dumps({"value": [1, None]}),
        b'{"value": 1}',
        b'{"value": [1]}',
        b'{"value": [1, null, 2]}',
        b'{"value": [true, null]}',
        b'{"value": ["1", null]}',
        b'{"value": [1.5, null]}',
        b'{"value": [1, NaN]}',
        b'{"value": [1, 1e999]}',
        b'{"value": [1, "x"]}',
        b'{"value": [%d, null]}' % 2**63,
        b'{"value": [%s, null]}' % (b"9" * 10_000),
        b'{"value": %s}' % (b"[" * 100_000),
        b'{"error": 1, "code": "x"}',
        b'{"error": "x"}',
        b'{"error": "x", "code": 3}',
    ],
)
def test_an_invalid_answer_is_a_bad_frame(answer):
    with pytest.raises(wire.BadFrame, match="sent an invalid answer"):
        wire.answer_from_bytes(answer, wire.choice_from_data)


def test_choices_errors_and_analyses_round_trip():
    def back(data, read):
        return wire.answer_from_bytes(wire.answer_to_bytes(data), read)

    assert back(wire.choice_to_data(3, 0.5), wire.choice_from_data) == (3, 0.5)
    assert back(wire.choice_to_data(3, float("nan")), wire.choice_from_data) == (3, None)
    assert back(wire.choice_to_data(3, "good"), wire.choice_from_data) == (3, None)
    analysis = Analysis((Choice(1, "b", 0.5, 2, 3, ("b", "a"), ends_in=4),), 10, 0.25)
    assert back(wire.analysis_to_data(analysis), wire.analysis_from_data) == analysis
    failure = wire.answer_from_bytes(wire.error_to_bytes("why", "agent_fault"), wire.nothing)
    assert failure == wire.Failure("why", "agent_fault")


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[0].clear(),
        lambda data: data[0][0].append(1),
        lambda data: data[0][0].__setitem__(5, "line"),
        lambda data: data[0][0].__setitem__(6, "about"),
        lambda data: data.__setitem__(1, None),
    ],
)
def test_an_incomplete_analysis_is_refused(change):
    data = wire.analysis_to_data(Analysis((Choice(1, "b", 0.5, 2, 3, ("b",)),), 10, 0.25))
    change(data)
    with pytest.raises(wire.BadFrame):
        wire.answer_from_bytes(json.dumps({"value": data}).encode(), wire.analysis_from_data)


def test_texts_of_a_process_are_truncated_without_control_characters():
    answer = wire.error_to_bytes("\x1b[2Jx" * 10_000, "agent_fault")
    failure = wire.answer_from_bytes(answer, wire.nothing)
    assert failure.message.isprintable()
    assert len(failure.message) < 10_000
