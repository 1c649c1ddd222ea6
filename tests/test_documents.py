"""The examples in the documents run, and their links lead somewhere."""

import doctest
import re

import pytest

import parlour


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "docs/agents.md",
        "docs/errors.md",
        *(f"docs/games/{name}.md" for name in parlour.game_names()),
    ],
)
def test_every_example_runs(root, name):
    failed, tried = doctest.testfile(str(root / name), module_relative=False)
    assert failed == 0
    assert tried > 0


def test_every_relative_link_leads_to_a_file(root):
    for document in [*root.glob("*.md"), *root.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_makefile_explains_every_target(root):
    makefile = (root / "Makefile").read_text("utf-8")
    targets = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1].split()
    for target in targets:
        assert target == "help" or f'"make {target} ' in makefile
