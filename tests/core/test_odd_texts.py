"""Texts that no file can hold and no terminal should be given."""

import pytest
from nim import Nim

import parlour
from parlour.core import options
from parlour.core.checks import printable
from parlour.table import verify

HALF = "\ud800"


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: parlour.game(HALF), parlour.UnknownGame),
        (lambda: parlour.game(f"octa:size={HALF}"), parlour.OptionError),
        (lambda: parlour.game(f"octa:{HALF}=1"), parlour.OptionError),
        (lambda: parlour.game("octa", **{HALF: 1}), parlour.OptionError),
        (lambda: options.text("name", "x", "").check(HALF), parlour.OptionError),
        (lambda: parlour.agent(HALF), parlour.AgentError),
        (lambda: parlour.agent(f"mcts:sims={HALF}"), parlour.OptionError),
        (lambda: parlour.Record.from_text(HALF), parlour.RecordError),
        (lambda: parlour.Record(Nim(), 0, (), {"who": HALF}), parlour.RecordError),
        (lambda: parlour.Record(Nim(), 0, (), {HALF: "who"}), parlour.RecordError),
        (lambda: parlour.game("octa").start().play(HALF), parlour.ActionTextError),
        (lambda: parlour.game("octa").state_from_text(HALF), parlour.StateTextError),
        (lambda: parlour.game("banqi").state_from_text(HALF), parlour.StateTextError),
        (lambda: parlour.game("blokus").state_from_text(HALF), parlour.StateTextError),
        (lambda: parlour.game("cat_mouse").state_from_text(HALF), parlour.StateTextError),
    ],
)
def test_a_lone_surrogate_raises_the_documented_error(call, error):
    with pytest.raises(error) as caught:
        call()
    str(caught.value).encode()


def test_a_lone_surrogate_in_a_note_names_its_line():
    text = parlour.Record(parlour.game("octa"), 0, (), {"who": "me"}).to_text()
    with pytest.raises(parlour.RecordError, match="line 8: a lone surrogate"):
        parlour.Record.from_text(text.replace("who me", f"who {HALF}"))


@pytest.mark.parametrize("commitment", ["é", HALF, "", "0" * 64])
def test_a_malformed_commitment_does_not_verify(commitment):
    record = parlour.Record(parlour.game("banqi"))
    assert verify(record, commitment, bytes(32)) == ("the key does not match the commitment")


def test_control_characters_are_escaped_and_words_stay():
    assert printable("Böse 帥 ½\ntwo lines") == "Böse 帥 ½\ntwo lines"
    assert printable("\x1b[2Jgone\r\x07\x9b\u202e\u2028") == (
        "\\x1b[2Jgone\\r\\x07\\x9b\\u202e\\u2028"
    )
    assert printable(HALF) == "\\ud800"
