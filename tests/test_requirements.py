"""Every symbol and every test that the pages of requirements name exists."""

import ast
import importlib
import re

import pytest

import parlour

ROW = re.compile(
    r"^\| (?!---)(?P<section>.+?) \| (?P<asked>.+?) \| (?P<where>`.+?) \| (?P<shown>`.+) \|$"
)
GAMES = parlour.game_names()


def table_lines(page):
    """The rows of a page's tables, without their heads."""
    lines = [line for line in page.splitlines() if line.startswith("|")]
    return [line for line in lines if not re.match(r"\| (section|open point|---) ", line)]


def rows(page):
    """Each row as its section, what is asked, the symbols and the tests."""
    for line in table_lines(page):
        row = ROW.match(line)
        assert row, f"not a row with a symbol and a test: {line}"
        yield row["section"], row["asked"], names(row["where"]), names(row["shown"])


def names(cell):
    return re.findall(r"`([^`]+)`", cell)


def is_there(game, symbol):
    """Whether a dotted name leads somewhere from the game's package."""
    found = importlib.import_module(f"parlour.games.{game}")
    for part in symbol.split("."):
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


def functions_in(path):
    """The names of the tests in a file, without running any of it."""
    tree = ast.parse(path.read_text("utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {each.name for each in functions if each.name.startswith("test_")}


@pytest.fixture(params=GAMES)
def game(request):
    return request.param


@pytest.fixture
def page(root, game):
    return (root / "docs" / "requirements" / f"{game}.md").read_text("utf-8")


def test_every_symbol_exists(game, page):
    asked = {symbol for _, _, symbols, _ in rows(page) for symbol in symbols}
    assert [symbol for symbol in sorted(asked) if not is_there(game, symbol)] == []


def test_every_cited_test_exists(root, game, page):
    known = {
        f"{path.name}::{name}"
        for folder in (root / "tests" / "games" / game, root / "tests" / "specs")
        for path in folder.glob("test_*.py")
        for name in functions_in(path)
    }
    asked = {test for _, _, _, tests in rows(page) for test in tests}
    assert asked - known == set()


def test_every_row_has_a_symbol_and_a_test(page):
    read = list(rows(page))
    assert len(read) > 40
    assert all(symbols and tests for _, _, symbols, tests in read)
    assert len({(section, asked) for section, asked, _, _ in read}) == len(read)


def test_every_public_name_of_the_game_meets_a_requirement(game, page):
    package = importlib.import_module(f"parlour.games.{game}")
    met = {symbol.split(".")[0] for _, _, symbols, _ in rows(page) for symbol in symbols}
    assert set(package.__all__) - met == set()


def test_every_test_of_a_specifications_own_list_is_on_its_page(root):
    for path in (root / "tests" / "specs").glob("test_*.py"):
        game = path.stem.removeprefix("test_")
        page = (root / "docs" / "requirements" / f"{game}.md").read_text("utf-8")
        asked = {test for _, _, _, tests in rows(page) for test in tests}
        assert {f"{path.name}::{name}" for name in functions_in(path)} <= asked
