"""Games are found by name, ours and everybody's."""

import pytest
from nim import Nim

import parlour
from parlour.core.errors import GameLoadError, OptionError, UnknownGame
from parlour.core.registry import game_with


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install packages with entry points, as pip would leave them on the path."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(package, entry_points, module=""):
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[parlour.games]\n{entry_points}\n")
        if module:
            (tmp_path / f"{package}.py").write_text(module)

    return install


def test_built_in_games_are_registered():
    assert {"cat_mouse", "octa"} <= set(parlour.game_names())
    assert parlour.game_names() == sorted(parlour.game_names())


def test_a_hyphen_equals_an_underscore_in_names():
    assert parlour.game("cat-mouse") == parlour.game("cat_mouse")


def test_a_game_of_another_package_is_found_through_its_entry_point(installed):
    installed("somebody", "nim_of_somebody = nim:Nim")
    assert "nim_of_somebody" in parlour.game_names()
    game = parlour.game("nim_of_somebody", heap=5)
    assert isinstance(game, Nim)
    assert game.options == {"heap": 5}


def test_an_unknown_game_names_the_nearest_and_all():
    with pytest.raises(UnknownGame) as caught:
        parlour.game("otca")
    assert "there is no game 'otca' (did you mean 'octa'?)" in str(caught.value)
    assert "cat_mouse" in str(caught.value)


@pytest.mark.parametrize("name", [None, 3, b"octa", ("octa",)])
def test_a_name_of_another_type_is_refused(name):
    with pytest.raises(UnknownGame, match="a game's name must be a str, not"):
        parlour.game(name)
    with pytest.raises(UnknownGame, match="a game's name must be a str, not"):
        parlour.register(name, Nim)


def test_a_name_with_a_hyphen_is_found_either_way(installed):
    installed("hyphen", "nim-by-mail = nim:Nim")
    parlour.register("nim-at-home", Nim)
    for name in ("nim-by-mail", "nim_by_mail", "nim-at-home", "nim_at_home"):
        assert isinstance(parlour.game(name), Nim)
    assert {"nim_by_mail", "nim_at_home"} <= set(parlour.game_names())


def test_a_game_that_does_not_load_says_why_and_hides_no_other(installed):
    installed("broken", "broken = no_such_module:Game")
    assert "octa" in parlour.game_names()
    with pytest.raises(GameLoadError, match=r"'broken' .*of the package broken.* does not load"):
        parlour.game("broken")


def test_an_entry_point_to_something_else_says_so(installed):
    installed("odd", "odd = math:pi")
    with pytest.raises(GameLoadError, match=r"not a subclass of parlour\.Game"):
        parlour.game("odd")


def test_two_packages_that_claim_one_name_are_both_named(installed):
    installed("first", "twin = nim:Nim")
    installed("second", "twin = dice:Dice")
    message = (
        "2 packages offer a game 'twin': dice:Dice of the package second, "
        "nim:Nim of the package first"
    )
    with pytest.raises(GameLoadError, match=message):
        parlour.game("twin")


def test_register_makes_a_game_known_to_this_process():
    parlour.register("nim_of_this_process", Nim)
    parlour.register("nim_of_this_process", Nim)
    assert "nim_of_this_process" in parlour.game_names()
    assert parlour.game("nim_of_this_process", heap=3).options["heap"] == 3


def test_register_refuses_a_taken_name_and_other_classes():
    with pytest.raises(GameLoadError, match="there is a game 'octa' already"):
        parlour.register("octa", Nim)
    with pytest.raises(GameLoadError, match=r"not a subclass of parlour\.Game"):
        parlour.register("number", int)


def test_options_can_be_given_as_words():
    assert game_with("octa", ["size=2", "stop_on_enemy=true"]).options["size"] == 2
    assert game_with("octa:size=2", ["stop_on_enemy=true"]).options["size"] == 2
    for words, message in (
        (["size"], "octa: write a setting as size=VALUE, not 'size'"),
        (["siez=2"], "did you mean 'size'"),
        (["size=2", "size=3"], "octa: size is given twice"),
    ):
        with pytest.raises(OptionError, match=message):
            game_with("octa", words)


def test_options_reach_the_game_and_are_checked():
    assert parlour.game("octa", size=2).options["size"] == 2
    with pytest.raises(OptionError, match="size must be an int from 1 to 20, not 0"):
        parlour.game("octa", size=0)
    with pytest.raises(OptionError, match="octa has no option 'colour'"):
        parlour.game("octa", colour="red")
