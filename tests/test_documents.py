"""The examples in the documents run, and their links lead somewhere."""

import doctest
import re
import subprocess
import sys

import pytest

import parlour
from parlour.core import options
from parlour.terminal import jsonl, line, panels


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "docs/agents.md",
        "docs/authors.md",
        "docs/conformance.md",
        "docs/contract.md",
        "docs/errors.md",
        "docs/index.md",
        "docs/observations.md",
        "docs/options.md",
        "docs/playing.md",
        "docs/programs.md",
        "docs/records.md",
        "docs/scenes.md",
        "docs/secrets.md",
        "docs/training.md",
        "docs/tutorial.md",
        *(f"docs/games/{name}.md" for name in parlour.game_names()),
    ],
)
def test_every_example_runs(root, name):
    failed, tried = doctest.testfile(str(root / name), module_relative=False)
    assert failed == 0
    assert tried > 0


@pytest.mark.parametrize(
    "cls", [parlour, parlour.Batch, parlour.Game, parlour.Observer, parlour.Record, parlour.State]
)
def test_so_does_every_example_in_a_docstring(cls):
    test = doctest.DocTestParser().get_doctest(cls.__doc__, {}, cls.__name__, None, 0)
    failed, tried = doctest.DocTestRunner().run(test)
    assert failed == 0
    assert tried > 0


def test_every_relative_link_leads_to_a_file(root):
    for document in [*root.glob("*.md"), *root.glob(".github/*.md"), *root.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_makefile_explains_every_target(root):
    makefile = (root / "Makefile").read_text("utf-8")
    targets = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1].split()
    for target in targets:
        assert target == "help" or f'"make {target} ' in makefile


PROSE = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    ".github/SECURITY.md",
    ".github/CODE_OF_CONDUCT.md",
    "docs",
]


def test_the_documents_are_spelt_right(root):
    command = [sys.executable, "-m", "codespell_lib", "--builtin", "clear,rare,names"]
    skipped = "*.json,*.svg,*.png"
    wanted = "advices"  # a name
    words = [*command, "--skip", skipped, "--ignore-words-list", wanted, *PROSE, "src", "tools"]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == ""


@pytest.mark.parametrize("cls", [parlour.Game, parlour.State])
def test_the_page_of_the_contract_has_every_method(root, cls):
    page = (root / "docs" / "contract.md").read_text("utf-8")
    names = {name for name in dir(cls) if not name.startswith("_")} - {"game"}
    methods = {name for name in names if callable(getattr(cls, name))}
    assert 10 < len(methods) <= 20, "the contract stays small: put more into heuristics or guide"
    missing = {name for name in names if not re.search(rf"`(state\.)?{name}\b", page)}
    assert missing == set()


def test_the_page_of_options_has_every_kind(root):
    page = (root / "docs" / "options.md").read_text("utf-8")
    made = [
        options.integer("a", 1, 0, 9, "a"),
        options.fraction("a", 0.5, 0, 1, "a"),
        options.flag("a", True, "a"),
        options.choice("a", "b", ("b",), "a"),
        options.text("a", "b", "a"),
    ]
    kinds = re.findall(r"^\| `(\w+)` \| `(\w+)\(", page, re.MULTILINE)
    assert kinds == [(option.kind, option.kind) for option in made]


def test_the_keys_for_players_are_those_of_the_program(root):
    page = (root / "docs" / "playing.md").read_text("utf-8")
    assert re.sub(r"\[/?b\]", "", panels.HELP) in page
    assert line.HELP in page


def test_the_page_of_json_lines_has_every_command(root):
    page = (root / "docs" / "json.md").read_text("utf-8")
    named = re.findall(r"\"command\": \"(\w+)\"", page)
    assert set(named) == set(jsonl.COMMANDS)


def test_the_program_on_the_page_of_json_lines_plays_a_game(root, tmp_path):
    page = (root / "docs" / "json.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert program.count('["parlour", ') == 1
    command = f'[{sys.executable!r}, "-m", "parlour.cli", '
    words = [sys.executable, "-c", program.replace('["parlour", ', command)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    (outcome,) = done.stdout.splitlines()  # which differs: the seed is random
    assert outcome.endswith(".")


def test_the_figures_of_the_start_page_are_those_of_the_readme(root):
    start = (root / "docs" / "index.md").read_text("utf-8")
    readme = (root / "README.md").read_text("utf-8")
    figures = re.findall(r"^\*\*([\d.,]+ ?\w*)\*\*", start, re.MULTILINE)
    assert len(figures) == 4
    for figure in figures:
        assert f" {figure} |" in readme
