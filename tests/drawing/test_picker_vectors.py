"""The picker against the vectors that it shares with the page."""

import json
import sys
from pathlib import Path

import msgspec
import pytest

from parlour.drawing.picker import Picker
from parlour.protocol.messages import WireScene
from parlour.protocol.scenes import SceneReceiver

sys.path.insert(0, str(Path(__file__).parent))

from picker_vectors import FILE, answer

VECTORS = json.loads(FILE.read_text("utf-8"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["game"])
def test_the_picker_matches_the_reference_vectors(vector):
    wire = msgspec.convert(vector["scene"], WireScene)
    scene = SceneReceiver().take(wire, msgspec.UNSET)
    picker = Picker(scene, lambda cells, group: "")
    for name, argument, expected in vector["steps"]:
        assert answer(picker, name, argument) == expected, (name, argument)
