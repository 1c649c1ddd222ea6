"""The line-by-line game, driven as a script would."""

import io

import pytest
from dice import Dice
from nim import Nim

import parlour
from parlour import Rng
from parlour.terminal.line import LineGame


def play(game, *lines, seed=1):
    """What the game says to these lines."""
    out = io.StringIO()
    text = "".join(f"{line}\n" for line in lines)
    status = LineGame(game, Rng(0), io.StringIO(text), out).run(seed)
    assert status == 0
    return out.getvalue()


@pytest.mark.parametrize("name", parlour.game_names())
def test_every_registered_game_can_be_played_to_the_end(name):
    options = {"cat_mouse": {"ply_cap": 20}}.get(name, {})
    game = parlour.game(name, **options)
    state, rng, lines = game.start(1), Rng(1), []
    chance = Rng(1)
    while state.actor != parlour.OVER:
        if state.actor == parlour.CHANCE:
            state = state.apply(state.sample(chance))
            continue
        action = state.sample(rng)
        lines.append(game.action_to_text(state, action))
        state = state.apply(action)
    said = play(game, *lines)
    assert state.scene().status in said
    assert "Type new, undo or quit." in said


def test_it_shows_the_board_the_seats_and_the_legal_actions():
    said = play(Nim(heap=3), "quit")
    assert "o o o" in said
    assert "> player 1" in said
    assert "3 left." in said
    assert "Actions: take1 take2 take3" in said


def test_it_takes_the_text_of_an_action():
    assert "1 left." in play(Nim(heap=3), "take2")


@pytest.mark.parametrize("word", ["help", "?"])
def test_help_explains_every_command(word):
    said = play(Nim(), word)
    for command in ("actions", "board", "help", "undo", "new", "quit"):
        assert f"  {command} " in said


def test_a_game_explains_topics_of_its_own():
    said = play(parlour.game("blokus"), "help", "help pieces", "help I2", "help nothing")
    assert "  help pieces  the pieces that you still have" in said
    assert "I1  I2  I3" in said
    assert "I2 0  I2 90" in said
    assert "There is no help on 'nothing'; this game's topics: pieces, L4." in said
    assert "There is no help on 'x'; this game's topics: none." in play(Nim(), "help x")


def test_undo_takes_the_last_action_back():
    said = play(Nim(heap=3), "take1", "take1", "undo", "undo", "undo")
    assert [line for line in said.splitlines() if line.endswith("left.")] == [
        "3 left.",
        "2 left.",
        "1 left.",
        "2 left.",
        "3 left.",
    ]
    assert "There is no action to take back." in said


def test_undo_goes_back_after_the_end_but_never_across_chance():
    assert play(Nim(heap=1), "take1", "undo").count("1 left.") == 2
    said = play(Dice(), "walk", "roll", "undo")
    assert "Chance: =" in said
    assert "There is no action to take back." in said


def test_new_starts_again_from_another_seed():
    said = play(parlour.game("octa", size=1), "1,1", "new")
    assert said.count("New game, seed ") == 2
    assert said.count("Turn 1 of 8") == 2


def test_a_wrong_entry_is_answered_with_what_would_be_right():
    said = play(parlour.game("octa"), "hello", "0,0", "9,9")
    assert "'hello' is not x,y: two whole numbers, for instance 0,-1. Type help" in said
    assert "0,0 is not legal: that cell is neutral; player 1 chooses one of their own." in said
    assert "9,9 is off the board: x and y go from -4 to 4." in said
    assert said.count("Turn 1 of 80") == 1


def test_after_the_end_only_new_undo_and_quit_are_left():
    said = play(Nim(heap=1), "take1", "take1", "actions")
    assert "The game is over: type new, undo or quit." in said
    assert "The game is over: there is none." in said


def test_an_empty_line_asks_again():
    assert play(Nim(), "", "  ").count("> ") >= 3


def test_the_end_of_input_leaves_politely():
    assert play(Nim()).endswith("End of input: goodbye.\n")


def test_board_and_actions_show_them_again():
    assert play(Nim(heap=3), "board").count("3 left.") == 2
    assert play(Nim(heap=3), "actions").count("Actions: ") == 2


class Interrupting(io.StringIO):
    """Input in which a star stands for Ctrl-C."""

    def readline(self):
        line = super().readline()
        if line == "*\n":
            raise KeyboardInterrupt
        return line


def test_ctrl_c_keeps_the_game_and_twice_leaves():
    out = io.StringIO()
    game = LineGame(Nim(heap=3), Rng(0), Interrupting("take1\n*\ntake1\n*\n*\ntake1\n"), out)
    assert game.run(1) == 130
    assert "Interrupted: the game is still here." in out.getvalue()
    assert "1 left." in out.getvalue()
    assert "0 left." not in out.getvalue()
