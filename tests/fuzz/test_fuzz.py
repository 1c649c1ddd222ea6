"""A short run of the fuzzer with fixed seeds; `make fuzz` runs it for longer."""

import sys
from pathlib import Path

import pytest

import parlour

sys.path.insert(0, str(Path(__file__).parent))

from fuzzer import TARGETS, run_target

INPUTS = 150 if parlour.build_info().compiled else 40


@pytest.mark.parametrize("name", TARGETS)
def test_every_input_gives_a_result_or_a_parlour_error(name):
    for number in range(INPUTS):
        run_target(name, 7, number)
