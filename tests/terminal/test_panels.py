"""The panel beside the board."""

import re
from dataclasses import replace

import pytest
from textual.content import Content

import parlour
from parlour.shapes import normalise
from parlour.table import PERSON, LocalGame
from parlour.table.opening import GameSetup
from parlour.terminal.palette import COLOURLESS, DARK
from parlour.terminal.panels import MOVES, PIECES, PLAYERS, PanelLook, counted, panel_sections
from parlour.terminal.session import Session
from parlour.terminal.small_shapes import dotted_shape, small_shape
from parlour.terminal.tray import shapes_of, tray_lines


def session_at(name, *seats):
    game = parlour.game(name)
    opening = GameSetup(game, seats or (PERSON,) * game.seats, 8)
    return Session(lambda: LocalGame(opening.sit_down()))


def panel(session, title=PLAYERS, **look):
    """Return a section of the panel without markup."""
    return plain(panel_sections(session, session.scene, PanelLook(**look))[title])


def plain(lines):
    """Return the lines without markup."""
    return [Content.from_markup(line).plain for line in lines]


def test_a_small_shape_is_one_column_and_half_a_line_a_cell():
    assert small_shape(((0, 0), (0, 1), (1, 1))) == ("▀█",)
    assert small_shape(((0, 0), (1, 0), (2, 0))) == ("▀▀▀",)
    assert small_shape(((0, 0), (1, 0), (2, 0)), lies_down=False) == ("█", "▀")


class TestTray:
    """The pieces of the seat to act."""

    @pytest.mark.parametrize(("width", "space"), [(24, 99), (24, 0), (14, 0), (50, 99)])
    def test_every_piece_has_its_name_and_its_shape_and_can_be_clicked(self, width, space):
        session = session_at("blokus")
        names = session.scene.seats[0].tray
        assert len(names) == 21
        lines = tray_lines(names, shapes_of(session.scene), session.picker, width, space)
        fitting = set(names) - {"X5"}  # it covers no corner of the board
        clicked = re.findall(r"@click=app.take\('(\w+)'\)", "".join(lines))
        assert set(clicked) == fitting
        drawn = plain(lines)
        assert sorted(re.findall(r"[A-Z]\d", "".join(drawn))) == sorted(names)
        cells = sum(line.count("█") * 2 + line.count("▀") + line.count("▄") for line in drawn)
        dots = sum((ord(sign) - 0x2800).bit_count() for sign in "".join(drawn) if sign >= "⠀")
        assert max(cells, dots) == 89
        assert all(len(line) <= width for line in drawn)

    def test_the_piece_in_hand_is_drawn_like_the_others(self):
        session = session_at("blokus")
        shapes = shapes_of(session.scene)
        names = session.scene.seats[0].tray
        before = plain(tray_lines(names, shapes, session.picker, 24, 99))
        session.take("L5")
        lines = tray_lines(names, shapes, session.picker, 24, 99)
        assert plain(lines) == before
        reversed_parts = re.findall(r"\[b reverse [^]]*\]([^[]*)\[", "".join(lines))
        assert [part.strip() for part in reversed_parts] == ["L5"]

    def test_your_pieces_stay_in_the_tray_while_others_think(self):
        session = session_at("blokus", PERSON, *["level:1"] * 3)
        session.take("L5")
        session.touch()
        assert not session.game.is_my_turn
        sections = panel_sections(session, session.scene, PanelLook(height=40))
        drawn = "".join(plain(sections[PIECES]))
        assert "L5" not in drawn
        assert "Z5" in drawn
        assert "@click" not in str(sections[PIECES])
        assert "Take one" not in drawn

    def test_a_piece_that_no_longer_fits_keeps_its_shape(self):
        session = session_at("blokus")
        shapes = shapes_of(session.scene)
        before = plain(tray_lines(("L5", "I1"), shapes, session.picker, 24, 9))
        del session.picker.by_group["L5"]
        lines = tray_lines(("L5", "I1"), shapes, session.picker, 24, 9)
        assert plain(lines) == before
        assert "take('L5')" not in "".join(lines)


