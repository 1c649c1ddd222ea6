"""The examples in documents and docstrings run, and documents match the program."""

import ast
import doctest
import importlib
import re
import subprocess
import sys

import pytest

import parlour
from parlour import grids
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


def docstrings(source):
    """Yield (name, docstring) of a module and its public classes, functions and methods."""
    tree = ast.parse(source)
    yield "", ast.get_docstring(tree) or ""
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name, ast.get_docstring(node) or ""
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                    yield f"{node.name}.{method.name}", ast.get_docstring(method) or ""


# Docstrings are read from the sources: the compiled build drops those of methods of named tuples.
MODULES = {
    "parlour": parlour.__all__,
    "parlour._build": parlour.__all__,
    "parlour.core.batch": parlour.__all__,
    "parlour.core.errors": ["ParlourError"],
    "parlour.core.game": parlour.__all__,
    "parlour.core.guide": parlour.__all__,
    "parlour.core.heuristics": parlour.__all__,
    "parlour.core.observer": parlour.__all__,
    "parlour.core.options": parlour.options.__all__,
    "parlour.core.perft": parlour.__all__,
    "parlour.core.playouts": parlour.__all__,
    "parlour.core.record": parlour.__all__,
    "parlour.core.registry": parlour.__all__,
    "parlour.core.result": parlour.__all__,
    "parlour.core.rng": parlour.__all__,
    "parlour.core.scene": parlour.__all__,
    "parlour.grids": grids.__all__,
    "parlour.shapes": ["normalise", "mirrored", "turned"],
}


@pytest.mark.parametrize(("name", "public"), MODULES.items(), ids=MODULES)
def test_every_public_name_has_an_example_that_runs(root, name, public):
    module = importlib.import_module(name)
    path = root / "src" / name.replace(".", "/")
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    without = []
    for owner, text in docstrings(path.read_text("utf-8")):
        test = parser.get_doctest(text, dict(vars(module)), f"{name}.{owner}", str(path), 0)
        if not test.examples and owner.partition(".")[0] in public:
            without.append(owner)
        assert runner.run(test).failed == 0
    assert without == []


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
    skipped = "*.json,*.svg,*.png,words.js"  # which is German in part
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
