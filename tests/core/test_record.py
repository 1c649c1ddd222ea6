"""Records: short text that a person can read, and where no damage goes unnoticed."""

import pickle

import pytest
from dice import Dice
from hypothesis import given
from hypothesis import strategies as st
from nim import Nim

import parlour
from parlour import Record, RecordError, Rng

OCTA = parlour.game("octa", size=1, turn_limit=3)


def octa_record():
    state, actions = OCTA.start(7), []
    rng = Rng(2)
    for _ in range(3):
        actions.append(state.sample(rng))
        state = state.play(actions[-1])
    return Record(OCTA, 7, actions)


@pytest.fixture(autouse=True)
def _examples(_registry):
    parlour.register("nim", Nim)
    parlour.register("dice", Dice)


def test_the_text_is_what_the_docstring_promises():
    record = octa_record()
    lines = record.to_text().splitlines()
    assert lines[:7] == [
        "parlour record 1",
        "game octa",
        "option size 1",
        "option win_condition turn-limit-majority",
        "option turn_limit 3",
        "option stop_on_enemy false",
        "seed 7",
    ]
    assert [line.split(". ")[0] for line in lines[7:10]] == ["1", "2", "3"]
    assert lines[10].startswith("result ")
    assert lines[11].startswith("check ")
    assert len(lines) == 12


def test_a_record_round_trips():
    record = octa_record()
    assert Record.from_text(record.to_text()) == record
    assert hash(Record.from_text(record.to_text())) == hash(record)
    assert pickle.loads(pickle.dumps(record)) == record


def test_line_endings_and_space_around_do_not_matter():
    text = octa_record().to_text()
    assert Record.from_text("\n" + text.replace("\n", " \r\n") + "\n\n") == octa_record()


def test_an_unfinished_game_says_so():
    record = Record(OCTA, 7, octa_record().actions[:1])
    assert "result unfinished" in record.to_text()
    assert Record.from_text(record.to_text()) == record
    assert Record(OCTA, 7).to_text().splitlines()[7] == "result unfinished"


def test_the_outcomes_of_chance_are_joined_to_the_decision():
    record = Record(Dice(), 0, [1, 4, 0, 1])
    assert record.to_text().splitlines()[4:7] == ["1. roll=4", "2. walk", "3. roll"]
    assert Record.from_text(record.to_text()) == record


def test_states_gives_the_start_and_every_state_after():
    record = octa_record()
    states = list(record.states)
    assert len(states) == 4
    assert states[0] == OCTA.start(7)
    assert states[-1] == record.final


def test_an_action_of_another_type_is_a_record_error():
    for action in (True, 2.0, "2", None, 10**5000):
        with pytest.raises(RecordError, match="action 1"):
            Record(OCTA, 7, [action])
    with pytest.raises(TypeError):
        Record(OCTA, True)


def test_an_integer_of_another_library_is_kept_as_an_int():
    class Integer:
        def __index__(self):
            return 2

    assert Record(OCTA, 7, [Integer()]) == Record(OCTA, 7, [2])
    assert type(Record(OCTA, 7, [Integer()]).actions[0]) is int


def test_a_record_cannot_be_changed():
    if parlour.build_info().compiled:
        with pytest.raises(AttributeError):
            octa_record().seed = 5


def test_a_failing_start_is_a_record_error():
    text = Record(parlour.game("cat_mouse"), 1).to_text()
    with pytest.raises(RecordError, match="line 5: found no start that can be won"):
        Record.from_text(text.replace("density auto", "density 0.9999"))


def test_an_illegal_action_names_itself():
    with pytest.raises(RecordError, match=r"action 1 \(99\) is not legal: an action is an id"):
        Record(OCTA, 7, [99])


@given(st.integers(0, 400))
def test_a_text_cut_anywhere_is_a_record_error(cut):
    text = octa_record().to_text().rstrip("\n")
    with pytest.raises(RecordError):
        Record.from_text(text[: cut % len(text)])


@given(st.integers(0, 10_000), st.sampled_from("0123456789abz -,.#\n"))
def test_a_text_with_one_character_changed_is_a_record_error_or_the_same(where, char):
    record = octa_record()
    text = record.to_text()
    where %= len(text)
    edited = text[:where] + char + text[where + 1 :]
    try:
        again = Record.from_text(edited)
    except RecordError as error:
        assert str(error).startswith("line ")
    else:
        assert again == record


