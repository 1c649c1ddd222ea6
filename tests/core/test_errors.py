"""Every error of the package: a code for programs, on its class, documented and its own."""

import copy
import importlib
import pickle
import pkgutil
import re

import pytest

import parlour
from parlour import ParlourError
from parlour.core.errors import in_one_line


def subclasses(kind):
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


def every_error():
    """All that the package defines; what tests and other packages define does not count."""
    for module in pkgutil.walk_packages(parlour.__path__, "parlour."):
        importlib.import_module(module.name)
    found = {ParlourError, *subclasses(ParlourError)}
    return sorted(
        (each for each in found if each.__module__.startswith("parlour.")),
        key=lambda each: each.__qualname__,
    )


ERRORS = every_error()
EACH = pytest.mark.parametrize("error", ERRORS, ids=lambda each: each.__name__)


def documented(root):
    """Code and name of each row of the table."""
    page = (root / "docs" / "errors.md").read_text("utf-8")
    return re.findall(r"^\| `(\w+)` \| `(\w+)` \|", page, re.MULTILINE)


def test_all_error_classes_are_found():
    assert len(ERRORS) >= 18
    assert {parlour.UnknownGame, parlour.RecordError, parlour.MissingExtra} <= set(ERRORS)


@EACH
def test_every_error_class_has_a_lower_case_code(error):
    assert re.fullmatch("[a-z]+(_[a-z]+)*", error.code)
    assert "code" not in getattr(error("text"), "__dict__", {})
    assert error.code == error("text").code


@EACH
def test_an_error_keeps_text_and_code_when_pickled_and_copied(error):
    raised = error("what would be right")
    for again in (pickle.loads(pickle.dumps(raised)), copy.copy(raised), copy.deepcopy(raised)):
        assert type(again) is error
        assert (str(again), again.code) == ("what would be right", error.code)


@EACH
def test_every_error_is_a_value_error_with_a_one_line_docstring(error):
    assert issubclass(error, ValueError)
    assert in_one_line(error("one\ntwo")).endswith(f"{error.__name__}: one two")


def test_direct_subclasses_of_the_root_have_different_codes():
    codes = [error.code for error in ERRORS if error.__base__ in (ParlourError, ValueError)]
    assert len(set(codes)) == len(codes)


def test_further_subclasses_share_the_code_or_have_their_own():
    owners = {}
    for error in ERRORS:
        if "code" in vars(error):
            assert error.code not in owners, f"{error} and {owners[error.code]} share a code"
            owners[error.code] = error
    for error in ERRORS:
        assert issubclass(error, owners[error.code])


def test_the_documented_codes_are_those_of_the_errors(root):
    ours = {(error.code, error.__name__) for error in ERRORS if "code" in vars(error)}
    rows = documented(root)
    assert len(set(rows)) == len(rows)
    assert set(rows) == ours
