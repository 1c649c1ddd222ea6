"""The screens look as they did when somebody last looked at them."""

import asyncio

import pytest
from screens import FOLDER, SCREENS, content, shoot


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_is_as_in_its_snapshot(name):
    expected = (FOLDER / f"{name}.svg").read_text("utf-8")
    assert content(asyncio.run(shoot(name))) == content(expected)


def test_there_is_no_snapshot_without_a_screen():
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(SCREENS)


def test_content_sees_text_and_colours():
    text, colours = content((FOLDER / "octa_80_dark.svg").read_text("utf-8"))
    assert any("Octa — Turn 1 of 80" in line for line in text)
    assert len(colours) > 4
