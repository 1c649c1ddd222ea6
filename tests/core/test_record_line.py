"""Records that keep their states: they grow, are cut and written without playing anything again."""

import pytest
from dice import Dice
from goofspiel import Goofspiel
from kuhn import Kuhn
from nim import Nim, NimState

import parlour
from parlour import Record, RecordError
from parlour.core.record import Line

NIM = Nim(heap=6)


@pytest.fixture(autouse=True)
def _examples(_registry):
    for game in (Nim, Dice, Kuhn, Goofspiel):
        parlour.register(game().name, game)


class CountingState(NimState):
    """Counts how often any state is advanced by an action."""

    applied = 0

    def apply(self, action):
        CountingState.applied += 1
        after = super().apply(action)
        return CountingState(self.game, after.heap, after.seat)


@pytest.fixture
def line():
    """A line of play, after which nothing was applied."""
    states = [CountingState(NIM, 6, 0)]
    for action in (0, 1, 2):
        states.append(states[-1].apply(action))
    CountingState.applied = 0
    return Line((0, 1, 2), tuple(states))


def test_making_a_record_from_a_line_and_writing_it_plays_nothing(line):
    record = Record(NIM, 3, line, {"who": "somebody"})
    text = record.to_text()
    assert CountingState.applied == 0
    assert record.states is line.states
    assert Record.from_text(text) == record == Record(NIM, 3, [0, 1, 2])


def test_growing_cutting_noting_and_looking_play_nothing(line):
    record = Record(NIM, 3, Line(line.actions[:1], line.states[:2]))
    grown = record.grown(line.actions[1:], line.states[2:])
    assert grown == Record(NIM, 3, [0, 1, 2])
    assert grown.final is line.states[3]
    assert grown.cut(2).states == line.states[:3]
    assert grown.with_notes({"a": "b"}).states is grown.states
    assert grown.state_at(1) is line.states[1]
    assert (hash(grown), repr(grown)) == (hash(Record(NIM, 3, [0, 1, 2])), repr(grown))
    assert CountingState.applied == 0


def test_checked_actions_are_applied_once_each(line):
    game = type("Counted", (Nim,), {"start": lambda self, seed=0: CountingState(self, 6, 0)})(
        heap=6
    )
    record = Record(game, 0, [0, 1, 2])
    assert CountingState.applied == 3
    record.to_text()
    assert CountingState.applied == 3


def test_a_record_grows_by_what_is_added_and_stays_what_it_was():
    record = Record(NIM, 3, [0])
    after = record.final.play(2)
    grown = record.grown([2], [after])
    assert grown.actions == (0, 2)
    assert grown.states == (*record.states, after)
    assert record == Record(NIM, 3, [0])
    assert Record(NIM, 3).grown([], []) == Record(NIM, 3)


def test_a_record_is_cut_to_its_first_actions():
    record = Record(NIM, 3, [0, 1, 2], {"who": "somebody"})
    for count in range(4):
        cut = record.cut(count)
        assert cut == Record(NIM, 3, [0, 1, 2][:count])
        assert len(cut.states) == count + 1
        assert cut.final == record.state_at(count)


@pytest.mark.parametrize("number", [-1, 4, 99])
def test_positions_beyond_the_end_are_refused(number):
    record = Record(NIM, 3, [0, 1, 2])
    for ask in (record.state_at, record.cut):
        with pytest.raises(RecordError, match=rf"positions 0 \(the start\) to 3, not {number}"):
            ask(number)


def test_notes_stay_with_the_record_that_has_them():
    noted = Record(NIM, 3, [0], {"who": "somebody"})
    assert dict(noted.with_notes({"when": "today"}).notes) == {"when": "today"}
    assert dict(noted.notes) == {"who": "somebody"}
    assert dict(noted.cut(1).notes) == dict(noted.grown([], []).notes) == {}
    with pytest.raises(RecordError, match="a note must be a word and one line"):
        noted.with_notes({"two words": "x"})


KUHN, GOOFSPIEL = Kuhn(), Goofspiel(cards=3)


@pytest.mark.parametrize(
    ("game", "actions", "lines"),
    [
        (GOOFSPIEL, [2], ["1. =3"]),
        (GOOFSPIEL, [2, 0, 1, 0, 2, 0, 1], ["1. =3", "2. 1", "3. 2=1", "4. 3", "5. 1=2"]),
        (KUHN, [2], ["1. =K"]),
        (KUHN, [2, 0], ["1. =K=J"]),
        (KUHN, [2, 0, 1], ["1. =K=J", "2. bet"]),
        (KUHN, [2, 0, 0, 1, 0], ["1. =K=J", "2. pass", "3. bet", "4. pass"]),
        (Dice(), [1, 4, 1, 1], ["1. roll=4", "2. roll=1"]),
    ],
    ids=lambda value: value.name if isinstance(value, parlour.Game) else None,
)
def test_outcomes_before_the_first_decision_have_a_separate_line(game, actions, lines):
    record = Record(game, 0, actions)
    text = record.to_text()
    written = [line for line in text.splitlines() if line[0].isdigit()]
    assert written == lines
    again = Record.from_text(text)
    assert again == record
    assert again.states == record.states
    assert again.to_text() == text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1. K=J", "'K' is not an action"),
        ("1. =K=K", "'=K' is not an action"),
        ("1. =K=J=Q", "'=Q' is not an action"),
        ("1. =K=Jbet", "'=Jbet' is not an action"),
        ("1. =", "'=' is not an action"),
    ],
)
def test_impossible_outcomes_are_refused_with_their_line(line, message):
    text = Record(KUHN, 0, [2, 0]).to_text().replace("1. =K=J", line)
    with pytest.raises(RecordError, match=f"line 4: {message}"):
        Record.from_text(text)
