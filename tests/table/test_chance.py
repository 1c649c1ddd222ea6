"""The secret source of chance, and its proof."""

from collections import Counter

import pytest
from scouts import Scouts

from parlour import ParlourError, Record
from parlour.table import ChanceSource, Table, TableError, commitment_of, verify


def finished(source):
    table = Table(Scouts(), seed=1, chance=source)
    while not table.is_over:
        table.play(table.state.legal_actions()[0])
    return table


def test_a_finished_game_can_be_verified_with_the_revealed_key():
    table = finished(ChanceSource.secret())
    key = table.reveal()
    assert commitment_of(key) == table.commitment
    assert verify(table.record(), table.commitment, key) is None


def test_the_key_is_secret_until_the_end():
    with pytest.raises(TableError, match="secret"):
        Table(Scouts(), seed=1).reveal()


def test_another_key_is_noticed():
    table = finished(ChanceSource.secret())
    assert "not the one" in verify(table.record(), table.commitment, bytes(32))


def test_another_outcome_is_noticed():
    source = ChanceSource.from_seed(1)
    state = Scouts().start().apply(0)
    wrong = 1 - source.outcome(state, 0)
    record = Record(Scouts(), 1, [0, wrong])
    assert "action 2" in verify(record, source.commitment, source.key)


def test_tables_differ_unless_they_have_the_same_seed():
    assert ChanceSource.secret().key != ChanceSource.secret().key
    assert ChanceSource.from_seed(7).key == ChanceSource.from_seed(7).key
    assert ChanceSource.from_seed(7).key != ChanceSource.from_seed(8).key


def test_outcomes_follow_their_probabilities():
    state = Scouts().state_from_text("AAA??? turn 3 flipping 3 down 21")
    source = ChanceSource.from_seed(1)
    drawn = Counter(source.outcome(state, number) for number in range(3000))
    assert 1900 < drawn[0] < 2100


def test_a_key_has_32_bytes():
    with pytest.raises(ParlourError, match="32 bytes"):
        ChanceSource(b"short")
