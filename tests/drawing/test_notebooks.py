"""States, scenes, cells, pieces and records in notebooks."""

import re
import xml.etree.ElementTree as ET

import pytest
from kuhn import Kuhn
from nim import Nim

import parlour
from parlour.drawing.svg import scene_to_svg
from parlour.games import banqi, blokus, cat_mouse, octa

SVG = "{http://www.w3.org/2000/svg}"


def labels(picture):
    """Return the label of each cell."""
    groups = ET.fromstring(picture).findall(f"{SVG}g")
    return [group.find(f"{SVG}title").text for group in groups]


def title(picture):
    return ET.fromstring(picture).find(f"{SVG}title").text


@pytest.mark.parametrize("name", parlour.game_names())
def test_a_state_is_shown_as_its_picture(name):
    game = parlour.game(name)
    state = game.start(3)
    assert state._repr_svg_() == scene_to_svg(state.scene(), (), game.title)
    assert state.scene()._repr_svg_() == scene_to_svg(state.scene())


def test_a_game_in_plain_python_is_shown_too():
    assert title(Nim().start()._repr_svg_()) == "Nim"


def test_a_state_with_secrets_is_shown_as_a_spectator_sees_it():
    state = Kuhn().start()
    rng = parlour.Rng(1)
    while state.actor == parlour.CHANCE:
        state = state.apply(state.sample(rng))
    assert state._repr_svg_() == scene_to_svg(state.scene(None), (), "Kuhn poker")
    assert state.scene(0)._repr_svg_() != state.scene(None)._repr_svg_()


def test_a_cell_is_shown_by_itself():
    assert labels(parlour.Cell("x", "a stone")._repr_svg_()) == ["a stone"]


class TestPieces:
    def test_a_piece_of_blokus_is_its_shape(self):
        piece = blokus.Piece("L4")
        assert title(piece._repr_svg_()) == "L4"
        assert labels(piece._repr_svg_()) == ["L4"] * 4
        assert piece.rotate(90)._repr_svg_() != piece._repr_svg_()

    def test_a_piece_of_banqi_shows_its_character_or_its_back(self):
        shown = banqi.Piece("King", "red", True, False)
        hidden = banqi.Piece("King", "red", False, False)
        assert labels(shown._repr_svg_()) == ["red King"]
        assert "帥" in shown._repr_svg_()
        assert labels(hidden._repr_svg_()) == ["face-down"]
        assert "帥" not in hidden._repr_svg_()

    def test_a_cell_of_octa_is_its_arrow(self):
        cell = octa.GameCell(octa.Coordinate(0, 0), octa.CellState.PLAYER_2, octa.Direction.SW)
        assert labels(cell._repr_svg_()) == ["player 2, arrow south-west"]
        assert "rotate(225)" in cell._repr_svg_()


class TestPositionsOfTheSpecifications:
    def test_a_match_of_banqi_is_what_both_players_see(self):
        match = banqi.create_match(3)
        assert labels(match._repr_svg_()) == ["face-down"] * 32
        after = banqi.execute_flip(match, 0)
        assert labels(after._repr_svg_()).count("face-down") == 31

    def test_a_game_of_blokus_is_its_board(self):
        state = blokus.GameState.new()
        assert state._repr_svg_() == state.engine_state._repr_svg_()

    def test_a_map_of_octa_is_its_cells(self):
        game_map = octa.GraphGameMap(1)
        game_map.get_cell(octa.Coordinate(0, 0)).state = octa.CellState.BLOCKED
        found = labels(game_map._repr_svg_())
        assert found == ["neutral, arrow north"] * 4 + ["blocked"] + ["neutral, arrow north"] * 4

    def test_a_game_of_cat_and_mouse_is_its_grid(self):
        state = cat_mouse.create_game(7)
        found = labels(state._repr_svg_())
        assert found[state.cat.position.row * 25 + state.cat.position.col] == "the cat"
        assert found.count("obstacle") == len(state.grid.obstacles)
        engine = parlour.game("cat_mouse").start(7)
        assert found == labels(engine._repr_svg_())


class TestRecords:
    def test_a_record_shows_its_first_and_last_position_and_its_actions(self):
        record = parlour.Record(parlour.game("octa", size=1), 8, [2, 0])
        sheet = ET.fromstring(record._repr_html_())
        pictures = list(sheet.iter(f"{SVG}svg"))
        assert len(pictures) == 2
        rows = [[cell.text for cell in row] for row in sheet.iter("tr")][1:]
        assert rows == [["1", "player 1", "1,1"], ["2", "player 2", "-1,1"]]
        text = "".join(sheet.itertext())
        assert "Octa, size 1, " in text
        assert "seed 8; 2 actions. Turn 3 of 8: player 1 to move." in text

    def test_the_last_decision_is_framed_though_chance_came_after_it(self):
        game = parlour.game("banqi")
        state = game.start(1).play("c2")
        record = parlour.Record(game, 1, [game.action_from_text(game.start(1), "c2")])
        record = parlour.Record(game, 1, [*record.actions, state.legal_actions()[0]])
        first, last = (
            picture for picture in re.findall(r"<svg.*?</svg>", record._repr_html_(), re.DOTALL)
        )
        assert first.count('stroke-width="3"') == 0
        assert last.count('stroke-width="3"') == 1
        assert "<td>Chance</td>" in record._repr_html_()

    def test_a_record_without_actions_is_its_start(self):
        sheet = ET.fromstring(parlour.Record(Nim())._repr_html_())
        assert len(list(sheet.iter(f"{SVG}svg"))) == 1
        assert list(sheet.iter("table")) == []

    def test_a_record_shows_only_public_information(self):
        game = Kuhn()
        dealt = next(action for action, _ in game.start().chance_outcomes())
        record = parlour.Record(game, 0, [dealt])
        assert game.action_words(record.states[0], dealt, None) in record._repr_html_()
        assert game.action_words(record.states[0], dealt, 0) not in record._repr_html_()

    def test_texts_of_a_record_are_escaped(self):
        class Loud(Nim):
            def action_words(self, state, action, seat=None):
                return "<script>\x1b&"

            def seat_names(self, state):
                return ("<b>", "&")

        sheet = parlour.Record(Loud(), 0, [0])._repr_html_()
        assert "<script>" not in sheet
        assert "<b><" not in sheet
        assert "&lt;script&gt;\\x1b&amp;" in sheet


@pytest.mark.parametrize("text", [*parlour.agent_names(), "mcts:sims=5,seed=1", "level:3"])
def test_repr_of_an_agent_creates_it_again(text):
    made = parlour.agent(text)
    again = eval(repr(made))
    assert repr(made).startswith("parlour.agent('")
    assert (type(again), repr(again)) == (type(made), repr(made))
