"""A game in a package of its own: plain, compiled by the recipe, and compiled without it."""

import pytest
import recipe
from connect_four import ConnectFour

import parlour
from parlour.core.game import Game, State
from parlour.testing import check_game

PLAY = """
import connect_four, parlour
from parlour.core.game import State
from parlour.testing import check_game

assert not connect_four.__file__.endswith(".py"), connect_four.__file__
game = parlour.game("connect_four")
report = check_game("connect_four")
assert report.games == 12
start = game.start()
print(parlour.playouts(start, 200, 7))
rng = parlour.Rng(7)
print(sum(State.playout(start, rng, 42)[1] for _ in range(200)))
print(parlour.perft(start, 4))
agent = parlour.agent("mcts", sims=200, seed=1)
state = start
while state.actor != parlour.OVER:
    state = state.play(agent.choose(state))
print(game.state_to_text(state))
"""


def test_the_game_keeps_the_contract_as_plain_python():
    check_game(ConnectFour())


def test_compiled_by_the_recipe_it_keeps_the_contract_and_plays_the_same_games(tmp_path):
    done = recipe.run(recipe.build(tmp_path, recipe.SOURCE.read_text("utf-8")), PLAY)
    assert done.returncode == 0, done.stderr
    figures, plies, nodes, end = done.stdout.splitlines()
    start = ConnectFour().start()
    plain = parlour.playouts(start, 200, 7)
    assert figures == repr(plain)
    assert plies == str(plain.plies)
    assert nodes == str(parlour.perft(start, 4)) == str(7**4)
    assert ConnectFour().state_from_text(end).actor == parlour.OVER


LOOK = """
import parlour
try:
    parlour.game("connect_four")
except parlour.GameLoadError as error:
    print(error)
import connect_four
"""


def test_compiled_without_the_cure_it_is_refused_instead_of_crashing(tmp_path):
    source = recipe.without_the_cure(recipe.SOURCE.read_text("utf-8"))
    done = recipe.run(recipe.build(tmp_path, source), LOOK)
    assert done.returncode == 1
    cure = "put @mypyc_attr(native_class=False) of mypy_extensions before the class"
    assert (
        "'connect_four' (connect_four:ConnectFour of the package connect-four) does not load"
        in done.stdout
    )
    assert cure in done.stdout
    assert done.stderr.splitlines()[-1].startswith("parlour.core.errors.ContractError: ")
    assert cure in done.stderr


@pytest.mark.parametrize("base", [Game, State])
@pytest.mark.parametrize("sign", [{"__mypyc_attrs__": ()}, {"__new__": object.__new__}])
def test_a_class_with_a_layout_of_its_own_is_refused_by_either_sign(base, sign):
    with pytest.raises(parlour.ContractError, match=r"elsewhere\.Foreign was compiled by mypyc"):
        type("Foreign", (base,), {"__module__": "elsewhere", **sign})


@pytest.mark.parametrize("base", [Game, State])
def test_a_class_that_python_makes_is_not(base):
    def new(cls, *arguments):
        return base.__new__(cls)

    type("Plain", (base,), {"__module__": "elsewhere", "__new__": new})
