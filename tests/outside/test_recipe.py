"""A game in a separate package: plain, compiled by the recipe, and compiled without it."""

import re
import sys
import textwrap
from importlib import import_module

import pytest
import recipe

import parlour
from parlour.core.game import Game, State
from parlour.testing import check_game

PLAY = """
import four, parlour
from parlour.core.game import State

assert not four.__file__.endswith(".py"), four.__file__
game = parlour.game("four")
start = game.start()
print(parlour.playouts(start, 200, 7))
rng = parlour.Rng(7)
print(sum(State.playout(start, rng, 42)[1] for _ in range(200)))
print(parlour.perft(start, 4))
agent = parlour.agent("mcts", sims=200, seed=1)
state = start
while state.actor != parlour.OVER:
    state = state.play(agent.choose(state))
print(repr(game.state_to_text(state)))
"""


@pytest.fixture
def plain(tmp_path, monkeypatch):
    """The made game as it is before it is compiled."""
    _, source = recipe.made(tmp_path)
    monkeypatch.syspath_prepend(source.parent)
    yield import_module(recipe.NAME).FourGame()
    del sys.modules[recipe.NAME]


def test_the_game_keeps_the_contract_as_plain_python(plain):
    check_game(plain)


def test_the_compiled_game_keeps_the_contract_and_plays_the_same_games(plain, tmp_path):
    package = tmp_path / recipe.NAME
    site = recipe.built(package)
    done = recipe.run(site, "-c", PLAY)
    assert done.returncode == 0, done.stderr
    figures, plies, nodes, end = done.stdout.splitlines()
    start = plain.start()
    slow = parlour.playouts(start, 200, 7)
    assert figures == repr(slow)
    assert plies == str(slow.plies)
    assert nodes == str(parlour.perft(start, 4)) == str(7**4)
    assert plain.state_from_text(eval(end)).actor == parlour.OVER
    own = recipe.run(site, "-m", "pytest", "-p", "no:cacheprovider", package / "tests")
    assert "2 passed" in own.stdout, own.stdout + own.stderr
    checked = recipe.carry_out([*recipe.commands()[2], "--no-speed"], site, site)
    assert checked.startswith("parlour.game('four') keeps every promise of the contract.")


def test_the_compiled_observer_of_the_how_to_works(root, tmp_path):
    page = root / "docs" / "howto" / "compiled-observer.md"
    blocks = re.findall(r"^    ```python.*?\n(.*?)^    ```$", page.read_text("utf-8"), re.M | re.S)
    observer, method = map(textwrap.dedent, blocks)
    package, source = recipe.made(tmp_path)
    text = source.read_text("utf-8")
    text = text.replace("    def scene(", textwrap.indent(method, "    ") + "\n    def scene(")
    source.write_text(f"{text}\n\n{observer}", "utf-8")
    site = recipe.built(package)
    done = recipe.run(site, "-m", "doctest", "-v", str(page))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 passed" in done.stdout
    checked = recipe.carry_out([*recipe.commands()[2], "--no-speed"], site, site)
    assert checked.startswith("parlour.game('four') keeps every promise of the contract.")


LOOK = """
import parlour
try:
    parlour.game("four")
except parlour.GameLoadError as error:
    print(error)
import four
"""


def test_a_native_subclass_is_refused_instead_of_crashing(tmp_path):
    package, source = recipe.made(tmp_path)
    source.write_text(recipe.without_the_cure(source.read_text("utf-8")), "utf-8")
    done = recipe.run(recipe.built(package), "-c", LOOK)
    assert done.returncode == 1
    cure = "put @mypyc_attr(native_class=False) of mypy_extensions before the class"
    assert "'four' (four:FourGame of the package four) does not load" in done.stdout
    assert cure in done.stdout
    assert done.stderr.splitlines()[-1].startswith("parlour.core.errors.ContractError: ")
    assert cure in done.stderr


@pytest.mark.parametrize("base", [Game, State])
@pytest.mark.parametrize("sign", [{"__mypyc_attrs__": ()}, {"__new__": object.__new__}])
def test_a_class_with_another_layout_is_refused_by_either_sign(base, sign):
    with pytest.raises(parlour.ContractError, match=r"mypyc compiled elsewhere\.Foreign"):
        type("Foreign", (base,), {"__module__": "elsewhere", **sign})


@pytest.mark.parametrize("base", [Game, State])
def test_a_class_made_by_python_is_accepted(base):
    def new(cls, *arguments):
        return base.__new__(cls)

    type("Plain", (base,), {"__module__": "elsewhere", "__new__": new})
