from parlour.testing import check_game

from my_game import MyGame


def test_installed_game_conforms_to_the_contract():
    check_game("my_game")


def test_four_in_a_row_wins():
    state = MyGame(blocked=0).start()
    for action in ("a1", "a3", "b1", "b3", "c1", "c3", "d1"):
        state = state.play(action)
    assert state.result().winner == 0
