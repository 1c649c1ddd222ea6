"""Scenes of Blokus."""

import io

import parlour
from parlour.table.opening import GameSetup
from parlour.terminal.line import LineGame


def test_cells_show_their_colour_as_glyph_and_label(play):
    scene = play("a20,b20", "t20").scene()
    assert (scene.board.rows, scene.board.cols) == (20, 20)
    assert [scene.cells[k].glyph for k in (0, 1, 2, 19)] == ["B", "B", ".", "Y"]
    assert [scene.cells[k].label for k in (0, 2, 19)] == ["blue", "empty", "yellow"]
    assert [scene.cells[k].owner for k in (0, 2, 19)] == [0, -1, 1]


def test_a_free_starting_cell_is_marked_for_its_colour(play):
    cell = play("a20").scene().cells[399]
    assert (cell.glyph, cell.label, cell.marks) == ("r", "empty, red's starting square", ("start",))


def test_rows_and_columns_are_named_as_in_the_notation(classic):
    scene = classic.start().scene()
    assert (scene.board.row_names[0], scene.board.row_names[-1]) == ("20", "1")
    assert (scene.board.col_names[0], scene.board.col_names[-1]) == ("a", "t")


def test_each_seats_tray_holds_its_remaining_pieces_by_name(play):
    scene = play("a20,b20").scene()
    seats = scene.seats
    assert scene.names == ("blue", "yellow", "red", "green")
    assert "I2" not in seats[0].tray
    assert len(seats[0].tray) == 20
    assert seats[1].tray[:3] == ("I1", "I2", "I3")
    assert [seat.score for seat in seats[:2]] == ["87 squares left", "89 squares left"]


def test_each_action_has_its_text_and_the_cells_it_covers(classic):
    scene = classic.start().scene(0)
    views = {view.text: view for view in scene.actions}
    assert views["a19,a20,b20"].cells == (0, 1, 20)
    assert len(views) == 58
    assert classic.start().scene(1).actions == ()


def test_the_status_names_the_player_to_move_and_the_winner(classic, random_states):
    assert classic.start().scene().status == "Blue to place a piece."
    over = random_states(classic, 100, seed=1)
    assert over.scene().status.startswith("No colour can place a piece: ")
    best = max(over.result().scores)
    assert f"with {best:g} point" in over.scene().status


def test_players_of_several_colours_see_their_pieces_colour_by_colour():
    state = parlour.game("blokus", variant="two-player").start()
    scene = state.scene()
    seats = scene.seats
    assert scene.names == ("player 1 (blue and red)", "player 2 (yellow and green)")
    assert seats[0].tray[0] == "blue:"
    assert seats[0].tray[22] == "red:"
    assert state.scene().status == "Player 1 for blue to place a piece."


def test_shared_pieces_are_in_the_tray_of_the_seat_that_plays_next():
    state = parlour.game("blokus", variant="three-player").start()
    holders = []
    for _ in range(9):
        trays = [seat.tray for seat in state.scene().seats]
        holders.append(["green:" in tray for tray in trays].index(True))
        state = state.apply(state.legal_actions()[0])
    assert holders == [0, 0, 0, 0, 1, 1, 1, 1, 2]


def test_a_tie_names_all_winners():
    from parlour.games.blokus.scene import _outcome

    game = parlour.game("blokus")
    tie = parlour.Result((2 / 3, 2 / 3, -1 / 3, -1.0), (-1.0, -1.0, -5.0, -9.0), "x")
    assert _outcome(game, tie).endswith("blue and yellow share first place with -1 point.")


def test_blokus_can_be_played_in_the_terminal(classic):
    out = io.StringIO()
    lines = io.StringIO("a20,b20\na20\nt20\nquit\n")
    assert LineGame(GameSetup(classic, seed=1).live, lines, out).run() == 0
    shown = out.getvalue()
    assert "Red to place a piece." in shown
    assert "a20 is not legal: the piece overlaps one of blue's pieces." in shown
    assert "blue: 87 squares left: I1 I3 V3" in shown
