"""The line-by-line game, driven as a script would."""

import io
import re

import pytest
from dice import Dice
from nim import Nim
from scouts import Scouts
from utilities import Partners

import parlour
from parlour import Rng
from parlour.table import PERSON, ChanceSource, Players, TimeControl
from parlour.table.opening import GameSetup
from parlour.terminal.line import HELP, LineGame


def play(game, *lines, seed=1, in_words=False, **opening):
    """Return the game's output for these lines."""
    out = io.StringIO()
    text = "".join(f"{line}\n" for line in lines)
    opened = GameSetup(game, seed=seed, **opening)
    assert LineGame(opened.live, io.StringIO(text), out, in_words).run() == 0
    return out.getvalue()


@pytest.mark.parametrize("name", parlour.game_names())
def test_every_registered_game_can_be_played_to_the_end(name):
    options = {"cat_mouse": {"ply_cap": 20}}.get(name, {})
    game = parlour.game(name, **options)
    state, rng, lines = game.start(1), Rng(1), []
    chance, drawn = ChanceSource.from_seed(1), 0
    while state.actor != parlour.OVER:
        if state.actor == parlour.CHANCE:
            state = state.apply(chance.outcome(state, drawn))
            drawn += 1
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


def test_it_plays_the_text_of_an_action():
    assert "1 left." in play(Nim(heap=3), "take2")


@pytest.mark.parametrize("word", ["help", "?"])
def test_help_explains_every_command(word):
    said = play(Nim(), word)
    game = LineGame(GameSetup(Nim()).live)
    for command in (*game.commands, "quit"):
        assert command == "?" or f"  {command} " in said
    assert all(len(line) <= 92 for line in HELP.splitlines())


def test_a_game_can_explain_its_topics():
    said = play(parlour.game("blokus"), "help", "help pieces", "help I2", "help nothing")
    assert "  help pieces  the pieces you still have" in said
    assert "I1  I2  I3" in said
    assert "I2 0  I2 90" in said
    assert "There is no help on 'nothing'; this game's topics: pieces, L4." in said
    assert "There is no help on 'x'; this game's topics: none." in play(Nim(), "help x")


def test_undo_takes_back_the_last_action():
    said = play(Nim(heap=3), "take1", "take1", "undo", "undo", "undo")
    assert [line for line in said.splitlines() if line.endswith("left.")] == [
        "3 left.",
        "2 left.",
        "1 left.",
        "2 left.",
        "3 left.",
    ]
    assert "There is no action to take back." in said
    assert "Taken back: take1." in said


def test_redo_works_until_another_action_is_played():
    said = play(Nim(heap=5), "take1", "undo", "redo", "redo", "undo", "take2", "redo")
    assert [line for line in said.splitlines() if line.endswith("left.")] == [
        "5 left.",
        "4 left.",
        "5 left.",
        "4 left.",
        "5 left.",
        "3 left.",
    ]
    assert said.count("There is nothing to redo.") == 2


def test_undo_goes_back_after_the_end_but_never_across_chance():
    assert play(Nim(heap=1), "take1", "undo").count("1 left.") == 2
    said = play(Dice(), "walk", "roll", "undo")
    assert "Chance: =" in said
    assert "A random event cannot be taken back." in said


def test_new_starts_again_from_another_seed():
    said = play(parlour.game("octa", size=1), "1,1", "new")
    assert said.count("New game, seed ") == 2
    assert said.count("Turn 1 of 8") == 2


def test_an_invalid_entry_gets_a_suggestion():
    said = play(parlour.game("octa"), "hello", "0,0", "9,9")
    assert "'hello' is not a cell: write x,y, such as 0,-1. Type help" in said
    assert "0,0 is not legal: that cell is neutral; choose one of your own." in said
    assert "9,9 is off the board: x and y go from -4 to 4." in said
    assert said.count("Turn 1 of 80") == 1


def test_the_board_is_drawn_before_the_others_act():
    said = play(Nim(heap=9), "quit", seats=("random", PERSON))
    assert said.index("9 left") < said.index("player 1 (random):")


def test_a_refusal_lists_no_more_actions_than_the_board():
    said = play(parlour.game("blokus"), "a1", seats=(PERSON,) * 4)
    assert said.count("... and 34 more ('actions' lists all)") == 2


def test_after_the_end_only_new_undo_and_quit_work():
    said = play(Nim(heap=1), "take1", "take1", "actions")
    assert "The game is over: type new, undo or quit." in said
    assert "The game is over: there are no actions." in said


def test_an_empty_line_asks_again():
    assert play(Nim(), "", "  ").count("> ") >= 3


def test_the_end_of_input_quits_with_a_goodbye():
    assert play(Nim()).endswith("End of input: goodbye.\n")


def test_board_and_actions_can_be_shown_again():
    assert play(Nim(heap=3), "board").count("3 left.") == 2
    assert play(Nim(heap=3), "actions").count("Actions: ") == 2


class Interrupting(io.StringIO):
    """Input in which a star stands for Ctrl-C."""

    def readline(self):
        line = super().readline()
        if line == "*\n":
            raise KeyboardInterrupt
        return line