def damaged(change):
    return "\n".join(change(octa_record().to_text().splitlines()))


def replace(number, line):
    return lambda lines: [*lines[: number - 1], line, *lines[number:]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (replace(1, "chess record"), "line 1: a record must begin with 'parlour record 1'"),
        (replace(2, "gam octa"), "line 2: expected 'game NAME', not 'gam octa'"),
        (
            replace(2, "game otca"),
            "line 2: there is no game 'otca' (did you mean 'octa'?)",
        ),
        (replace(3, "option size 0"), "line 3: size must be an int from 1 to 20, not 0"),
        (replace(3, "option siez 1"), "line 3: octa has no option 'siez'"),
        (replace(7, "seed x"), "line 7: a seed must be an integer of up to 20 digits, not 'x'"),
        (replace(7, "seed ١"), "line 7: a seed must be an integer"),
        (replace(7, "seed " + "9" * 5000), "line 7: a seed must be an integer"),
        (replace(4, "option size 1"), "line 4: option size is given twice"),
        (replace(8, "1. here"), "line 8: 'here' is not a cell: write x,y"),
        (replace(8, "1. 5,5"), "line 8: 5,5 is off the board"),
        (replace(8, "1. 0,0"), "line 8: 0,0 is not legal: that cell is neutral"),
        (replace(8, "2. 1,1"), "line 8: expected '1.' and one action, not '2. 1,1'"),
        (replace(8, "1. 1,1 1,1"), "line 8: expected '1.' and one action"),
        (replace(11, "result 1 -1 majority"), "line 11: the result of these actions is"),
        (replace(12, "check 00000000"), "line 12: the check of the lines above is"),
        (lambda lines: lines[:9], "line 10: the record stops here; expected 'result ...'"),
        (lambda lines: lines[:-1], "line 12: the record stops here; expected 'check ...'"),
        (lambda lines: [*lines, "more"], "line 13: the check line must be the last"),
        (lambda lines: [], "line 1: a record must begin with"),
    ],
)
def test_each_damage_names_its_line_and_what_would_be_right(change, message):
    with pytest.raises(RecordError) as caught:
        Record.from_text(damaged(change))
    assert message in str(caught.value)


def test_an_edit_to_another_legal_action_shows_in_the_check():
    record = octa_record()
    start = OCTA.start(7)
    other = next(a for a in start.legal_actions() if a != record.actions[0])
    text = Record(OCTA, 7, record.actions[:1]).to_text()
    old, new = (f"1. {OCTA.action_to_text(start, a)}\n" for a in (record.actions[0], other))
    with pytest.raises(RecordError, match="one of them was changed"):
        Record.from_text(text.replace(old, new))


@pytest.mark.parametrize("text", [None, 3, b"parlour record 1"])
def test_a_record_text_must_be_a_str(text):
    with pytest.raises(RecordError, match="a record's text must be a str"):
        Record.from_text(text)


def test_notes_are_stored_and_checked_but_ignored_by_equality():
    game = parlour.game("octa", size=1)
    plain = Record(game, 8, [2])
    noted = Record(game, 8, [2], {"seats": "person level:3", "empty": ""})
    assert noted == plain
    assert "seed 8\nnote seats person level:3\nnote empty" in noted.to_text()
    again = Record.from_text(noted.to_text())
    assert again.notes == noted.notes
    assert again.to_text() == noted.to_text()
    assert pickle.loads(pickle.dumps(noted)).notes == noted.notes
    with pytest.raises(RecordError, match="check"):
        Record.from_text(noted.to_text().replace("level:3", "level:4"))


@pytest.mark.parametrize("note", [("a b", "x"), ("", "x"), ("a", "x\ny"), ("a", " x")])
def test_a_note_is_a_word_and_one_line(note):
    with pytest.raises(RecordError, match="a note must be a word and one line"):
        Record(parlour.game("octa"), notes=dict([note]))


def test_positions_are_counted_from_the_start_and_others_do_not_exist():
    record = octa_record()
    assert [record.state_at(number) for number in range(4)] == list(record.states)
    for number in (-1, 4):
        with pytest.raises(RecordError, match=rf"0 \(the start\) to 3, not {number}"):
            record.state_at(number)


def test_a_record_equals_only_records_and_shows_its_parts():
    record = octa_record()
    assert record != record.to_text()
    assert repr(record) == f"Record({record.game!r}, seed=7, actions={record.actions})"
