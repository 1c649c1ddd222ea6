"""The examples in documents and docstrings run, and documents match the program."""

import ast
import doctest
import importlib
import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import click
import pytest
from parlour_here import run_here

import parlour
import parlour.agents
import parlour.envs
from parlour import grids
from parlour.commands import group
from parlour.core import options
from parlour.terminal import jsonl, keys

ROOT = Path(__file__).parent.parent
ELSEWHERE = {
    "docs/howto/compiled-observer.md",  # tests/outside builds the package
    "docs/howto/play-a-friend.md",  # needs a server
}
WITH_EXAMPLES = {
    str(path.relative_to(ROOT))
    for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]
    if "```pycon" in path.read_text("utf-8")
}
FILE = re.compile(r'^```\w+ title="([\w.]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)


@pytest.fixture
def files_of(tmp_path, monkeypatch):
    """Write the files that a page shows to a folder from which they can be imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    before = dict(sys.modules)

    def write(page):
        files = {}
        for name, text in FILE.findall(page):
            files[name] = files.get(name, "") + text + "\n"
        for name, text in files.items():
            (tmp_path / name).write_text(text, "utf-8")
            sys.modules.pop(name.removesuffix(".py"), None)
        return files

    yield write
    for name, module in list(sys.modules.items()):
        if getattr(module, "__file__", None) in map(str, tmp_path.iterdir()):
            del sys.modules[name]
    sys.modules.update({name: before[name] for name in before.keys() - sys.modules.keys()})


@pytest.mark.parametrize("name", sorted(WITH_EXAMPLES - ELSEWHERE))
def test_every_example_runs(root, name, files_of):
    files_of((root / name).read_text("utf-8"))
    failed, tried = doctest.testfile(str(root / name), module_relative=False)
    assert failed == 0
    assert tried > 0


def test_the_example_of_playing_a_friend_runs_against_a_server(root, server):
    text = (root / "docs" / "howto" / "play-a-friend.md").read_text("utf-8")
    text = text.replace("http://127.0.0.1:8000", server.url)
    test = doctest.DocTestParser().get_doctest(text, {}, "play-a-friend.md", None, 0)
    failed, tried = doctest.DocTestRunner().run(test)
    assert failed == 0
    assert tried > 5


def test_the_commands_of_analysing_a_game_run(root, tmp_path):
    play = ["play", "octa", "--size", "2", "--seed", "1", "--against", "random", "--json"]
    hand_over = '{"command": "replace", "agent": "random"}\n'
    assert run_here(*play, text=hand_over, cwd=tmp_path).returncode == 0
    (record,) = run_here("records").stdout.split()[:1]
    page = (root / "docs" / "howto" / "analyse-a-game.md").read_text("utf-8")
    for command in commands_of(page):
        words = shlex.split(command.replace("octa-2026", record).replace("time=1", "time=0.01"))
        done = run_here(*words[1:], cwd=tmp_path)
        assert done.returncode == 0, done.stderr


def test_the_how_to_on_passing_quotes_the_example(root):
    page = (root / "docs" / "howto" / "pass-a-turn.md").read_text("utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    example = (root / "tests" / "examples" / "two_heaps.py").read_text("utf-8")
    for method in code.split("\n\n\n"):
        assert textwrap.indent(method, "    ") in example


HOW_TO = sorted(path.name for path in ROOT.glob("docs/howto/*.md"))


@pytest.mark.parametrize("name", HOW_TO)
def test_a_how_to_is_short_and_has_code_that_is_run(root, name):
    text = (root / "docs" / "howto" / name).read_text("utf-8")
    assert len(text.split()) <= 300
    assert "```pycon" in text or "```sh" in text


def commands_of(text):
    """The `parlour` commands in the blocks of a page, without placeholders and pipes."""
    fenced = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    indented = re.findall(r"(?:^    .+\n)+", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.M)
    for line in "".join([*fenced, *indented]).splitlines():
        command = re.split(r"\s{2,}|\s#\s", line.strip())[0]
        if command.startswith("parlour ") and "|" not in command:
            yield command


@pytest.mark.parametrize(
    "name", ["README.md", "docs/playing.md", *(f"docs/howto/{h}" for h in HOW_TO)]
)
def test_every_command_has_the_options_that_the_page_uses(root, name):
    for command in commands_of((root / name).read_text("utf-8")):
        _, verb, *words = shlex.split(command)
        known = group.cli.get_command(click.Context(group.cli), verb)
        assert known is not None, command
        given = {word.split("=")[0] for word in words if word.startswith("--")}
        flags = {flag for option in known.params for flag in (*option.opts, *option.secondary_opts)}
        games = {
            f"--{each}" for game in parlour.game_names() for each in parlour.game(game).options
        }
        assert given <= flags | games, command


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


@pytest.mark.parametrize(
    "thing",
    [
        each
        for module in (parlour.agents, parlour.envs)
        for each in (module, *(getattr(module, name) for name in module.__all__))
        if callable(each) or each is parlour.agents
    ],
    ids=lambda thing: thing.__name__,
)
def test_every_public_name_of_agents_and_environments_has_an_example_that_runs(thing):
    test = doctest.DocTestParser().get_doctest(thing.__doc__, {}, thing.__name__, None, 0)
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
    assert re.sub(r"\[/?b\]", "", keys.HELP) in page


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


@pytest.mark.parametrize("name", ["README.md", "docs/index.md"])
def test_figures_of_speed_are_those_of_the_results(root, name):
    text = (root / name).read_text("utf-8")
    results = (root / "docs" / "speed.md").read_text("utf-8")
    cards = re.findall(r"^\*\*([\d.,]+ ?\w*)\*\*", text, re.MULTILINE)
    rows = re.findall(r"^\| (?:Banqi|Blokus|Octa), .*$", text, re.MULTILINE)
    figures = cards + [figure for row in rows for figure in re.findall(r"\| ([\d.,]+)", row)]
    assert len(figures) >= 4
    for figure in figures:
        assert f" {figure} |" in results


def test_badges_state_what_the_project_declares(root):
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    versions = re.findall(r":: (3\.\d+)", "\n".join(project["project"]["classifiers"]))
    stated = {
        "python": f"{versions[0]} – {versions[-1]}",
        "types": "mypy strict" if project["tool"]["mypy"]["strict"] else "mypy",
        "licence": project["project"]["license"],
    }
    readme = (root / "README.md").read_text("utf-8")
    for label, value in stated.items():
        picture = f"docs/images/badge-{label}.svg"
        assert f"![{label}: {value}]({picture})" in readme
        assert f">{value}</text>" in (root / picture).read_text("utf-8")


@pytest.mark.parametrize(("name", "lines"), [("README.md", 120)])
def test_a_page_has_few_lines(root, name, lines):
    assert len((root / name).read_text("utf-8").splitlines()) <= lines


@pytest.mark.parametrize(("name", "words"), [("CONTRIBUTING.md", 1500)])
def test_a_page_has_few_words(root, name, words):
    assert len((root / name).read_text("utf-8").split()) <= words


def test_unreleased_changes_fit_on_a_screen(root):
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    _, newest = re.split(r"^## .*\n", changelog, flags=re.MULTILINE)[:2]
    assert len(newest.strip().splitlines()) <= 40
