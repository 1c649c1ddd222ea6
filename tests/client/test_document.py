"""The examples in the page on clients run against a real server."""

import doctest


def test_every_example_runs(root, server):
    text = (root / "docs" / "clients.md").read_text("utf-8")
    text = text.replace("http://127.0.0.1:8000", server.url)
    examples = doctest.DocTestParser().get_doctest(text, {}, "clients.md", "clients.md", 0)
    found = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(examples)
    assert found.attempted > 15
    assert found.failed == 0
