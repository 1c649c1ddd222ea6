"""docs/conformance.md lists every message of the suite with its cure."""

import re
import sys

import pytest

import parlour.testing


@pytest.fixture
def generator(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tools"))
    import conformance_page

    yield conformance_page
    sys.modules.pop("conformance_page")


@pytest.fixture
def rows(root):
    """The messages and cures of the page."""
    text = (root / "docs" / "conformance.md").read_text("utf-8")
    found = re.findall(r"^\| `(.+?)` \| (.+) \|$", text, re.MULTILINE)
    assert len(dict(found)) == len(found)
    return dict(found)


def test_the_page_is_up_to_date(generator, root):
    written = (root / generator.PAGE).read_text("utf-8")
    assert written == generator.page(root), "run: python tools/conformance_page.py"


def test_every_module_that_raises_has_a_section(generator, root):
    raising = {
        module.stem
        for module in (root / "src" / "parlour" / "testing").glob("*.py")
        if module.stem != "promise" and [*generator.messages(module.read_text("utf-8"))]
    }
    assert raising == set(generator.SECTIONS)


def test_every_message_has_a_cure_that_is_a_sentence(rows):
    assert len(rows) > 150
    assert [cure for cure in rows.values() if not re.fullmatch(r"[A-Z].{8,}\.", cure)] == []


def test_a_raised_message_consists_of_a_row_of_the_page(rows):
    with pytest.raises(parlour.testing.ConformanceError) as caught:
        parlour.testing.check_game(
            parlour.Game(name="X", title="", seats=1, num_actions=1, max_plies=1)
        )
    message = "name must be a lower-case word such as 'cat_mouse', not …"
    assert f"{message.replace('…', repr('X'))}. {rows[message]}" in str(caught.value)


@pytest.mark.parametrize("call", ['promise(x, "no cure")', 'broken(text, cure="Do it.")'])
def test_a_message_without_a_literal_text_or_a_cure_is_an_error(generator, call):
    with pytest.raises((SystemExit, RuntimeError, StopIteration)):
        list(generator.messages(call))
