"""Text forms of Blokus."""

from pathlib import Path

import pytest

import parlour
from parlour import ActionTextError, InvalidState, StateTextError

FINISHED = Path(__file__).parent / "data" / "finished_with_i1.txt"
LAST = "   a b c d e f g h i j k l m n o p q r s t"


def covered(game, action):
    """Return the (row, column) of each cell that a placement covers."""
    return tuple(game.tables.cell(square) for square in game.tables.squares(action))


def test_a20_is_the_top_left_cell_and_t1_the_bottom_right(classic):
    state = classic.start()
    for text, cell in (("a20", (0, 0)), ("t20", (0, 19)), ("t1", (19, 19)), ("a1", (19, 0))):
        action = classic.action_from_text(state, text)
        assert covered(classic, action) == (cell,)
        assert classic.action_to_text(state, action) == text


def test_the_cells_of_an_action_may_be_in_any_order(classic):
    state = classic.start()
    action = classic.action_from_text(state, "a18,a19,a20,b20,c20")
    for text in ("c20,b20,a20,a19,a18", " A20, b20 ,c20,a18,a19\n"):
        assert classic.action_from_text(state, text) == action
    assert classic.action_to_text(state, action) == "a18,a19,a20,b20,c20"


def test_every_placement_round_trips(classic):
    state = classic.start()
    texts = [classic.action_to_text(state, action) for action in range(0, classic.num_actions, 7)]
    assert len(set(texts)) == len(texts)
    again = [classic.action_from_text(state, text) for text in texts]
    assert again == list(range(0, classic.num_actions, 7))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("u1", "not a cell"),
        ("a21", "not a cell"),
        ("a0", "not a cell"),
        ("20a", "not a cell"),
        ("a20,", "not a cell"),
        ("a²", "not a cell"),
        ("a20,a20", "twice"),
        ("a20,c20", "not a piece"),
        ("a20,b19", "not a piece"),
        ("a20,b20,c20,d20,e20,f20", "not a piece"),
    ],
)
def test_invalid_placement_text_is_refused_with_the_reason(classic, text, reason):
    with pytest.raises(ActionTextError, match=reason):
        classic.action_from_text(classic.start(), text)


def test_duo_has_its_own_letters_and_numbers():
    duo = parlour.game("blokus", variant="duo")
    state = duo.start()
    assert covered(duo, duo.action_from_text(state, "a14")) == ((0, 0),)
    assert covered(duo, duo.action_from_text(state, "n1")) == ((13, 13),)
    with pytest.raises(ActionTextError, match="a to n and a row from 1 to 14"):
        duo.action_from_text(state, "a15")


def test_the_text_of_a_state_shows_turn_and_board(classic, play):
    text = classic.state_to_text(play("a20,b20", "t20"))
    lines = text.splitlines()
    assert lines[0] == "red to move"
    assert lines[1] == "20 B B . . . . . . . . . . . . . . . . . Y"
    assert lines[20] == " 1 . . . . . . . . . . . . . . . . . . . ."
    assert lines[21] == LAST


def test_the_text_names_the_colours_that_finished_with_i1(classic):
    state = parlour.Record.from_text(FINISHED.read_text("utf-8")).final
    text = classic.state_to_text(state)
    assert text.splitlines()[0] == "game over"
    assert text.splitlines()[-1] == "finished with I1: blue"
    assert classic.state_from_text(text) == state
    without = classic.state_from_text(text.rpartition("\n")[0])
    assert without != state
    assert (state.result().scores[0], without.result().scores[0]) == (20.0, 15.0)


def _edit(text, row, before, after):
    lines = text.splitlines()
    assert before in lines[row]
    lines[row] = lines[row].replace(before, after, 1)
    return "\n".join(lines)