def test_an_interrupted_agent_acts_before_the_next_prompt(monkeypatch):
    out = io.StringIO()
    opening = GameSetup(Nim(heap=9), (PERSON, "random"))
    game = LineGame(opening.live, io.StringIO("take1\nquit\n"), out)
    choose, calls = Players.choose, []

    def interrupted(players):
        calls.append(players)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return choose(players)

    monkeypatch.setattr(Players, "choose", interrupted)
    assert game.run() == 0
    assert [event.seat for event in game.game.table.log] == [0, 1]
    assert "Interrupted: the game is still here." in out.getvalue()


def test_ctrl_c_keeps_the_game_and_a_second_one_quits():
    out = io.StringIO()
    lines = Interrupting("take1\n*\ntake1\n*\n*\ntake1\n")
    assert LineGame(GameSetup(Nim(heap=3)).live, lines, out).run() == 130
    assert "Interrupted: the game is still here." in out.getvalue()
    assert "1 left." in out.getvalue()
    assert "0 left." not in out.getvalue()


def test_unambiguous_abbreviations_work():
    said = play(Nim(heap=3), "b", "a", "h", "q")
    assert said.count("3 left.") == 2
    assert "'a' could be actions or analyse." in said
    assert "'h' could be help, hint or history." in said
    assert said.endswith("Goodbye.\n")


def test_ambiguous_abbreviations_list_the_choices():
    game = parlour.game("cat_mouse")
    assert "'u' could be undo or up." in play(game, "u", seed=7)
    assert "1 step, par 41: 2 above par." in play(game, "ri", seed=7)


def test_a_mistyped_command_suggests_the_nearest():
    assert "Type help for the commands (did you mean 'undo'?)." in play(Nim(), "undoo")


def test_cells_rows_and_events_are_described_in_words():
    said = play(parlour.game("octa", size=1), "look 1 0", "look 0", "look 7 7", "cells", seed=8)
    assert "> neutral, arrow south.\n" in said
    assert "row 0: -1 neutral, arrow east; 0 neutral, arrow south; 1 neutral, arrow west" in said
    assert "look needs a row from 1 to -1 and a column from -1 to 1, not '7 7'." in said.lower()
    assert "row 1, column 1: player 1, arrow south-west" in said


def test_the_commonest_content_is_counted():
    said = play(parlour.game("cat_mouse"), "cells", seed=7)
    assert "the other 5" in said
    assert ": free\n" in said


def test_words_describe_changes_instead_of_drawing():
    said = play(parlour.game("octa", size=1), "1,1", seed=8, in_words=True)
    assert "player 1: 1,1\n" in said
    assert "  row 1, column 1: player 1, arrow west (was player 1, arrow south-west)" in said
    assert "2↘" not in said


def test_words_describe_the_opening_before_the_first_move():
    said = play(parlour.game("octa", size=1), seed=8, in_words=True)
    opening, _, rest = said.partition("> player 1")
    assert "row 0: -1 neutral, arrow east; 0 neutral, arrow south; 1 neutral, arrow west" in opening
    assert opening.count("\nrow ") == 3
    assert "row" not in rest
    first = play(parlour.game("octa", size=1), seed=8, in_words=True, seats=("random", "person"))
    assert first.index("\nrow 1: ") < first.index("player 1 (random): ")
    assert "a to t empty" in play(parlour.game("blokus"), seed=8, in_words=True)


def test_words_describe_the_board_on_demand_and_the_changes_of_a_takeback():
    game = parlour.game("octa", size=1)
    said = play(game, "1,1", "board", seed=8, in_words=True)
    assert said.count("\nrow 1: ") == 2
    assert "row 1: " in play(game, "words on", seed=8)
    said = play(game, "1,1", "undo", seed=8, in_words=True)
    assert "  row 1, column 1: player 1, arrow south-west (was player 1, arrow west)" in said


def test_words_can_be_turned_off():
    assert "2↘" in play(parlour.game("octa", size=1), "words off", seed=8, in_words=True)
    assert "Words must be on or off" in play(Nim(), "words loud")


def test_an_agent_replies():
    said = play(Nim(heap=9), "take1", "undo", seats=(PERSON, "random"))
    assert "player 2 (random): take" in said
    assert "Taken back: take" in said
    assert said.count("9 left.") == 2


def test_agents_play_each_other_to_the_end():
    assert "0 left." in play(Nim(heap=4), "quit", seats=("random", "random"))


def test_hint_and_analysis_name_actions():
    said = play(Nim(heap=3), "hint", "analyse")
    assert "Hint: take3 (win in 1)" in said
    assert "action     value  visits  expected play" in said


def test_a_hint_in_words_says_what_to_type():
    said = play(parlour.game("blokus", variant="duo"), "hint")
    words, typed = re.search(r"Hint: (\w+ at \w+) .*\. Type ([a-n0-9,]+) to play it", said).groups()
    game = parlour.game("blokus", variant="duo")
    action = game.action_from_text(game.start(), typed)
    assert game.action_words(game.start(), action, 0) == words


