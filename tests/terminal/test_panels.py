"""The panel beside the board."""

from textual.content import Content

import parlour
from parlour.shapes import normalise
from parlour.table import PERSON, LocalGame
from parlour.table.opening import GameSetup
from parlour.terminal.panels import counted, panel_lines, tray_lines
from parlour.terminal.session import Session
from parlour.terminal.small_shapes import dotted_shape, small_shape


def session_at(name):
    game = parlour.game(name)
    opening = GameSetup(game, (PERSON,) * game.seats, 8)
    return Session(lambda: LocalGame(opening.sit_down()))


def plain(lines):
    """Return the lines without markup."""
    return [Content.from_markup(line).plain for line in lines]


def test_a_small_shape_is_one_column_and_half_a_line_a_cell():
    assert small_shape(((0, 0), (0, 1), (1, 1))) == ("▀█",)
    assert small_shape(((0, 0), (1, 0), (2, 0))) == ("▀▀▀",)
    assert small_shape(((0, 0), (1, 0), (2, 0)), lies_down=False) == ("█", "▀")


def test_the_tray_shows_every_piece_and_each_can_be_clicked():
    session = session_at("blokus")
    seat = session.scene.seats[0]
    tray = [name for name in seat.tray if name in session.picker.by_group]
    assert set(seat.tray) - set(tray) == {"X5"}  # it covers no corner of the board
    lines = tray_lines(tray, session.shapes, session.picker)
    assert all(f"app.take('{name}')" in "".join(lines) for name in tray)
    drawn = "".join(plain(lines))
    assert set(drawn) <= set(" █▀▄")
    assert drawn.count("█") * 2 + drawn.count("▀") + drawn.count("▄") == 84
    assert all(len(line) <= 24 for line in plain(lines))


def test_a_piece_that_no_longer_fits_keeps_its_shape():
    session = session_at("blokus")
    del session.picker.by_group["L5"]
    lines = tray_lines(("L5", "I1"), session.shapes, session.picker)
    assert "L5" not in "".join(lines)
    assert lines[0].startswith("  [dim]")


def test_a_piece_that_has_never_fitted_shows_its_name():
    session = session_at("blokus")
    assert plain(tray_lines(("X5", "I1"), session.shapes, session.picker)) == ["  X5 ▀"]


def test_the_last_piece_is_drawn_in_its_orientation():
    session = session_at("blokus")
    session.take("L5")
    session.touch()
    shape = normalise(divmod(cell, 20) for cell in session.game.last_cells)
    lines = plain(panel_lines(session, session.scene, None, False))
    at = next(number for number, line in enumerate(lines) if line.startswith("Last"))
    expected = [line.rstrip() for line in small_shape(shape, lies_down=False)]
    assert [line.strip() for line in lines[at + 1 : at + 1 + len(expected)]] == [
        line.strip() for line in expected
    ]


def test_earlier_actions_are_listed_with_their_pieces_if_there_is_room():
    session = session_at("blokus")
    for name in ("L5", "V5", "I3"):
        session.take(name)
        session.to_place(1)
        session.touch()
    made = session.game.history()
    assert len(made) == 3
    assert "Before" not in plain(panel_lines(session, session.scene, None, False))
    lines = plain(panel_lines(session, session.scene, None, False, space=8))
    at = lines.index("Before")
    for line, view in zip(lines[at + 1 : at + 3], (made[1], made[0]), strict=True):
        shape = normalise(divmod(cell, 20) for cell in view.cells)
        assert line == f"  {view.seat + 1} {view.words} {dotted_shape(shape)}".rstrip()
    assert made[2].words not in "\n".join(lines[at:])
    exact = plain(panel_lines(session, session.scene, None, False, True, 1))
    assert made[1].text[:10] in exact[exact.index("Before") + 1]


def test_repeated_captures_are_counted():
    assert counted(("p", "p", "r")) == ["p×2", "r"]
