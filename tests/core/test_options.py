"""Options: declared once, checked at one door."""

from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour import OptionError
from parlour.core.options import check_options, choice, find_option, flag, fraction, integer

SIZE = integer("size", 4, 1, 20, "how large")
LIMIT = integer("limit", None, 1, 99, "how long")
SHARE = fraction("share", 0.5, 0, 1, "how much")
RULES = choice("rules", "house", ("house", "club"), "which")
QUICK = flag("quick", False, "whether")
ALL = (SIZE, LIMIT, SHARE, RULES, QUICK)

RIGHT = [
    (SIZE, 1, "1"),
    (SIZE, 20, "20"),
    (LIMIT, None, "auto"),
    (LIMIT, 5, "5"),
    (SHARE, 0.25, "0.25"),
    (RULES, "club", "club"),
    (QUICK, True, "true"),
    (QUICK, False, "false"),
]


@pytest.mark.parametrize(("option", "value", "text"), RIGHT)
def test_an_allowed_value_passes_and_its_text_round_trips(option, value, text):
    assert option.check(value) == value
    assert option.to_text(value) == text
    assert option.from_text(text) == value


@pytest.mark.parametrize(
    ("option", "value", "right"),
    [
        (SIZE, 0, "an int from 1 to 20"),
        (SIZE, 21, "an int from 1 to 20"),
        (SIZE, "4", "an int from 1 to 20"),
        (SIZE, 4.0, "an int from 1 to 20"),
        (SIZE, True, "an int from 1 to 20"),
        (SIZE, None, "an int from 1 to 20"),
        (LIMIT, 100, "an int from 1 to 99, or auto"),
        (SHARE, 0, "a number between 0 and 1"),
        (SHARE, 1.0, "a number between 0 and 1"),
        (SHARE, float("nan"), "a number between 0 and 1"),
        (SHARE, True, "a number between 0 and 1"),
        (RULES, "House", "one of house, club"),
        (RULES, 1, "one of house, club"),
        (QUICK, 1, "true or false"),
        (QUICK, "true", "true or false"),
    ],
)
def test_a_wrong_value_says_what_would_be_right(option, value, right):
    with pytest.raises(OptionError) as caught:
        option.check(value)
    assert str(caught.value) == f"{option.name} must be {right}, not {value!r}"


@pytest.mark.parametrize(
    ("option", "text"), [(SIZE, "x"), (SIZE, "1.5"), (SIZE, "auto"), (SHARE, "a"), (QUICK, "yes")]
)
def test_a_wrong_text_is_an_option_error(option, text):
    with pytest.raises(OptionError, match=f"{option.name} must be"):
        option.from_text(text)


def test_missing_options_have_their_defaults():
    assert check_options("demo", ALL, {"size": 7}) == {
        "size": 7,
        "limit": None,
        "share": 0.5,
        "rules": "house",
        "quick": False,
    }


def test_an_unknown_option_names_the_nearest_and_all():
    with pytest.raises(OptionError) as caught:
        check_options("demo", ALL, {"siz": 7})
    assert str(caught.value) == (
        "demo has no option 'siz' (did you mean 'size'?); "
        "its options are size, limit, share, rules, quick"
    )


def test_a_game_without_options_says_so():
    with pytest.raises(OptionError, match="it has no options"):
        find_option("demo", (), "size")


@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_every_fraction_round_trips_through_its_text(share):
    assert SHARE.from_text(SHARE.to_text(share)) == share


class Word(str, Enum):  # noqa: UP042 (its str() is not its value)
    CLUB = "club"


class Number(int):
    def __str__(self):
        return "seven"

    __repr__ = __str__


class Real(float):
    def __lt__(self, other):
        return NotImplemented


def test_a_value_of_a_subclass_becomes_a_plain_one():
    assert type(RULES.check(Word.CLUB)) is str
    assert RULES.check(Word.CLUB) == "club"
    assert repr(SIZE.check(Number(7))) == "7"
    assert type(SHARE.check(Real(0.5))) is float


@pytest.mark.parametrize("option", [SIZE, SHARE, LIMIT])
def test_a_number_with_thousands_of_digits_is_refused_in_a_short_message(option):
    with pytest.raises(OptionError) as caught:
        option.check(10**5000)
    assert len(str(caught.value)) < 200