def test_malformed_state_text_is_refused_with_its_line(classic):
    text = classic.state_to_text(classic.start())
    for wrong, reason in (
        (text.replace("blue to move", "blue"), "line 1"),
        (text.replace("blue to move", "pink to move"), "line 1"),
        ("\n".join(text.splitlines()[:-1]), "20 rows"),
        (text + "\nfoo", "line 23"),
        (text + "\nfinished with I1: pink", "line 23"),
        (text + "\nfinished with I1: blue, blue", "line 23"),
        (_edit(text, 3, ".", "x"), "line 4: 'x' is not a cell"),
        (_edit(text, 3, ". ", ""), "line 4"),
        (_edit(text, 3, "18", "17"), "line 4"),
        (_edit(text, 21, "a", "b"), "line 22"),
    ):
        with pytest.raises(StateTextError, match=reason):
            classic.state_from_text(wrong)


def _board(classic, turn, *placements):
    """Return the text with these letters written on these cells."""
    lines = classic.state_to_text(classic.start()).splitlines()
    rows = [line.split() for line in lines[1:21]]
    for letter, cells in placements:
        for cell in cells.split(","):
            rows[20 - int(cell[1:])][1 + ord(cell[0]) - ord("a")] = letter
    return "\n".join([turn, *(" ".join(row) for row in rows), lines[21]])


@pytest.mark.parametrize(
    ("turn", "placements", "reason"),
    [
        (
            "yellow to move",
            [("B", "a20,b20,c20,d20,e20,f20")],
            "6 cells of blue .* do not form a piece",
        ),
        ("yellow to move", [("B", "b19")], "no piece of blue can have been the first"),
        ("yellow to move", [("B", "a20"), ("B", "c18,d18")], "not connected corner to corner"),
        ("yellow to move", [("B", "a20"), ("B", "b19")], "blue has I1 twice"),
        ("blue to move", [("B", "a20")], "yellow must have placed 1, not 0"),
        ("red to move", [("B", "a20")], "yellow must have placed 1, not 0"),
        ("yellow to move", [("B", "a20"), ("Y", "t20")], "blue must have placed 2, not 1"),
        # A colour that has too many pieces, before and after the colour to move.
        ("blue to move", [("Y", "t20")], "yellow must have placed 0, not 1"),
        ("yellow to move", [("B", "a20"), ("G", "a1")], "green must have placed 0, not 1"),
        (
            "yellow to move",
            [("B", "a20"), ("B", "b19,c19"), ("B", "d18,d17,d16")],
            "blue must have placed 1, not 3",
        ),
        ("game over", [], "the game is not over: blue can place"),
    ],
)
def test_an_impossible_position_is_refused(classic, turn, placements, reason):
    with pytest.raises(InvalidState, match=reason):
        classic.state_from_text(_board(classic, turn, *placements))


def test_a_position_whose_colour_to_move_cannot_place_is_refused(classic, random_states):
    over = random_states(classic, 100, seed=3)
    text = classic.state_to_text(over).replace("game over", "green to move")
    with pytest.raises(
        InvalidState, match="green cannot be to move, because it cannot place a piece"
    ):
        classic.state_from_text(text)


def test_finished_with_i1_needs_an_empty_hand(classic):
    text = classic.state_to_text(classic.start()) + "\nfinished with I1: blue"
    with pytest.raises(InvalidState, match="pieces left"):
        classic.state_from_text(text)


@pytest.mark.parametrize(
    ("cells", "mover", "small"),
    [(b"", 0, 0), (bytes(399), 0, 0), (bytes(399) + b"\x05", 0, 0), (bytes(400), 4, 0),
     (bytes(400), -2, 0), (bytes(400), 0, 16), (bytes(400), 0, -1)],
)  # fmt: skip
def test_impossible_cells_are_refused(classic, cells, mover, small):
    with pytest.raises(InvalidState, match=r".+"):
        classic.position(cells, mover, small)


def test_a_record_round_trips(classic):
    rng = parlour.Rng(1)
    state, actions = classic.start(), []
    while state.actor != parlour.OVER:
        actions.append(state.sample(rng))
        state = state.apply(actions[-1])
    record = parlour.Record(classic, 0, actions)
    assert parlour.Record.from_text(record.to_text()) == record