def test_a_solved_game_gives_the_solution():
    game = parlour.game("cat_mouse")
    first = game.action_to_text(game.start(7), game.guide().solution(game.start(7))[0])
    assert f"Hint: {first} (win in 41, then " in play(game, "hint", seed=7)


def test_resigning_and_draws():
    assert "Player 1 resigned." in play(Nim(), "resign")
    assert "Nim has no draws by agreement." in play(Nim(), "draw")
    said = play(Scouts(), "draw", "draw")
    assert "A draw is offered" in said
    assert "The players agreed on a draw." in said


def test_resigning_a_seat_of_four_names_the_seat_and_shows_the_end_once():
    said = play(Partners(), "resign", seats=(PERSON, "random", "random", "random"))
    assert "player 1 (team 1): resigns; level:1 plays on\n" in said
    assert said.count("Type new, undo or quit.") == 1


def test_the_help_shows_the_commitment_and_the_end_the_key():
    source = ChanceSource.from_seed(1)
    assert source.commitment not in play(Scouts(), "quit")
    said = play(Scouts(), "help", "resign")
    assert f"a key with the SHA-256 {source.commitment}." in said
    assert f"The chance key was {source.key.hex()}." in said


def test_clocks_are_shown():
    assert "Clocks: 5:00 5:00" in play(Nim(), "quit", control=TimeControl(300.5))


def test_history_lists_what_happened():
    assert "player 1: take1\nplayer 2: take2" in play(Nim(), "take1", "take2", "history")
    assert "Nothing has happened yet." in play(Nim(), "history")


def test_save_writes_a_record_to_the_given_file(tmp_path):
    said = play(Nim(), "take1", f"save {tmp_path / 'my.parlour'}", f"save {tmp_path}", "save")
    assert (tmp_path / "my.parlour").read_text().startswith("parlour record 1\ngame nim\n")
    assert "cannot be written" in said
    assert "The game is not saved." in said


def test_the_closing_remark_compares_with_par():
    game = parlour.game("cat_mouse")
    state = game.start(7)
    moves = [game.action_to_text(state, move) for move in game.guide().solution(state)]
    said = play(game, *moves, seed=7)
    assert "41 steps, par 41: a perfect hunt!" in said


class TestAgentsThatFail:
    WAYS = "Type replace level:3 to let another agent continue, replace person to take over"

    def stuck(self, *lines, name="Crashing"):
        return play(Nim(heap=9), "take1", *lines, seats=(PERSON, f"odd_agents:{name}"))

    def test_a_fault_shows_how_to_continue(self, agents_here):
        self.check_sentence("Crashing")

    @pytest.mark.parametrize("name", ["Dying", "Forking"])
    def test_a_crashed_process_shows_how_to_continue(self, name):
        self.check_sentence(name)

    def check_sentence(self, name):
        said = self.stuck(name=name)
        assert f"The agent odd_agents:{name} failed: crashed: " in said
        assert self.WAYS in said
        assert said.count("failed:") == 1
        assert said.endswith("End of input: goodbye.\n")

    def test_another_agent_can_take_over(self, agents_here):
        said = self.stuck("replace odd_agents:First")
        assert "odd_agents:First takes the seat of player 2." in said
        assert "player 2 (odd_agents:First): take1" in said
        assert "7 left." in said

    def test_the_player_can_take_over(self, agents_here):
        said = self.stuck("take2", "replace person", "take2")
        assert "It is the turn of player 2 (odd_agents:Crashing)." in said
        assert "A person takes the seat of player 2." in said
        assert "6 left." in said

    def test_undo_goes_back_before_the_failed_turn(self, agents_here):
        assert self.stuck("undo").rstrip().rpartition("9 left.")[2].count("failed") == 0

    def test_an_invalid_agent_is_refused_and_the_game_continues(self, agents_here):
        said = self.stuck("replace nobody", "replace", "replace random")
        assert "Unknown agent 'nobody'" in said
        assert "Replace needs an agent such as level:3, or person." in said
        assert "random takes the seat of player 2." in said

    def test_an_agent_that_fails_on_the_first_turn_can_be_replaced(self, agents_here):
        said = play(Nim(heap=3), "replace person", seats=("odd_agents:Crashing", PERSON))
        assert "A person takes the seat of player 1." in said

    def test_your_own_seat_can_be_handed_over(self):
        said = play(Nim(heap=9), "replace random", seats=(PERSON, "random"))
        assert "random takes the seat of player 1." in said
        assert "0 left." in said

    def test_the_end_of_a_game_without_people_is_shown_once(self):
        said = play(Nim(heap=9), "replace random", seats=(PERSON, "random"))
        assert said.count("Type new, undo or quit.") == 1


def test_an_agents_output_is_not_shown(capfd):
    said = play(Nim(heap=9), "take1", seats=(PERSON, "odd_agents:Spewing"))
    assert "player 2 (odd_agents:Spewing): take1" in said
    assert "spew" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("line", ["{}", "look {}", "help {}", "save {}", "words {}", "replace {}"])
def test_a_long_line_is_not_echoed_whole(line):
    said = play(Nim(heap=3), line.format("x" * 100_000))
    assert len(said) < 3_000
