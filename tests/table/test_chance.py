"""The secret source of chance, and its verification."""

import hashlib
import hmac
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


def test_a_wrong_key_is_detected():
    table = finished(ChanceSource.secret())
    assert "does not match the commitment" in verify(table.record(), table.commitment, bytes(32))


def test_a_changed_outcome_is_detected():
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
    state = Scouts().state_from_text("turn 3 flipping 3 down 21\nAAA/???")
    source = ChanceSource.from_seed(1)
    drawn = Counter(source.outcome(state, number) for number in range(3000))
    assert 1900 < drawn[0] < 2100


def test_the_setup_seed_follows_from_the_key_and_the_nonces():
    key = bytes(range(32))
    plain = hmac.digest(key, b"setup", "sha256")
    assert ChanceSource(key).setup_seed() == int.from_bytes(plain[:4], "big")
    salt = hashlib.sha256(b"\0\0\0\0\0\0\0\x05lucky").digest()
    salted = hmac.digest(key, b"setup" + salt, "sha256")
    assert ChanceSource(key, ["lucky"]).setup_seed() == int.from_bytes(salted[:4], "big")


def test_a_key_must_have_32_bytes():
    with pytest.raises(ParlourError, match="32 bytes"):
        ChanceSource(b"short")


class TestNonces:
    def test_without_nonces_the_draw_depends_on_key_and_number(self):
        state = Scouts().state_from_text("turn 3 flipping 3 down 21\nAAA/???")
        key = bytes(range(32))
        plain = [ChanceSource(key).outcome(state, number) for number in range(40)]
        assert [ChanceSource(key, ("", "")).outcome(state, n) for n in range(40)] == plain
        digests = [hmac.digest(key, b"%d" % n, "sha256") for n in range(40)]
        points = [(int.from_bytes(digest[:8], "big") >> 11) / 2**53 for digest in digests]
        assert plain == [0 if point < 2 / 3 else 1 for point in points]

    def test_with_nonces_the_draw_depends_on_key_number_and_all_nonces(self):
        state = Scouts().state_from_text("turn 3 flipping 3 down 21\nAAA/???")
        key, nonces = bytes(range(32)), ("swordfish", "é")
        parts = b"".join(
            len(each).to_bytes(8, "big") + each for each in (b"swordfish", b"\xc3\xa9")
        )
        salt = hashlib.sha256(parts).digest()
        for number in range(40):
            digest = hmac.digest(key, b"%d" % number + salt, "sha256")
            point = (int.from_bytes(digest[:8], "big") >> 11) / 2**53
            assert ChanceSource(key, nonces).outcome(state, number) == (0 if point < 2 / 3 else 1)

    def test_moving_letters_between_nonces_changes_the_draws(self):
        state = Scouts().state_from_text("turn 3 flipping 3 down 21\nAAA/???")

        def drawn(*nonces):
            return [ChanceSource(bytes(32), nonces).outcome(state, n) for n in range(200)]

        assert len({tuple(drawn(*each)) for each in (("ab", "c"), ("a", "bc"), ("", "abc"))}) == 3

    def test_verification_needs_the_nonces(self):
        table = finished(ChanceSource.from_seed(3, ("one", "two")))
        record, key = table.record(), table.reveal()
        assert verify(record, table.commitment, key, ("one", "two")) is None
        assert "but the key draws" in verify(record, table.commitment, key)

    @pytest.mark.parametrize("nonce", ["a\nb", " a", "x" * 201, "\x1b[2J"])
    def test_a_nonce_must_be_one_printable_line(self, nonce):
        with pytest.raises(ParlourError, match="a nonce must be one line"):
            ChanceSource(bytes(32), (nonce,))
        assert ChanceSource(bytes(32), ("x" * 200,)).nonces == ("x" * 200,)


@pytest.mark.parametrize("commitment", ["é", "", "\udcff", "0" * 5000])
def test_a_commitment_of_any_text_can_be_compared(commitment):
    table = finished(ChanceSource.secret())
    assert "does not match the commitment" in verify(table.record(), commitment, table.reveal())
