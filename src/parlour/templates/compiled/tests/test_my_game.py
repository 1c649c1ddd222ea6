from parlour.testing import check_game

from my_game import MyGame


def test_installed_game_conforms_to_the_contract():
    check_game("my_game")


def test_four_in_a_row_wins():
    state = MyGame().start()
    for action in "abababa":
        state = state.play(action)
    assert state.result().winner == 0
