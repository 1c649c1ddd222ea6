"""A short run of the fuzzer, with fixed seeds; `make fuzz` runs it for longer."""

import sys
from pathlib import Path

import pytest

import parlour

sys.path.insert(0, str(Path(__file__).parent))

from doors import DOORS, knock

INPUTS = 150 if parlour.build_info().compiled else 40


@pytest.mark.parametrize("name", DOORS)
def test_a_stranger_gets_an_answer_or_an_error_of_ours(name):
    for number in range(INPUTS):
        knock(name, 7, number)