class TestSeats:
    """The seats: names, points, captured pieces."""

    def test_the_player_against_agents_is_called_you(self):
        lines = panel(session_at("octa", PERSON, "level:3"), width=40)
        assert lines[0].startswith("▶1 player 1 (you)")
        assert lines[1].startswith(" 2 player 2 (level:3)")
        assert "(you)" not in "".join(panel(session_at("octa")))

    def test_a_seats_number_is_in_the_colour_of_its_cells(self):
        session = session_at("octa")
        lines = panel_sections(session, session.scene, PanelLook(palette=DARK))[PLAYERS]
        assert "on #0072b2]1[/]" in lines[0]
        bare = panel_sections(session, session.scene, PanelLook(palette=COLOURLESS))
        assert " on " not in bare[PLAYERS][0]

    def test_a_name_that_does_not_fit_continues_on_the_next_line(self):
        session = session_at("banqi", PERSON, "level:3")
        seats = [replace(seat, score="3 captured") for seat in session.scene.seats]
        scene = session.scene._replace(seats=tuple(seats))
        lines = plain(panel_sections(session, scene, PanelLook(width=20))[PLAYERS])
        assert lines[2:] == [" 2 player 2", "   (level:3)", "   3 captured"]

    def test_a_long_name_is_cropped_with_an_ellipsis(self):
        session = session_at("octa", PERSON, "mcts:sims=5000,seed=1")
        assert panel(session, width=18)[3].endswith("…")
        assert all(len(line) <= 18 for line in panel(session, width=18))

    def test_captured_pieces_are_drawn_as_pieces(self):
        session = session_at("banqi")
        seat = replace(session.scene.seats[0], tray=("p", "p", "k"))
        scene = session.scene._replace(seats=(seat, session.scene.seats[1]))
        look = PanelLook(palette=DARK)
        assert "    卒 ×2  將 " in plain(panel_sections(session, scene, look)[PLAYERS])
        letters = PanelLook(palette=DARK, shows_signs=False)
        assert "    p ×2  k " in plain(panel_sections(session, scene, letters)[PLAYERS])

    def test_a_thinking_agent_is_shown_with_the_time_in_place_of_its_move(self):
        session = session_at("octa", "level:3", PERSON)
        assert panel(session, MOVES, thinking="thinking ... 3 s") == ["1 1 thinking ... 3 s"]

    def test_the_commitment_to_chance_is_not_beside_the_board(self):
        session = session_at("banqi")
        sections = panel_sections(session, session.scene, PanelLook())
        assert session.game.promise()[:8] not in str(sections)
        assert "Chance" not in session.message


class TestMoves:
    """The list of moves."""

    def played(self):
        session = session_at("blokus")
        for name in ("L5", "V5", "I3"):
            session.take(name)
            session.to_place(1)
            session.touch()
        return session

    def test_the_moves_fill_the_panel_with_the_latest_at_the_bottom(self):
        session = self.played()
        made = session.game.history()
        assert len(made) == 3
        lines = panel(session, MOVES, width=30, height=40)
        for line, view in zip(lines, made, strict=True):
            shape = normalise(divmod(cell, 20) for cell in view.cells)
            number = f"{view.ply} {view.seat + 1}"
            assert line == f"{number} {view.words} {dotted_shape(shape)}".rstrip()
        exact = panel(session, MOVES, width=30, height=40, is_exact=True)
        assert made[2].text[:10] in exact[-1]
        assert made[2].sentence in panel(session, MOVES, width=60, height=40)[-1]

    def test_an_outcome_of_chance_belongs_to_its_move(self):
        session = session_at("banqi")
        session.touch()
        session.move("right")
        session.touch()
        lines = panel(session, MOVES, width=40)
        assert [line[:2] for line in lines] == ["1 ", "2 "]
        assert all("flipped" in line for line in lines)

    def test_words_that_do_not_fit_become_the_shorter_notation(self):
        session = session_at("banqi")
        session.touch()
        assert "flipped" in panel(session, MOVES, width=40)[0]
        narrow = panel(session, MOVES, width=12)[0]
        assert re.fullmatch(r"1 1 a1=\w", narrow)

    @pytest.mark.parametrize("frame", [1, 2])
    def test_the_moves_get_the_lines_that_the_other_sections_leave(self, frame):
        session = self.played()
        for height in range(20, 60, 5):
            look = PanelLook(width=30, height=height, frame=frame)
            sections = panel_sections(session, session.scene, look)
            used = sum(len(lines) + frame for lines in sections.values()) - (frame == 1)
            assert used <= height or not sections[MOVES]


def test_repeated_captures_are_counted():
    assert counted(("p", "p", "r")) == ["p×2", "r"]
