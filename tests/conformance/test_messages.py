"""docs/conformance.md has every message that the suite can raise, with its cure."""

import ast
import re

import pytest

import parlour.testing

RAISING = {"promise": 1, "broken": 0, "ConformanceError": 0}
"""What raises, and which of its arguments is the message."""


def template(node):
    """A message with … for what is filled in; `None` for one that is put together elsewhere."""
    if isinstance(node, ast.Constant):
        return node.value.replace("{{}}", "…").replace("{}", "…")
    if isinstance(node, ast.JoinedStr):
        parts = [template(part) if isinstance(part, ast.Constant) else "…" for part in node.values]
        return "".join(parts)
    return None


def messages(source):
    for node in ast.walk(ast.parse(source)):
        name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
        if name in RAISING and (found := template(node.args[RAISING[name]])):
            yield " ".join(found.split())


@pytest.fixture
def suite(root):
    """Every message of the suite."""
    folder = root / "src" / "parlour" / "testing"
    found = set()
    for module in folder.glob("*.py"):
        if module.stem != "promise":  # which only fills them in
            found.update(messages(module.read_text("utf-8")))
    assert len(found) > 150
    return found


@pytest.fixture
def page(root):
    """The rows of the page: message and cure."""
    text = (root / "docs" / "conformance.md").read_text("utf-8")
    rows = re.findall(r"^\| `(.+?)` \| (.+) \|$", text, re.MULTILINE)
    assert len(dict(rows)) == len(rows)
    return dict(rows)


def test_every_message_is_on_the_page_with_a_cure(suite, page):
    missing = [f"| `{message}` | ... |" for message in sorted(suite - set(page))]
    assert missing == []
    assert all(len(cure) >= 9 for cure in page.values())


def test_the_page_has_no_message_that_is_gone(suite, page):
    assert set(page) - suite == set()


def test_a_message_that_was_raised_is_found_there(page):
    with pytest.raises(parlour.testing.ConformanceError) as caught:
        parlour.testing.check_game(
            parlour.Game(name="X", title="", seats=1, num_actions=1, max_plies=1)
        )
    assert "name is a lower-case word such as 'cat_mouse', not 'X'" in str(caught.value)
    assert "name is a lower-case word such as 'cat_mouse', not …" in page
